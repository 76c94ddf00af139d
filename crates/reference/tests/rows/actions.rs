//! `semantics.md`, "Actions".

use super::common::{fault, load, r, try_load, with_loop};
use zonewalk_reference::{Error, Part, Refusal, Step};
use zonewalk_syntax::read::Format;

#[test]
fn row_7_updates_run_sender_first_then_receivers_in_the_order_of_the_system_line() {
    let template = |name: &str, digit: u32, sync: &str| {
        format!(
            "process {name}() {{ state A, B; init A;
                 trans A -> B {{ sync {sync}; assign n := 10 * n + {digit}, n := n + 0; }}; }} "
        )
    };
    let text = format!(
        "int n; broadcast chan c; {}{}{} system R2, S, R1;",
        template("R1", 1, "c?"),
        template("R2", 2, "c?"),
        template("S", 3, "c!")
    );
    let m = load(&text);
    let mut run = m.run();
    assert_eq!(
        run.transitions(),
        ["S.A -> B, R2.A -> B, R1.A -> B (c) @ [0, inf)"]
    );
    run.take("0", "S.A");
    assert_eq!(run.int("n"), 321);
}

#[test]
fn row_7_before_and_after_update_run_once_around_the_updates() {
    let m = load(
        "int n = 1; chan c; before_update { n = 10 * n + 7 } after_update { n = 10 * n + 9 }
         process P() { state A; init A; trans A -> A { sync c!; assign n := 10 * n + 1; }; }
         process Q() { state A; init A; trans A -> A { sync c?; assign n := 10 * n + 2; }; } system P, Q;",
    );
    let mut run = m.run();
    run.take("0", "P.A");
    assert_eq!(run.int("n"), 17129);
}

#[test]
fn row_7_expressions_are_evaluated_from_left_to_right() {
    let declarations = "int n, i, a[2];
        int f() { i = 1; return 5; } int g() { n = 100; return 1; } int h(int p, int q) { return 10 * p + q; }";
    for (update, expected) in [
        // The element is chosen before the value is computed.
        ("a[i] := f(), n := 10 * a[0] + a[1]", 50),
        ("n += g()", 1),
        ("i := 3, n := h(i++, i++)", 34),
    ] {
        let m = with_loop(declarations, &format!("assign {update};"));
        let mut run = m.run();
        run.take("0", "L -> L");
        assert_eq!(run.int("n"), expected, "{update}");
    }
}

#[test]
fn row_8_guards_are_evaluated_in_the_source_state() {
    let m = load(
        "int n; chan c; clock x;
         process P() { state A, B; init A; trans A -> B { guard n == 0; sync c!; assign n := 1, x := 5; }; }
         process Q() { state A, B; init A; trans A -> B { guard n == 0 && x <= 2; sync c?; assign n := n + 1; }; }
         system P, Q;",
    );
    let mut run = m.run();
    assert_eq!(run.transitions(), ["P.A -> B, Q.A -> B (c) @ [0, 2]"]);
    run.take("2", "P.A");
    assert_eq!((run.int("n"), run.clock("x")), (2, r("5")));
}

#[test]
fn row_9_target_invariants_are_checked_after_all_updates() {
    // Entering B is possible because the receiver resets x.
    let m = load(
        "clock x; chan c; process P() { state A, B { x <= 1 }; init A; trans A -> B { sync c!; }; }
         process Q() { state A; init A; trans A -> A { guard x < 4; sync c?; assign x := 0; }, A -> A { sync c?; }; }
         system P, Q;",
    );
    assert_eq!(
        m.run().transitions(),
        [
            "P.A -> B, Q.A -> A (c) @ [0, 4)",
            "P.A -> B, Q.A -> A (c) @ [0, 1]"
        ]
    );
}

#[test]
fn row_9_a_broadcast_into_a_violated_invariant_is_blocked_as_a_whole() {
    let m = load(
        "clock x; broadcast chan c; process P() { state A; init A; trans A -> A { sync c!; }; }
         process Q() { state A, B { x <= 3 }; init A; trans A -> B { sync c?; }; } system P, Q;",
    );
    let run = m.run();
    assert_eq!(run.transitions(), ["P.A -> A, Q.A -> B (c) @ [0, 3]"]);
    let alone = Step {
        delay: r("5"),
        parts: vec![part(0, 0)],
    };
    assert_eq!(
        run.interpreter.replay_step(&run.state, &alone),
        Err(Error::Refused(Refusal::ReceiverLeftOut("Q".into())))
    );
}

fn part(process: u32, edge: u32) -> Part {
    Part {
        process: zonewalk_model::ids::ProcessId(process),
        edge: zonewalk_model::ids::EdgeId(edge),
        selects: vec![],
    }
}

