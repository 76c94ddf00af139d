//! `semantics.md`, "Time": one model per row.

use super::common::{fault, load, r, try_load};
use zonewalk_reference::{Error, Refusal};
use zonewalk_syntax::read::Format;

#[test]
fn row_1_delays_end_with_invariants() {
    let m = load(
        "clock x, y; process P() { state A { x <= 5 && y <= 7 }, B; init A; trans A -> B { guard x >= 2; }; }
         process Q() { state A { x <= 4 }; init A; } system P, Q;",
    );
    let mut run = m.run();
    assert_eq!(run.delays(), "[0, 4]");
    assert_eq!(run.transitions(), ["P.A -> B @ [2, 4]"]);
    run.delay("3");
    assert_eq!(run.delays(), "[0, 1]");
    let refused = run.interpreter.delay(&run.state, r("3/2"));
    assert_eq!(
        refused,
        Err(Error::Refused(Refusal::Invariant {
            process: "Q".into(),
            delay: r("3/2")
        }))
    );
}

#[test]
fn row_1_committed_and_urgent_locations_stop_time() {
    for word in ["commit", "urgent"] {
        let m = load(&format!(
            "clock x; process P() {{ state A, B; {word} A; init A; trans A -> B {{ }}, A -> B {{ guard x > 0; }}; }}
             system P;"
        ));
        let run = m.run();
        assert_eq!(run.delays(), "[0, 0]");
        assert_eq!(run.transitions(), ["P.A -> B @ [0, 0]"]);
        let refused = run.interpreter.delay(&run.state, r("1"));
        assert_eq!(refused, Err(Error::Refused(Refusal::TimeStops("P".into()))));
    }
}

#[test]
fn row_2_urgent_handshake_stops_time_when_both_partners_are_ready() {
    let m = load(
        "clock x; urgent chan c; int n;
         process P() { state A, B; init A; trans A -> B { guard x >= 3; sync c!; }; }
         process Q() { state A, B; init A; trans A -> B { guard x >= 5; sync c?; }; }
         process R() { state A; init A; trans A -> A { assign n := 1 - n; }; }
         system P, Q, R;",
    );
    let run = m.run();
    // One partner at 3, both at 5; the delay that just reaches the instant is allowed.
    assert_eq!(run.delays(), "[0, 5]");
    assert_eq!(
        run.transitions(),
        ["P.A -> B, Q.A -> B (c) @ [5, 5]", "R.A -> A @ [0, 5]"]
    );
    let refused = run.interpreter.delay(&run.state, r("6"));
    assert_eq!(
        refused,
        Err(Error::Refused(Refusal::Urgent {
            channel: "c".into(),
            delay: r("6")
        }))
    );
}

#[test]
fn row_2_urgent_broadcast_needs_the_sender_alone() {
    let m = load(
        "clock x; urgent broadcast chan c;
         process P() { state A, B; init A; trans A -> B { guard x >= 3; sync c!; }; } system P;",
    );
    assert_eq!(m.run().transitions(), ["P.A -> B (c) @ [3, 3]"]);
}

#[test]
fn row_2_a_failing_target_invariant_stops_time_all_the_same() {
    let m = load(
        "clock x; urgent broadcast chan c;
         process P() { state A, B { x <= 1 }; init A; trans A -> B { guard x >= 3; sync c!; }; } system P;",
    );
    let mut run = m.run();
    assert_eq!(run.delays(), "[0, 3]");
    assert_eq!(run.transitions(), Vec::<String>::new());
    run.delay("3");
    assert_eq!(run.delays(), "[0, 0]");
    assert!(run.holds("deadlock"));
}

#[test]
fn row_2a_a_strict_bound_on_an_urgent_edge_is_never_reached() {
    let m = load(
        "clock x; urgent broadcast chan c;
         process P() { state A, B; init A; trans A -> B { guard x > 5; sync c!; }; } system P;",
    );
    let mut run = m.run();
    assert_eq!(run.delays(), "[0, 5]");
    assert_eq!(run.transitions(), Vec::<String>::new());
    run.delay("5");
    assert_eq!(run.delays(), "[0, 0]");
}

