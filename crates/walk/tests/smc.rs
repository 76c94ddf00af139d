//! Stochastic walks: probabilities that can be computed by hand, measured with fixed seeds.
//!
//! Bounds are about five standard deviations wide.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::{hits, model};
use zonewalk_model::instance;
use zonewalk_network::Network;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::{End, Options, walk};
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::schedule::{Delays, Schedule};
use zonewalk_walk::smc::obstacle;

const SMC: Options = Options {
    schedule: Schedule::Tuned,
    heuristic: Heuristic::Smc,
    delays: Delays::Adaptive,
    seed: 0,
    max_steps: Some(1),
    time_bound: None,
};

const WALKS: u64 = 20_000;

/// Asserts the probability of reaching a goal within so many steps.
#[track_caller]
fn assert_probability(text: &str, query: &str, steps: u32, expected: f64) {
    let options = Options {
        max_steps: Some(steps),
        ..SMC
    };
    let measured = hits(text, query, &options, WALKS) as f64 / WALKS as f64;
    let deviation = (expected * (1.0 - expected) / WALKS as f64).sqrt();
    assert!(
        (measured - expected).abs() <= 5.0 * deviation,
        "{query}: {measured} instead of {expected}"
    );
}

#[test]
fn figure_1_of_the_paper_has_one_chance_in_a_thousand() {
    let text = "clock x; process P() { state Init { x <= 1000 }, Goal; init Init;
        trans Init -> Goal { guard x <= 1; }, Init -> Init { guard x >= 901; assign x = 0; }; } system P;";
    assert_probability(text, "E<> P.Goal", 1, 0.001);
    // Each loop is another chance.
    assert_probability(text, "E<> P.Goal", 100, 1.0 - 0.999f64.powi(100));
}

#[test]
fn the_smaller_of_two_uniform_delays_wins() {
    // A is uniform on [0, 1], B on [0, 2]: B wins where both are below 1, every other time.
    let text =
        "clock x; process P(const int[1,2] d) { state A { x <= d }, B; init A; trans A -> B { }; } system P;";
    assert_probability(text, "E<> P(1).B", 1, 0.75);
    assert_probability(text, "E<> P(2).B", 1, 0.25);
}

#[test]
fn a_delay_begins_where_an_edge_is_enabled() {
    // A is uniform on [1, 2], B on [0, 2].
    let text = "clock x;
        process P() { state A { x <= 2 }, B; init A; trans A -> B { guard x >= 1; }; }
        process Q() { state A { x <= 2 }, B; init A; trans A -> B { }; } system P, Q;";
    assert_probability(text, "E<> P.B", 1, 0.25);
}

#[test]
fn without_a_bound_delays_are_exponential() {
    let text = "process P() { state A { ; 3 }, B; init A; trans A -> B { }; }
        process Q() { state A, B; init A; trans A -> B { }; } system P, Q;";
    assert_probability(text, "E<> P.B", 1, 0.75);
    // Rates may be fractions and depend on variables.
    let text = "int n = 6; process P() { state A { ; n : 4 }, B; init A; trans A -> B { }; }
        process Q() { state A { ; 1 : 2 }, B; init A; trans A -> B { }; } system P, Q;";
    assert_probability(text, "E<> P.B", 1, 0.75);
    // After the guard is enabled: beyond 2 with probability 1/e.
    let text = "clock x; process P() { state A, B; init A; trans A -> B { guard x >= 1; }; } system P;";
    assert_probability(text, "E<> P.A && x > 2", 1, (-1f64).exp());
    // An exponential delay against a uniform one on [0, 1].
    let text = "clock x; process P() { state A, B; init A; trans A -> B { }; }
        process Q() { state A { x <= 1 }, B; init A; trans A -> B { }; } system P, Q;";
    assert_probability(text, "E<> P.B", 1, (-1f64).exp());
}

#[test]
fn edges_have_equal_chances_and_branches_have_weights() {
    let text = "int w = 3; process P() { state A, B, C, D; branchpoint b; init A;
        trans A -> b { }, b -> B { probability w; }, b -> C { }, A -> D { }; } system P;";
    assert_probability(text, "E<> P.D", 1, 0.5);
    assert_probability(text, "E<> P.B", 1, 0.375);
    assert_probability(text, "E<> P.C", 1, 0.125);
    let text = "process P() { state A, B, C; branchpoint b; init A;
        trans A -> b { }, b -> B { probability 0; }, b -> C { probability 2; }; } system P;";
    assert_probability(text, "E<> P.B", 1, 0.0);
}

