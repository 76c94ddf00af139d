//! Rows 2 and 2a: what must happen before time passes.

use super::check;

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
