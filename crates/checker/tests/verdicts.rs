//! The recorded verdicts of public models, as far as a few thousand states decide them: none is contradicted.
//!
//! `ZONEWALK_STATES` sets the number of states.
#![allow(clippy::unwrap_used)]

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use zonewalk_checker::{Control, Delays, Options, Outcome, Search, Task, TraceKind, ZoneOptions};
use zonewalk_model::tree::Query;
use zonewalk_model::{check, instance};
use zonewalk_syntax::read::{read_formula, read_model};
use zonewalk_syntax::source::SourceMap;

/// Rows whose record does not fit the file as it is now; `docs/verdicts.md` has the reasons.
const OUTDATED: &[(&str, &str)] = &[
    ("smc_non-deterministic_input2.xml", "E<> Cat.s == Mouse.s"),
    (
        "An-Electronic-Examination-Model-Based-on-UPPAAL.xml",
        "A[] not deadlock",
    ),
    ("nrtLkExample.xml", "A[] (P.s1 imply P.x1 < 3)"),
    ("SegundoModeloReducido.xml", "-->"),
];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

fn options(search: Search, states: u64) -> Options {
    Options {
        search,
        schedule: zonewalk_checker::Schedule::Tuned,
        delays: Delays::Adaptive,
        seed: 1,
        threads: NonZeroUsize::MIN,
        max_steps: None,
        time_bound: None,
        max_walks: None,
        deadline: None,
        trace: TraceKind::Some,
        zones: ZoneOptions {
            max_states: Some(states),
            ..ZoneOptions::default()
        },
        shrink_budget: 0,
        statistics: zonewalk_checker::StatisticsOptions::default(),
    }
}

/// The verdict of a search; `None` when there is none, with the reason.
fn decide(path: &Path, text: &str, search: Search, states: u64) -> Result<bool, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let mut sources = SourceMap::new();
    let (document, _) = read_model(&path.to_string_lossy(), &bytes, None, &mut sources);
    let document = document.ok_or("it does not parse")?;
    let entry = read_formula("query", text, &mut sources);
    let (Ok(model), _) = check::check(sources, &document, &[]) else {
        return Err("it is not well-formed".to_owned());
    };
    let system = instance::instantiate(&model).map_err(|_| "it has no instances")?;
    let queries: Vec<Query> = check::queries(&model, &[entry]).into_iter().flatten().collect();
    let query = queries.first().ok_or("the query does not fit")?;
    if !search.decides(&query.kind) {
        return Err("not decided by this search".to_owned());
    }
    let task = Task::new(&model, &system, &[query]).map_err(|_| "not supported")?;
    let checker = task.checker();
    let report = checker
        .check(0, &options(search, states), &Control::default(), &mut |_, _| {})
        .ok_or("not decided")?;
    match report.outcome {
        Outcome::Decided { satisfied, .. } => Ok(satisfied),
        Outcome::Bug(error) => panic!("{} {text}: {error}", path.display()),
        other => Err(format!("{other:?}")),
    }
}

#[test]
fn no_recorded_verdict_is_contradicted() {
    let Ok(table) = std::fs::read_to_string(corpus().join("verdicts.tsv")) else {
        return;
    };
    let states = std::env::var("ZONEWALK_STATES").map_or(2_000, |n| n.parse().unwrap());
    let (mut agreed, mut open) = (0, 0);
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let (file, query, verdict) = (columns[0], columns[1], columns[2]);
        if query.contains("-->") || query.starts_with("A<>") || query.starts_with("E[]") {
            continue;
        }
        for search in [Search::Bfs, Search::Dfs] {
            match decide(&corpus().join(file), query, search, states) {
                Ok(satisfied) if satisfied == (verdict == "satisfied") => agreed += 1,
                Ok(_) => {
                    let is_known = OUTDATED
                        .iter()
                        .any(|(name, text)| file.ends_with(name) && query.contains(text));
                    assert!(
                        is_known,
                        "{file} {query}: recorded as {verdict} ({})",
                        search.name()
                    );
                }
                Err(_) => open += 1,
            }
        }
    }
    assert!(agreed > 100, "{agreed} rows agree, {open} are open");
}
