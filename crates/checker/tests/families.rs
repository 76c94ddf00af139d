//! The families of directed search by zones: every query has the verdict that it expects, shortest ways to the errors are as long
//! as in the paper, and state spaces grow with the inputs as there (M. Wehrle, S. Kupferschmid, "Mcta: Heuristics and search for
//! timed systems", FORMATS 2012, table 2; its states are UPPAAL's).
#![allow(clippy::unwrap_used)]

use std::num::NonZeroUsize;
use zonewalk_checker::{
    CompiledModel, Control, Options, Outcome, Search, TraceKind, TraceOptions, ZoneOptions,
};
use zonewalk_testkit::own;

/// Answer of breadth-first search to a query.
struct Answer {
    satisfied: bool,
    /// Verdict in the model.
    expected: bool,
    explored: u64,
    /// Steps of the run, where there is one.
    steps: Option<usize>,
}

/// Decides the first `count` queries of a member; `params` as in `n=3 late=0`.
fn decide(family: &str, params: &str, count: usize) -> Vec<Answer> {
    let member = own::member(family, params);
    let queries = member.queries();
    let asked: Vec<_> = queries[..count].iter().map(|(query, _)| query).collect();
    let task = CompiledModel::new(&member.loaded.model, &member.loaded.system, &asked).unwrap();
    let checker = task.checker();
    let options = Options {
        search: Search::Bfs,
        threads: NonZeroUsize::MIN,
        zones: ZoneOptions::default(),
        trace: TraceOptions {
            kind: TraceKind::Some,
            shrink_budget: 0,
        },
        ..Options::default()
    };
    let answer = |number: usize| {
        let report = checker.check(number, &options, &Control::default(), &mut |_, _| {});
        let report = report.unwrap();
        let Outcome::Decided {
            satisfied, evidence, ..
        } = report.outcome
        else {
            panic!("{family} {params}: {}", asked[number].text)
        };
        Answer {
            satisfied,
            expected: queries[number].1.unwrap(),
            explored: report.stats.states_explored,
            steps: evidence.witness().map(|witness| witness.found_steps),
        }
    };
    (0..count).map(answer).collect()
}

fn as_expected(family: &str, params: &str, count: usize) {
    for (number, answer) in decide(family, params, count).into_iter().enumerate() {
        let number = number + 1;
        assert_eq!(
            answer.satisfied, answer.expected,
            "{family} {params}: query {number}"
        );
    }
}

#[test]
fn all_queries_have_the_expected_verdicts() {
    for (family, params) in [
        ("plc-mutex", "cycle=2"),
        ("plc-mutex", "cycle=2 late=0"),
        ("plc-mutex", "cycle=2 late=0 settling=yes"),
        ("plc-track", "n=0 faults=0"),
        ("plc-track", "n=0 faults=0 short=0"),
        ("arbiter-tree", "n=1"),
        ("arbiter-tree", "n=1 short=0"),
        ("arbiter-tree", "n=2"),
        ("arbiter-tree", "n=2 short=0"),
    ] {
        as_expected(family, params, 4);
    }
}

/// Whatever the parameters are, there is the error if there is the flaw, and a proof if not.
#[test]
fn errors_come_from_the_flaw_alone() {
    for (family, params) in [
        ("plc-mutex", "late=1 slack=1"),
        ("plc-mutex", "late=2 slack=1"),
        ("plc-mutex", "cycle=2 spread=1"),
        ("plc-mutex", "cycle=2 spread=1 late=0"),
        ("plc-mutex", "requests=1 late=0"),
        ("plc-track", "n=0 faults=0 cycle=2 short=4"),
        ("plc-track", "n=0 faults=1 short=0"),
        ("plc-track", "n=1 faults=0 short=0"),
        ("plc-track", "n=0 faults=0 relays=1 short=0"),
        ("arbiter-tree", "n=2 stay=1 hop=3"),
        ("arbiter-tree", "n=2 stay=1 hop=3 short=0"),
        ("arbiter-tree", "n=2 hop=0 short=6"),
        ("arbiter-tree", "n=2 hop=0 short=0"),
    ] {
        as_expected(family, params, 1);
    }
}

/// Rows of table 2 with the length and UPPAAL's states there: ours are as long, and as many within 17 %.
#[test]
fn instances_of_the_paper() {
    for (row, family, params, length, states) in [
        ("M_1", "plc-mutex", "", 47, 14_290),
        ("M_2", "plc-mutex", "requests=1", 50, 51_485),
        ("M_3", "plc-mutex", "requests=2", 50, 52_987),
        ("N_1", "plc-mutex", "settling=yes", 49, 28_196),
        ("C_1", "plc-track", "n=0 faults=0", 54, 21_008),
        ("C_2", "plc-track", "n=0 faults=1", 54, 55_544),
        ("C_3", "plc-track", "n=0", 54, 74_791),
        ("C_4", "plc-track", "n=1", 55, 553_265),
    ] {
        let answer = decide(family, params, 1).remove(0);
        assert_eq!(answer.steps, Some(length), "{row}");
        let ratio = answer.explored as f64 / f64::from(states);
        assert!((0.83..1.17).contains(&ratio), "{row}: {} states", answer.explored);
    }
}

/// An observer adds two steps to each of the six cycles of its PLC, which makes 78 of 54 with two of them, as in D_1. The tree has two
/// clients that decide, ask and are granted over all levels, and the end of a lease.
#[test]
fn lengths_follow_from_the_parameters() {
    let steps = |family: &str, params: &str| decide(family, params, 1).remove(0).steps;
    assert_eq!(steps("plc-track", "n=0 faults=0 observers=1"), Some(54 + 12));
    for n in 1..=3 {
        assert_eq!(steps("arbiter-tree", &format!("n={n}")), Some(4 * n + 3));
    }
}
