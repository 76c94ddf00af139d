//! Events that must happen: `A<>`, `-->` and `E[]`, by ranks.

use super::{accepted, refused};

const LINE: &str = "clock x; process P() { state A { x <= 5 }, B { x <= 3 }, C; init A;
    trans A -> B { assign x = 0; }, B -> C { guard x >= 1; }; } system P;";
const RANKS: &str = "A | | x<=5 | rank 2\nB | | x<=3 | rank 1";

#[test]
fn ranks_fall_to_the_goal() {
    accepted(LINE, "A<> P.C", "inevitable", RANKS);
    accepted(LINE, "E[] not P.C", "inevitable", RANKS);
    accepted(LINE, "A<> P.A", "inevitable", "");
    refused(
        LINE,
        "A<> P.C",
        "inevitable",
        "B | | x<=3 | rank 1",
        "start",
        "P.A",
    );
    refused(
        LINE,
        "A<> P.C",
        "inevitable",
        &RANKS.replace("rank 2", "rank 1"),
        "progress",
        "P.A -> B leads to",
    );
    refused(
        LINE,
        "A<> P.C",
        "inevitable",
        "A | | x<=5 | rank 2",
        "progress",
        "P.A -> B leads to",
    );
    refused(
        LINE,
        "A<> P.C",
        "inevitable",
        "A | | x<=4 | rank 2\nB | | x<=3 | rank 1",
        "wait",
        "x=9/2",
    );
    refused(
        LINE,
        "A<> P.C",
        "inevitable",
        "A | | x<=5",
        "nodes",
        "it has no rank",
    );
}

/// Time that may pass for ever.
#[test]
fn divergence() {
    let model = LINE.replace("A { x <= 5 }", "A");
    refused(
        &model,
        "A<> P.C",
        "inevitable",
        "A | | | rank 2\nB | | x<=3 | rank 1",
        "divergence",
        "P.A | |",
    );
    refused(
        "process P() { state A, B; init A; trans A -> B { }; } system P;",
        "A<> P.B",
        "inevitable",
        "A | | | rank 1",
        "divergence",
        "",
    );
    // A clock that stands still does not bound time.
    let still = LINE.replace("A { x <= 5 }", "A { x <= 5 && x' == 0 }");
    refused(&still, "A<> P.C", "inevitable", RANKS, "divergence", "");
}

/// Runs that end.
#[test]
fn standstill() {
    let model = LINE.replace("x >= 1", "x <= 1");
    refused(
        &model,
        "A<> P.C",
        "inevitable",
        RANKS,
        "standstill",
        "P.B | | x>1 x<=3",
    );
    let stuck = LINE.replace("x >= 1", "x > 3");
    refused(&stuck, "A<> P.C", "inevitable", RANKS, "standstill", "P.B");
}

/// The goal may hold in the middle of a delay: what is behind it does not count, and it ends the run.
#[test]
fn goals_in_the_middle_of_a_delay() {
    let model = "clock x, y; process P() { state A; init A; } system P;";
    accepted(model, "A<> x == 3", "inevitable", "A | | x<3 | rank 0");
    accepted(model, "A<> x >= 3", "inevitable", "A | | x<3 | rank 0");
    accepted(model, "A<> x > 3", "inevitable", "A | | x<=3 | rank 0");
    refused(
        model,
        "A<> x > 3",
        "inevitable",
        "A | | x<3 | rank 0",
        "wait",
        "x=3",
    );
    // Only where it is met: a state beyond it has missed it.
    refused(
        model,
        "A<> x == 3",
        "inevitable",
        "A | | x<3 | rank 0\nA | | x>3 | rank 0",
        "divergence",
        "",
    );
    refused(
        model,
        "A<> x == 3 && y == 4",
        "inevitable",
        "A | | x-y<=0 y-x<=0 | rank 0",
        "divergence",
        "",
    );
}

#[test]
fn zeno_loops_have_no_rank() {
    let model = "process P() { state A, B; urgent A; init A; trans A -> A { }, A -> B { }; } system P;";
    refused(
        model,
        "A<> P.B",
        "inevitable",
        "A | | | rank 1",
        "progress",
        "more than 10000 states",
    );
}

const REQUEST: &str = "clock x; int[0,1] n; process P() { state idle, wait { x <= 2 }, served; init idle;
    trans idle -> wait { assign x = 0; }, wait -> served { guard x >= 1; assign n = 1; }, served -> idle { assign n = 0; }; }
    system P;";

/// Nodes without rank are the reachable states, those with rank the states in which the answer is awaited.
#[test]
fn answers_to_requests() {
    let all = "idle | 0 |\nwait | 0 | x<=2\nserved | 1 |";
    let nodes = format!("{all}\nwait | 0 | x<=2 | rank 0");
    accepted(REQUEST, "P.wait --> P.served", "inevitable", &nodes);
    refused(
        REQUEST,
        "P.wait --> P.served",
        "inevitable",
        all,
        "start",
        "P.wait",
    );
    refused(
        REQUEST,
        "P.idle --> P.served",
        "inevitable",
        &nodes,
        "start",
        "P.idle",
    );
    refused(
        REQUEST,
        "P.wait --> P.served",
        "inevitable",
        &nodes.replacen("served | 1 |\n", "", 1),
        "transition",
        "P.wait -> served",
    );
    // Nodes with ranks are no nodes of the invariant.
    refused(
        REQUEST,
        "P.wait --> P.served",
        "inevitable",
        &nodes.replacen("wait | 0 | x<=2\n", "", 1),
        "transition",
        "P.idle -> wait",
    );
    refused(
        REQUEST,
        "P.wait --> n == 0 && P.idle",
        "inevitable",
        &nodes,
        "progress",
        "P.wait -> served",
    );
}
