//! Claims about deadlocks, values, numbers of steps and times.

use super::{accepted, judged, refused};
use zonewalk_reference::proof::{Judgement, Limits, judge};
use zonewalk_testkit::xta;

const LOOP: &str = "clock x; process P() { state A { x <= 5 }, B { x <= 3 }; init A;
    trans A -> B { guard x >= 2; assign x = 0; }, B -> A { guard x == 3; assign x = 0; }; } system P;";

/// Nodes are looked at within their invariants: beyond them every point looks dead.
#[test]
fn no_deadlock() {
    accepted(LOOP, "A[] not deadlock", "unreachable", "A | |\nB | |");
    accepted(LOOP, "E<> deadlock", "unreachable", "A | | x<=5\nB | | x<=3");
    let stuck = LOOP.replace("x == 3", "x == 2");
    refused(
        &stuck,
        "A[] not deadlock",
        "unreachable",
        "A | | x<=5\nB | | x<=3",
        "goal",
        "P.B | | x>2 x<=3",
    );
    accepted(
        &stuck,
        "A[] deadlock imply P.B",
        "unreachable",
        "A | | x<=5\nB | | x<=3",
    );
    refused(
        &stuck,
        "A[] deadlock imply (P.B && x > 2 && x < 3)",
        "unreachable",
        "A | | x<=5\nB | | x<=3",
        "goal",
        "x=3",
    );
}

/// Time stops before the only transition is possible.
#[test]
fn deadlock_behind_urgency() {
    let model = "clock x; urgent chan c;
        process P() { state A, B; init A; trans A -> B { guard x >= 3; sync c!; }, A -> A { guard x >= 7; assign x = 0; }; }
        process Q() { state A, B { x < 1 }; init A; trans A -> B { sync c?; }; }
        system P, Q;";
    refused(
        model,
        "A[] not deadlock",
        "unreachable",
        "A A | | x<=3",
        "goal",
        "",
    );
    accepted(
        &model.replace(">= 7", ">= 2"),
        "A[] not deadlock",
        "unreachable",
        "A A | | x<=3",
    );
}

/// Delays count where a clock stands still, unless urgency could end them.
#[test]
fn no_deadlock_while_a_clock_stands_still() {
    let model =
        "clock x, y; process P() { state A { x <= 5 && y' == 0 && y <= 2 }, B { x' == 0 && y' == 0 }; init A;
        trans A -> A { guard x == 5; assign x = 0; }; } system P;";
    accepted(model, "A[] not deadlock", "unreachable", "A | | x<=5 y<=2");
    accepted(
        &model.replace("x == 5", "x >= 4 && y <= 2"),
        "A[] not deadlock",
        "unreachable",
        "A | | x<=5 y<=2",
    );
    // Values of the clock that stands still do not change.
    refused(
        &model.replace("x == 5", "x == 5 && y <= 1"),
        "A[] not deadlock",
        "unreachable",
        "A | | x<=5 y<=2",
        "goal",
        "y>1",
    );
    // Too late.
    refused(
        &model.replace("x == 5", "x == 3"),
        "A[] not deadlock",
        "unreachable",
        "A | | x<=5 y<=2",
        "goal",
        "x>3",
    );
    // What may be stopped at x == 1 is not argued about.
    let urgent = "clock x, y; urgent chan c; process P() { state A { x <= 5 && y' == 0 }, B; init A;
        trans A -> A { guard x == 5; assign x = 0; }, A -> B { guard x == 1; sync c!; }; }
        process Q() { state A, B { x < 1 }; init A; trans A -> B { sync c?; }; } system P, Q;";
    refused(
        urgent,
        "A[] not deadlock",
        "unreachable",
        "A A | | x<=5",
        "goal",
        "",
    );
}

