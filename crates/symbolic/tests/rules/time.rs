//! Rows 1 and 3 to 6a: how time passes, for clocks that can be stopped too.

use super::{STATES, check, failure, one};
use crate::support::{Case, agreed};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::stop::{ModelError, Stop};

#[test]
fn row_1_delays_end_with_invariants() {
    check(
        "clock x, y; process P() { state A { x <= 5 && y <= 7 }, B; init A; trans A -> B { guard x >= 2; }; }
         process Q() { state A { x <= 4 }; init A; } system P, Q;",
        &["P.A && x == 4", "P.B && x == 2", "P.B && x == 4", "P.A && x > 3"],
        &["x > 4", "P.B && x < 2"],
    );
}

#[test]
fn row_1_urgent_and_committed_locations_stop_time() {
    for word in ["urgent", "commit"] {
        let model = format!(
            "clock x; process P() {{ state A, B; {word} A; init A; trans A -> B {{ }}, A -> B {{ guard x > 0; }}; }}
             system P;"
        );
        check(&model, &["P.A && x == 0", "P.B && x == 7"], &["P.A && x > 0"]);
    }
    // An urgent location stops time for all, and lets others act.
    check(
        "clock x; process P() { state A, B; urgent A; init A; trans A -> B { }; }
         process Q() { state A, B; init A; trans A -> B { guard x == 0; }, B -> A { guard x > 0; }; } system P, Q;",
        &["P.A && Q.B", "P.B && Q.A && x > 0"],
        &["P.A && x > 0"],
    );
}

#[test]
fn row_3_stopped_clocks_are_contained() {
    let model = "clock x, y; process P() { state A { x' == 0 && y <= 3 }, B; init A; trans A -> B { guard y >= 2; }; }
         system P;";
    let case = Case::new(
        model,
        &[
            "P.B && x == 0 && y == 3",
            "P.A && x == 0 && y == 2",
            "x == 1 && y == 4",
            "P.A && x > 0",
            "P.B && y < 2",
        ],
    )
    .unwrap();
    let plan = ZonePlan::new(&case.network).unwrap();
    assert!(plan.is_approximate());
    let truths: Vec<_> = case
        .questions
        .iter()
        .map(|q| agreed(&case, &plan, q, true, STATES).unwrap())
        .collect();
    assert_eq!(truths, [true, true, true, false, false].map(Some));
}

#[test]
fn row_3_urgency_and_deadlocks_with_stopped_clocks() {
    // Really reachable: x stands still at 1 until y is 2, then P.B at x = 1 with y up to 3.
    let model = "clock x, y; urgent chan c;
         process P() { state A, B, C; init A; trans A -> B { guard x == 1; assign y = 0; }, B -> C { guard y >= 2; sync c!; }; }
         process Q() { state A { y <= 9 }, B { x' == 0 }, D; init A;
           trans A -> B { guard x == 1; }, B -> B { sync c?; }, B -> D { guard x <= 0; }; } system P, Q;";
    let case = Case::new(
        model,
        &[
            "P.C && x == 1 && y == 2",
            "P.B && Q.B && x == 1 && y == 2",
            "P.C && deadlock",
            "Q.D",
        ],
    )
    .unwrap();
    let plan = ZonePlan::new(&case.network).unwrap();
    let truths: Vec<_> = case
        .questions
        .iter()
        .map(|q| agreed(&case, &plan, q, true, STATES).unwrap())
        .collect();
    assert_eq!(truths, [true, true, true, false].map(Some));
}

#[test]
fn row_3_urgency_takes_nothing_away_that_stopped_clocks_reach() {
    // x stands still anywhere up to 3, and time stops when y has caught up with it.
    let model = "clock x, y; urgent chan c;
         process P() { state A, B { x' == 0 }, C; init A;
           trans A -> B { guard x <= 3; assign y = 0; }, B -> C { guard y - x >= 0; sync c!; }; }
         process Q() { state A; init A; trans A -> A { sync c?; }; } system P, Q;";
    let case = Case::new(model, &["P.B && x == 2 && y == 2", "P.C && x == 2 && y == 2"]).unwrap();
    let plan = ZonePlan::new(&case.network).unwrap();
    for question in &case.questions {
        assert_eq!(agreed(&case, &plan, question, true, STATES), Ok(Some(true)));
    }
}

#[test]
fn row_3_a_rate_behind_a_condition() {
    let model = "clock x, y; int i; process P() { state A { i == 1 imply x' == 0 }, B; init A;
         trans A -> A { guard x == 1 && i == 0; assign i = 1, y = 0; }, A -> B { guard i == 1 && y == 2; }; } system P;";
    let case = Case::new(
        model,
        &["P.B && x == 1", "i == 0 && x == 5 && y == 5", "i == 1 && x > 1"],
    )
    .unwrap();
    let plan = ZonePlan::new(&case.network).unwrap();
    let truths: Vec<_> = case
        .questions
        .iter()
        .map(|q| agreed(&case, &plan, q, true, STATES).unwrap())
        .collect();
    // In B the clock runs again.
    assert_eq!(truths, [true, true, true].map(Some));
    let model = "clock x; process P() { state A { x' == 0 }; init A; } process Q() { state A { x' == 1 }; init A; } system P, Q;";
    assert!(matches!(
        failure(model, "P.A"),
        Stop::Model(ModelError::Rate { .. })
    ));
}

#[test]
fn row_4_strict_bounds() {
    check(
        &one(
            "A { x < 3 }, B, C",
            "A -> B { guard x > 2; assign y = 0; }, B -> C { guard x == 3 && y > 0; }",
        ),
        &["P.A && x > 2", "P.B && x > 2 && x < 3 && y == 0", "P.C"],
        &[
            "P.A && x >= 3",
            "P.B && x <= 2",
            "P.B && y == 0 && x >= 3",
            "P.C && y >= 1 && x == 3",
        ],
    );
    check(
        &one(
            "A { x < 3 }, B, C",
            "A -> B { guard x >= 3; }, A -> C { guard x > 2 && x < 3 && y != 0 || false; }",
        )
        .replace(" && y != 0 || false", ""),
        &["P.C"],
        &["P.B"],
    );
}

#[test]
fn row_5_goals_hold_in_the_middle_of_a_delay() {
    check(
        &one("A { x <= 10 }, B", "A -> B { guard x == 10; }"),
        &["x > 3 && x < 4", "x == 5 && P.A", "x != 0 && x < 1"],
        &["P.B && x < 10"],
    );
}

#[test]
fn row_6_time_locks_are_deadlocks() {
    check(
        &one("A { x <= 2 }, B", "A -> B { guard x > 2; }"),
        &["deadlock", "deadlock && x == 0"],
        &["P.B", "x > 2"],
    );
}

#[test]
fn row_6a_without_an_initial_state_there_is_none() {
    let case = Case::new(&one("A { x >= 1 }, B", "A -> B { }"), &["true"]).unwrap();
    let plan = ZonePlan::new(&case.network).unwrap();
    assert_eq!(
        agreed(&case, &plan, &case.questions[0], true, STATES),
        Ok(Some(false))
    );
    let graph = zonewalk_symbolic::graph::ZoneGraph::new(
        &plan,
        case.network.bounds.clone(),
        &[],
        Abstraction::None,
        &[],
    );
    let mut count = 0;
    graph
        .each_initial::<i32>(&mut graph.scratch(), &mut |_, _| {
            count += 1;
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(count, 0);
}
