//! The relaxation, computed by hand, and the places where it is easily wrong.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::{Case, checked};
use zonewalk_heuristics::{Estimator as _, Heuristic, Relaxed};
use zonewalk_network::ids::InstanceId;

/// `hL`, `hU` and the exact distance of the initial state; all states are compared with exact distances on the way.
fn values(text: &str, question: &str) -> (Option<u32>, Option<u32>, Option<u32>) {
    let (estimates, exact) = checked(text, question);
    (estimates[3], estimates[4], exact)
}

fn some(lower: u32, upper: u32, exact: u32) -> (Option<u32>, Option<u32>, Option<u32>) {
    (Some(lower), Some(upper), Some(exact))
}

const NEVER: (Option<u32>, Option<u32>, Option<u32>) = (None, None, None);

/// Two processes work at the same time in layers, and one after the other in a way.
#[test]
fn layers_and_transitions() {
    let text = "int[0,5] v;
        process A() { state a0, a1, a2; init a0; trans a0 -> a1 { assign v = 1; }, a1 -> a2 { guard v == 2; }; }
        process B() { state b0, b1, b2; init b0; trans b0 -> b1 { }, b1 -> b2 { assign v = 2; }; }
        system A, B;";
    // B needs two layers for v == 2, A one more.
    assert_eq!(values(text, "A.a2"), some(3, 4, 4));
    assert_eq!(values(text, "A.a2 && B.b1"), (Some(3), Some(4), None));
    assert_eq!(values(text, "v == 1 && B.b2"), some(2, 3, 3));
    assert_eq!(values(text, "A.a2 || B.b1"), some(1, 1, 1));
    assert_eq!(values(text, "v == 3"), NEVER);
}

/// The relaxation never loses a value.
#[test]
fn what_was_once_possible_stays_so() {
    let text = "int[0,3] v;
        process A() { state a, b; init a; trans a -> b { assign v = 1; }, b -> a { assign v = v + 1; }; }
        system A;";
    // Really a, b, a, b: v is set back on the way.
    assert_eq!(values(text, "A.a && v == 2"), some(2, 2, 2));
    assert_eq!(values(text, "A.b && v == 2"), (Some(2), Some(2), None));
}

/// The receiver sees what the sender has written in the same transition.
#[test]
fn values_pass_in_one_step() {
    let text = "chan c; int[0,9] v, x;
        process S() { state s0, s1; init s0; trans s0 -> s1 { sync c!; assign v = 5; }; }
        process R() { state r0, r1; init r0; trans r0 -> r1 { sync c?; assign x = v; }; }
        system S, R;";
    assert_eq!(values(text, "x == 5"), some(1, 1, 1));
    assert_eq!(values(text, "x == 5 && S.s1 && R.r1"), some(1, 1, 1));
    assert_eq!(values(text, "x == 4"), NEVER);
}

/// With an array, a function and a value that goes on to a third by broadcast.
#[test]
fn values_pass_through_receivers_of_a_broadcast() {
    let text = "broadcast chan c; int[0,9] v, x, a[3];
        process S() { state s0, s1; init s0; trans s0 -> s1 { sync c!; assign v = 2; }; }
        process R() { state r0, r1; init r0; trans r0 -> r1 { sync c?; assign a[v] = v + 1; }; }
        process T() { state t0, t1; init t0; trans t0 -> t1 { sync c?; assign x = a[2] + 1; }; }
        system S, R, T;";
    assert_eq!(values(text, "x == 4"), some(1, 1, 1));
    assert_eq!(values(text, "a[2] == 3 && T.t1"), some(1, 1, 1));
    // Receivers come in the order of their processes, so T is too early here. What S has sent it can send again: nothing is
    // ever lost.
    let text = text.replace("system S, R, T", "system S, T, R");
    assert_eq!(values(&text, "x == 4"), (Some(2), Some(2), None));
}

