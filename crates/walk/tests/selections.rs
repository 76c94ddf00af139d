//! An edge with a selection is as many transitions as there are values, whether the guard, the channel or the update reads the value.
//!
//! The probabilities are exact; counts of 4,000 walks with fixed seeds lie within five standard deviations of them.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::schedule::{Delays, Schedule};

const WALKS: u64 = 4_000;
const PAPER: [Heuristic; 4] = [Heuristic::Ret, Heuristic::Rlc, Heuristic::RlcA, Heuristic::Sem];
const ALL: [Heuristic; 6] = [
    Heuristic::Ret,
    Heuristic::Rlc,
    Heuristic::RlcA,
    Heuristic::Sem,
    Heuristic::Smc,
    Heuristic::Com,
];

fn options(heuristic: Heuristic, max_steps: u32) -> Options {
    Options {
        schedule: Schedule::Tuned,
        heuristic,
        delays: Delays::Adaptive,
        seed: 0,
        max_steps: Some(max_steps),
        time_bound: None,
    }
}

/// Asserts that a share `hits / of` of walks of one step reaches the goal.
fn assert_share(heuristics: &[Heuristic], text: &str, query: &str, (part, of): (u32, u32)) {
    for &heuristic in heuristics {
        let hits = support::hits(text, query, &options(heuristic, 1), WALKS);
        assert_near(
            hits,
            f64::from(part) / f64::from(of),
            &format!("{heuristic:?}: {text}"),
        );
    }
}

fn assert_near(hits: u64, share: f64, what: &str) {
    let (walks, hits) = (WALKS as f64, hits as f64);
    let deviation = (walks * share * (1.0 - share)).sqrt();
    assert!(
        (hits - walks * share).abs() < 5.0 * deviation,
        "{hits} hits, {} expected: {what}",
        walks * share
    );
}

/// One process with an edge to the goal and others.
fn beside(declarations: &str, others: &str) -> String {
    format!("{declarations} process P() {{ state A, B, G; init A; trans A -> G {{ }}, {others}; }} system P;")
}

#[test]
fn it_does_not_matter_who_reads_the_value() {
    let edges = [
        "A -> B { select i : int[0,9]; assign v = i; }",
        "A -> B { select i : int[0,9]; guard i >= v; }",
        "A -> B { select i : int[0,9]; guard i >= v; assign v = i; }",
        "A -> B { select i : int[0,9]; sync c[i]!; }",
        "A -> B { select i : int[0,9]; }",
    ];
    for edge in edges {
        let text = beside("int[0,9] v; broadcast chan c[10];", edge);
        assert_share(&ALL, &text, "E<> P.G", (1, 11));
    }
}

#[test]
fn every_value_is_as_likely_as_any_other_transition() {
    let text = beside(
        "int[0,10] v = 10;",
        "A -> B { select i : int[0,9]; assign v = i; }",
    );
    for query in ["E<> v == 0", "E<> v == 7", "E<> P.G"] {
        assert_share(&ALL, &text, query, (1, 11));
    }
}

#[test]
fn several_selections_multiply() {
    let text = beside(
        "int[0,2] v; int[0,3] w;",
        "A -> B { select i : int[0,2], j : int[0,3]; assign v = i, w = j; }",
    );
    assert_share(&ALL, &text, "E<> P.G", (1, 13));
    let text = beside(
        "int[0,2] v; int[0,3] w;",
        "A -> B { select i : int[0,2], j : int[0,3]; guard j >= w; assign v = i; },
         A -> B { select i : int[1,2]; assign v = i; }",
    );
    assert_share(&ALL, &text, "E<> P.G", (1, 15));
}

#[test]
fn both_sides_of_a_handshake_multiply() {
    for guard in ["", "guard j >= w;"] {
        let text = format!(
            "int[0,2] v; int[0,3] w; chan c;
             process P() {{ state A, B, G; init A; trans A -> G {{ }},
                 A -> B {{ select i : int[0,2]; sync c!; assign v = i; }}; }}
             process Q() {{ state A, B; init A;
                 trans A -> B {{ select j : int[0,3]; {guard} sync c?; assign w = j; }}, A -> B {{ sync c?; }}; }}
             system P, Q;"
        );
        // Three times four and three times one.
        assert_share(&PAPER, &text, "E<> P.G", (1, 16));
        assert_share(&PAPER, &text, "E<> v == 2 && w == 3", (1, 16));
    }
}