#[test]
fn every_ready_receiver_takes_part_in_a_broadcast() {
    let text = "broadcast chan c; clock x; int n;
        process P() { state A { x <= 2 }, B; init A; trans A -> B { sync c!; }; }
        process Q() { state A, B, C; init A; trans A -> B { sync c?; assign n++; }, A -> C { sync c?; assign n++; }; }
        process R() { state A, B; init A; trans A -> B { guard x <= 1; sync c?; assign n++; }; }
        process S() { state A, B, C; branchpoint b; init A;
            trans A -> b { sync c?; }, b -> B { probability 4; }, b -> C { assign n++; }; }
        system P, Q, R, S;";
    assert_probability(text, "E<> P.B && Q.A", 1, 0.0);
    assert_probability(text, "E<> Q.B", 1, 0.5);
    assert_probability(text, "E<> R.B", 1, 0.5);
    assert_probability(text, "E<> S.B", 1, 0.8);
    assert_probability(text, "E<> n == 3", 1, 0.5 * 0.2);
}

#[test]
fn where_time_stands_still_those_that_do_not_wait_go_first() {
    let text =
        "clock x; process P(const int[1,4] i) { state A, B; urgent A; init A; trans A -> B { }, A -> A { }; }
        process Q() { state A { x <= 5 }, B; init A; trans A -> B { }; } system P, Q;";
    // Q would draw a delay.
    assert_probability(text, "E<> Q.B && x == 0", 1, 0.0);
    assert_probability(text, "E<> P(3).B", 1, 0.125);
    // It draws none where its invariant ends at once.
    let text = text.replace("x <= 5", "x <= 0");
    assert_probability(&text, "E<> Q.B && x == 0", 1, 0.2);
    // An exponential delay is none either where another process must move now.
    let text = "clock x; process P() { state A { x <= 0 }, B; init A; trans A -> B { }; }
        process Q() { state A, B; init A; trans A -> B { }; } system P, Q;";
    assert_probability(text, "E<> Q.B && P.A", 1, 0.0);
    // Where the urgent process can do nothing, others are all that is left.
    let text = "process P() { state A; urgent A; init A; }
        process Q(const int[1,4] i) { state A, B; init A; trans A -> B { }; } system P, Q;";
    assert_probability(text, "E<> Q(2).B", 1, 0.25);
    let text = "process P(const int[1,4] i) { state A, B; commit A; init A; trans A -> B { }; }
        process Q() { state A, B; init A; trans A -> B { }; } system P, Q;";
    assert_probability(text, "E<> Q.B", 1, 0.0);
    assert_probability(text, "E<> P(2).B", 1, 0.25);
    // A sender with an urgent channel does not wait, but another process may be earlier than its guard.
    let text = "urgent broadcast chan c; clock x;
        process P() { state A, B; init A; trans A -> B { guard x >= 1; sync c!; }; }
        process Q() { state A { x <= 4 }, B; init A; trans A -> B { }; } system P, Q;";
    // Q is earlier in 1 of 4; else the sender goes first at time 1.
    assert_probability(text, "E<> Q.B", 1, 0.25);
}

#[test]
fn goals_count_while_time_passes() {
    let text =
        "clock x; process P() { state A { x <= 10 }; init A; trans A -> A { assign x = 0; }; } system P;";
    assert_probability(text, "E<> x > 9", 1, 0.1);
    let text =
        "clock x; process P() { state A { x <= 10 }, B; init A; trans A -> B { guard x >= 2; }; } system P;";
    assert_probability(text, "E<> P.A && x > 3 && x < 4", 1, 0.875);
    // In a deadlock time passes forever.
    let text = "clock x; process P() { state A; init A; } system P;";
    assert_probability(text, "E<> x > 1000", 1, 1.0);
}

#[test]
fn an_edge_into_a_violated_invariant_is_not_enabled() {
    let text =
        "clock x; process P() { state A { x <= 10 }, B { x <= 3 }; init A; trans A -> B { }; } system P;";
    assert_probability(text, "E<> P.B", 1, 0.3);
    assert_probability(text, "E<> deadlock && P.A", 1, 0.7);
    // There is another one.
    let text = "clock x; process P() { state A { x <= 10 }, B { x <= 3 }, C; init A; trans A -> B { }, A -> C { }; } system P;";
    assert_probability(text, "E<> P.C", 1, 0.85);
}