/// The guard of the receiver is about the value before the sender writes.
#[test]
fn narrowing_stops_where_another_participant_writes() {
    let text = "chan c; int[0,9] v = 3, x;
        process S() { state s0, s1; init s0; trans s0 -> s1 { sync c!; assign v = 5; }; }
        process R() { state r0, r1; init r0; trans r0 -> r1 { guard v == 3; sync c?; assign x = v; }; }
        system S, R;";
    assert_eq!(values(text, "x == 5"), some(1, 1, 1));
}

/// Narrowing must keep a value that the sender writes if it was possible before and therefore is not new.
#[test]
fn narrowing_stops_at_values_that_are_not_new() {
    let text = "chan c; int[0,9] v = 3, x; int[0,1] w;
        process S() { state s0, s1; init s0; trans s0 -> s1 { sync c!; assign v = 5; }; }
        process R() { state r0, r1; init r0; trans r0 -> r0 { assign w = 1; },
            r0 -> r1 { guard v == 3 && w == 1; sync c?; assign x = v; }; }
        process Y() { state y0, y1; init y0; trans y0 -> y1 { assign v = 5; }; }
        system S, R, Y;";
    // hU takes the value from where it came first, which is Y.
    assert_eq!(values(text, "x == 5"), some(2, 3, 2));
    // The same with `before_update` as the writer.
    let text = "int[0,9] v = 3, x; int[0,1] w;
        process R() { state r0, r1; init r0; trans r0 -> r0 { assign w = 1; },
            r0 -> r1 { guard v != 5 && w == 1; assign x = v; }; }
        process Y() { state y0, y1; init y0; trans y0 -> y1 { assign v = 5; }; }
        system R, Y;
        before_update { v = w == 1 ? 5 : v }";
    assert_eq!(values(text, "x == 5"), some(2, 3, 2));
}

/// Without another writer the guard narrows: 3 is the only value that the update sees.
#[test]
fn guards_narrow_what_updates_see() {
    let text = "int[0,9] v, x;
        process A() { state a; init a; trans a -> a { guard v < 5; assign v = v + 1; }; }
        process B() { state b; init b; trans b -> b { guard v == 3; assign x = v; },
            b -> b { guard v > 3 && x + v == 7; assign x = v + x; }; }
        system A, B;";
    // A transition that is needed several times counts as often in hU.
    assert_eq!(values(text, "x == 3"), some(4, 4, 4));
    assert_eq!(values(text, "x == 5"), NEVER);
    // From x == 3 and v == 4.
    assert_eq!(values(text, "x == 7"), some(5, 6, 6));
}

/// `before_update` writes between the guard and the update.
#[test]
fn routines_run_in_every_transition() {
    let text = "int[0,9] v = 3, x, y, n;
        process A() { state a0, a1; init a0; trans a0 -> a1 { guard v == 3; assign x = v; }; }
        system A;
        before_update { v = 5 }
        after_update { y = x + 1 }";
    assert_eq!(values(text, "x == 5"), some(1, 1, 1));
    assert_eq!(values(text, "y == 6"), some(1, 1, 1));
    // What it writes joins what was there, so this is not ruled out.
    assert_eq!(values(text, "x == 3"), (Some(1), Some(1), None));
    assert_eq!(values(text, "x == 4"), NEVER);
}

/// Whether a process receives may be of no use to the goal.
#[test]
fn receivers_of_broadcasts_are_optional() {
    let text = "broadcast chan c; int[0,9] v;
        process S() { state s0, s1; init s0; trans s0 -> s1 { sync c!; }; }
        process R() { state r0, r1, r2; init r0; trans r0 -> r1 { guard v == 1; sync c?; }, r0 -> r2 { sync c?; },
            r0 -> r0 { assign v = 1; }; }
        system S, R;";
    assert_eq!(values(text, "S.s1"), some(1, 1, 1));
    assert_eq!(values(text, "S.s1 && R.r1"), some(2, 2, 2));
    assert_eq!(values(text, "R.r2"), some(1, 1, 1));
    // No process sends to itself.
    let alone = "broadcast chan c; process P() { state a, b, d; init a; trans a -> b { sync c!; }, a -> d { sync c?; }; }
        system P;";
    assert_eq!(values(alone, "P.d"), NEVER);
}

