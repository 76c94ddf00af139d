//! The zone graphs of the public models: walks of the interpreter stay in them, exploring them panics nowhere, and all
//! searches give the same answers to their queries.
//!
//! A sample by default; all of them with `ZONEWALK_CORPUS=all`, some by a part of their path with `ZONEWALK_ONLY`.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use support::follow::{Followed, follow};
use support::{Case, Question, Trouble, agreed};
use zonewalk_model::tree::QueryKind;
use zonewalk_model::{check, instance};
use zonewalk_network::NetworkBuilder;
use zonewalk_reference::Interpreter;
use zonewalk_search::{Breadth, Depth, Goal as SearchGoal, Limits, Outcome, search};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::plan::Plan;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_syntax::read;
use zonewalk_syntax::source::SourceMap;

/// One in so many models is in the sample.
const SAMPLE: usize = 12;
/// Larger networks take the interpreter too long.
const PROCESSES: usize = 64;
const STATES: usize = 300;
const STEPS: usize = 20;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn models() -> Vec<PathBuf> {
    fn collect(dir: &Path, list: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(dir) else {
            return;
        };
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                collect(&path, list);
            } else if path
                .extension()
                .is_some_and(|e| e == "xml" || e == "xta" || e == "ta")
            {
                list.push(path);
            }
        }
    }
    let mut list = Vec::new();
    for folder in ["../../../shared/corpus", "../../models"] {
        collect(&here().join(folder), &mut list);
    }
    list.sort();
    let is_all = std::env::var("ZONEWALK_CORPUS").is_ok_and(|v| v == "all");
    let only = std::env::var("ZONEWALK_ONLY").ok();
    (0..)
        .zip(list)
        .filter(|(number, path)| match &only {
            Some(part) => path.to_string_lossy().contains(part),
            None => is_all || number % SAMPLE == 0,
        })
        .map(|(_, path)| path)
        .collect()
}

/// The model of a file, if it is one that both sides run, with a question for each of its queries `E<>` and `A[]`, and
/// whether states are looked for in which the predicate holds.
fn case(path: &Path) -> Option<(Case, Vec<bool>)> {
    let bytes = std::fs::read(path).ok()?;
    let mut sources = SourceMap::new();
    let (document, diagnostics) = read::read_model(&path.to_string_lossy(), &bytes, None, &mut sources);
    let document = document.filter(|_| !diagnostics.has_errors())?;
    let (model, _) = check::check(sources, &document, &[]);
    let model = model.ok()?;
    let system = instance::instantiate(&model).ok()?;
    Interpreter::new(&model, &system).ok()?;
    let mut builder = NetworkBuilder::new(&model, &system).ok()?;
    // Dead ends are asked about everywhere.
    let mut entries = vec![read::read_formula("query", "E<> deadlock", &mut SourceMap::new())];
    entries.extend(document.queries.entries);
    let (mut questions, mut sought) = (Vec::new(), Vec::new());
    for query in check::queries(&model, &entries).into_iter().flatten() {
        let (expr, holds) = match query.kind {
            QueryKind::Reachable(expr) => (expr, true),
            QueryKind::Invariant(expr) => (expr, false),
            _ => continue,
        };
        if let Ok(predicate) = builder.predicate(query.slots, &expr) {
            let text = format!("query {}", sought.len());
            questions.push(Question {
                text,
                expr,
                predicate,
            });
            sought.push(holds);
        }
    }
    let network = builder.finish();
    let case = Case {
        model,
        system,
        network,
        questions,
    };
    Some((case, sought))
}

