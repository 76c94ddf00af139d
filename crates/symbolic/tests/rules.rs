//! A small model for every row of `semantics.md` that says what zones must do, with known answers.
//!
//! Every question is decided by every search order, store and abstraction, and what is reachable is repeated by the
//! interpreter.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod support;

use support::{Case, METHODS, Verdict, agreed, decide};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::Plan;
use zonewalk_symbolic::stop::Stop;

/// More than any model here needs.
const STATES: usize = 500;

/// Asserts which predicates are reachable.
#[track_caller]
fn check(model: &str, reachable: &[&str], unreachable: &[&str]) {
    let questions = [reachable, unreachable].concat();
    let case = Case::new(model, &questions).unwrap_or_else(|e| panic!("{e}"));
    let plan = Plan::new(&case.network).unwrap();
    for (number, question) in case.questions.iter().enumerate() {
        let truth = agreed(&case, &plan, question, true, STATES).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(truth, Some(number < reachable.len()), "{}", question.text);
        // `A[] not p` looks for the same.
        let text = format!("not ({})", question.text);
        let negated = Case::new(model, &[&text]).unwrap();
        let plan = Plan::new(&negated.network).unwrap();
        let truth = agreed(&negated, &plan, &negated.questions[0], false, STATES).unwrap();
        assert_eq!(truth, Some(number < reachable.len()), "A[] {text}");
    }
}

/// What every method stops with.
#[track_caller]
fn failure(model: &str, question: &str) -> Stop {
    let case = Case::new(model, &[question]).unwrap_or_else(|e| panic!("{e}"));
    let plan = match Plan::new(&case.network) {
        Ok(plan) => plan,
        Err(stop) => return stop,
    };
    let stops: Vec<Stop> = METHODS
        .iter()
        .map(
            |&method| match decide(&case, &plan, &case.questions[0], true, method, STATES) {
                Verdict::Failed(stop) => stop,
                other => panic!("{method:?}: {other:?}"),
            },
        )
        .collect();
    assert!(stops.windows(2).all(|pair| pair[0] == pair[1]), "{stops:?}");
    stops[0]
}

/// One process `P` over locations `A`, `B`, `C` with clocks `x`, `y` and an integer `i`.
fn one(places: &str, edges: &str) -> String {
    format!(
        "clock x, y; int i; process P() {{ state {places}; init A; trans {edges}; }}
         system P;"
    )
}

// Time.

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
    // An urgent location stops time for everybody, and lets others act.
    check(
        "clock x; process P() { state A, B; urgent A; init A; trans A -> B { }; }
         process Q() { state A, B; init A; trans A -> B { guard x == 0; }, B -> A { guard x > 0; }; } system P, Q;",
        &["P.A && Q.B", "P.B && Q.A && x > 0"],
        &["P.A && x > 0"],
    );
}

#[test]
fn row_2_urgent_channels_without_clocks() {
    check(
        "clock x; urgent chan c; int i;
         process P() { state A, B; init A; trans A -> B { sync c!; }; }
         process Q() { state A, B { x <= 3 }, C; init B; trans B -> A { guard x >= 2; }, A -> C { sync c?; }; }
         system P, Q;",
        &["Q.B && x == 3", "Q.A && x == 2", "Q.A && x == 3", "Q.C && x > 9"],
        &["Q.A && x > 3", "Q.C && x < 2"],
    );
}

#[test]
fn row_2_urgent_handshake_with_clocks_stops_time_when_both_are_ready() {
    let model = |guard: &str| {
        format!(
            "clock x, y; urgent chan c;
             process P() {{ state A, B; init A; trans A -> B {{ guard {guard}; sync c!; }}; }}
             process Q() {{ state A, B; init A; trans A -> B {{ guard y >= 2; sync c?; }}, A -> A {{ guard x == 1; assign y = 0; }}; }}
             system P, Q;"
        )
    };
    check(
        &model("x >= 1"),
        &[
            "P.A && x == 2",
            "P.B && x == 2",
            "P.A && x == 3 && y == 2",
            "P.B && x == 3",
        ],
        &[
            "P.A && x > 3",
            "P.A && x > 2 && y > 2",
            "P.A && y > 2",
            "P.B && x < 2",
        ],
    );
    // An instant that has passed stops nothing.
    check(
        &model("x <= 2"),
        &[
            "P.A && x == 2 && y == 2",
            "P.A && x > 9 && y == x - 1",
            "P.B && x == 2",
        ],
        &["P.A && x > 2 && x == y"],
    );
}

