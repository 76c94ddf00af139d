//! The zone graphs of whole models: walks of the interpreter stay in them, exploring them panics nowhere, and all searches give the
//! same answers to their queries.

use crate::support::follow::{Followed, follow};
use crate::support::{Case, Question, Trouble, agreed};
use std::path::{Path, PathBuf};
use zonewalk_model::tree::QueryKind;
use zonewalk_network::NetworkBuilder;
use zonewalk_search::{Breadth, Depth, Goal as SearchGoal, Limits, Outcome, search};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_testkit::{load_file, number};

/// Larger networks take the interpreter too long.
const PROCESSES: usize = 64;
const STATES: usize = 300;
const STEPS: usize = 20;

fn most_states() -> usize {
    number("ZONEWALK_STATES").unwrap_or(STATES)
}

/// The model of a file, if it is one that both sides run, with a question for each of its queries `E<>` and `A[]`, and
/// whether states are looked for in which the predicate holds.
fn case(path: &Path) -> Option<(Case, Vec<bool>)> {
    let loaded = load_file(path).ok()?;
    loaded.interpreter().ok()?;
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).ok()?;
    // Deadlocks are asked about everywhere.
    let mut queries = vec![loaded.query("E<> deadlock").ok()?];
    queries.extend(loaded.queries());
    let (mut questions, mut sought) = (Vec::new(), Vec::new());
    for query in queries {
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
        model: loaded.model,
        system: loaded.system,
        network,
        questions,
    };
    Some((case, sought))
}

/// How many queries all searches agree about.
#[derive(Debug)]
pub(crate) struct Agreed {
    pub(crate) decided: usize,
    pub(crate) reached: usize,
    /// Number of models with run-time errors.
    pub(crate) erring: usize,
}

/// All searches, stores and abstractions agree about the queries of small models, and runs confirm them.
pub(crate) fn searches_agree(models: &[PathBuf]) -> Agreed {
    let (mut decided, mut reached, mut erring) = (0, 0, 0);
    let mut failures = Vec::new();
    for path in models {
        let Some((case, sought)) = case(path) else {
            continue;
        };
        let Ok(plan) = ZonePlan::new(&case.network) else {
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
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    Agreed {
        decided,
        reached,
        erring,
    }
}

/// How far models were followed.
#[derive(Debug, Default)]
pub(crate) struct Stayed {
    pub(crate) models: usize,
    /// Models that were explored to the end.
    pub(crate) finished: usize,
    pub(crate) steps: usize,
    pub(crate) points: usize,
    pub(crate) states: usize,
}

/// Walks of the interpreter stay in the zone graphs, and exploring those panics nowhere.
pub(crate) fn walks_stay(models: &[PathBuf]) -> Stayed {
    let mut stayed = Stayed::default();
    let mut failures = Vec::new();
    for path in models {
        let Some((case, _)) = case(path) else { continue };
        let Ok(plan) = ZonePlan::new(&case.network) else {
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
                stayed.models += 1;
                stayed.states += explored;
                stayed.finished += usize::from(is_finished);
                stayed.steps += sum.steps;
                stayed.points += sum.points;
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
    stayed
}

/// Explores some states in several ways; those that finish find equally many discrete states. Says how many states were
/// stored, and whether any way finished.
fn explore(case: &Case, plan: &ZonePlan<'_>) -> Result<(usize, bool), String> {
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
        let mut explorer: Explorer<'_, i64> = Explorer::from(graph);
        let mut store = ZoneStore::new(&case.network, covering);
        let goal = SearchGoal::none();
        let report = if is_breadth {
            search(
                &mut explorer.worker(),
                &mut store,
                &mut Breadth::new(),
                goal,
                &limits,
            )
        } else {
            search(
                &mut explorer.worker(),
                &mut store,
                &mut Depth::new(),
                goal,
                &limits,
            )
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