/// All searches, stores and abstractions agree about the queries of small models, and runs confirm them.
#[test]
fn searches_agree_on_public_models() {
    let (mut decided, mut reached, mut erring) = (0, 0, 0);
    let mut failures = Vec::new();
    for path in models() {
        let Some((case, sought)) = case(&path) else {
            continue;
        };
        let Ok(plan) = Plan::new(&case.network) else {
            continue;
        };
        for (question, &holds) in case.questions.iter().zip(&sought) {
            let run = std::panic::AssertUnwindSafe(|| agreed(&case, &plan, question, holds, most_states()));
            match std::panic::catch_unwind(run) {
                Ok(Ok(truth)) => {
                    decided += usize::from(truth.is_some());
                    reached += usize::from(truth == Some(true));
                }
                // Rates of hybrid models, say, and indices out of range.
                Ok(Err(Trouble::Model(_))) => erring += 1,
                Ok(Err(Trouble::Dissent(message))) => failures.push(format!("{}: {message}", path.display())),
                Err(_) => failures.push(format!("{}: it panics", path.display())),
            }
        }
    }
    println!(
        "{decided} queries decided, {reached} reached, {erring} of models with errors, {} failures",
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let is_there = here().join("../../../shared/corpus").is_dir();
    assert!(decided > 0 && (decided > reached && reached > 0 || !is_there));
}

fn most_states() -> usize {
    let most = std::env::var("ZONEWALK_STATES").ok().and_then(|n| n.parse().ok());
    most.unwrap_or(STATES)
}

#[test]
fn walks_stay_in_the_zone_graphs_of_public_models() {
    let (mut followed, mut finished, mut steps, mut points, mut states) = (0, 0, 0, 0, 0);
    let mut failures = Vec::new();
    for path in models() {
        let Some((case, _)) = case(&path) else { continue };
        let Ok(plan) = Plan::new(&case.network) else {
            continue;
        };
        let run = std::panic::AssertUnwindSafe(|| {
            let explored = explore(&case, &plan)?;
            let mut sum = Followed::default();
            if case.network.processes.len() <= PROCESSES {
                for seed in 0..2 {
                    let one = follow(&case, &plan, seed, STEPS, None)?;
                    sum.steps += one.steps;
                    sum.points += one.points;
                }
            }
            Ok((explored, sum))
        });
        let result = std::panic::catch_unwind(run).unwrap_or_else(|_| Err("it panics".to_owned()));
        match result {
            Ok(((explored, is_finished), sum)) => {
                followed += 1;
                states += explored;
                finished += usize::from(is_finished);
                steps += sum.steps;
                points += sum.points;
            }
            Err(message) => failures.push(format!("{}: {message}", path.display())),
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
    println!("{followed} models, {finished} small; {steps} steps, {points} points, {states} states");
    let is_there = here().join("../../../shared/corpus").is_dir();
    assert!(followed > 0 && steps > 0 && (points > 0 && finished > 0 || !is_there));
}

/// Explores some states in several ways; those that finish find equally many discrete states. Says how many states were
/// stored, and whether any way finished.
fn explore(case: &Case, plan: &Plan<'_>) -> Result<(usize, bool), String> {
    let most = most_states();
    let limits = Limits {
        stored: Some(most),
        explored: Some(most as u64),
        ..Limits::default()
    };
    let mut known: Option<(&str, usize)> = None;
    let mut sum = 0;
    let ways = [
        ("BFS, LU+", Abstraction::LuPlus, Covering::Inclusion, true),
        ("DFS, LU", Abstraction::Lu, Covering::Inclusion, false),
        ("BFS, M", Abstraction::M, Covering::Inclusion, true),
        (
            "DFS, LU+, equality",
            Abstraction::LuPlus,
            Covering::Equality,
            false,
        ),
        ("BFS, none", Abstraction::None, Covering::Inclusion, true),
    ];
    for (name, abstraction, covering, is_breadth) in ways {
        let graph = ZoneGraph::new(plan, case.network.bounds.clone(), &[], abstraction, &[]);
        let mut explorer = Explorer::from(graph);
        let mut store = ZoneStore::new(&case.network, covering);
        let goal = SearchGoal::none();
        let report = if is_breadth {
            search(&mut explorer, &mut store, &mut Breadth::new(), goal, &limits)
        } else {
            search(&mut explorer, &mut store, &mut Depth::new(), goal, &limits)
        };
        sum += report.statistics.states_stored;
        if report.outcome != Outcome::Exhausted {
            continue;
        }
        let count = store.discrete_states();
        match known {
            // Where clocks can be stopped, the abstraction decides how much too many there are.
            Some((other, before)) if before != count && !plan.is_approximate() => {
                return Err(format!("{before} discrete states by {other}, {count} by {name}"));
            }
            _ => known = Some((name, count)),
        }
    }
    Ok((sum, known.is_some()))
}