#[test]
fn row_9_target_invariants_split_windows() {
    // x := y - 2 must be at most 1 in B, and y - 2 at least 0 or it is an error.
    let m = load(
        "clock x, y; process P() { state A, B { x <= 1 }; init A;
         trans A -> B { guard y >= 2; assign x := y - 2; }; } system P;",
    );
    assert_eq!(m.run().transitions(), ["P.A -> B @ [2, 3]"]);
}

#[test]
fn row_10_a_committed_process_must_move() {
    let m = load(
        "chan c; broadcast chan b;
         process P() { state A, B; commit A; init A; trans A -> B { }, A -> B { sync c?; }, A -> B { sync b?; }; }
         process Q() { state A; init A; trans A -> A { }, A -> A { sync c!; }, A -> A { sync b!; }; }
         process R() { state A, B; commit A; init A; trans A -> B { }; } system P, Q, R;",
    );
    let mut run = m.run();
    assert_eq!(
        run.transitions(),
        [
            "P.A -> B @ [0, 0]",
            "Q.A -> A, P.A -> B (c) @ [0, 0]",
            // Any receiver will do.
            "Q.A -> A, P.A -> B (b) @ [0, 0]",
            "R.A -> B @ [0, 0]"
        ]
    );
    let alone = Step {
        delay: r("0"),
        parts: vec![part(1, 0)],
    };
    assert_eq!(
        run.interpreter.replay_step(&run.state, &alone),
        Err(Error::Refused(Refusal::Committed("P".into())))
    );
    run.take("0", "R.A -> B").take("0", "P.A -> B");
}

#[test]
fn row_10_committed_and_urgent_is_an_error() {
    let text = "process P() { state A; commit A; urgent A; init A; } system P;";
    assert!(try_load(text, Format::Xta).is_err());
}

#[test]
fn row_11_broadcasts_never_block_and_every_ready_process_takes_part() {
    let m = load(
        "broadcast chan c; int n;
         process P() { state A; init A; trans A -> A { sync c!; }, A -> A { sync c?; }; }
         process Q() { state A, B, C; init A; trans A -> B { sync c?; }, A -> C { sync c?; },
             A -> A { guard n == 1; sync c?; }; }
         process R(const int[0,1] i) { state A, B; init A; trans A -> B { sync c?; }; } system P, Q, R;",
    );
    let mut run = m.run();
    // All combinations; a process does not receive from itself.
    assert_eq!(
        run.transitions(),
        [
            "P.A -> A, Q.A -> B, R(0).A -> B, R(1).A -> B (c) @ [0, inf)",
            "P.A -> A, Q.A -> C, R(0).A -> B, R(1).A -> B (c) @ [0, inf)"
        ]
    );
    run.take("0", "Q.A -> C");
    assert_eq!(run.transitions(), ["P.A -> A (c) @ [0, inf)"]);
}

#[test]
fn row_11_a_process_does_not_shake_hands_with_itself() {
    let m = load(
        "chan c; process P() { state A; init A; trans A -> A { sync c!; }, A -> A { sync c?; }; } system P;",
    );
    assert_eq!(m.run().transitions(), Vec::<String>::new());
    let step = Step {
        delay: r("0"),
        parts: vec![part(0, 0), part(0, 1)],
    };
    let run = m.run();
    assert!(matches!(
        run.interpreter.replay_step(&run.state, &step),
        Err(Error::Refused(Refusal::Malformed(_)))
    ));
}

#[test]
fn row_12_clock_guards_on_receivers_split_the_window() {
    let m = load(
        "broadcast chan c; clock x;
         process P() { state A { x <= 9 }; init A; trans A -> A { sync c!; }; }
         process Q() { state A, B; init A; trans A -> B { guard x >= 3 && x < 5; sync c?; }; }
         process R() { state A, B, C; init A;
             trans A -> B { guard x > 4; sync c?; }, A -> C { guard x == 8; sync c?; }; }
         system P, Q, R;",
    );
    assert_eq!(
        m.run().transitions(),
        [
            "P.A -> A, Q.A -> B, R.A -> B (c) @ (4, 5)",
            "P.A -> A, Q.A -> B (c) @ [3, 4]",
            "P.A -> A, R.A -> B (c) @ [5, 9]",
            "P.A -> A, R.A -> C (c) @ [8, 8]",
            "P.A -> A (c) @ [0, 3)"
        ]
    );
}

