//! Distances of processes, computed by hand.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::Case;
use zonewalk_heuristics::{GoalFormula, GroupDistance, LocalDistance, MOST_ATOMS, Part};

/// Values of `dL`, `dU` and `dg` in the initial state.
fn values(text: &str, question: &str) -> [Option<u32>; 3] {
    let case = Case::new(text, &[question]);
    let goal = case.goal();
    [
        case.first(&mut LocalDistance::lower(&case.network, &goal)),
        case.first(&mut LocalDistance::upper(&case.network, &goal)),
        case.first(&mut GroupDistance::new(&case.network, &goal)),
    ]
}

/// `A` and `B` synchronise at their first step; `C` goes by itself.
const THREE: &str = "chan c; int[0,3] v;
    process A() { state a0, a1, a2; init a0; trans a0 -> a1 { sync c!; }, a1 -> a2 { assign v = 1; }; }
    process B() { state b0, b1; init b0; trans b0 -> b1 { sync c?; }; }
    process C() { state c0, c1, c2, c3, dead; init c0; trans c0 -> c1 { }, c1 -> c2 { }, c2 -> c3 { }; }
    system A, B, C;";

#[test]
fn conjunctions() {
    assert_eq!(values(THREE, "A.a2"), [Some(2); 3]);
    assert_eq!(values(THREE, "A.a2 && B.b1"), [Some(2), Some(3), Some(2)]);
    // One transition moves A and B, and C moves in others.
    assert_eq!(values(THREE, "A.a1 && B.b1 && C.c3"), [Some(3), Some(5), Some(4)]);
    assert_eq!(values(THREE, "A.a1 && C.dead"), [None; 3]);
}

#[test]
fn disjunctions_and_negations() {
    assert_eq!(values(THREE, "A.a2 || C.c1"), [Some(1); 3]);
    assert_eq!(values(THREE, "not A.a0 && not A.a1"), [Some(2); 3]);
    assert_eq!(values(THREE, "A.a1 && A.a2"), [None; 3]);
    assert_eq!(
        values(THREE, "not (A.a0 || C.c0 || C.c1)"),
        [Some(2), Some(3), Some(3)]
    );
    assert_eq!(values(THREE, "(A.a1 || A.a2) && not A.a1"), [Some(2); 3]);
    // The disjunction belongs to both groups that it names: one transition may do.
    assert_eq!(
        values(THREE, "(A.a1 || C.c1) && B.b1"),
        [Some(1), Some(2), Some(1)]
    );
}

#[test]
fn data_and_clocks() {
    // Those of the papers ignore data; `dg` knows that a transition is needed.
    assert_eq!(values(THREE, "v == 1"), [Some(0), Some(0), Some(1)]);
    assert_eq!(values(THREE, "v == 0"), [Some(0); 3]);
    assert_eq!(values(THREE, "v == 1 && A.a1"), [Some(1); 3]);
    assert_eq!(values(THREE, "v == 1 || C.c3"), [Some(0), Some(0), Some(1)]);
    assert_eq!(values(THREE, "deadlock"), [Some(0); 3]);
    assert_eq!(values(THREE, "deadlock && C.c3"), [Some(3); 3]);
}

/// The edge of `A` has no partner, and that of `B` compares constants.
#[test]
fn edges_that_cannot_be_taken() {
    let text = "chan c; const int N = 3;
        process A() { state a0, a1, a2; init a0; trans a0 -> a2 { sync c!; }, a0 -> a1 { }, a1 -> a2 { }; }
        process B(const int n) { state b0, b1; init b0; trans b0 -> b1 { guard n > N; }; }
        B2 = B(2); B4 = B(4); system A, B2, B4;";
    assert_eq!(values(text, "A.a2"), [Some(1), Some(1), Some(2)]);
    assert_eq!(values(text, "B4.b1"), [Some(1); 3]);
    assert_eq!(values(text, "B2.b1")[2], None);
}

/// A broadcast moves all four at once.
#[test]
fn processes_that_a_broadcast_moves_together() {
    let text = "broadcast chan go;
        process S() { state s0, s1; init s0; trans s0 -> s1 { sync go!; }; }
        process R(const int[0,2] id) { state r0, r1; init r0; trans r0 -> r1 { sync go?; }; }
        system S, R;";
    let question = "S.s1 && R(0).r1 && R(1).r1 && R(2).r1";
    assert_eq!(values(text, question), [Some(1), Some(4), Some(1)]);
}

/// Two that send to a third never move together.
#[test]
fn senders_on_one_channel_are_apart() {
    let text = "chan c;
        process S(const int[0,1] id) { state s0, s1; init s0; trans s0 -> s1 { sync c!; }; }
        process R() { state r0; init r0; trans r0 -> r0 { sync c?; }; }
        system S, R;";
    assert_eq!(values(text, "S(0).s1 && S(1).s1"), [Some(1), Some(2), Some(2)]);
}

/// Handshakes move two of four: three steps each make six, at least.
#[test]
fn a_transition_moves_so_many_at_most() {
    let text = "chan c;
        process P(const int[0,3] id) { state p0, p1, p2, p3; init p0;
            trans p0 -> p1 { sync c!; }, p1 -> p2 { sync c?; }, p2 -> p3 { sync c!; },
            p0 -> p0 { sync c?; }; }
        system P;";
    let question = "P(0).p3 && P(1).p3 && P(2).p3 && P(3).p3";
    assert_eq!(values(text, question), [Some(3), Some(12), Some(6)]);
}

#[test]
fn goals_are_cut_where_they_are_too_large() {
    let text = "process P(const int[0,4999] id) { state p0, p1; init p0; trans p0 -> p1 { }; } system P;";
    let case = Case::new(text, &["P(0).p1 && P(1).p1 && P(0).p1"]);
    let goal = case.goal();
    assert!(!goal.is_cut() && matches!(goal.part(goal.root()), Part::And(list) if list.len() == 2));
    let members: Vec<String> = (0..5000).map(|i| format!("P({i}).p1")).collect();
    let case = Case::new(text, &[&members.join(" && "), &members.join(" || ")]);
    let conjunction = case.goal();
    assert!(conjunction.is_cut() && conjunction.conjuncts().len() == MOST_ATOMS);
    assert_eq!(
        case.first(&mut LocalDistance::upper(&case.network, &conjunction)),
        Some(MOST_ATOMS as u32)
    );
    assert_eq!(
        case.first(&mut GroupDistance::new(&case.network, &conjunction)),
        Some(MOST_ATOMS as u32)
    );
    let disjunction = GoalFormula::new(&case.network, &case.predicates[1], true);
    assert!(matches!(
        disjunction.part(disjunction.root()),
        Part::Constant(true)
    ));
}
