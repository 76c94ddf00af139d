//! Claims that need nothing but a closed set of nodes.

use super::{accepted, refused};

const LAMP: &str = "clock x; int[0,3] n;
    process P() { state off { x <= 5 }, on { x <= 3 }; init off;
        trans off -> on { guard x >= 2; assign x = 0, n = (n + 1) % 2; }, on -> off { guard x > 1; assign x = 0; }; }
    system P;";

const LAMP_NODES: &str = "off | 0 | x<=5
    on | 1 | x<=3
    off | 1 | x<=5
    on | 0 | x<=3";

#[test]
fn a_closed_set_proves_what_it_avoids() {
    accepted(LAMP, "A[] n <= 1", "unreachable", LAMP_NODES);
    accepted(LAMP, "A[] not (P.on && x > 3)", "unreachable", LAMP_NODES);
    accepted(LAMP, "E<> n == 2", "unreachable", LAMP_NODES);
    accepted(LAMP, "", "explored", LAMP_NODES);
    accepted(LAMP, "", "error-free", LAMP_NODES);
}

#[test]
fn a_set_that_meets_the_goal_proves_nothing() {
    refused(
        LAMP,
        "A[] not (P.on && x >= 3)",
        "unreachable",
        LAMP_NODES,
        "goal",
        "node 2: states meet",
    );
    refused(LAMP, "E<> n == 1", "unreachable", LAMP_NODES, "goal", "");
}

#[test]
fn nodes_may_be_too_large() {
    accepted(
        LAMP,
        "A[] n <= 1",
        "unreachable",
        &LAMP_NODES.replace("x<=5", "").replace("x<=3", ""),
    );
    refused(
        LAMP,
        "A[] n <= 2",
        "unreachable",
        "off | * |\non | * |",
        "evaluation",
        "a value is needed that is not specified",
    );
}

#[test]
fn every_obligation_of_closure() {
    let initial = "on | 1 | x<=3\noff | 1 | x<=5\non | 0 | x<=3\noff | 0 | x>0";
    refused(LAMP, "", "explored", initial, "initial", "P.off | n=0 | x=0");
    let delay = LAMP_NODES.replacen("x<=5", "x<=4", 1);
    refused(
        LAMP,
        "",
        "explored",
        &delay,
        "delay",
        "node 1: a delay leads to states that no node has: P.off | n=0 | x>4 x<=5",
    );
    let transition = LAMP_NODES.replacen("off | 1 | x<=5\n", "", 1);
    refused(
        LAMP,
        "",
        "explored",
        &transition,
        "transition",
        "P.on -> off leads to states that no node has: P.off | n=1 |",
    );
    refused(LAMP, "", "explored", "", "initial", "");
}

/// Several nodes together have what a delay or transition leads to.
#[test]
fn unions_cover() {
    let split = LAMP_NODES.replacen(
        "off | 0 | x<=5",
        "off | 0 | x<2\noff | 0 | x>=2 x<=4\noff | 0 | x>3",
        1,
    );
    accepted(LAMP, "A[] n <= 1", "unreachable", &split);
    let gap = LAMP_NODES.replacen("off | 0 | x<=5", "off | 0 | x<2\noff | 0 | x>2", 1);
    refused(
        LAMP,
        "A[] n <= 1",
        "unreachable",
        &gap,
        "delay",
        "(for instance P.off | n=0 | x=2)",
    );
}

#[test]
fn claims_are_about_their_queries() {
    refused(
        LAMP,
        "A<> P.on",
        "unreachable",
        LAMP_NODES,
        "claim",
        "`unreachable`",
    );
    refused(LAMP, "", "unreachable", LAMP_NODES, "claim", "`unreachable`");
    refused(
        LAMP,
        "sup: n",
        "values [0,1] [0,1]",
        LAMP_NODES,
        "claim",
        "intervals",
    );
}