#[test]
fn row_2_urgent_broadcast_needs_no_receiver() {
    check(
        "clock x; urgent broadcast chan b; process P() { state A, B; init A; trans A -> B { guard x >= 3; sync b!; }; }
         process Q() { state A, B; init A; trans A -> B { guard x > 3; sync b?; }; } system P, Q;",
        &["P.A && x == 3", "P.B && Q.A && x == 3"],
        &["P.A && x > 3", "Q.B"],
    );
}

#[test]
fn row_2_a_target_invariant_does_not_let_time_pass() {
    check(
        "clock x; urgent chan c; process P() { state A, B { x <= 1 }; init A; trans A -> B { guard x >= 2; sync c!; }; }
         process Q() { state A; init A; trans A -> A { sync c?; }; } system P, Q;",
        &["P.A && x == 2", "deadlock"],
        &["P.A && x > 2", "P.B"],
    );
}

#[test]
fn row_2_priorities_do_not_let_time_pass() {
    check(
        "clock x; urgent chan c; int i; process P() { state A, B; init A; trans A -> B { guard x >= 2; sync c!; }; }
         process Q() { state A; init A; trans A -> A { sync c?; }; }
         process R() { state A; init A; trans A -> A { guard x >= 2 && i == 0; assign i = 1; }; } system P, Q < R;",
        &["P.A && x == 2 && i == 1", "P.B"],
        &["x > 2 && P.A", "P.B && i == 0"],
    );
}