/// No process synchronises with itself, and the partner must be able to.
#[test]
fn handshakes_need_a_partner() {
    let text = "chan c; int[0,1] v;
        process P() { state a, b, d; init a; trans a -> b { sync c!; }, a -> d { sync c?; }, b -> b { assign v = 1; }; }
        process Q() { state e, f; init e; trans e -> f { guard v == 1; sync c!; }, e -> f { guard v == 0; sync c?; }; }
        system P, Q;";
    // P must be in b for v, and in a for d: the relaxation has both.
    assert_eq!(values(text, "P.d"), (Some(3), Some(3), None));
    assert_eq!(values(text, "P.b && Q.f"), some(1, 1, 1));
}

/// Committed locations forbid what the relaxation allows; estimates stay lower bounds.
#[test]
fn committed_loops() {
    let text = "chan c; int[0,3] v;
        process A() { state a, b; commit a; init a; trans a -> a { guard v < 2; assign v = v + 1; }, a -> b { guard v == 2; }; }
        process B() { state d, e; init d; trans d -> e { }; }
        system A, B;";
    assert_eq!(values(text, "B.e"), some(1, 1, 4));
    assert_eq!(values(text, "A.b"), some(3, 3, 3));
}

/// Code is run, whatever it does.
#[test]
fn functions_and_arrays() {
    let text = "int[0,9] a[4], i, all;
        int total() { int s = 0; for (k : int[0,3]) s += a[k]; return s; }
        void put(int value) { a[i] = value; if (i < 3) i++; }
        process A() { state a0, a1; init a0;
            trans a0 -> a0 { guard i < 3; assign put(i + 1); }, a0 -> a1 { guard total() == 6; assign all = total(); }; }
        system A;";
    // 1, 2 and 3, one after the other.
    assert_eq!(values(text, "A.a1"), some(4, 4, 4));
    assert_eq!(values(text, "a[3] == 4"), NEVER);
    assert_eq!(values(text, "a[2] == 3"), some(3, 3, 3));
}

/// A combination that fails does nothing, and the others go on.
#[test]
fn combinations_that_fail() {
    let text = "int[0,4] v = 2, x; int[0,1] w;
        process A() { state a0, a1; init a0;
            trans a0 -> a0 { guard w == 0; assign w = 1, v = 0; }, a0 -> a1 { guard v != 0 && 4 / v == 2; assign x = 4 / v; }; }
        system A;";
    assert_eq!(values(text, "x == 2"), some(1, 1, 1));
    assert_eq!(values(text, "x == 4"), NEVER);
}

#[test]
fn selects_take_all_values() {
    let text = "int[0,9] v, x, y;
        process A() { state a0, a1; init a0; trans
            a0 -> a0 { select s : int[2,4]; assign v = s; },
            a0 -> a1 { select s : int[5,7]; guard v + s == 9; assign x = s; },
            a0 -> a0 { select s : int[1,3], t : int[0,1]; assign y = v + s * t; }; }
        system A;";
    assert_eq!(values(text, "v == 3"), some(1, 1, 1));
    assert_eq!(values(text, "v == 5"), NEVER);
    assert_eq!(values(text, "x == 6"), some(2, 2, 2));
    assert_eq!(values(text, "y == 7"), some(2, 2, 2));
    assert_eq!(values(text, "y == 8"), NEVER);
}

/// The state decides about the channel.
#[test]
fn channels_that_depend_on_the_state() {
    let text = "chan c[3]; int[0,2] i;
        process S() { state s0, s1; init s0; trans s0 -> s0 { guard i < 2; assign i = i + 1; }, s0 -> s1 { sync c[i]!; }; }
        process R() { state r0, r1; init r0; trans r0 -> r1 { sync c[2]?; }; }
        process T() { state t0, t1; init t0; trans t0 -> t1 { sync c[0]?; }; }
        system S, R, T;";
    assert_eq!(values(text, "R.r1"), some(3, 3, 3));
    assert_eq!(values(text, "T.t1"), some(1, 1, 1));
    assert_eq!(values(text, "T.t1 && R.r1"), (Some(3), Some(4), None));
}

