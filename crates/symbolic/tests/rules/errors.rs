//! Row 17: what fails is left out, and what does not depend on it is reached all the same.

use super::failure;
use crate::support::{Case, METHODS, Verdict, confirm, decide};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::stop::{ModelError, Stop};

/// Every method reaches the first questions, by a run that replays, and fails at the others.
#[track_caller]
fn errors(model: &str, reached: &[&str], failing: &[&str]) {
    let case = Case::new(model, reached).unwrap_or_else(|e| panic!("{e}"));
    let plan = ZonePlan::new(&case.network).unwrap();
    for question in &case.questions {
        for method in METHODS {
            match decide(&case, &plan, question, true, method, 10_000) {
                Verdict::Reached(path) => confirm(&case, &plan, question, true, &path)
                    .unwrap_or_else(|e| panic!("{}: {e}", question.text)),
                other => panic!("{}, {method:?}: {other:?}", question.text),
            }
        }
    }
    for question in failing {
        assert!(
            matches!(failure(model, question), Stop::Model(ModelError::Trap(_))),
            "{question}"
        );
    }
}

#[test]
fn a_guard_or_channel_that_fails_concerns_its_edge() {
    errors(
        "int a[2]; int i = 2; process P() { state A, B, C; init A; trans A -> B { guard a[i] == 0; }, A -> C { }; }
         process Q() { state A, B; init A; trans A -> B { }; } system P, Q;",
        &["P.C", "Q.B", "P.C && Q.B"],
        &["P.B"],
    );
    errors(
        "chan c[2]; int i = 2; process P() { state A, B; init A; trans A -> B { sync c[i]!; }; }
         process Q() { state A, B; init A; trans A -> B { }, A -> A { sync c[1]?; }; } system P, Q;",
        &["Q.B"],
        &["P.B"],
    );
}

#[test]
fn an_update_that_fails_concerns_its_values_of_selects() {
    errors(
        "int a[2]; process P() { state A; init A; trans A -> A { select k : int[0,3]; assign a[k] = k + 1; }; } system P;",
        &["a[0] == 1", "a[1] == 2"],
        &["a[0] + a[1] > 3"],
    );
}

#[test]
fn an_invariant_that_fails_concerns_the_transition_into_it() {
    errors(
        "int a[2]; int i; clock x; process P() { state A, B { x <= a[i] }, C; init A;
         trans A -> B { assign i = 7; }, A -> C { }; } system P;",
        &["P.C", "P.C && x > 1"],
        &["P.B"],
    );
}

#[test]
fn a_broadcast_is_not_certain_when_a_receiver_fails() {
    errors(
        "broadcast chan c, d; int a[2]; int i = 5; process P() { state A, B, C, D; init A;
         trans A -> B { sync c!; }, A -> C { sync d!; }, A -> D { }; }
         process Q() { state A, B; init A; trans A -> B { guard a[i] == 0; sync c?; }; } system P, Q;",
        &["P.C", "P.D"],
        &["P.B"],
    );
}

#[test]
fn time_is_not_certain_to_pass_when_an_urgent_guard_fails() {
    errors(
        "urgent chan u; int a[2]; int i = 5; clock x; process P() { state A, B; init A; trans A -> B { }; }
         process Q() { state A; init A; trans A -> A { guard a[i] == 0; sync u!; }; }
         process R() { state A; init A; trans A -> A { sync u?; }; } system P, Q, R;",
        &["P.B && x == 0"],
        &["P.B && x > 0"],
    );
}

#[test]
fn priorities_make_a_failing_guard_matter_to_all() {
    errors(
        "int a[2]; int i = 5; process P() { state A, B; init A; trans A -> B { }; }
         process Q() { state A, B; init A; trans A -> B { guard a[i] == 0; }; } system P < Q;",
        &["P.A"],
        &["P.B"],
    );
}

#[test]
fn what_fails_is_no_deadlock() {
    errors(
        "int a[2]; int i = 5; process P() { state A, B, C; init A; trans A -> B { }, B -> B { guard a[i] == 0; }, A -> C { }; } system P;",
        &["deadlock && P.C"],
        &["deadlock && P.B"],
    );
}

#[test]
fn what_is_possible_beside_what_fails_is_no_deadlock() {
    errors(
        "int[0,1] v = 1; clock x; process P() { state A, B; init A;
         trans A -> B { guard x <= 9; assign v = v + 1; }, A -> A { guard x <= 3; }; } system P;",
        &[
            "not deadlock",
            "not deadlock && x == 3",
            "deadlock && x > 9",
            "deadlock || x > 12",
            "x < 5 || deadlock",
        ],
        &["not deadlock && x > 3", "deadlock && x <= 9", "P.B"],
    );
}
