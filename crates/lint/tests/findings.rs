//! Findings of each check, and models on which it must stay silent.

use crate::support::{findings, load, report};
use zonewalk_checker::Control;
use zonewalk_lint::{Check, Extent, LintOptions, lint};

/// One process with these declarations and edges.
fn one(declarations: &str, states: &str, edges: &str) -> String {
    format!("{declarations} process P() {{ state {states}; init a; trans {edges}; }} system P;")
}

#[test]
fn templates_without_processes() {
    let text = "process P() { state a; init a; } process Q() { state a; init a; } system P;";
    assert_eq!(
        findings(&[Check::Templates], text, &[]),
        ["unused-template: template Q is never instantiated"]
    );
}

#[test]
fn variables_and_clocks() {
    let text = "
        int used, written, constant = 3, counter, unused, asked, aliased; int list[3]; clock x, y, z, never;
        void add(int &n) { n = n + used; }
        process P(int &target) { state a { x <= 5 }; init a; trans
            a -> a { guard used < constant && x >= 1 && y >= 2; assign used = used + 1, written = used, counter++, x = 0, list[used] = 1; },
            a -> a { guard z > 3; assign target = 1, z = 0, add(asked); }; }
        Q = P(aliased); system Q;";
    let mut found = findings(&[Check::Variables], text, &["E<> asked > 2"]);
    found.sort();
    assert_eq!(
        found,
        [
            "never-read: variable aliased is written but never read",
            "never-read: variable counter is written but never read",
            "never-read: variable list is written but never read",
            "never-read: variable written is written but never read",
            "never-written: clock y is never reset",
            "never-written: variable constant is never written",
            "unused-variable: clock never is never used",
            "unused-variable: variable unused is never used",
        ]
    );
}

#[test]
fn a_clock_that_only_queries_look_at_need_not_be_reset() {
    let text = one("clock total, x;", "a", "a -> a { guard x > 1; assign x = 0; }");
    assert_eq!(findings(&[Check::Variables], &text, &["E<> total > 5"]), [""; 0]);
}

#[test]
fn what_only_a_query_that_no_engine_answers_names_is_used() {
    let text = one("int n;", "a", "a -> a { assign n = 1; }");
    assert_eq!(
        findings(&[Check::Variables], &text, &["control: A<> n == 1"]),
        [""; 0]
    );
}

#[test]
fn channels() {
    let text = "
        chan a, b, c, d, unused; broadcast chan all, none; chan list[3];
        process P() { state s; init s; trans
            s -> s { sync a!; }, s -> s { sync b?; }, s -> s { sync c!; }, s -> s { sync all!; },
            s -> s { sync none?; }, s -> s { sync d!; }, s -> s { sync d?; },
            s -> s { sync list[0]!; }, s -> s { sync list[1]!; }; }
        process Q() { state s; init s; trans s -> s { sync c?; }, s -> s { sync list[0]?; }; }
        system P, Q;";
    let mut found = findings(&[Check::Channels], text, &[]);
    found.sort();
    assert_eq!(
        found,
        [
            "channel-without-partner: channel d has no second process: no edge on it can ever be taken",
            "channel-without-receiver: channel a has no receiver: no edge on it can ever be taken",
            "channel-without-receiver: channel list[1] has no receiver: no edge on it can ever be taken",
            "channel-without-sender: channel b has no sender: no edge on it can ever be taken",
            "channel-without-sender: channel none has no sender: no edge on it can ever be taken",
            "unused-channel: channel unused is never used",
        ]
    );
}

#[test]
fn a_channel_that_the_state_chooses_is_used() {
    let text = "
        int i; chan list[2];
        process P() { state s; init s; trans s -> s { sync list[i]!; assign i = 1 - i; }; }
        process Q() { state s; init s; trans s -> s { sync list[0]?; }, s -> s { sync list[1]?; }; }
        system P, Q;";
    assert_eq!(findings(&[Check::Channels, Check::Edges], text, &[]), [""; 0]);
}