#[test]
fn row_13_selects_are_edges_of_their_own() {
    let m = load(
        "chan c[3]; int n; int i = 7;
         process P(const int k) { state A; init A;
             trans A -> A { select i : int[0,k], j : int[1,2]; guard i != 1; sync c[i]!; assign n := 10 * i + j; }; }
         process Q() { state A; init A; trans A -> A { select e : int[0,2]; sync c[e]?; assign n := n + 100 * e; }; }
         P0 = P(2); system P0, Q;",
    );
    let mut run = m.run();
    assert_eq!(
        run.transitions(),
        [
            "P0.A -> A [i = 0, j = 1], Q.A -> A [e = 0] (c[0]) @ [0, inf)",
            "P0.A -> A [i = 0, j = 2], Q.A -> A [e = 0] (c[0]) @ [0, inf)",
            "P0.A -> A [i = 2, j = 1], Q.A -> A [e = 2] (c[2]) @ [0, inf)",
            "P0.A -> A [i = 2, j = 2], Q.A -> A [e = 2] (c[2]) @ [0, inf)"
        ]
    );
    run.take("0", "[i = 2, j = 1]");
    assert_eq!((run.int("n"), run.int("i")), (221, 7));
}

#[test]
fn row_13_plain_int_has_65536_values() {
    let m = with_loop("int n;", "select i : int; guard i > 32765; assign n := i;");
    assert_eq!(
        m.run().transitions(),
        [
            "P.L -> L [i = 32766] @ [0, inf)",
            "P.L -> L [i = 32767] @ [0, inf)"
        ]
    );
}

#[test]
fn row_13_a_select_over_everything_is_refused() {
    let m = with_loop(
        "int n;",
        "select i : int[0,100000], j : int[0,100000]; guard i == j;",
    );
    assert!(fault(m.run().try_transitions()).contains("a select with 10000200001 values"));
}

#[test]
fn row_13a_empty_ranges() {
    let m = load(
        "int n; process P() { state A; init A; trans
            A -> A { select i : int[1,0]; assign n := 1; },
            A -> A { guard forall (i : int[1,0]) false; assign n := 2; },
            A -> A { guard exists (i : int[1,0]) true; assign n := 3; },
            A -> A { guard (sum (i : int[1,0]) 5) == 0; assign n := 4; }; } system P;",
    );
    assert_eq!(m.run().transitions().len(), 2);
    let variable = "int[1,0] n; process P() { state A; init A; } system P;";
    assert!(try_load(variable, Format::Xta).is_err());
}

#[test]
fn row_14_channels_are_evaluated_where_the_data_part_of_the_guard_holds() {
    let channels = "chan c[2]; int i = 5; clock x;";
    let m = with_loop(channels, "guard i < 2; sync c[i]!;");
    assert_eq!(m.run().transitions(), Vec::<String>::new());
    let m = with_loop(channels, "guard i < 2 && x > 1; sync c[i]!;");
    assert_eq!(m.run().transitions(), Vec::<String>::new());
    let m = with_loop(channels, "guard i > 2; sync c[i]!;");
    let run = m.run();
    let error = run.try_transitions().unwrap_err();
    assert_eq!(
        error.to_string(),
        "index 5 is outside the array's 0..1 (in the synchronisation of P)"
    );
    assert_eq!(run.source(&error), "i");
}

#[test]
fn row_14_logic_stops_early() {
    let declarations = "const int N = 2; int a[N] = {1, 1}; int i = 2; clock x;";
    for guard in [
        "i < N && a[i] == 1",
        "!(i >= N || a[i] == 1)",
        "!(i < N imply a[i] == 1)",
        "(i < N ? a[i] : 0) == 1",
        "i < N && a[i] == 1 && x > 3",
    ] {
        let m = with_loop(declarations, &format!("guard {guard};"));
        assert_eq!(m.run().transitions(), Vec::<String>::new(), "{guard}");
    }
    let m = with_loop(declarations, "guard a[i] == 1 && i < N;");
    assert_eq!(
        fault(m.run().try_transitions()),
        "index 2 is outside the array's 0..1 (in the guard of P)"
    );
}

const PRIORITIES: &str = "
    clock x; chan a, d[2], e, b;
    process S() { state A { x <= 9 }; init A; trans A -> A { sync a!; }, A -> A { sync d[0]!; },
        A -> A { sync d[1]!; }, A -> A { guard x >= 2; sync e!; }, A -> A { guard x >= 4 && x < 6; sync b!; },
        A -> A { guard x >= 3; }; }
    process R() { state A; init A; trans A -> A { sync a?; }, A -> A { sync d[0]?; }, A -> A { sync d[1]?; },
        A -> A { sync e?; }, A -> A { sync b?; }; } ";