#[test]
fn row_2a_a_strict_lower_bound_stops_time_before_it() {
    let model = |guard: &str| {
        format!(
            "clock x; urgent chan c; process P() {{ state A, B; init A; trans A -> B {{ guard {guard}; sync c!; }}; }}
             process Q() {{ state A, B {{ x <= 7 }}; init A; trans A -> A {{ sync c?; }}, A -> B {{ guard x == 5; }}, B -> A {{ guard x > 6; }}; }}
             system P, Q;"
        )
    };
    check(
        &model("x > 5"),
        &[
            "P.A && x == 5",
            "P.B && x > 6",
            "P.A && Q.B && x > 5",
            "P.A && Q.A && x > 6",
        ],
        &["P.B && x <= 6", "P.A && Q.A && x > 5 && x <= 6"],
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
    let plan = Plan::new(&case.network).unwrap();
    assert!(plan.is_approximate());
    let truths: Vec<_> = case
        .questions
        .iter()
        .map(|q| agreed(&case, &plan, q, true, STATES).unwrap())
        .collect();
    assert_eq!(truths, [true, true, true, false, false].map(Some));
}

#[test]
fn row_3_urgency_and_dead_ends_with_stopped_clocks() {
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
    let plan = Plan::new(&case.network).unwrap();
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
    let plan = Plan::new(&case.network).unwrap();
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
    let plan = Plan::new(&case.network).unwrap();
    let truths: Vec<_> = case
        .questions
        .iter()
        .map(|q| agreed(&case, &plan, q, true, STATES).unwrap())
        .collect();
    // In B the clock runs again.
    assert_eq!(truths, [true, true, true].map(Some));
    let model = "clock x; process P() { state A { x' == 0 }; init A; } process Q() { state A { x' == 1 }; init A; } system P, Q;";
    assert!(matches!(failure(model, "P.A"), Stop::Rate { .. }));
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
fn row_6_time_locks_are_dead_ends() {
    check(
        &one("A { x <= 2 }, B", "A -> B { guard x > 2; }"),
        &["deadlock", "deadlock && x == 0"],
        &["P.B", "x > 2"],
    );
}

#[test]
fn row_6a_without_an_initial_state_there_is_none() {
    let case = Case::new(&one("A { x >= 1 }, B", "A -> B { }"), &["true"]).unwrap();
    let plan = Plan::new(&case.network).unwrap();
    assert_eq!(
        agreed(&case, &plan, &case.questions[0], true, STATES),
        Ok(Some(false))
    );
    let mut graph = zonewalk_symbolic::graph::ZoneGraph::new(
        &plan,
        case.network.bounds.clone(),
        &[],
        Abstraction::None,
        &[],
    );
    let mut count = 0;
    graph
        .each_initial(&mut |_, _| {
            count += 1;
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(count, 0);
}

// Actions.

#[test]
fn row_7_order_of_updates() {
    check(
        "chan c; broadcast chan b; int i, j; clock x;
         process P() { state A, B, C; init A; trans A -> B { sync c!; assign i = 1, j = i + 1; }, B -> C { sync b!; assign i = 10; }; }
         process Q() { state A; init A; trans A -> A { sync c?; assign i = i + j; }, A -> A { sync b?; assign i = i * 2; }; }
         process R() { state A; init A; trans A -> A { sync b?; assign i = i + 1; }; } system R, Q, P;",
        &["P.B && i == 3 && j == 2", "P.C && i == 22"],
        &["P.C && i == 21", "P.B && i != 3", "P.C && i != 22"],
    );
}

#[test]
fn row_8_guards_are_looked_at_before_updates() {
    check(
        "chan c; int i; clock x;
         process P() { state A, B; init A; trans A -> B { guard i == 0 && x >= 2; sync c!; assign i = 1, x = 0; }; }
         process Q() { state A, B, C; init A; trans A -> B { guard i == 0 && x >= 1; sync c?; }, A -> C { guard i == 1; sync c?; }; }
         system P, Q;",
        &["P.B && Q.B && x == 0"],
        &["Q.C", "P.B && Q.A"],
    );
}

#[test]
fn row_9_target_invariants() {
    check(
        &one(
            "A, B { x <= 2 }, C { i == 1 }",
            "A -> B { guard x >= 1; }, B -> C { assign i = i + 1; }, A -> C { }",
        ),
        &["P.B && x == 2", "P.C && x == 1", "P.A && x == 3"],
        &["P.B && x > 2", "P.C && x < 1"],
    );
    // One receiver that cannot go blocks them all.
    check(
        "clock x; broadcast chan b; int i;
         process P() { state A, B; init A; trans A -> B { sync b!; }; }
         process Q() { state A, B { x < 2 }; init A; trans A -> B { sync b?; }, B -> A { guard x == 1; assign x = 0; }; }
         process R() { state A, B; init A; trans A -> B { sync b?; }; } system P, Q, R;",
        &["P.B && Q.B && R.B", "P.A && x > 5", "P.A && x > 5 && deadlock"],
        &["P.B && Q.A && R.A", "P.B && R.A", "P.A && x < 2 && deadlock"],
    );
}

#[test]
fn row_10_committed_locations() {
    check(
        "chan c; broadcast chan b; clock x; int i;
         process P() { state A, B, C; commit A; init A; trans A -> B { }, B -> C { sync c!; }; }
         process Q() { state A, B; init A; trans A -> B { assign i = 1; }; }
         process R() { state A, B; commit B; init A; trans A -> B { sync c?; }, B -> A { assign i = 2; }; }
         process S() { state A; init A; trans A -> A { guard i == 0; sync b!; }; } system P, Q, R, S;",
        &["P.A && Q.A && x == 0", "P.C && R.B", "i == 2", "P.B && Q.B"],
        &["P.A && Q.B", "x > 0 && P.A", "P.C && Q.A && i == 1"],
    );
    // Any receiver that leaves a committed location will do, and several committed processes take turns.
    check(
        "broadcast chan b; clock x;
         process P() { state A, B; init A; trans A -> B { sync b!; }; }
         process Q() { state A, B; commit A; init A; trans A -> B { sync b?; }; }
         process R() { state A, B; commit A; init A; trans A -> B { guard x == 0; }; } system P, Q, R;",
        &[
            "P.A && Q.A && R.B",
            "P.B && Q.B && R.A",
            "P.B && Q.B && R.B && x > 0",
        ],
        &["P.B && Q.A", "R.A && x > 0"],
    );
}

#[test]
fn row_11_several_receiving_edges() {
    check(
        "broadcast chan b; clock x; int i;
         process P() { state A, B; init A; trans A -> B { sync b!; }, A -> B { sync b?; assign i = 9; }; }
         process Q() { state A, B, C; init A; trans A -> B { sync b?; }, A -> C { sync b?; }; }
         process R() { state A, B, C; init A; trans A -> B { sync b?; }, A -> C { sync b?; }; } system P, Q, R;",
        &["Q.B && R.B", "Q.B && R.C", "Q.C && R.B", "Q.C && R.C"],
        &["P.B && Q.A", "P.B && R.A", "i == 9"],
    );
}

#[test]
fn row_12_who_receives_depends_on_the_instant() {
    let model = "broadcast chan b; clock x, y;
         process P() { state A, B; init A; trans A -> B { guard x <= 5; sync b!; assign y = 0; }; }
         process Q() { state A, B, C; init A; trans A -> B { guard x >= 1 && x < 3; sync b?; }, A -> C { guard x >= 2 && x <= 4; sync b?; }; }
         process R() { state A, B; init A; trans A -> B { guard x == 2; sync b?; }; } system P, Q, R;";
    check(
        model,
        &[
            "P.B && Q.A && R.A && x == 0",
            "P.B && Q.A && x > 4 && y == 0",
            "P.B && Q.B && R.A && x == 1 && y == 0",
            "P.B && Q.B && R.B && x == 2",
            "P.B && Q.C && R.B && x == 2",
            "P.B && Q.C && R.A && x == 3 && y == 0",
            "P.B && Q.C && x == 4 && y == 0",
            "P.B && Q.B && R.A && x > 2 && y == 0",
        ],
        &[
            "P.B && Q.A && y == 0 && x >= 1 && x <= 4",
            "P.B && Q.B && y == 0 && x >= 3",
            "P.B && Q.C && y == 0 && x < 2",
            "P.B && Q.C && y == 0 && x > 4",
            "P.B && R.A && x == 2 && y == 0",
            "P.B && Q.A && R.B",
        ],
    );
}

#[test]
fn row_12_the_missing_receiver_is_not_forgotten_by_abstractions() {
    // Beyond 3 nobody compares x from below: only the receiver's upper bound tells the states apart.
    check(
        "broadcast chan b; clock x; int i;
         process P() { state A, B; init A; trans A -> B { sync b!; }; }
         process Q() { state A, B { x <= 3 }; init B; trans B -> A { guard i == 0; assign i = 1; }, A -> B { guard x <= 3; sync b?; }, B -> B { guard i == 1; }; } system P, Q;",
        &["P.B && Q.A && i == 1", "P.B && Q.B && i == 1"],
        &["P.B && Q.A && i == 1 && x <= 3 && not (i == 1)"],
    );
}

#[test]
fn row_13_selects() {
    check(
        &one(
            "A, B, C",
            "A -> B { select s : int[0,3]; guard s != 1 && x >= s; assign i = s; }, A -> C { select s : int[2,4], t : int[0,1]; assign i = 10 * s + t; },
             B -> A { select s : int[0,9]; guard x < 0; }, C -> C { select s : int[0,1]; guard x > 3; }",
        ),
        &["P.B && i == 3", "P.B && i == 0 && x == 0", "P.C && i == 20", "P.C && i == 41", "P.C && i == 31", "P.B && i == 2 && x == 2"],
        &["P.B && i == 1", "P.B && i == 3 && x < 3", "P.C && i == 22", "i == 50"],
    );
    // An edge without an update has nowhere to put the value.
    check(
        &one(
            "A { i == 0 || x < 2 }, B, C",
            "A -> B { select s : int[1,1]; }, B -> C { guard x >= 2; }, A -> A { select s : int[0,1]; }",
        ),
        &["P.A && x == 7", "P.C && x == 2"],
        &["P.C && x < 2"],
    );
    check(
        &one("A, B", "A -> B { select s : int[1,0]; assign i = s; }"),
        &["P.A"],
        &["P.B"],
    );
}

#[test]
fn row_14_channels_that_depend_on_the_state() {
    check(
        "chan c[3]; int[0,5] i; clock x;
         process P() { state A, B, C; init A; trans A -> A { guard i < 5 && x == 1; assign i = i + 1, x = 0; }, A -> B { guard i < 3; sync c[i]!; }; }
         process Q() { state A, B; init A; trans A -> B { guard x > 0; sync c[1]?; }; }
         process R() { state A, B; init A; trans A -> B { guard x < 1; sync c[2]?; }; } system P, Q, R;",
        &["Q.B && i == 1", "R.B && i == 2", "i == 5"],
        &["Q.B && i != 1", "R.B && i == 1"],
    );
    let model = "chan c[2]; int i; process P() { state A; init A; trans A -> A { guard i < 3; assign i = i + 1; }, A -> A { sync c[i]!; }; } system P;";
    assert!(matches!(failure(model, "i == 3"), Stop::Trap(_)));
}

#[test]
fn row_15_channel_priorities() {
    check(
        "chan l, h; chan priority l < default < h; clock x, y;
         process P() { state A, B, C, D; init A; trans A -> B { sync l!; assign y = 0; }, A -> C { guard x >= 2 && x <= 4; sync h!; assign y = 0; }, A -> D { guard x >= 3 && x <= 6; assign y = 0; }; }
         process Q() { state A; init A; trans A -> A { sync l?; }, A -> A { sync h?; }; } system P, Q;",
        &["P.B && x == 0 && y == 0", "P.B && x > 1 && y == 0 && x < 2", "P.C && x == 2 && y == 0", "P.D && x > 4 && y == 0", "P.D && x == 6 && y == 0", "P.B && x > 6 && y == 0"],
        &["P.B && y == 0 && x >= 2 && x <= 6", "P.D && y == 0 && x <= 4", "P.C && x > 4 && y == 0"],
    );
}

#[test]
fn row_15_process_priorities_block_only_by_what_exists() {
    check(
        "clock x, y; int i;
         process P() { state A, B; init A; trans A -> B { assign y = 0; }; }
         process Q() { state A, B { x <= 3 }, C; init A; trans A -> B { guard x >= 1; }, A -> C { guard x >= 5 && i == 1; }; } system P < Q;",
        &["P.B && Q.A && x < 1 && y == 0", "P.B && Q.A && x > 3 && y == 0", "P.A && Q.B && x == 3", "P.B && Q.A && x == 6 && y == 0", "P.B && Q.B"],
        &["P.B && Q.A && x >= 1 && x <= 3 && y == 0"],
    );
    // The highest among the partners counts; delays are not blocked.
    check(
        "clock x; chan c; int i;
         process P() { state A, B; init A; trans A -> B { sync c!; }; }
         process Q() { state A, B; init A; trans A -> B { }; }
         process R() { state A, B; init A; trans A -> B { guard x >= 1; sync c?; }; } system P < Q < R;",
        &[
            "Q.B && R.A && x < 1",
            "R.B && x == 1 && Q.A",
            "P.A && Q.A && x > 5",
            "Q.B && R.B",
        ],
        &["P.B && R.A"],
    );
    // A blocked transition is not run, so it does not fail.
    check(
        "clock x; int i; process P() { state A, B; init A; trans A -> B { guard x >= 2; assign i = 1 / i; }; }
         process Q() { state A { x <= 2 }, B; init A; trans A -> B { guard x >= 2; assign i = 1; }; } system P < Q;",
        &["Q.B && i == 1", "P.B"],
        &["P.B && Q.A"],
    );
}

#[test]
fn row_16_branches_are_all_possible() {
    check(
        &one(
            "A, B, C",
            "A -> B { guard x > 1; assign i = 1; }, A -> C { guard x > 1; assign i = 2; }",
        ),
        &["P.B && i == 1", "P.C && i == 2"],
        &["P.B && i == 2", "P.C && x <= 1"],
    );
}

// Forms.

#[test]
fn row_16b_guards_with_data_and_clocks() {
    check(
        &one(
            "A, B, C",
            "A -> A { guard x == 1 && i < 3; assign i = i + 1, x = 0; }, A -> B { guard (i == 1 || x > 3) && (i > 0 imply y >= 2); assign y = 0; },
             A -> C { guard 3 < x && x <= i + 2; }",
        ),
        &["P.B && i == 1 && x == 1 && y == 0", "P.B && i == 0 && x > 3 && y == 0", "P.C && i == 2 && x == 4"],
        &["P.B && i == 0 && x <= 3 && y == 0", "P.B && i == 1 && x < 1 && y == 0", "P.C && i <= 1"],
    );
    check(
        "typedef int[0,2] id; clock c[id]; int i; process P() { state A { forall (k : id) c[k] <= k + 3 }, B; init A;
           trans A -> B { guard forall (k : id) c[k] > 2; }, A -> A { select k : id; guard c[k] == 1; assign c[k] = 0; }; } system P;",
        &["P.B && c[0] == 3", "P.A && c[1] == 4", "P.A && c[0] == 0 && c[2] == 5"],
        &["P.A && c[0] > 3", "P.A && c[2] > 5"],
    );
}

#[test]
fn row_16c_invariants_with_lower_bounds_and_data() {
    check(
        &one(
            "A, B { x >= 3 && y < 6 }, C { i > 0 && x > 4 }",
            "A -> B { }, B -> C { assign i = i + 1; }, A -> C { }, C -> B { assign x = 3; }",
        ),
        &[
            "P.B && x == 3 && y == 3",
            "P.C && x > 4 && y > 9",
            "P.B && x < 4 && y > 5",
        ],
        &["P.B && x < 3", "P.C && x <= 4", "P.B && y >= 6", "P.C && i == 0"],
    );
    // The invariant of one process depends on what another one writes.
    check(
        "clock x; int i; process P() { state A { i == 0 || x <= 2 }; init A; }
         process Q() { state A, B; init A; trans A -> B { guard x >= 1; assign i = 1; }; } system P, Q;",
        &["Q.B && x == 2", "Q.A && x > 9", "Q.A && deadlock && x > 2"],
        &["Q.B && x > 2", "Q.A && deadlock && x <= 2"],
    );
}

#[test]
fn row_16d_bounds_with_variables() {
    check(
        &one(
            "A { x <= 2 * i + 1 }, B",
            "A -> A { guard i < 3 && x >= i + 1; assign i = i + 1; }, A -> B { guard i == 3 && x >= 2 * i + 1; }",
        ),
        &["P.A && x == 1 && i == 0", "P.B && x == 7", "i == 3 && x == 3"],
        &["i == 0 && x > 1", "i == 1 && x < 1", "P.B && x < 7"],
    );
}

// Data.

#[test]
fn row_17_run_time_errors() {
    let range = one("A, B", "A -> A { guard x == 1; assign i = i + 16384, x = 0; }");
    assert!(matches!(failure(&range, "P.B"), Stop::Trap(_)));
    assert!(matches!(
        failure(&one("A, B", "A -> A { guard 1 / i == 0; }"), "P.B"),
        Stop::Trap(_)
    ));
    assert!(matches!(
        failure(
            &one(
                "A { i < 2 || x < 5 / (3 - i) }, B",
                "A -> A { guard x < 1; assign i = i + 1; }"
            ),
            "P.B"
        ),
        Stop::Trap(_)
    ));
    assert!(matches!(
        failure(&one("A, B", "A -> B { assign x = -1; }"), "P.B && x > 1"),
        Stop::Trap(_)
    ));
    // Somewhere in the zone the clock would be negative.
    assert!(matches!(
        failure(
            &one("A, B", "A -> B { guard y >= 1; assign x = y - 2; }"),
            "P.B && x > 1"
        ),
        Stop::NegativeClock(_)
    ));
    assert!(matches!(
        failure(&one("A, B", "A -> B { assign x = 300000000; }"), "P.B && x > 1"),
        Stop::Constant(_)
    ));
    assert!(matches!(
        failure(&one("A, B", "A -> B { guard x > 300000000; }"), "P.B"),
        Stop::Constant(_)
    ));
    // Nobody looks at it afterwards, or it is put right at once: an error all the same.
    let unseen = one("A, B", "A -> B { guard y >= 1; assign x = y - 2; }");
    assert!(matches!(failure(&unseen, "P.B && P.A"), Stop::NegativeClock(_)));
    let mended = one("A, B", "A -> B { guard y >= 1; assign x = y - 2, x = x + 2; }");
    assert!(matches!(failure(&mended, "P.B && x < 0"), Stop::NegativeClock(_)));
    check(
        &one("A, B", "A -> B { guard y >= 2; assign x = y - 2; }"),
        &["P.B && x == 0"],
        &["P.B && y < 2"],
    );
}

#[test]
fn row_17_conditions_of_questions_short_circuit() {
    check(
        &one("A { x <= 5 }, B", "A -> B { guard x == 5; }"),
        &["x <= 5 && P.A || 1 / i == 1 || P.A", "P.B"],
        &["x > 5 && P.A && 1 / i == 1"],
    );
}

#[test]
fn row_17_a_shift_below_zero_is_no_artefact_of_the_abstraction() {
    // Nothing compares y with more than 1, so abstractions forget that it is at least 5.
    check(
        &one(
            "A { x <= 5 }, B, C",
            "A -> B { guard x == 5 && y >= 1; }, B -> C { assign x = y - 4; }",
        ),
        &["P.C && x == 1", "P.C && x > 4"],
        &["P.C && x < 1"],
    );
}

#[test]
fn row_18_meta_variables_are_carried_and_not_compared() {
    check(
        "meta int m; clock x; int i;
         process P() { state A, B, C; init A; trans A -> B { guard x >= 1; assign m = 7; }, B -> C { guard x >= 2; assign i = m; }, C -> A { assign m = 0, x = 0, i = 0; }; } system P;",
        &["P.C && i == 7"],
        &["P.C && i != 7"],
    );
}

#[test]
fn row_19c_clocks_with_initial_values() {
    check(
        "clock x = 3, y = 1, z; process P() { state A { x <= 5 }, B; init A; trans A -> B { guard y >= 3; assign x = 0; }; } system P;",
        &[
            "P.B && y == 3 && x == 0",
            "P.A && x == 3 && y == 1 && z == 0",
            "P.A && x == 5 && z == 2",
        ],
        &["x > 5 && P.A", "P.B && x > y", "P.A && z >= x"],
    );
}

#[test]
fn row_19e_copies_shifts_and_swaps() {
    let model = |update: &str| {
        one(
            "A { x <= 2 }, B { y <= 9 }, C",
            &format!("A -> B {{ guard x >= 1; assign {update}; }}, B -> C {{ guard x == 4; }}"),
        )
        .replace("int i;", "int i; clock z;")
    };
    check(
        &model("y = 0, z = x, x = y, y = z"),
        &[
            "P.B && x == 0 && y == 2",
            "P.C && y == 5 && x == 4",
            "P.C && y == 6 && x == 4",
        ],
        &["P.B && x == 0 && y > 2", "P.B && x == y"],
    );
    check(
        &model("x = x + 2"),
        &["P.B && x == 3 && y == 1", "P.C && y == 2"],
        &["P.B && x < 3", "P.B && x - y < 2"],
    );
    check(
        &model("z = y, y = x + 1, x = z"),
        &["P.B && y == x + 1"],
        &["P.B && x >= y"],
    );
    check(
        &model("y = 5, x = y"),
        &["P.B && x == 5 && y == 5"],
        &["P.C", "P.B && x < 5"],
    );
    // Arrays of clocks are copied as a whole.
    check(
        "clock c[2], d[2]; process P() { state A { c[0] <= 1 }, B; init A; trans A -> B { guard c[0] == 1; assign d[1] = 3, c = d; }; } system P;",
        &["P.B && c[1] == 3 && c[0] == 1", "P.B && c[1] - c[0] == 2"],
        &["P.B && c[1] < 3"],
    );
}

// Queries.

#[test]
fn row_28_dead_ends_are_exact() {
    // Part of a zone is dead: behind 3 nothing happens any more.
    check(
        &one("A, B", "A -> A { guard x <= 3; }"),
        &["deadlock", "deadlock && x > 3 && x < 4"],
        &["deadlock && x <= 3"],
    );
    // Time leads to a transition, though not at once.
    check(
        &one("A { x <= 5 }, B", "A -> B { guard x >= 4; }, B -> B { }"),
        &["P.B"],
        &["deadlock"],
    );
    // A strict end is never reached.
    check(
        &one(
            "A { x < 5 }, B",
            "A -> A { guard x > 4; assign y = 0; }, B -> B { }",
        ),
        &["x > 4"],
        &["deadlock"],
    );
    // The target's invariant must hold.
    check(
        &one(
            "A, B { y <= 2 }",
            "A -> B { assign x = 0; }, B -> A { assign y = 0; }",
        ),
        &["deadlock && P.A && y > 2"],
        &["deadlock && P.B", "deadlock && y <= 2"],
    );
    // Stuck in an urgent location.
    check(
        &one("A, B, C", "A -> B { }, B -> C { guard x >= 2; }, C -> C { }")
            .replace("init A", "urgent B; init A"),
        &["P.B && deadlock && x == 1", "P.C"],
        &["deadlock && x >= 2", "deadlock && P.A"],
    );
}

#[test]
fn row_28_dead_ends_behind_urgency() {
    // Time stops at 2 before the guard of the only other edge holds.
    let model = |until: &str| {
        format!(
            "clock x, y; urgent chan c; process P() {{ state A, B {{ x < 0 }}; init A; trans A -> B {{ guard x >= 2 && x <= {until}; sync c!; }}, A -> A {{ guard x >= 3; assign y = 0; }}; }}
             process Q() {{ state A; init A; trans A -> A {{ sync c?; }}; }}
             process R() {{ state A, B {{ x <= 5 }}; init A; trans A -> B {{ guard x == 0; assign x = 5; }}; }} system P, Q, R;"
        )
    };
    check(
        &model("4"),
        &["deadlock && R.A && x == 2", "R.A && x == 1 && deadlock", "R.B"],
        &[
            "R.A && x > 2",
            "R.A && x == 0 && deadlock",
            "R.B && deadlock && x < 5",
            "R.B && deadlock",
        ],
    );
}

#[test]
fn row_28_time_leads_from_one_zone_of_a_state_to_another() {
    // In B the points with x <= 3 and those with y <= 2 that time can pass into are no single zone.
    check(
        "clock x, y; urgent chan u;
         process P() { state A, B, C; init A;
           trans A -> B { assign y = 0; }, A -> A { sync u?; }, B -> B { sync u?; }, B -> C { guard y == 1; }, C -> C { }; }
         process Q() { state A; init A; trans A -> A { guard x > 3 && y >= 2; sync u!; }; } system P, Q;",
        &["P.C", "P.B && x == 3 && y == 2 && deadlock", "P.B && x > 4 && y == 2"],
        &["P.B && y < 1 && deadlock", "P.A && deadlock", "P.B && x > 3 && deadlock"],
    );
    // What lies behind the stop is not run, so it does not fail.
    check(
        "clock x; urgent chan u; int i;
         process P() { state A, B { x < 0 }; init A; trans A -> B { guard x >= 2; sync u!; }, A -> A { guard x >= 3; assign i = 1 / i; }; }
         process Q() { state A; init A; trans A -> A { sync u?; }; } system P, Q;",
        &["P.A && x == 2 && deadlock"],
        &["P.B", "x > 2"],
    );
}

#[test]
fn row_28_where_time_has_stopped_later_transitions_do_not_count() {
    // B is entered at any time from 1 on with time stopped: what is possible at 5 helps nobody at 2.
    check(
        "clock x; urgent broadcast chan b;
         process P() { state A { x <= 7 }, B, C { x < 0 }; init A;
           trans A -> B { guard x >= 1; }, B -> C { guard x >= 1; sync b!; }, B -> A { guard x == 5; assign x = 0; }; }
         system P;",
        &["P.B && x == 2 && deadlock", "P.B && x == 7 && deadlock", "P.B && x == 5"],
        &["P.B && x == 5 && deadlock", "P.A && deadlock"],
    );
}

#[test]
fn row_29_differences_of_clocks() {
    // Soundness needs the split: with Extra-M alone B is reached (Bouyer, Untameable timed automata, STACS 2003).
    let model = "clock x1, x2, x3, x4; process P() { state l0, l1, l2, l3, l4, l5, l6, B; init l0;
         trans l0 -> l1 { guard x3 <= 3; assign x1 = 0, x3 = 0; }, l1 -> l2 { guard x2 == 3; assign x2 = 0; }, l2 -> l3 { guard x1 == 2; assign x1 = 0; },
           l3 -> l4 { guard x2 == 2; assign x2 = 0; }, l4 -> l3 { guard x1 == 3; assign x1 = 0; }, l3 -> l5 { guard x2 == 2; assign x2 = 0; },
           l5 -> l6 { guard x1 == 2; assign x1 = 0; }, l6 -> B { guard x2 - x1 > 2 && x4 - x3 < 2; }; } system P;";
    let case = Case::new(model, &["P.B", "P.l6", "P.l3 && x2 == 2"]).unwrap();
    let plan = Plan::new(&case.network).unwrap();
    let truths: Vec<_> = case
        .questions
        .iter()
        .map(|q| agreed(&case, &plan, q, true, 3000).unwrap())
        .collect();
    assert_eq!(truths[1..], [Some(true), Some(true)]);
    assert_ne!(truths[0], Some(true));
    check(
        &one(
            "A, B, C",
            "A -> A { guard y == 1; assign y = 0; }, A -> B { guard x - y == 3; assign x = 0; }, B -> C { guard x - y > 0; }",
        ),
        &["P.B && y < 1", "P.A && x - y == 5", "P.A && x == y + 2"],
        &["P.C", "P.A && y - x > 0", "P.B && x > y"],
    );
    // Clocks that are set to other numbers than 0.
    check(
        &one(
            "A, B, C",
            "A -> B { guard y >= 4; assign x = 3; }, B -> C { guard x - y < -1 && x < 4; }",
        ),
        &["P.C", "P.B && y - x == 1"],
        &["P.C && y - x <= 1", "P.C && y < 4"],
    );
}

#[test]
fn row_29_differences_behind_assignments() {
    // In B nothing is compared with more than 4, but a bound on y is what y - x > 4 was before x was set.
    check(
        &one(
            "A { x <= 5 }, B, C, D",
            "A -> B { guard x == 5; }, B -> C { assign x = 3; }, C -> D { guard y - x > 4; }",
        )
        .replace("init A", "urgent B; init A"),
        &["P.C"],
        &["P.D"],
    );
    // Before the copy the difference is one of other clocks.
    check(
        &one(
            "A { z <= 3 }, B, C, D",
            "A -> B { guard z == 3; assign y = 0; }, B -> C { assign x = y + 3; }, C -> D { guard z - x > 1; }",
        )
        .replace("init A", "urgent B; init A")
        .replace("int i;", "int i; clock z;"),
        &["P.C"],
        &["P.D"],
    );
}

#[test]
fn row_29_searches_end_with_differences() {
    let model = one(
        "A, B",
        "A -> A { guard y >= 1; assign y = 0; }, A -> B { guard x - y > 2 && x - y < 2; }",
    );
    let case = Case::new(&model, &["P.B"]).unwrap();
    let plan = Plan::new(&case.network).unwrap();
    for method in METHODS.iter().filter(|m| m.abstraction != Abstraction::None) {
        let verdict = decide(&case, &plan, &case.questions[0], true, *method, STATES);
        assert_eq!(verdict, Verdict::Unreachable, "{method:?}");
    }
}

#[path = "../../walk/tests/support/priorities.rs"]
mod priorities;

/// Random walks are held against the same models.
#[test]
fn row_15_what_does_not_exist_blocks_nothing() {
    for case in priorities::CASES {
        eprintln!("{}", case.name);
        check(case.text, case.reached, case.unreached);
    }
}