#[test]
fn locations_edges_and_guards() {
    let text = one(
        "int n; clock x;",
        "a { x <= 5 }, b, c, d",
        "a -> b { guard n == 0; }, b -> a { assign x = 0, n = 0; }, a -> c { guard n == 7; }, c -> d { },
         a -> a { guard x <= 5; assign x = 0; }",
    );
    let mut found = findings(&[Check::Locations, Check::Edges, Check::Guards], &text, &[]);
    found.sort();
    assert_eq!(
        found,
        [
            "guard-always-true: the guard of edge P: a → a is always true",
            "guard-always-true: the guard of edge P: a → b is always true",
            "guard-never-true: the guard of edge P: a → c is never true",
            "unreachable-location: location P.c is unreachable",
            "unreachable-location: location P.d is unreachable",
        ]
    );
}

#[test]
fn a_location_that_a_query_names_is_a_question_and_no_mistake() {
    let text = one(
        "int n;",
        "a, bad",
        "a -> bad { guard n == 1; }, a -> a { assign n = 0; }",
    );
    let checks = [Check::Locations, Check::Edges, Check::Guards];
    assert_eq!(findings(&checks, &text, &["A[] not P.bad"]), [""; 0]);
    assert_eq!(findings(&checks, &text, &[]).len(), 2);
}

#[test]
fn guards_over_selected_values_and_processes() {
    // For some values false, for others true; and so for processes.
    let text = "
        int n;
        process P(const int id) { state a; init a; trans
            a -> a { select i : int[0, 2]; guard i == n; assign n = i; },
            a -> a { guard n == id; assign n = 0; }; }
        A = P(0); B = P(1); system A, B;";
    let checks = [Check::Locations, Check::Edges, Check::Guards];
    assert_eq!(findings(&checks, text, &[]), [""; 0]);
}

#[test]
fn guards_of_constants_are_settings() {
    let text = one(
        "const int debug = 0; int n;",
        "a",
        "a -> a { guard debug == 0; assign n = 1 - n; }",
    );
    assert_eq!(findings(&[Check::Guards], &text, &[]), [""; 0]);
}

#[test]
fn an_edge_without_a_ready_partner() {
    let text = "
        chan c; int n;
        process P() { state a, b; init a; trans a -> b { guard n == 0; sync c!; }, a -> a { assign n = 1 - n; }; }
        process Q() { state a; init a; trans a -> a { guard n == 1; sync c?; }; }
        system P, Q;";
    assert_eq!(
        findings(&[Check::Edges], text, &[]),
        [
            "unreachable-edge: edge P: a → b is never taken",
            "unreachable-edge: edge Q: a → a is never taken"
        ]
    );
}

#[test]
fn invariants_that_keep_everything_out() {
    let text = one(
        "clock x;",
        "a, b { x <= 3 }, c { x <= 3 }",
        "a -> b { guard x > 4; }, a -> c { guard x > 4; assign x = 0; }",
    );
    assert_eq!(
        findings(&[Check::Invariants, Check::Locations, Check::Edges], &text, &[]),
        ["invariant-never-holds: every entry into location P.b violates its invariant"]
    );
}

#[test]
fn the_invariant_of_another_process_is_no_fault_of_the_location() {
    let text = "
        chan c; clock x;
        process P() { state a, b { x <= 9 }; init a; trans a -> b { sync c!; }; }
        process Q() { state a, b { x < 0 }; init a; trans a -> b { sync c?; }; }
        system P, Q;";
    assert_eq!(
        findings(&[Check::Invariants], text, &[]),
        ["invariant-never-holds: every entry into location Q.b violates its invariant"]
    );
}

#[test]
fn no_initial_state() {
    let text = one("int n = 1; clock x;", "a { n == 0 }", "a -> a { guard x > 1; }");
    assert_eq!(
        findings(&Check::ALL, &text, &[])
            .iter()
            .filter(|found| found.starts_with("no-initial-state"))
            .count(),
        1
    );
}