#[test]
fn row_15_channel_priorities() {
    let m = load(&format!(
        "{PRIORITIES} chan priority a, d < default < b; system S, R;"
    ));
    assert_eq!(
        m.run().transitions(),
        [
            "S.A -> A, R.A -> A (a) @ [0, 2)",
            "S.A -> A, R.A -> A (d[0]) @ [0, 2)",
            "S.A -> A, R.A -> A (d[1]) @ [0, 2)",
            "S.A -> A, R.A -> A (e) @ [2, 4) or [6, 9]",
            "S.A -> A, R.A -> A (b) @ [4, 6)",
            "S.A -> A @ [3, 4) or [6, 9]"
        ]
    );
    // A single element may be named as well.
    let m = load(&format!(
        "{PRIORITIES} chan priority d[0] < default < b; system S, R;"
    ));
    let transitions = m.run().transitions();
    assert!(!transitions.iter().any(|t| t.contains("d[0]")), "{transitions:?}");
    assert!(transitions.contains(&"S.A -> A, R.A -> A (d[1]) @ [0, 4) or [6, 9]".to_owned()));
}

#[test]
fn row_15_process_priorities_come_second() {
    let m = load(
        "chan c; int n; process T(const int[0,1] i) { state A; init A; trans A -> A { guard n < 1; sync c!; }; }
         process L() { state A; init A; trans A -> A { sync c?; }, A -> A { }; }
         process H() { state A; init A; trans A -> A { guard n == 2; }; } system L < T < H;",
    );
    let mut run = m.run();
    // A synchronisation has the highest priority among its processes.
    assert_eq!(
        run.transitions(),
        [
            "T(0).A -> A, L.A -> A (c) @ [0, inf)",
            "T(1).A -> A, L.A -> A (c) @ [0, inf)"
        ]
    );
    let blocked = Step {
        delay: r("0"),
        parts: vec![part(0, 1)],
    };
    let refused = run.interpreter.replay_step(&run.state, &blocked);
    assert!(
        matches!(refused, Err(Error::Refused(Refusal::Priority(_)))),
        "{refused:?}"
    );
    run.state.memory.globals[1] = zonewalk_model::system::Value::Int(1);
    assert_eq!(run.transitions(), ["L.A -> A @ [0, inf)"]);
    run.state.memory.globals[1] = zonewalk_model::system::Value::Int(2);
    assert_eq!(run.transitions(), ["H.A -> A @ [0, inf)"]);
}

#[test]
fn row_15_only_transitions_that_exist_block() {
    // b would violate the target's invariant from 3 on, and blocks nothing there.
    let m = load(
        "clock x; broadcast chan a, b; chan priority a < b;
         process P() { state A { x <= 5 }, B { x < 3 }; init A; trans A -> A { sync a!; }, A -> B { sync b!; }; }
         system P;",
    );
    assert_eq!(
        m.run().transitions(),
        ["P.A -> A (a) @ [3, 5]", "P.A -> B (b) @ [0, 3)"]
    );
    // Delays are never blocked.
    assert_eq!(m.run().delays(), "[0, 5]");
}

#[test]
fn row_15_an_update_that_is_always_blocked_is_not_run() {
    let m = load(
        "int z; broadcast chan a, b; chan priority a < b;
         process P() { state A; init A; trans A -> A { sync a!; assign z := 1 / z; }, A -> A { sync b!; }; }
         system P;",
    );
    assert_eq!(m.run().transitions(), ["P.A -> A (b) @ [0, inf)"]);
}

#[test]
fn row_15a_without_default_it_is_the_lowest() {
    let m = load(
        "broadcast chan a, b, c; chan priority a < b; process P() { state A; init A;
         trans A -> A { sync a!; }, A -> A { sync c!; }, A -> A { }; } system P;",
    );
    assert_eq!(m.run().transitions(), ["P.A -> A (a) @ [0, inf)"]);
    let twice =
        "chan a, b; chan priority a < b; chan priority b < a; process P() { state A; init A; } system P;";
    assert!(try_load(twice, Format::Xta).is_err());
}

#[test]
fn row_16_every_branch_is_possible() {
    let m = load(
        "int n = 1; process P() { state A, B, C; branchpoint X; init A;
         trans A -> X { guard n == 1; assign n := n + 1; }, X -> B { assign n := 10 * n; probability 0; },
               X -> C { assign n := 100 * n; probability 3; }; } system P;",
    );
    assert_eq!(
        m.run().transitions(),
        ["P.A -> B @ [0, inf)", "P.A -> C @ [0, inf)"]
    );
    let mut run = m.run();
    run.take("0", "A -> B");
    assert_eq!(run.int("n"), 20);
    let mut run = m.run();
    run.take("0", "A -> C");
    assert_eq!(run.int("n"), 200);
}
