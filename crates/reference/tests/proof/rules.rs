//! The rules on sets of states: urgency, broadcasts, priorities, committed locations, stopwatches.

use super::{accepted, judged, refused};
use zonewalk_reference::proof::Judgement;
use zonewalk_testkit::xta;

/// Time stops when both partners are ready, and no later.
#[test]
fn urgency_stops_time() {
    let model = "clock x; urgent chan c;
        process P() { state A, B; init A; trans A -> B { guard x >= 3; sync c!; }; }
        process Q() { state A, B; init A; trans A -> B { guard x >= 5; sync c?; }; }
        system P, Q;";
    accepted(
        model,
        "A[] not (P.A && x > 5)",
        "unreachable",
        "A A | | x<=5\nB B | | x>=5",
    );
    refused(
        model,
        "",
        "explored",
        "A A | | x<5\nB B | | x>=5",
        "delay",
        "P.A Q.A | | x>=5 x<=5",
    );
    refused(
        model,
        "",
        "explored",
        "A A | | x<=5\nB B | | x>5",
        "transition",
        "x=5",
    );
    // Points that have passed the stop are not reached, but a node may have them: from there, nothing is removed.
    accepted(model, "", "explored", "A A | | \nB B | |");
}

/// The stop of one part of a node takes nothing from the other: the set {0, 7} has its own futures.
#[test]
fn only_stops_that_are_reached_count() {
    let model = "clock x, y; urgent broadcast chan c;
        process P() { state A, B; init A; trans A -> B { guard x == 5 && y == 5; sync c!; }; }
        system P;";
    // x - y may be 0 or more: only on the diagonal time stops.
    refused(
        model,
        "",
        "explored",
        "A | | x-y<=0 y-x<=0 x<=5\nA | | x>=5 y<5 x<=7\nB | |",
        "delay",
        "x<=",
    );
    accepted(
        model,
        "A[] not (P.A && x > 5)",
        "unreachable",
        "A | | x-y<=0 y-x<=0 x<=5\nB | |",
    );
}

/// `semantics.md` 2a.
#[test]
fn a_strict_bound_stops_time_before_it() {
    let model = "clock x; urgent broadcast chan c;
        process P() { state A, B; init A; trans A -> B { guard x > 5; sync c!; }; } system P;";
    accepted(model, "A[] P.A && x <= 5", "unreachable", "A | | x<=5");
    refused(model, "A[] P.A", "unreachable", "A | | x<5", "delay", "x=5");
    // A node that has later points must have what they lead to.
    refused(
        model,
        "A[] P.A",
        "unreachable",
        "A | | x<=6",
        "transition",
        "P.A -> B (c)",
    );
}

/// Who receives depends on the instant (`semantics.md` 12).
#[test]
fn receivers_split_broadcasts() {
    let model = "clock x; broadcast chan c;
        process P() { state A, B; init A; trans A -> B { guard x <= 9; sync c!; }; }
        process Q() { state A, B; init A; trans A -> B { guard x >= 3 && x < 5; sync c?; }; }
        system P, Q;";
    let nodes = "A A | |\nB B | | x>=3\nB A | | x<3\nB A | | x>=5";
    accepted(
        model,
        "A[] not (P.B && Q.A && x == 0 && x > 0)",
        "unreachable",
        &nodes.replace("x<3", ""),
    );
    refused(model, "", "explored", nodes, "delay", "node 3");
    let early = "A A | |\nB B | | x>=3\nB A | |";
    accepted(model, "A[] Q.B imply x >= 3", "unreachable", early);
    refused(
        model,
        "",
        "explored",
        "A A | |\nB A | |",
        "transition",
        "P.A -> B, Q.A -> B (c)",
    );
    refused(
        model,
        "",
        "explored",
        "A A | |\nB B | | x>=3\nB A | | x>=5",
        "transition",
        "P.A -> B (c)",
    );
}

/// `semantics.md` 15: what exists blocks what is lower, at the same instant.
#[test]
fn priorities_block() {
    let model = "clock x; broadcast chan low, high; chan priority low < default < high;
        process P() { state A, B, C, D { x <= 3 }; init A;
            trans A -> B { sync low!; }, A -> C { guard x >= 2; sync high!; }, A -> D { guard x >= 1; sync high!; }; }
        system P;";
    let nodes = "A | |\nB | |\nC | | x>=2\nD | | x>=1";
    accepted(model, "A[] not (P.C && x < 2)", "unreachable", nodes);
    let blocked = "clock x; broadcast chan low, high; chan priority low < default < high;
        process P() { state A, B { x <= 1 }, C { x <= 3 }; init A;
            trans A -> B { guard x >= 1; sync low!; }, A -> C { guard x >= 1; sync high!; }; }
        system P;";
    accepted(blocked, "A[] not P.B", "unreachable", "A | |\nC | | x<=3 x>=1");
    // A transition that its target forbids blocks nothing.
    let free = blocked.replace("C { x <= 3 }", "C { x < 1 }");
    refused(
        &free,
        "A[] not P.B",
        "unreachable",
        "A | |\nC | |",
        "transition",
        "P.A -> B (low)",
    );
}

