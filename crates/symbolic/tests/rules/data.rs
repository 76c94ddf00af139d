//! Rows 17 to 19: run-time errors, meta variables and values of clocks.

use super::{check, failure, one};
use zonewalk_symbolic::stop::{ModelError, Stop};

#[test]
fn row_17_run_time_errors() {
    let range = one("A, B", "A -> A { guard x == 1; assign i = i + 16384, x = 0; }");
    assert!(matches!(failure(&range, "P.B"), Stop::Model(ModelError::Trap(_))));
    assert!(matches!(
        failure(&one("A, B", "A -> A { guard 1 / i == 0; }"), "P.B"),
        Stop::Model(ModelError::Trap(_))
    ));
    assert!(matches!(
        failure(
            &one(
                "A { i < 2 || x < 5 / (3 - i) }, B",
                "A -> A { guard x < 1; assign i = i + 1; }"
            ),
            "P.B"
        ),
        Stop::Model(ModelError::Trap(_))
    ));
    assert!(matches!(
        failure(&one("A, B", "A -> B { assign x = -1; }"), "P.B && x > 1"),
        Stop::Model(ModelError::Trap(_))
    ));
    // Somewhere in the zone the clock would be negative.
    assert!(matches!(
        failure(
            &one("A, B", "A -> B { guard y >= 1; assign x = y - 2; }"),
            "P.B && x > 1"
        ),
        Stop::NegativeClock(_)
    ));
    // Numbers of all 32 bits are no error.
    check(
        &one("A, B", "A -> B { assign x = 2147483647; }"),
        &["P.B && x == 2147483647"],
        &["P.B && x < 2147483647"],
    );
    check(
        &one("A, B", "A -> B { guard x > 2147483646; }"),
        &["P.B"],
        &["P.B && x <= 2147483646"],
    );
    // It is not read afterwards, or it is put right at once: an error all the same.
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