#[test]
fn values_lie_in_intervals() {
    let model = "clock x; int[0,9] n; process P() { state A { x <= 5 }; init A;
        trans A -> A { guard x > 2; assign n = (n + 3) % 6, x = 0; }; } system P;";
    let nodes = "A | 0 | x<=5\nA | 3 | x<=5";
    accepted(model, "sup: n, x", "values (-inf,3] (-inf,5]", nodes);
    accepted(model, "bounds: n, x", "values [0,0]+[3,3] [0,5]", nodes);
    accepted(model, "inf{x > 2}: x", "values (2,inf)", nodes);
    accepted(model, "sup{n == 3}: n + 1", "values [4,4]", nodes);
    accepted(model, "bounds{n == 5}: x", "values none", nodes);
    accepted(model, "bounds: x", "values [0,3)+[3,4]+(4,5]", nodes);
    refused(model, "bounds: x", "values [0,3)+(3,5]", nodes, "values", "x=3");
    refused(
        model,
        "sup: n, x",
        "values (-inf,3] (-inf,5)",
        nodes,
        "values",
        "x=5",
    );
    refused(
        model,
        "sup: n, x",
        "values (-inf,2] (-inf,5]",
        nodes,
        "values",
        "n=3",
    );
    refused(model, "sup: n", "values none", nodes, "values", "n=0");
}

#[test]
fn no_run_is_shorter() {
    let model = "int[0,9] n; process P() { state A; init A; trans A -> A { guard n < 9; assign n = n + 1; }; } system P;";
    let nodes = "A | 0 | | depth 0\nA | 1 | | depth 1\nA | 2 | | depth 2";
    accepted(model, "E<> n >= 3", "steps 3", nodes);
    accepted(model, "A[] n < 3", "steps 3", nodes);
    accepted(model, "E<> n >= 3", "steps 2", nodes);
    // Further nodes are no harm.
    accepted(
        model,
        "E<> n >= 3",
        "steps 3",
        &format!("{nodes}\nA | * | | depth 3"),
    );
    refused(model, "E<> n >= 3", "steps 4", nodes, "transition", "n=3");
    refused(model, "E<> n >= 2", "steps 3", nodes, "goal", "node 3");
    refused(
        model,
        "E<> n >= 3",
        "steps 3",
        &nodes.replace("depth 1", "depth 2"),
        "transition",
        "node 1",
    );
    refused(
        model,
        "E<> n >= 3",
        "steps 3",
        &nodes.replace("depth 0", "depth 1"),
        "initial",
        "",
    );
    refused(
        model,
        "E<> n >= 3",
        "steps 3",
        "A | 0 |",
        "nodes",
        "it has no depth",
    );
    accepted(model, "E<> n >= 0", "steps 0", "");
}

#[test]
fn no_run_is_faster() {
    let model = "clock x; int[0,9] n; process P() { state A { x <= 4 }, B; init A;
        trans A -> A { guard x >= 2 && n < 9; assign x = 0, n = n + 1; }, A -> B { guard n >= 3 && x > 1; }; } system P;";
    let nodes = "A | 0 | x<=4 #time-x<=0 x-#time<=0
        A | 1 | x<=4 #time-x>=2
        A | 2 | x<=4 #time-x>=4
        A | 3 | x<=4 #time-x>=6";
    accepted(model, "E<> P.B", "time >7", nodes);
    accepted(model, "E<> P.B", "time >=7", nodes);
    accepted(
        model,
        "E<> P.B",
        "time >=4",
        &nodes.lines().take(2).collect::<Vec<_>>().join("\n"),
    );
    refused(
        model,
        "E<> P.B",
        "time >=8",
        nodes,
        "transition",
        "P.A -> B leads to",
    );
    refused(
        model,
        "E<> P.B",
        "time >7",
        &nodes.replace(">=6", ">=5"),
        "transition",
        "P.A -> A leads to",
    );
    refused(model, "E<> n == 2", "time >4", nodes, "goal", "#time=4");
    accepted(model, "E<> n == 2", "time >=4", nodes);
    refused(
        model,
        "E<> n == 9",
        "time >=8",
        &nodes.replace("#time-x<=0 ", "#time<=3 "),
        "delay",
        "",
    );
    accepted(model, "E<> P.A", "time >=0", "");
    refused(model, "E<> P.A", "time >0", nodes, "goal", "");
}