/// Labels without `!` and `?`: all that have the channel take part at once.
#[test]
fn all_processes_together() {
    let text = "chan c; int[0,1] v;
        process A() { state a0, a1; init a0; trans a0 -> a1 { sync c; }; }
        process B() { state b0, b1; init b0; trans b0 -> b1 { guard v == 1; sync c; }; }
        process C() { state c0, c1; init c0; trans c0 -> c1 { sync c; }, c0 -> c0 { assign v = 1; }; }
        system A, B, C;";
    assert_eq!(values(text, "A.a1 && B.b1 && C.c1"), some(2, 2, 2));
}

/// A counter that no bound holds back: sets become everything, not endless.
#[test]
fn large_ranges() {
    let text = "int[0,100000] v, w; int[0,1] x;
        process A() { state a0, a1; init a0;
            trans a0 -> a1 { select s : int[0,100000]; assign w = s; }, a1 -> a1 { guard w == 70000 && x == 0; assign v = w, x = 1; },
            a1 -> a1 { guard x == 1 && v * 2 == 5; assign x = 0; }; }
        system A;";
    let case = Case::new(text, &["v == 70000 && x == 1", "v == 70001", "w == 5"]);
    let goal = case.goal();
    assert_eq!(case.first(&mut Relaxed::lower(&case.network, &goal)), Some(2));
    assert_eq!(case.first(&mut Relaxed::upper(&case.network, &goal)), Some(2));
    let other = zonewalk_heuristics::GoalFormula::new(&case.network, &case.predicates[1], true);
    assert_eq!(
        case.first(&mut Relaxed::lower(&case.network, &other)),
        None,
        "the guard leaves one value"
    );
}

/// Marked transitions, helpful ones, and estimates without one of them.
#[test]
fn ways_and_what_is_left_without_a_transition() {
    let text = "chan c; int[0,5] v;
        process A() { state a0, a1, a2; init a0; trans a0 -> a1 { sync c!; }, a1 -> a2 { }, a0 -> a0 { assign v = 1; },
            a0 -> a2 { guard v == 4; }; }
        process B() { state b0, b1; init b0; trans b0 -> b1 { sync c?; }, b0 -> b0 { guard v < 4; assign v = v + 1; }; }
        system A, B;";
    let case = Case::new(text, &["A.a2"]);
    let goal = case.goal();
    let mut upper = Relaxed::upper(&case.network, &goal);
    let state = case.initial();
    assert_eq!(upper.explain(&state).number(), Some(2));
    let first: Vec<InstanceId> = upper
        .marked()
        .iter()
        .filter(|m| m.is_helpful)
        .flat_map(|m| m.parts.clone())
        .collect();
    assert_eq!(first.len(), 2, "the handshake can be taken at once");
    assert!(upper.marked().iter().any(|m| m.is(&first)));
    // Without the handshake v must grow to 4, which takes the same transition again and again.
    let without = upper.estimate_without(&state, &first).number();
    assert_eq!(without, Some(5));
    let mut lower = Relaxed::lower(&case.network, &goal);
    assert_eq!(lower.estimate(&state).number(), Some(2));
    assert_eq!(lower.estimate_without(&state, &first).number(), Some(5));
    // The edges of the handshake exist all the same: only that pair does not.
    assert_eq!(lower.estimate(&state).number(), Some(2));
    let counters = lower.counters();
    assert_eq!((counters.evaluations, counters.cache_hits), (3, 1));
}

/// A transition may count once for an earlier layer and again for a later one: `Q` must be in `f` before `v` can be 1, so the
/// handshake that sets `v` is not the one that leads there. This decides whether a transition is on the way.
#[test]
fn a_transition_is_taken_again_for_an_earlier_layer() {
    let text = "chan c; int[0,1] v, w;
        process P() { state a; init a; trans a -> a { guard w == 0; sync c!; }, a -> a { guard w == 1; sync c!; assign v = 1; }; }
        process Q() { state e, f; init e; trans e -> f { sync c?; }, f -> e { assign w = 1; }; }
        system P, Q;";
    assert_eq!(values(text, "v == 1"), some(3, 3, 3));
    let case = Case::new(text, &["v == 1"]);
    let mut upper = Relaxed::upper(&case.network, &case.goal());
    upper.explain(&case.initial());
    let ways: Vec<usize> = upper.marked().iter().map(|m| m.parts.len()).collect();
    assert_eq!(ways, [2, 1, 2], "both handshakes, the last one first");
}