#[test]
fn deadlocks() {
    let stuck = one("int n; clock x;", "a, b", "a -> b { }, b -> a { guard n == 1; }");
    assert_eq!(
        findings(&[Check::Deadlock], &stuck, &[]),
        ["deadlock: the system can deadlock after 1 step: P.b"]
    );
    // Intended: the end of a process, or what a query asks for.
    let ended = one("clock x;", "a, b", "a -> b { }");
    assert_eq!(findings(&[Check::Deadlock], &ended, &[]), [""; 0]);
    for query in [
        "E<> deadlock",
        "E<> deadlock and P.b",
        "A[] (deadlock imply P.b)",
        "A[] (P.b imply deadlock)",
    ] {
        assert_eq!(findings(&[Check::Deadlock], &stuck, &[query]), [""; 0], "{query}");
    }
    for query in [
        "A[] not deadlock",
        "E<> deadlock and P.a",
        "A[] (P.a imply deadlock)",
    ] {
        assert_eq!(findings(&[Check::Deadlock], &stuck, &[query]).len(), 1, "{query}");
    }
}

#[test]
fn cycles_without_time() {
    let zeno = one(
        "clock x;",
        "a, b",
        "a -> b { assign x = 0; }, b -> a { guard x <= 3; }",
    );
    assert_eq!(
        findings(&[Check::Zeno], &zeno, &[]),
        ["zeno-cycle: a cycle can repeat without time passing: P: a → b, P: b → a"]
    );
    let timed = one(
        "clock x;",
        "a, b",
        "a -> b { assign x = 0; }, b -> a { guard x >= 3; }",
    );
    let loaded = load(&timed, &[]);
    let report = report(&loaded);
    assert_eq!(report.findings.len(), 0);
    assert!(report.checks.iter().all(|of| of.extent == Extent::Complete));
    // The structure does not show it, and there is none all the same.
    let bounded = one(
        "int n; clock x;",
        "a, b",
        "a -> b { guard n < 3; assign n++; }, b -> a { }",
    );
    assert_eq!(findings(&[Check::Zeno], &bounded, &[]), [""; 0]);
    // Without clocks there is no time to speak of.
    let untimed = one("", "a", "a -> a { }");
    assert_eq!(findings(&[Check::Zeno], &untimed, &[]), [""; 0]);
}

#[test]
fn vacuous_queries() {
    let text = one(
        "int[0,9] n; clock x;",
        "a, b",
        "a -> a { guard x > 2; assign x = 0; }, b -> a { }",
    );
    let queries = [
        "A[] P.b imply n == 0",
        "A[] P.a imply n == 0",
        "P.b --> n == 3",
        "A[] forall (i : int[0,3]) (n == i && i > 0 imply x < 3)",
        "A[] (P.a imply n == 0) and (n == 7 imply x > 1)",
    ];
    let found = findings(&[Check::Queries], &text, &queries);
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(
        !found
            .iter()
            .any(|found| found.ends_with("(A[] P.a imply n == 0)"))
    );
}

#[test]
fn a_limit_is_no_proof() {
    let text = one(
        "int n, m; clock x;",
        "a, b",
        "a -> a { guard n < 30000; assign n++; }, a -> a { guard m < 30000; assign m++; }, a -> b { guard n + m > 50000; }",
    );
    let loaded = load(&text, &[]);
    let options = LintOptions {
        checks: vec![Check::Locations],
        timeout: std::time::Duration::from_millis(300),
        ..LintOptions::default()
    };
    let report = lint(&loaded, &options, &Control::default());
    assert!(!report.has_certain_findings());
    assert!(report.is_cut_short());
    assert_eq!(report.findings.len(), 1);
    assert_eq!(
        report.findings[0].diagnostic.message,
        "location P.b was not reached"
    );
}

#[test]
fn what_no_engine_supports_is_said() {
    let text = one(
        "double d = 0.5; int unused;",
        "a",
        "a -> a { assign d = d * 2.0; }",
    );
    let loaded = load(&text, &[]);
    let report = report(&loaded);
    assert!(
        report
            .findings
            .iter()
            .any(|found| found.diagnostic.code.as_str() == "unused-variable")
    );
    let skipped = |of: &&zonewalk_lint::CheckReport| matches!(of.extent, Extent::Skipped(_));
    assert_eq!(report.checks.iter().filter(skipped).count(), 7);
}

#[test]
fn an_interrupt_ends_it() {
    let text = one("clock x;", "a", "a -> a { guard x > 1; assign x = 0; }");
    let loaded = load(&text, &[]);
    let control = Control::default();
    control.interrupt();
    assert!(lint(&loaded, &LintOptions::default(), &control).is_interrupted);
}