/// States without delay need no node: the judge runs through them.
#[test]
fn committed_states_may_be_left_out() {
    let model = "clock x; int[0,9] n; process P() { state A, B, C, D; commit B, C; init A;
        trans A -> B { guard x > 3; assign n = 1; }, B -> C { assign n = n + 1; }, C -> D { assign n = n + 1; }; } system P;";
    accepted(model, "A[] n <= 3", "unreachable", "A | 0 |\nD | 3 | x>3");
    refused(
        model,
        "A[] n <= 3",
        "unreachable",
        "A | 0 |\nD | 3 | x>4",
        "transition",
        "node 1: P.C -> D",
    );
    refused(
        model,
        "A[] n != 2",
        "unreachable",
        "A | 0 |\nD | 3 | x>3",
        "goal",
        "P.C | n=2",
    );
    refused(
        model,
        "A[] not deadlock",
        "unreachable",
        "A | 0 |\nD | 3 | x>3",
        "goal",
        "P.D",
    );
}

#[test]
fn what_is_not_covered_is_named() {
    let doubles = "double d; process P() { state A; init A; } system P;";
    let judgement = judged(&xta(doubles), "", "explored", "A | |");
    assert_eq!(
        judgement,
        Judgement::NotCovered("variables of type double".into())
    );
    // So are limits of the evaluation: they are no fault of the certificate.
    let many = "process P() { state A; init A; trans A -> A { select i : int[0,2147483647]; }; } system P;";
    assert_eq!(
        judged(&xta(many), "", "explored", "A | |"),
        Judgement::NotCovered("a select with 2147483648 values".into())
    );
    let none = "clock x; process P() { state A { x <= 0 }; init A; } system P;";
    refused(
        &none.replace("<= 0", "<= 0 - 1"),
        "",
        "explored",
        "A | |",
        "evaluation",
        "no initial state",
    );
}

/// The answer is that about the first node, whatever the number of threads; a search can be given up.
#[test]
fn threads_and_limits() {
    use std::num::NonZeroUsize;
    use zonewalk_certificate::{Certificate, Columns};
    let loaded = xta(
        "int[0,999] n; process P() { state A; init A; trans A -> A { assign n = (n + 1) % 1000; }; } system P;",
    );
    let columns = Columns::of(&loaded.model, &loaded.system).unwrap();
    let nodes = |missing: &[i32]| {
        let nodes: Vec<String> = (0..1000)
            .filter(|n| !missing.contains(n))
            .map(|n| format!("A | {n} |"))
            .collect();
        Certificate::read(
            super::text(&loaded, "explored", &nodes.join("\n")).as_bytes(),
            &columns,
        )
        .unwrap()
    };
    let answer = |certificate: &Certificate, threads, stop: Option<&(dyn Fn() -> bool + Sync)>| {
        let threads = NonZeroUsize::new(threads).unwrap();
        judge(
            &loaded.model,
            &loaded.system,
            None,
            certificate,
            &Limits {
                threads,
                stop,
                sample: None,
            },
        )
    };
    let whole = answer(&nodes(&[]), 3, None);
    assert_eq!(whole, answer(&nodes(&[]), 1, None));
    let Judgement::Accepted(counts) = whole else {
        panic!("{whole:?}")
    };
    assert_eq!(
        (counts.nodes, counts.transitions, counts.obligations),
        (1000, 1000, 2001)
    );
    for threads in 1..5 {
        let Judgement::Refused(refusal) = answer(&nodes(&[900, 501, 700]), threads, None) else {
            panic!()
        };
        assert_eq!(refusal.node, Some(500));
    }
    assert!(matches!(
        answer(&nodes(&[]), 2, Some(&|| true)),
        Judgement::Stopped(_)
    ));
}