#[test]
fn an_invariant_of_another_process_stops_time() {
    // R can do nothing itself. When P has not moved by time 1, it must.
    let text = "clock x; process P() { state A, B; init A; trans A -> B { }; }
        process R() { state A { x <= 1 }; init A; } system P, R;";
    assert_probability(text, "E<> P.B && x < 1", 1, 1.0 - (-1f64).exp());
    assert_probability(text, "E<> P.B", 1, 1.0);
}

#[test]
fn walks_end_at_the_time_bound() {
    let text = "clock x; clock t; process P() { state A { x <= 10 }; init A; trans A -> A { assign x = 0; }; } system P;";
    let options = Options {
        max_steps: Some(1000),
        time_bound: Some(50),
        ..SMC
    };
    assert_eq!(hits(text, "E<> t > 50", &options, 200), 0);
    assert_eq!(hits(text, "E<> t >= 50", &options, 200), 200);
    let model = model(text);
    let system = instance::instantiate(&model).unwrap();
    let network = Network::compile(&model, &system).unwrap();
    let plan = WalkPlan::new(&network);
    let (trace, end) = walk(&plan, &options, 3).unwrap().unwrap();
    assert_eq!(end, End::TimeBound);
    assert!(trace.steps.len() > 4 && trace.duration() <= 50 * trace.unit);
    let (again, _) = walk(&plan, &options, 3).unwrap().unwrap();
    assert_eq!(
        trace.steps.iter().map(|s| s.delay).collect::<Vec<_>>(),
        again.steps.iter().map(|s| s.delay).collect::<Vec<_>>()
    );
}

#[test]
fn rates_that_are_tiny_do_not_break_time() {
    let text = "int n = 1; process P() { state A { ; 1 : 2147483647 }; init A; trans A -> A { }; } system P;";
    let options = Options {
        max_steps: Some(100_000),
        ..SMC
    };
    assert_eq!(hits(text, "E<> n == 2", &options, 3), 0);
    // With rate 0 no process moves, and time passes.
    let text = "clock x; process P() { state A { ; 0 }, B; init A; trans A -> B { }; } system P;";
    assert_eq!(hits(text, "E<> P.B", &options, 3), 0);
    assert_eq!(hits(text, "E<> x > 100", &options, 3), 3);
}

#[test]
fn a_failing_rate_is_an_error_of_the_model() {
    let text = "int n; process P() { state A { ; 1 / n }, B; init A; trans A -> B { }; } system P;";
    let model = model(text);
    let system = instance::instantiate(&model).unwrap();
    let network = Network::compile(&model, &system).unwrap();
    let (_, end) = walk(&WalkPlan::new(&network), &SMC, 0).unwrap().unwrap();
    assert!(matches!(end, End::Error(_)), "{end:?}");
}

#[test]
fn models_that_the_semantics_does_not_cover() {
    let refused = |text: &str| {
        let model = model(text);
        let system = instance::instantiate(&model).unwrap();
        let network = Network::compile(&model, &system).unwrap();
        obstacle(&model, &network).map(|o| (o.construct, model.sources.slice(o.span).to_owned()))
    };
    let pair = "process P() { state A; init A; trans A -> A { sync c!; }; }
        process Q() { state A; init A; trans A -> A { sync c?; }; } system P, Q;";
    let handshake = refused(&format!("chan c; {pair}"));
    assert_eq!(
        handshake,
        Some(("the handshake channel c".to_owned(), "c!".to_owned()))
    );
    assert_eq!(refused(&format!("broadcast chan c; {pair}")), None);
    // A handshake that is never used does not matter.
    assert_eq!(refused(&format!("chan d; broadcast chan c; {pair}")), None);
    let dynamic =
        refused("chan c[3]; int i; process P() { state A; init A; trans A -> A { sync c[i]!; }; } system P;");
    assert_eq!(
        dynamic,
        Some(("the handshake channel c[0]".to_owned(), "c[i]!".to_owned()))
    );
    let priorities = refused(&format!("broadcast chan c; chan priority c < default; {pair}"));
    assert_eq!(priorities.map(|p| p.0).as_deref(), Some("priorities"));
}
