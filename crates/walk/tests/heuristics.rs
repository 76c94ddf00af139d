//! The heuristics choose as the paper says (FMICS 2021, section 2), measured on its two figures with fixed seeds.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;

use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::schedule::{Delays, Schedule};

/// Figure 1: one edge to the goal is open at the very beginning, the loop only at the very end.
const FIGURE_1: &str = "clock x; process P() { state Init { x <= 1000 }, Goal; init Init;
    trans Init -> Goal { guard x <= 1; }, Init -> Init { guard x >= 901; assign x = 0; }; } system P;";

/// Figure 2: the left loop must be taken each time as soon as it can be.
const FIGURE_2: &str = "int[0,30] i; int[0,30] j; process P() { state Init, Goal; init Init;
    trans Init -> Init { guard i < 30; assign i++; }, Init -> Init { guard i == 2; assign i = 0, j++; },
          Init -> Goal { guard j >= 7; }; } system P;";

/// How many of so many single walks of a given length reach the goal of a query.
fn hits(text: &str, query: &str, heuristic: Heuristic, delays: Delays, steps: u32, walks: u64) -> u64 {
    let options = Options {
        schedule: Schedule::Tuned,
        heuristic,
        delays,
        seed: 0,
        max_steps: Some(steps),
        time_bound: None,
    };
    support::hits(text, query, &options, walks)
}

#[test]
fn ret_takes_either_edge_of_figure_1_with_the_same_probability() {
    for delays in [Delays::Adaptive, Delays::Uniform, Delays::Predefined] {
        let hits = hits(FIGURE_1, "E<> P.Goal", Heuristic::Ret, delays, 1, 10_000);
        // 5,000 expected, standard deviation 50.
        assert!(hits.abs_diff(5_000) < 250, "{delays:?}: {hits}");
    }
}

#[test]
fn sem_draws_meaningful_delays_of_figure_1_uniformly() {
    // [0, 1] and [901, 1000] are meaningful: 1 of 100 units leads to the goal.
    let hits = hits(
        FIGURE_1,
        "E<> P.Goal",
        Heuristic::Sem,
        Delays::Adaptive,
        1,
        20_000,
    );
    assert!(hits.abs_diff(200) < 70, "{hits}");
}

#[test]
fn rlc_always_solves_figure_2_and_ret_hardly_ever() {
    for heuristic in [Heuristic::Rlc, Heuristic::RlcA] {
        assert_eq!(
            hits(FIGURE_2, "E<> P.Goal", heuristic, Delays::Adaptive, 22, 200),
            200,
            "{heuristic:?}"
        );
    }
    let ret = hits(
        FIGURE_2,
        "E<> P.Goal",
        Heuristic::Ret,
        Delays::Adaptive,
        22,
        10_000,
    );
    assert!(ret < 100, "{ret}");
}

#[test]
fn ret_is_uniform_over_transitions_of_all_kinds() {
    // Two internal edges, a handshake with two partners, a broadcast: five transitions, one of them to the goal.
    let text = "chan c; broadcast chan b; process P() { state A, G, B; init A; trans A -> B { }, A -> G { }, A -> B { sync c!; },
        A -> B { sync b!; }; } process Q(const int[0,1] k) { state A, B; init A; trans A -> B { sync c?; }, A -> B { sync b?; }; }
        system P, Q;";
    let hits = hits(text, "E<> P.G", Heuristic::Ret, Delays::Adaptive, 1, 10_000);
    assert!(hits.abs_diff(2_000) < 200, "{hits}");
}

#[test]
fn goals_are_seen_in_the_middle_of_a_delay() {
    // The goal holds strictly between two instants at which anything happens (`semantics.md` 5).
    let text =
        "clock x; process P() { state A { x <= 10 }, B; init A; trans A -> B { guard x == 10; }; } system P;";
    for query in [
        "E<> x > 3 && x < 4",
        "E<> x != 0 && P.A && x < 1",
        "E<> not (x <= 9) && P.A && x < 10",
    ] {
        assert_eq!(
            hits(text, query, Heuristic::Ret, Delays::Adaptive, 1, 20),
            20,
            "{query}"
        );
    }
    assert_eq!(
        hits(text, "E<> P.A && x > 10", Heuristic::Ret, Delays::Adaptive, 3, 20),
        0
    );
}

#[test]
fn stuck_states_are_deadlocks_and_strict_bounds_are_not() {
    let text = "clock x; process P() { state A, B { x < 5 }; init A; trans A -> B { guard x > 2 && x < 4; }; } system P;";
    assert_eq!(
        hits(text, "E<> deadlock", Heuristic::Ret, Delays::Adaptive, 2, 50),
        50
    );
    let text = "clock x; process P() { state A { x < 5 }; init A; trans A -> A { guard x > 2; assign x = 0; }; } system P;";
    assert_eq!(
        hits(text, "E<> deadlock", Heuristic::Ret, Delays::Adaptive, 2_000, 20),
        0
    );
}

/// An update that writes an element and takes it back changes another one of the same array.
#[test]
fn guards_see_what_changed_beside_what_did_not() {
    let text = "int[0,3] a[2]; int[0,1] k = 1; int[0,1] bad = 0;
        process P() { state A, B; init A; trans A -> B { assign a[0] = 1, a[0] = 0, a[1] = 1; }; }
        process Q() { state A, B; init A; trans A -> B { guard a[k] == 0; assign bad = a[1]; }; }
        process R() { state A, B; init A; trans A -> B { guard a[k] == 1; }; } system P, Q, R;";
    for heuristic in [Heuristic::Sem, Heuristic::Ret, Heuristic::Rlc, Heuristic::Com] {
        assert_eq!(hits(text, "E<> bad == 1", heuristic, Delays::Adaptive, 9, 100), 0);
        assert!(hits(text, "E<> P.B && R.B", heuristic, Delays::Adaptive, 9, 100) > 50);
    }
}

