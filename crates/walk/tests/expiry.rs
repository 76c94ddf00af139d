//! Walks end when their goal is too late, and not before.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::report;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::schedule::{Delays, Schedule};
use zonewalk_walk::search::{WalkOutcome, WalkReport};

/// `n` counts units of time.
const COUNTER: &str = "process Counter() { clock x; state A { x <= 1 }; init A;
    trans A -> A { guard x == 1 && n < 100; assign n++, x = 0; }; }";

/// One walk by each of four heuristics.
fn walks(declarations: &str, others: &str, system: &str, query: &str) -> Vec<WalkReport> {
    let text = format!("int[0,100] n; {declarations} {COUNTER} {others} system {system};");
    let heuristics = [
        Heuristic::Sem,
        Heuristic::Ret,
        Heuristic::Rlc,
        Heuristic::Com,
        Heuristic::Smc,
    ];
    let options = |heuristic| Options {
        schedule: Schedule::Tuned,
        heuristic,
        delays: Delays::Adaptive,
        seed: 1,
        max_steps: Some(60),
        time_bound: Some(100),
    };
    heuristics
        .map(|heuristic| report(&text, query, &options(heuristic), 20))
        .into()
}

fn are_found(reports: &[WalkReport]) -> bool {
    reports.iter().all(|r| matches!(r.outcome, WalkOutcome::Found(_)))
}

#[test]
fn a_clock_that_is_never_reset_ends_walks() {
    let of = |query| walks("clock t;", "", "Counter", query);
    assert!(are_found(&of("E<> n == 5 && t <= 5")));
    // As many steps as fit before the end, and one that shows that it is no deadlock, in each of twenty walks.
    for query in [
        "E<> n == 6 && t <= 5",
        "E<> n == 5 && t < 5",
        "E<> t == 5 && n > 5",
    ] {
        for report in of(query) {
            assert!(matches!(report.outcome, WalkOutcome::LimitReached), "{query}");
            assert!(report.steps <= 20 * 6, "{query}: {}", report.steps);
        }
    }
    // Neither an alternative nor a lower bound says that it is too late.
    for query in ["E<> n == 20 && (t <= 5 || t >= 7)", "E<> n == 20 && t >= 5"] {
        assert!(are_found(&of(query)), "{query}");
    }
}

#[test]
fn a_clock_that_is_still_set_ends_nothing() {
    let again = "process R() { state A; init A; trans A -> A { guard n == 9; assign t = 0; }; }";
    assert!(are_found(&walks(
        "clock t;",
        again,
        "Counter, R",
        "E<> n == 12 && t <= 5"
    )));
    // The way there is long.
    let late =
        "process R() { state A, B, C, D; init A; trans A -> B { guard n == 7; }, B -> C { guard n == 8; },
        C -> D { guard n == 9; assign t = 0; }; }";
    let reports = walks("clock t;", late, "Counter, R", "E<> n == 12 && t <= 5 && R.D");
    assert!(reports.iter().any(|r| matches!(r.outcome, WalkOutcome::Found(_))));
    // Afterwards it is never set again.
    for report in walks("clock t;", late, "Counter, R", "E<> n == 90 && t <= 5 && R.D") {
        assert!(matches!(report.outcome, WalkOutcome::LimitReached));
    }
    let copied = "process R() { clock y; state A; init A; trans A -> A { guard n == 9; assign y = 0; },
        A -> A { guard n == 10; assign t = y; }; }";
    let reports = walks("clock t;", copied, "Counter, R", "E<> n == 12 && t <= 5");
    assert!(reports.iter().any(|r| matches!(r.outcome, WalkOutcome::Found(_))));
}

#[test]
fn a_clock_that_stops_ends_nothing() {
    let stopping = "process R() { state A { t' == 0 }; init A; }";
    let text = walks("clock t;", stopping, "Counter, R", "E<> n == 12 && t <= 5");
    // The stochastic semantics has no stopwatches.
    assert!(are_found(&text[..3]));
}

/// The next transition is beyond the end of the search: it is no deadlock, and no overflow.
#[test]
fn what_comes_after_the_end_is_no_deadlock() {
    let late = "process R() { clock y; state A, B { y <= 5 }, C; init A;
        trans A -> B { guard t >= 10; assign y = 0; }, B -> C { guard y >= 2; }; }";
    for report in walks("clock t;", late, "R", "E<> R.C && t <= 5") {
        assert!(matches!(report.outcome, WalkOutcome::LimitReached));
        assert_eq!(report.ends.deadlocks, 0);
    }
}
