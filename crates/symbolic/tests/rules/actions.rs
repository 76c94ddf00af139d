//! Rows 7 to 16d: which transitions there are, in every form of guard and invariant, and what they do.

use super::{check, failure, one};
use zonewalk_symbolic::stop::{ModelError, Stop};
use zonewalk_testkit::priorities;

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
    // Beyond 3 no edge compares x from below: only the receiver's upper bound tells the states apart.
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
    assert!(matches!(
        failure(model, "i == 4"),
        Stop::Model(ModelError::Trap(_))
    ));
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

/// Random walks are held against the same models.
#[test]
fn row_15_what_does_not_exist_blocks_nothing() {
    for case in priorities::CASES {
        eprintln!("{}", case.name);
        check(case.text, case.reached, case.unreached);
    }
}
