//! Rows 26, 28 and 29: processes chosen by a value, deadlocks and differences of clocks.

use super::{STATES, check, one};
use crate::support::{Case, METHODS, Verdict, agreed, decide};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::diagonals::Unbounded;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::plan::ZonePlan;

#[test]
fn row_26_processes_are_chosen_by_values() {
    // The processes follow each other, so that there are few states.
    for n in [3, 60] {
        check(
            &format!(
                "const int N = {n}; typedef int[0,N-1] id_t; int[0,N] next; id_t last; clock x;
                 process P(const id_t id) {{ int v; clock y; state A, B; init A;
                   trans A -> B {{ guard next == id && x >= 1; assign v = id % 3, last = id, next++, x = 0; }}; }}
                 system P;"
            ),
            &[
                "(sum (i : id_t) P(i).B) == N && x > 2",
                "(sum (i : id_t) P(i).v) >= 3 && P(last).B && P(last).y < N + 1",
            ],
            &[
                "(sum (i : id_t) P(i).B) != next",
                "next > 0 && P(last).A || P(last).y < (sum (i : id_t) P(i).B)",
            ],
        );
    }
}

#[test]
fn row_28_deadlocks_are_exact() {
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
fn row_28_deadlocks_behind_urgency() {
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
    // B is entered at any time from 1 on with time stopped: what is possible at 5 does not help at 2.
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
    let plan = ZonePlan::new(&case.network).unwrap();
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
    let plan = ZonePlan::new(&case.network).unwrap();
    for method in METHODS.iter().filter(|m| m.abstraction != Abstraction::None) {
        let verdict = decide(&case, &plan, &case.questions[0], true, *method, STATES);
        assert_eq!(verdict, Verdict::Unreachable, "{method:?}");
    }
}

/// Whatever varies in a difference has a range: searches end, and say what is there.
#[track_caller]
fn ends(declarations: &str, edges: &str, reachable: &[&str], unreachable: &[&str]) {
    let model = format!(
        "clock g, x; {declarations} process P() {{ state A {{ g <= 2 }}, B; init A; trans {edges}; }} system P;"
    );
    check(&model, reachable, unreachable);
    for question in unreachable {
        let case = Case::new(&model, &[question]).unwrap();
        let plan = ZonePlan::new(&case.network).unwrap();
        for method in METHODS.iter().filter(|m| m.abstraction != Abstraction::None) {
            let verdict = decide(&case, &plan, &case.questions[0], true, *method, STATES);
            assert_eq!(verdict, Verdict::Unreachable, "{method:?}: {question}");
        }
    }
}

#[test]
fn row_29_searches_end_when_a_clock_is_set_to_a_variable() {
    ends(
        "int[0,1] v;",
        "A -> A { assign g = v; }",
        &["x - g == 5"],
        &["x - g == -5"],
    );
    ends(
        "int[0,1] v;",
        "A -> A { guard g >= 1; assign g = v, v = 1 - v; }, A -> B { guard g - x > 1; }",
        &["x - g == 5", "P.A && g - x == 0"],
        &["P.B", "g - x > 0 && x > 2"],
    );
}

#[test]
fn row_29_searches_end_when_a_difference_is_bounded_by_a_variable() {
    let edges = |guard: &str| {
        format!("A -> A {{ guard g >= 1; assign g = 0, v = 1 - v; }}, A -> B {{ guard {guard}; }}")
    };
    ends(
        "int[0,1] v;",
        &edges("x - g <= v && x > 4"),
        &["x - g == 5"],
        &["P.B"],
    );
    ends(
        "int[0,1] v;",
        &edges("g - x <= v && x > 6"),
        &["P.B"],
        &["P.B && x < 6"],
    );
    ends(
        "int[0,1] v;",
        &edges("x >= 20 && x < 10"),
        &["x - g == v + 5"],
        &["g - x > v", "g - x == v + 1"],
    );
}

#[test]
fn row_29_searches_end_when_clocks_are_copied() {
    ends(
        "clock y;",
        "A -> A { guard g >= 1; assign g = 0, y = x; }, A -> B { guard y - x > 0; }",
        &["x - g == 5", "y - g > 3"],
        &["P.B", "y - g < 0"],
    );
    ends(
        "clock y;",
        "A -> A { guard g >= 1; assign g = 0, y = x + 1; }, A -> B { guard y - x > 1; }",
        &["y - x == 1 && x > 5", "x - g == 3"],
        &["P.B", "y - x > 0 && y - x < 1"],
    );
    // The copied clock is the one that is bounded.
    ends(
        "clock y;",
        "A -> A { guard g >= 1; assign x = g; }, A -> A { guard g == 2; assign x = g, g = 0; }, A -> B { guard x - g > 3; }",
        &["x - g == 2", "y - x > 7"],
        &["P.B", "x - g > 2"],
    );
}

#[test]
fn row_29_searches_end_when_clocks_are_chosen_by_a_variable() {
    let edges = |guard: &str| {
        format!("A -> A {{ guard g >= 1; assign g = 0, c[v] = 0, v = 1 - v; }}, A -> B {{ guard {guard}; }}")
    };
    let declarations = "int[0,1] v; clock c[2];";
    ends(declarations, &edges("c[v] - g <= -3"), &["x - g == 5"], &["P.B"]);
    ends(
        declarations,
        &edges("x < 0"),
        &["g - c[v] <= 2", "c[v] - g == 2"],
        &["g - c[v] > 2"],
    );
}

#[test]
fn row_29_what_has_no_finite_abstraction_is_known() {
    let why = |declarations: &str, edge: &str, question: &str| {
        let model = format!(
            "clock g, x; {declarations} process P() {{ state A {{ g <= 2 }}; init A; trans A -> A {{ {edge} }}; }} system P;"
        );
        let case = Case::new(&model, &[question]).unwrap();
        let plan = ZonePlan::new(&case.network).unwrap();
        let question = &case.questions[0];
        let goal = zonewalk_symbolic::goal::ZoneGoal::new(&case.network, &question.predicate, true);
        let graph = |abstraction| ZoneGraph::new(&plan, case.bounds(question), &[], abstraction, &[&goal]);
        assert_eq!(graph(Abstraction::None).unbounded(), None);
        graph(Abstraction::LuPlus).unbounded()
    };
    assert_eq!(why("", "assign g = x;", "x > 3"), None);
    let copied = why("", "assign x = x + 1;", "x - g > 3");
    assert!(
        matches!(copied, Some(Unbounded::Copied(clock)) if clock.0 == 1),
        "{copied:?}"
    );
    let shifted = why("", "guard x >= 1; assign x = x - 1;", "x > 3");
    assert!(matches!(shifted, Some(Unbounded::Shifted(_))), "{shifted:?}");
    let compared = why("int n;", "guard g - x <= n;", "x > 3");
    assert!(matches!(compared, Some(Unbounded::Compared(_))), "{compared:?}");
    let set = why("int n;", "assign g = n * n * n;", "x - g > 3");
    assert!(
        matches!(set, Some(Unbounded::Set(clock)) if clock.0 == 0),
        "{set:?}"
    );
}