/// The sending edge is drawn first, by what it selects itself; then every process that receives draws among its own.
#[test]
fn receivers_of_a_broadcast_are_drawn_after_the_sender() {
    let text = "int[0,3] v; int[0,8] w; broadcast chan c;
        process P() { state A, B, G; init A; trans A -> G { }, A -> B { select i : int[0,3]; sync c!; assign v = i; }; }
        process Q() { state A, B, C; init A;
            trans A -> B { select j : int[0,8]; sync c?; assign w = j; }, A -> C { sync c?; }; }
        system P, Q;";
    assert_share(&ALL, text, "E<> P.G", (1, 5));
    // Four of five, then one of ten.
    assert_share(&ALL, text, "E<> Q.C", (4, 50));
    assert_share(&ALL, text, "E<> w == 8", (4, 50));
}

/// A value that the target's invariant forbids is no transition, and leaves its chance to all others alike.
#[test]
fn values_that_the_target_forbids_do_not_count() {
    for guard in ["", "guard i >= v;"] {
        let text = format!(
            "int[0,9] v; process P() {{ state A, B {{ v <= 3 }}, G; init A; trans A -> G {{ }},
                 A -> B {{ select i : int[0,9]; {guard} assign v = i; }}; }} system P;"
        );
        assert_share(&ALL, &text, "E<> P.G", (1, 5));
        assert_share(&ALL, &text, "E<> v == 3", (1, 5));
    }
}

#[test]
fn committed_locations_and_priorities_change_nothing() {
    let text = "int[0,9] v; process P() { state A, B, G; commit A; init A;
        trans A -> G { }, A -> B { select i : int[0,9]; assign v = i; }; } system P;";
    assert_share(&ALL, text, "E<> P.G", (1, 11));
    let text = "int[0,9] v; broadcast chan low, c; chan priority low < default;
        process P() { state A, B, G; init A;
        trans A -> G { }, A -> B { select i : int[0,9]; assign v = i; }, A -> B { sync low!; }; } system P;";
    assert_share(&PAPER, text, "E<> P.G", (1, 11));
}

/// Edges of many processes that wait for one value stand behind a gate; those with selections weigh more.
#[test]
fn gates_keep_the_weights() {
    let text = "int[0,1] id; int[0,3] v; process P(const int[0,3] k) { state A, B; init A;
            trans A -> B { guard id == 0; }; }
        process Q(const int[0,1] k) { state A, B; init A;
            trans A -> B { select i : int[0,3]; guard id == 0; assign v = i; }; }
        process R() { state A, G; init A; trans A -> G { guard id == 0; }; } system P, Q, R;";
    assert_share(&PAPER, text, "E<> R.G", (1, 13));
}

/// Selections are counted one by one by every third cycle of walks, whatever reads them: the second of two steps then
/// leads to the goal once in ten times. Where edges are counted the goal is due.
#[test]
fn least_coverage_knows_selections_that_only_updates_read() {
    for edge in [
        "A -> A { select i : int[0,9]; assign v = i; }",
        "A -> A { select i : int[0,9]; guard i + v >= 0; }",
    ] {
        let text = beside("int[0,9] v;", edge);
        let hits =
            |number: u64| support::hits_of_walk(number, &text, "E<> P.G", &options(Heuristic::Rlc, 2), WALKS);
        assert_eq!(hits(0), WALKS, "{edge}");
        assert_near(hits(11), 2.0 / 11.0, edge);
    }
}

/// Ranges beyond all counting weigh as much as a million values.
#[test]
fn huge_ranges_do_not_overflow() {
    let text = "int v; int w; chan c; process P() { state A, B, G; init A; trans A -> G { },
            A -> B { select i : int[-2147483647,2147483647], j : int[-2147483647,2147483647]; sync c!; assign v = i % 7, w = j % 7; }; }
        process Q() { state A, B; init A;
            trans A -> B { select i : int[-2147483647,2147483647]; sync c?; assign v = i % 7; }; } system P, Q;";
    assert_eq!(
        support::hits(text, "E<> P.G", &options(Heuristic::Ret, 1), 1_000),
        0
    );
    assert_eq!(
        support::hits(text, "E<> Q.B", &options(Heuristic::Rlc, 1), 1_000),
        1_000
    );
}