#[test]
fn row_3_stopwatches() {
    let m = load(
        "clock x, y, z, c[2]; bool b = true; int k = 3;
         process P() {
             state A { x' == 0 && (b imply y' == 0) && (b || z' == 0) && forall (i : int[0,1]) c[i]' == k - 1 },
                   B { 0 == x' };
             init A; trans A -> B { guard c[0] >= 3; assign x := 1; };
         } system P;",
    );
    let mut run = m.run();
    assert_eq!(run.interpreter.rates(&run.state), Ok(vec![0, 0, 1, 2, 2]));
    // A rate of 2 reaches 3 after 3/2.
    assert_eq!(run.transitions(), ["P.A -> B @ [3/2, inf)"]);
    run.take("2", "A -> B");
    assert_eq!(
        (run.clock("x"), run.clock("y"), run.clock("z")),
        (r("1"), r("0"), r("2"))
    );
    assert_eq!((run.clock("c[0]"), run.clock("c[1]")), (r("4"), r("4")));
    // It is no condition on entry: x is 1, and stays so.
    run.delay("5");
    assert_eq!((run.clock("x"), run.clock("y")), (r("1"), r("5")));
}

#[test]
fn row_3_rates_behind_quantifiers_within_each_other() {
    // The body of a quantifier reaches as far as possible, so the second one is inside the first (24b).
    let rates = |invariant: &str| {
        let text = format!(
            "clock c[2], d[3], e[6]; int a[2] = {{ 0, 1 }}, b[3] = {{ 1, 0, 2 }}; process P() {{ state A {{ {invariant} }}; init A; }} system P;"
        );
        let m = load(&text);
        let run = m.run();
        run.interpreter.rates(&run.state).map_err(|e| e.to_string())
    };
    let nested = "forall (i : int[0,1]) c[i]' == a[i] && forall (i : int[0,2]) d[i]' == b[i]";
    assert_eq!(rates(nested), Ok(vec![0, 1, 1, 0, 2, 1, 1, 1, 1, 1, 1]));
    let both = "forall (i : int[0,1]) c[i]' == a[i] && forall (j : int[0,2]) e[3 * i + j]' == a[i] + b[j]";
    assert_eq!(rates(both), Ok(vec![0, 1, 1, 1, 1, 1, 0, 2, 2, 1, 3]));
    let empty = "forall (i : int[1,0]) forall (j : int[0,2]) d[j]' == 0";
    assert_eq!(rates(empty), Ok(vec![1; 11]));
    let contradicting = "forall (i : int[0,1]) forall (j : int[0,1]) d[j]' == i";
    assert_eq!(
        rates(contradicting),
        Err("P gives d[0] the rate 0, P gives it the rate 1".to_owned())
    );
}

#[test]
fn row_3_conflicting_rates_are_an_error() {
    let m = load(
        "clock x; process P() { state A { x' == 0 }; init A; } process Q() { state A { x' == 1 }; init A; }
         process R() { state A { x' == 0 }; init A; } system P, R, Q;",
    );
    let run = m.run();
    assert_eq!(
        fault(run.try_transitions()),
        "P gives x the rate 0, Q gives it the rate 1"
    );
}

#[test]
fn row_4_strict_invariants_have_no_largest_delay() {
    let m = load(
        "clock x; process P() { state A { x < 26 }, B; init A; trans A -> B { guard x >= 25; }; } system P;",
    );
    let mut run = m.run();
    assert_eq!(run.delays(), "[0, 26)");
    assert_eq!(run.transitions(), ["P.A -> B @ [25, 26)"]);
    run.delay("51/2");
    assert_eq!(run.delays(), "[0, 1/2)");
}

#[test]
fn row_5_predicates_during_delays() {
    let m = load("clock x, y; process P() { state A; init A; } system P;");
    let mut run = m.run();
    run.delay("2");
    assert_eq!(run.during("10", "x >= 4 && y < 5"), "[2, 3)");
    assert_eq!(run.during("10", "x == 5 || y > 10"), "[3, 3] or (8, 10]");
    assert_eq!(run.during("10", "not (x > 3 and x != 7)"), "[0, 1] or [5, 5]");
    assert_eq!(run.during("10", "x - y > 0"), "never");
    assert_eq!(run.during("10", "P.A"), "[0, 10]");
    assert!(!run.holds("x >= 4"));
}

#[test]
fn row_6_time_locks_are_deadlocks() {
    let m = load(
        "clock x; process P() { state A { x <= 2 }, Z; init A; trans A -> Z { guard x < 1; }, Z -> Z { }; }
         system P;",
    );
    let mut run = m.run();
    run.delay("2");
    assert_eq!((run.delays().as_str(), run.transitions().len()), ("[0, 0]", 0));
    // Zeno behaviour is legal: any number of steps in no time.
    let mut run = m.run();
    run.take("0", "A -> Z").take("0", "Z -> Z").take("0", "Z -> Z");
    assert_eq!(run.state.time, r("0"));
}

#[test]
fn row_6a_initial_state() {
    let m = load("clock x = 3; int[2,5] i; process P() { state A { x >= 3 && i == 2 }; init A; } system P;");
    let run = m.run();
    assert_eq!((run.clock("x"), run.int("i")), (r("3"), 2));
    let m = load("clock x; process P() { state A { x >= 1 }; init A; } system P;");
    let none = m.interpreter().unwrap().initial();
    assert_eq!(
        fault(none),
        "there is no initial state: the invariant of P.A does not hold"
    );
}

#[test]
fn unsupported_constructs_are_named() {
    for (text, construct) in [
        ("hybrid clock h;", "hybrid clocks"),
        ("double d;", "variables of type double"),
        ("clock x = 0.5;", "clocks that start at a fraction"),
        ("int i; double f() { return random(1); }", "random numbers"),
    ] {
        let m = load(&format!("{text} process P() {{ state A; init A; }} system P;"));
        assert_eq!(
            m.interpreter().err().map(|u| u.construct),
            Some(construct),
            "{text}"
        );
    }
    for (location, edge, construct) in [
        ("x <= 2.5", "", "clock bounds that are not integers"),
        ("x' == 0.5", "", "clock rates that are not integers"),
        (
            "",
            "guard x > 1 && x < 1.5;",
            "clock bounds that are not integers",
        ),
        (
            "",
            "assign x := 1.5;",
            "clocks set to values that are not integers",
        ),
    ] {
        let location = if location.is_empty() {
            String::new()
        } else {
            format!("{{ {location} }}")
        };
        let m = load(&format!(
            "clock x; process P() {{ state A {location}; init A; trans A -> A {{ {edge} }}; }} system P;"
        ));
        assert_eq!(
            m.interpreter().err().map(|u| u.construct),
            Some(construct),
            "{location} {edge}"
        );
    }
    let constant = try_load(
        "const double D = 1.5; process P() { state A; init A; } system P;",
        Format::Xta,
    );
    assert!(constant.is_ok_and(|m| m.interpreter().is_ok()));
}
