//! Walks take every step that priorities leave, and no other (`semantics.md` 15).

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;
use crate::support::replay;

use replay::replay;
use zonewalk_model::instance;
use zonewalk_network::Network;
use zonewalk_reference::Interpreter;
use zonewalk_testkit::priorities::CASES;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::schedule::{Delays, Schedule};

const HEURISTICS: [Heuristic; 5] = [
    Heuristic::Ret,
    Heuristic::Sem,
    Heuristic::Rlc,
    Heuristic::RlcA,
    Heuristic::Com,
];

const OPTIONS: Options = Options {
    schedule: Schedule::Tuned,
    heuristic: Heuristic::Ret,
    delays: Delays::Predefined,
    seed: 0,
    max_steps: Some(8),
    time_bound: None,
};

#[test]
fn steps_that_exist_because_higher_ones_do_not_are_found() {
    for case in CASES {
        for predicate in case.reached {
            // A uniform delay never hits a single instant.
            let is_instant = predicate.contains("x ==");
            for heuristic in HEURISTICS
                .into_iter()
                .filter(|&h| !is_instant || h != Heuristic::Sem)
            {
                let options = Options { heuristic, ..OPTIONS };
                let hits = support::hits(case.text, &format!("E<> {predicate}"), &options, 300);
                assert!(hits > 0, "{}, {heuristic:?}: {predicate} is not found", case.name);
            }
        }
    }
}

#[test]
fn no_step_is_taken_that_a_higher_one_blocks() {
    for case in CASES {
        for predicate in case.unreached {
            for heuristic in HEURISTICS {
                let options = Options { heuristic, ..OPTIONS };
                let hits = support::hits(case.text, &format!("E<> {predicate}"), &options, 300);
                assert_eq!(hits, 0, "{}, {heuristic:?}: {predicate} is found", case.name);
            }
        }
    }
}

#[test]
fn the_interpreter_repeats_every_walk() {
    for case in CASES {
        let model = support::model(case.text);
        let system = instance::instantiate(&model).unwrap();
        let interpreter = Interpreter::new(&model, &system).unwrap();
        let network = Network::compile(&model, &system).unwrap();
        let plan = WalkPlan::new(&network);
        let mut steps = 0;
        for heuristic in HEURISTICS {
            for seed in 0..30 {
                let options = Options {
                    heuristic,
                    seed,
                    ..OPTIONS
                };
                let replayed = replay(&plan, &options, 0, &interpreter);
                steps +=
                    replayed.unwrap_or_else(|e| panic!("{}, {heuristic:?}, seed {seed}: {e}", case.name));
            }
        }
        assert!(steps > 0, "{}", case.name);
    }
}

/// A walk is stuck only when no way to take a transition exists, whatever was drawn first.
#[test]
fn one_value_of_a_select_or_one_receiving_edge_is_enough() {
    let select = "int n; process P() { state A, B { n == 3 }; init A;
        trans A -> B { select k : int[0,9]; assign n = k; }, B -> A { assign n = 0; }; } system P;";
    let receivers = "clock x; broadcast chan c; process S() { state A; init A; trans A -> A { sync c!; }; }
        process R() { state A { x <= 5 }, B { x < 0 }, C { x <= 5 }; init A;
            trans A -> B { sync c?; }, A -> C { sync c?; assign x = 0; }, C -> A { assign x = 0; }; } system S, R;";
    for (text, place) in [(select, "E<> P.B"), (receivers, "E<> R.C")] {
        for heuristic in HEURISTICS.into_iter().chain([Heuristic::Smc]) {
            let options = Options { heuristic, ..OPTIONS };
            let what = format!("{place} {heuristic:?}");
            assert_eq!(support::hits(text, "E<> deadlock", &options, 100), 0, "{what}");
            assert!(support::hits(text, place, &options, 100) > 0, "{what}");
        }
    }
}
