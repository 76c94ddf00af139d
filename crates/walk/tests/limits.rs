//! Walks leave off within a step.

use crate::support;

use std::sync::atomic::Ordering;
use support::searched;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::schedule::{Delays, Schedule};
use zonewalk_walk::search::{Control, Limits, WalkOutcome, search};

/// Guards that each take some million instructions, and hold.
const SLOW: &str = "int v;
process P() {
  state A;
  init A;
  trans A -> A { guard forall (i : int[0,500000]) i + v >= 0; }, A -> A { guard forall (i : int[0,500000]) i - v >= 0; };
}
system P;";

#[test]
fn long_guards_are_not_begun_when_the_search_is_over() {
    for heuristic in [Heuristic::Ret, Heuristic::Guided] {
        let options = Options {
            schedule: Schedule::Tuned,
            heuristic,
            delays: Delays::Adaptive,
            seed: 1,
            max_steps: None,
            time_bound: None,
        };
        searched(SLOW, "E<> v == 1", |plan, goal| {
            let control = Control::default();
            control.interrupted.store(true, Ordering::Relaxed);
            let report = search(plan, goal, &options, 1, &Limits::default(), &control);
            assert!(
                matches!(report.outcome, WalkOutcome::Interrupted),
                "{:?}",
                report.outcome
            );
            // What is not begun is no error of the model.
            assert!(report.fault.is_none());
            assert_eq!((report.walks, report.effort), (0, 0));
        });
    }
}