/// `semantics.md` 10.
#[test]
fn committed_locations_come_first() {
    let model = "clock x;
        process P() { state A, B; commit A; init A; trans A -> B { }; }
        process Q() { state A, B; init A; trans A -> B { guard x == 0; }; }
        system P, Q;";
    accepted(
        model,
        "A[] P.A imply Q.A",
        "unreachable",
        "A A | | x<=0\nB A | |\nB B | |",
    );
    // It is enough that a node has the state: time does not pass, and its transitions must leave P.A.
    accepted(
        model,
        "A[] P.A imply Q.A",
        "unreachable",
        "A A | |\nB A | |\nB B | |",
    );
    let urgent = model.replace("commit", "urgent");
    let nodes = "A A | | x<=0\nB A | |\nB B | |";
    refused(
        &urgent,
        "A[] P.A imply Q.A",
        "unreachable",
        nodes,
        "goal",
        "P.A Q.B",
    );
}

/// Clocks that stand still: the least convex set is reached.
#[test]
fn stopwatches() {
    let model = "clock x, y;
        process P() { state A { x <= 4 && y' == 0 }, B; init A; trans A -> B { guard x >= 2; }; } system P;";
    accepted(
        model,
        "A[] P.A imply y <= 0",
        "unreachable",
        "A | | x<=4 y<=0\nB | |",
    );
    refused(
        model,
        "",
        "explored",
        "A | | x<=4 y<=0 x-y<=3\nB | |",
        "delay",
        "y-x<-3",
    );
    // Urgency stops time at once, whatever stands still; later on it is not looked at.
    let urgent = "clock x, y; urgent broadcast chan c;
        process P() { state A { y' == 0 }, B; init A; trans A -> B { guard x <= 0; sync c!; }; } system P;";
    accepted(
        urgent,
        "A[] P.A imply x <= 0",
        "unreachable",
        "A | | x<=0 y<=0\nB | |",
    );
    let later = urgent.replace("x <= 0", "x >= 1");
    refused(&later, "", "explored", "A | | x<=1\nB | |", "delay", "x>1");
    let fast = model.replace("y' == 0", "y' == 2");
    let judgement = judged(&xta(&fast), "", "explored", "A | |\nB | |");
    assert_eq!(
        judgement,
        Judgement::NotCovered("clock rates other than 0 and 1".into())
    );
}

/// Updates run in order, clocks are copied, and target invariants see the new values.
#[test]
fn clocks_are_copied() {
    let model = "clock x, y, z;
        process P() { state A, B { y <= 9 }; init A;
            trans A -> B { guard x >= 3 && x <= 8; assign y = x + 2, z = y, x = 0; }; }
        system P;";
    accepted(
        model,
        "A[] P.B imply y == z",
        "unreachable",
        "A | |\nB | | y-z<=0 z-y<=0 y>=5 y<=9",
    );
    refused(
        model,
        "",
        "explored",
        "A | |\nB | | y-z<=0 z-y<=0 y>5 y<=9",
        "transition",
        "y=5 z=5",
    );
    let negative = model.replace("x + 2", "x - 4");
    refused(
        &negative,
        "",
        "explored",
        "A | |\nB | |",
        "evaluation",
        "clock set to the negative value",
    );
}

/// Without `!` and `?` (`semantics.md` 16a).
#[test]
fn all_participants_go_together() {
    let model = "clock x; chan c; int[0,9] n;
        process P() { state A, B; init A; trans A -> B { guard x >= 1; sync c; assign n = n * 2 + 1; }; }
        process Q() { state A, B; init A; trans A -> B { guard x <= 2; sync c; assign n = n * 2; }; }
        system P, Q;";
    accepted(
        model,
        "A[] P.B imply n == 2",
        "unreachable",
        "A A | 0 |\nB B | 2 | x>=1",
    );
    refused(
        model,
        "",
        "explored",
        "A A | 0 |\nB B | 2 | x>=2",
        "transition",
        "P.A -> B, Q.A -> B (c)",
    );
}

/// A run-time error somewhere in a node: then nothing is known.
#[test]
fn errors_are_refused() {
    let model = "clock x; int[0,3] n; int a[3];
        process P() { state A; init A; trans A -> A { guard x > 1; assign n++; }, A -> A { guard a[n] > 0; }; } system P;";
    refused(
        model,
        "",
        "error-free",
        "A | 0 0 0 0 |\nA | 1 0 0 0 |\nA | 2 0 0 0 |\nA | 3 0 0 0 |",
        "evaluation",
        "node 4",
    );
    let judgement = judged(
        &xta(&model.replace("n++", "n = (n + 1) % 3")),
        "",
        "error-free",
        "A | 0 0 0 0 |\nA | 1 0 0 0 |\nA | 2 0 0 0 |",
    );
    assert!(matches!(judgement, Judgement::Accepted(_)), "{judgement:?}");
}
