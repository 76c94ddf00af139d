//! The cost of walks is counted, and the count follows what a step has to do.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use support::report;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::schedule::{Delays, Schedule};

/// The effort of a thousand steps of a model.
fn effort(text: &str) -> u64 {
    let options = Options {
        schedule: Schedule::Tuned,
        heuristic: Heuristic::Ret,
        delays: Delays::Adaptive,
        seed: 1,
        max_steps: Some(1000),
        time_bound: None,
    };
    let report = report(text, "E<> false", &options, 1);
    assert_eq!(report.steps, 1000);
    report.effort
}

#[test]
fn a_step_of_a_small_model_counts_as_one() {
    let small =
        "clock x; process P() { state A; init A; trans A -> A { guard x > 1; assign x = 0; }; } system P;";
    assert!((1000..1100).contains(&effort(small)), "{}", effort(small));
}

/// A switch makes this many senders ready, and not ready any more.
#[test]
fn edges_that_become_ready_count() {
    let senders = |n: u32| {
        format!(
            "const int N = {n}; typedef int[0, N - 1] id_t; chan c[N]; int[0,1] v;
             process Switch() {{ state A; init A; trans A -> A {{ assign v = 1 - v; }}; }}
             process Sender(const id_t i) {{ state A; init A; trans A -> A {{ guard v == 1; sync c[i]!; }}; }}
             system Switch, Sender;"
        )
    };
    let (few, many) = (effort(&senders(4)), effort(&senders(400)));
    assert!(many > 10 * few && many < 200 * few, "{few} {many}");
}

#[test]
fn code_and_stopwatches_count() {
    let loops = |n: u32| {
        format!(
            "int s; void f() {{ int i; for (i = 0; i < {n}; i++) s = (s + i) % 7; }}
             process P() {{ state A; init A; trans A -> A {{ assign f(); }}; }} system P;"
        )
    };
    let (short, long) = (effort(&loops(10)), effort(&loops(1000)));
    assert!(long > 30 * short, "{short} {long}");
    let stopped =
        "clock x; process P() { state A { x' == 0 }, B; init A; trans A -> B { }, B -> A { }; } system P;";
    assert!(effort(stopped) > 1900, "{}", effort(stopped));
}