/// To let time pass beyond the last chance is a deadlock, whether or not time may pass forever.
#[test]
fn a_deadlock_is_reached_by_waiting() {
    let cases = [
        ("", "", "x <= 10"),
        ("{ x <= 20 }", "", "x < 10"),
        ("", "", "x == 3 && y <= 3"),
        // It is the target that ends it.
        ("", "{ z <= 7 }", "x >= 3"),
    ];
    for (invariant, target, guard) in cases {
        let text = format!(
            "clock x, y, z; process P() {{ state A {invariant}, B {target}; init A;
             trans A -> B {{ guard {guard}; assign x = 0, y = 0; }}, B -> A {{ assign x = 0, y = 0, z = 0; }}; }} system P;"
        );
        for heuristic in [
            Heuristic::Sem,
            Heuristic::Ret,
            Heuristic::Rlc,
            Heuristic::RlcA,
            Heuristic::Com,
        ] {
            assert_eq!(
                hits(&text, "E<> deadlock", heuristic, Delays::Adaptive, 5, 10),
                10,
                "{text}"
            );
            let other = "E<> deadlock && x < 3";
            assert_eq!(
                hits(&text, other, heuristic, Delays::Adaptive, 5, 10),
                0,
                "{text}"
            );
        }
    }
    // Until the last instant that an invariant allows something can be done, or a committed process must do something.
    for text in [
        "clock x; process P() { state A { x <= 10 }; init A; trans A -> A { guard x >= 5; assign x = 0; }; } system P;",
        "clock x; process P() { state A, B; commit A; init A; trans A -> B { guard x <= 5; }, B -> A { assign x = 0; }; } system P;",
    ] {
        assert_eq!(
            hits(text, "E<> deadlock", Heuristic::Ret, Delays::Adaptive, 50, 10),
            0
        );
    }
}

/// With and without a receiver that listens for one unit of a million, a broadcast is two transitions, and the second comes
/// before and after: three windows, each with the same probability.
#[test]
fn a_broadcast_is_another_transition_with_other_receivers() {
    let text = "broadcast chan b; clock x;
        process S() { state A { x <= 1000000 }, B; init A; trans A -> B { sync b!; }; }
        process R() { state A, B; init A; trans A -> B { guard x > 500000 && x < 500001; sync b?; }; } system S, R;";
    for heuristic in [Heuristic::Ret, Heuristic::Rlc, Heuristic::RlcA] {
        let met = hits(text, "E<> R.B", heuristic, Delays::Adaptive, 1, 600);
        // Four standard deviations of a binomial distribution.
        assert!((154..=246).contains(&met), "{heuristic:?}: {met} of 600");
    }
}

/// Where the last chance is looked for, updates are tried out that no transition may take: a failure leaves no trace.
#[test]
fn a_trial_that_fails_leaves_the_state_alone() {
    let text = "int a; int z; int b; chan lo; broadcast chan hi; chan priority lo < hi;
        process P() { clock x; state A, B, C, D; init A;
            trans A -> B { guard x <= 5; sync lo!; assign a := 5, b := 1 / z; },
                  A -> C { guard x <= 5; sync hi!; }, C -> D { guard a == 5; }; }
        process Q() { state A; init A; trans A -> A { sync lo?; }; } system P, Q;";
    for heuristic in [Heuristic::Sem, Heuristic::Ret, Heuristic::Rlc, Heuristic::Com] {
        let met = |query| hits(text, query, heuristic, Delays::Adaptive, 9, 40);
        assert_eq!(met("E<> deadlock && (P.D || a == 5)"), 0);
        assert_eq!(met("E<> deadlock && P.C && a == 0"), 40);
    }
}

/// A difference to a clock that stands may open a window later than any constant of the model.
#[test]
fn windows_may_begin_late() {
    let text = "clock x, y, w; process P() { state A, B { y' == 0 }, C { w <= 5 }, D; init A;
        trans A -> B { guard y == 100; assign x := 0; }, B -> C { guard x - y > 3; assign w := 0; },
              C -> D { guard w == 5; }; } system P;";
    for heuristic in [Heuristic::Sem, Heuristic::Ret, Heuristic::Rlc, Heuristic::Com] {
        for delays in [Delays::Adaptive, Delays::Predefined, Delays::Uniform] {
            assert_eq!(hits(text, "E<> P.D", heuristic, delays, 9, 40), 40);
            assert_eq!(hits(text, "E<> deadlock && P.B", heuristic, delays, 9, 40), 0);
        }
    }
}

/// One transition of which nothing is known, because it copies a clock, does not hide the last chance of all.
#[test]
fn a_copied_clock_does_not_hide_a_deadlock() {
    let text = "clock x, y; process P() { state A, B; init A; trans A -> B { guard x <= 4; assign y = x; }; } system P;";
    let met = hits(
        text,
        "E<> deadlock && P.A",
        Heuristic::Ret,
        Delays::Adaptive,
        9,
        20,
    );
    assert_eq!(met, 20);
}

/// A goal may ask for later instants than the model does.
#[test]
fn delays_reach_as_far_as_the_goal_does() {
    let text = "process P() { clock x; state A, B; commit B; init A; trans A -> B { }; } system P;";
    for heuristic in [Heuristic::Sem, Heuristic::Ret, Heuristic::RlcA] {
        assert!(hits(text, "E<> P.B && P.x > 500", heuristic, Delays::Uniform, 2, 400) > 0);
        assert!(
            hits(
                text,
                "E<> P.B && P.x > 500",
                heuristic,
                Delays::Predefined,
                2,
                400
            ) > 0
        );
    }
}