/// Effects that a transition always has serve again for a later layer.
#[test]
fn a_transition_serves_for_all_that_it_does() {
    let text = "broadcast chan c; int[0,1] v;
        process S() { state s0, s1; init s0; trans s0 -> s1 { sync c!; }; }
        process R() { state r0, r1; init r0; trans r0 -> r1 { guard v == 1; sync c?; }, r0 -> r0 { assign v = 1; }; }
        system S, R;";
    // The broadcast of the second layer is the one that S is needed for, too.
    assert_eq!(values(text, "S.s1 && R.r1"), some(2, 2, 2));
}

/// Receivers that count the same variable up, one after the other: each does so once.
#[test]
fn receivers_of_a_broadcast_count() {
    let text = "broadcast chan c; int[0,9] n;
        process S() { state s0, s1; init s0; trans s0 -> s1 { sync c!; }; }
        process R(const int[0,2] id) { state r0, r1; init r0; trans r0 -> r1 { sync c?; assign n = n + 1; }; }
        system S, R;";
    assert_eq!(values(text, "n == 3"), some(1, 1, 1));
    assert_eq!(values(text, "n == 4"), (Some(2), Some(2), None));
}

/// Ten thousand processes: what the goal has nothing to do with costs nothing, and what it has stays affordable.
#[test]
fn many_processes() {
    let text = "broadcast chan go; chan c[10000]; int[0,30000] n; int[0,1] v;
        process S() { state s0, s1; init s0; trans s0 -> s1 { sync go!; }; }
        process R(const int[0,9999] id) { state r0, r1, r2; init r0;
            trans r0 -> r1 { sync go?; assign n = n + 1; }, r1 -> r2 { sync c[id]!; }; }
        process T() { state t0, t1; init t0; trans t0 -> t0 { select i : int[0,9999]; sync c[i]?; assign v = 1; }; }
        system S, R, T;";
    let case = Case::new(text, &["R(77).r2 && v == 1", "n == 20000", "S.s1"]);
    let goal =
        |number: usize| zonewalk_heuristics::GoalFormula::new(&case.network, &case.predicates[number], true);
    for (number, lower, upper) in [(0, 2, 3), (1, 1, 1), (2, 1, 1)] {
        let goal = goal(number);
        assert_eq!(case.first(&mut Relaxed::lower(&case.network, &goal)), Some(lower));
        assert_eq!(case.first(&mut Relaxed::upper(&case.network, &goal)), Some(upper));
    }
}

/// A time limit is not checked within an estimate. So one that takes too long ends with what it knows: that the goal is no nearer.
#[test]
fn an_estimate_that_takes_too_long_is_a_lower_bound() {
    let text = "int[0,500] n; process P() { state s; init s; trans s -> s { guard n < 500; assign n = n + 1; }; } system P;";
    let case = Case::new(text, &["n == 400"]);
    let goal = case.goal();
    let first = |mut estimate: Relaxed<'_>| case.first(&mut estimate);
    assert_eq!(first(Relaxed::lower(&case.network, &goal)), Some(400));
    for relaxed in [
        Relaxed::lower(&case.network, &goal),
        Relaxed::upper(&case.network, &goal),
    ] {
        let number = first(relaxed.with_most_effort(1000)).unwrap();
        assert!((1..400).contains(&number), "{number}");
    }
    let discrete = case.initial().discrete;
    let values = |mut relaxed: Relaxed<'_>| relaxed.reachable_values(&discrete);
    let all = values(Relaxed::lower(&case.network, &goal));
    assert!(all.contains(&Some((0, 500))), "{all:?}");
    let few = values(Relaxed::lower(&case.network, &goal).with_most_effort(1000));
    assert!(few.iter().all(Option::is_none), "{few:?}");
}
