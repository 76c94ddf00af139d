//! The shipped models keep what their queries promise.
//!
//! A search over a grid of time: with integer bounds, steps of one unit show every reachable location where no bound
//! is strict, and steps of a half are enough for the few strict ones here.

use crate::command::root;
use std::collections::{HashSet, VecDeque};
use zonewalk_model::check;
use zonewalk_model::instance::instantiate;
use zonewalk_model::tree::{Query, QueryKind};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::{Interpreter, State};
use zonewalk_syntax::read::{read_definition, read_model, read_queries};
use zonewalk_syntax::source::SourceMap;

/// Clocks beyond every bound of the model are alike.
fn key(state: &State, bound: i128) -> String {
    let clocks: Vec<_> = state
        .clocks
        .iter()
        .map(|&clock| clock.min(Rational::new(bound + 1, 1).unwrap()))
        .collect();
    format!("{:?} {:?} {clocks:?}", state.locations, state.memory)
}

/// Every state on the grid.
fn explore(interpreter: &Interpreter<'_>, step: Rational, bound: i128, mut visit: impl FnMut(&State)) {
    let initial = interpreter.initial().unwrap();
    let mut seen = HashSet::from([key(&initial, bound)]);
    let mut waiting = VecDeque::from([initial]);
    while let Some(state) = waiting.pop_front() {
        visit(&state);
        let mut next = Vec::new();
        if interpreter.delays(&state).unwrap().contains(step) {
            next.push(interpreter.delay(&state, step).unwrap());
        }
        for transition in interpreter.enabled_now(&state).unwrap() {
            next.push(interpreter.fire(&state, &transition.parts).unwrap());
        }
        waiting.extend(next.into_iter().filter(|state| seen.insert(key(state, bound))));
    }
}

/// Whether each reachability or invariant query is satisfied; `None` for the others.
fn verdicts(
    interpreter: &Interpreter<'_>,
    queries: &[Query],
    step: Rational,
    bound: i128,
) -> Vec<Option<bool>> {
    // Satisfied until shown otherwise, or the other way round.
    let mut verdicts: Vec<_> = queries
        .iter()
        .map(|query| match query.kind {
            QueryKind::Invariant(_) => Some(true),
            QueryKind::Reachable(_) => Some(false),
            _ => None,
        })
        .collect();
    explore(interpreter, step, bound, |state| {
        for (query, verdict) in queries.iter().zip(&mut verdicts) {
            let (QueryKind::Invariant(predicate) | QueryKind::Reachable(predicate)) = &query.kind else {
                continue;
            };
            let witness = matches!(query.kind, QueryKind::Reachable(_));
            if interpreter.holds(state, predicate).unwrap() == witness {
                *verdict = Some(witness);
            }
        }
    });
    verdicts
}

/// Compares a model's expectations with what the grid shows.
fn compare(name: &str, size: Option<i32>, grid: (i128, i128), bound: i128) {
    let path = root().join("models").join(name);
    let mut sources = SourceMap::new();
    let (document, _) = read_model(name, &std::fs::read(&path).unwrap(), None, &mut sources);
    let document = document.unwrap();
    let mut entries = document.queries.entries.clone();
    if entries.is_empty() {
        entries = read_queries(
            "queries",
            &std::fs::read(path.with_extension("q")).unwrap(),
            &mut sources,
        )
        .0
        .entries;
    }
    let size = size.map(|n| read_definition("N", &n.to_string(), &mut sources).unwrap());
    let overrides: Vec<_> = size.map(|n| ("N".to_owned(), n)).into_iter().collect();
    let model = check::check(sources, &document, &overrides).0.unwrap();
    let system = instantiate(&model).unwrap();
    let interpreter = Interpreter::new(&model, &system).unwrap();
    let queries: Vec<_> = check::queries(&model, &entries)
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let step = Rational::new(grid.0, grid.1).unwrap();
    let found = verdicts(&interpreter, &queries, step, bound);
    assert!(found.iter().flatten().count() >= 2, "{name}");
    for (query, verdict) in queries.iter().zip(found) {
        let expected = query.outcome.as_ref().map(|outcome| outcome.outcome == "success");
        assert!(
            verdict.is_none() || verdict == expected,
            "{name}: {} is {verdict:?}",
            query.text
        );
    }
}

#[test]
fn shipped_models_keep_their_promises() {
    compare("fischer.xml", Some(2), (1, 2), 3);
    compare("fischer-broken.xml", Some(3), (1, 1), 3);
    compare("train-gate.xml", Some(2), (1, 1), 21);
    compare("scheduler.xml", None, (1, 1), 41);
    compare("heartbeat.xml", Some(3), (1, 1), 9);
    compare("crossing.ta", None, (1, 2), 6);
    compare("tutorial/tank.xta", None, (1, 1), 31);
    compare("tutorial/tank-fixed.xta", None, (1, 1), 31);
}
