//! Walks over models with labels that have neither `!` nor `?` (`semantics.md` 16a).

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;
use crate::support::replay;

use replay::replay;
use zonewalk_model::instance;
use zonewalk_network::Network;
use zonewalk_reference::Interpreter;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::schedule::{Delays, Schedule};
use zonewalk_walk::together::obstacle;

const OPTIONS: Options = Options {
    schedule: Schedule::Tuned,
    heuristic: Heuristic::Ret,
    delays: Delays::Predefined,
    seed: 0,
    max_steps: Some(60),
    time_bound: None,
};

/// Walks with every heuristic, all repeated by the reference interpreter.
fn walks_replay(text: &str) {
    let model = support::model(text);
    let system = instance::instantiate(&model).unwrap();
    let interpreter = Interpreter::new(&model, &system).unwrap();
    let network = Network::compile(&model, &system).unwrap();
    assert_eq!(obstacle(&model, &network), None);
    let plan = WalkPlan::new(&network);
    let mut steps = 0;
    for heuristic in [
        Heuristic::Ret,
        Heuristic::Sem,
        Heuristic::Rlc,
        Heuristic::RlcA,
        Heuristic::Com,
    ] {
        for seed in 0..20 {
            let options = Options {
                heuristic,
                seed,
                ..OPTIONS
            };
            steps += replay(&plan, &options, 0, &interpreter).unwrap();
        }
    }
    assert!(steps > 0);
}

/// A gate and two trains: selects in the channel, a committed location, invariants, edges of one channel from two places.
const GATE: &str = "typedef int[1,2] id_t; chan appr[id_t], stop[id_t], leave[id_t]; int[0,2] n;
    process Gate() { state Free, Occ, Full; commit Full; init Free;
        trans Free -> Occ { select k : id_t; sync appr[k]; assign n++; }, Occ -> Full { select k : id_t; sync appr[k]; assign n++; },
              Full -> Occ { select k : id_t; sync stop[k]; assign n--; }, Occ -> Free { select k : id_t; sync leave[k]; assign n--; }; }
    process Train(const id_t id) { clock x; state Safe, Near { x <= 20 }, Cross { x <= 5 }; init Safe;
        trans Safe -> Near { sync appr[id]; assign x = 0; }, Near -> Safe { guard x <= 10; sync stop[id]; },
              Near -> Cross { guard x > 10; assign x = 0; }, Cross -> Safe { guard x >= 3; sync leave[id]; }; }
    T1 = Train(1); T2 = Train(2);";

#[test]
fn every_step_is_one_of_the_model() {
    walks_replay(&format!("{GATE} system Gate, T1, T2;"));
    // The first process begins: the trains, the gate between them.
    walks_replay(&format!("{GATE} system T2, Gate, T1;"));
    walks_replay(&format!("{GATE} system T1 < Gate < T2;"));
}

#[test]
fn urgent_channels_and_priorities() {
    let text = |system: &str| {
        format!(
            "urgent chan c; chan d, e; clock x; chan priority e < default < d;
             process P() {{ state A, B; init A; trans A -> B {{ guard x >= 2; sync c; assign x = 0; }}, B -> A {{ sync d; }},
                 B -> A {{ guard x <= 3; sync e; }}; }}
             process Q() {{ state A, B; init A; trans A -> B {{ guard x <= 4; sync c; }}, B -> A {{ guard x >= 1; sync d; }},
                 B -> A {{ sync e; }}, B -> A {{ guard x == 7; assign x = 0; }}; }} system {system};"
        )
    };
    walks_replay(&text("P, Q"));
    walks_replay(&text("Q, P"));
}

#[test]
fn alone_and_by_the_state() {
    walks_replay(
        "chan a, c[2]; int[0,1] n; clock x;
         process P() { state A, B { x <= 3 }; init A; trans A -> B { guard x >= 1; sync a; assign x = 0, n = 1 - n; }, B -> A { sync c[n]; }; }
         process Q() { state A; init A; trans A -> A { select k : int[0,1]; guard x > k; sync c[k]; }; } system P, Q;",
    );
}

#[test]
fn pairs_are_drawn_with_the_same_probability() {
    let text = "chan c; process P() { state A, B, C; init A; trans A -> B { sync c; }, A -> C { sync c; }; }
         process Q() { state A, B, C; init A; trans A -> B { sync c; }, A -> C { sync c; }; } system P, Q;";
    let options = Options {
        max_steps: Some(1),
        ..OPTIONS
    };
    let hits = support::hits(text, "E<> P.B and Q.C", &options, 4_000);
    // 1,000 expected, standard deviation 27.
    assert!(hits.abs_diff(1_000) < 140, "{hits}");
}

#[test]
fn what_walks_leave_to_others_is_named() {
    let found = |text: &str| {
        let model = support::model(text);
        let system = instance::instantiate(&model).unwrap();
        let network = Network::compile(&model, &system).unwrap();
        let found = obstacle(&model, &network).unwrap();
        (found.construct, model.sources.slice(found.span).to_owned())
    };
    let process = |name: &str, label: &str| {
        format!("process {name}() {{ state A; init A; trans A -> A {{ sync {label}; }}; }} ")
    };
    let three = format!(
        "chan c; {}{}{} system P, Q, R;",
        process("P", "c"),
        process("Q", "c"),
        process("R", "c")
    );
    let construct = "synchronisation of more than two processes without `!` or `?`";
    assert_eq!(found(&three), (construct.to_owned(), "c".to_owned()));
    let urgent = format!("urgent chan c; {} system P;", process("P", "c"));
    assert!(found(&urgent).0.starts_with("an urgent channel"));
    // P begins on c[0], where Q is its partner, and is alone on c[1].
    let state = format!(
        "chan c[2]; int n; {}{} system P, Q;",
        process("P", "c[n]"),
        process("Q", "c[0]")
    );
    assert!(found(&state).0.ends_with("depend on the state"));
}
