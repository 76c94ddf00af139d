//! Verdicts on whole models, and lengths of shortest runs.

// Each target takes what it needs.
#![allow(dead_code)]

pub(crate) mod scaled;

use zonewalk_checker::{
    CompiledModel, Control, Covering, Options, Outcome, Search, TraceKind, TraceOptions, ZoneOptions,
    check_text,
};
use zonewalk_model::tree::Query;
use zonewalk_testkit::Loaded;

fn options(search: Search, states: u64) -> Options {
    let mut options = Options::new(search).max_states(states);
    options.trace.shrink_budget = 0;
    options
}

/// The verdict of a search, or why there is none.
pub(crate) fn decide(
    name: &str,
    loaded: &Loaded,
    query: &Query,
    search: Search,
    states: u64,
) -> Result<bool, String> {
    let text = &query.text;
    if !search.decides(&query.kind) {
        return Err("not decided by this search".to_owned());
    }
    let task = CompiledModel::new(&loaded.model, &loaded.system, &[query]).map_err(|_| "not supported")?;
    let checker = task.checker();
    let report = checker
        .check(0, &options(search, states), &Control::default(), &mut |_, _| {})
        .ok_or("not decided")?;
    match report.outcome {
        Outcome::Decided { satisfied, .. } => Ok(satisfied),
        Outcome::Bug(error) => panic!("{name} {text}: {error}"),
        other => Err(format!("{other:?}")),
    }
}

/// The largest or smallest values that a query asks for.
pub(crate) fn values(loaded: &Loaded, query: &Query) -> Vec<String> {
    let task = CompiledModel::new(&loaded.model, &loaded.system, &[query]).unwrap();
    let report = task
        .checker()
        .check(0, &Options::default(), &Control::default(), &mut |_, _| {});
    match report.map(|report| report.outcome) {
        Some(Outcome::Values { values, .. }) => values.into_iter().map(|value| value.value).collect(),
        other => panic!("{}: {other:?}", query.text),
    }
}

/// The number of steps of the shortest run that breadth-first search finds within so many states.
pub(crate) fn shortest(
    name: &str,
    text: &str,
    query: &str,
    covering: Covering,
    states: u64,
) -> Option<usize> {
    let options = Options {
        search: Search::Bfs,
        trace: TraceOptions {
            kind: TraceKind::Shortest,
            shrink_budget: 10_000,
        },
        zones: ZoneOptions {
            max_states: Some(states),
            covering,
            ..ZoneOptions::default()
        },
        ..Options::default()
    };
    let report = check_text(name, text, query, &options).ok()?;
    match report.outcome {
        Outcome::Decided { evidence, .. } => Some(evidence.witness()?.steps),
        _ => None,
    }
}
