//! Run-time errors of a model beside what it is asked: what is certain wins.

use crate::command::{Scratch, zonewalk, zonewalk_with};
use serde_json::Value;

/// A model in which the guard of one edge fails from `i == 5` on, with the goal beyond.
const INDEX: &[u8] = b"int a[5]; int[0,20] i; int[0,4] n; clock x;
process P() { state S, T, Goal; init S;
  trans S -> S { guard i < 9; assign i = i + 1; },
        S -> T { guard a[i] == 0; assign a[i] = 1; },
        T -> S { guard x >= 1; assign x = 0; },
        S -> S { guard i > 4 && n < 4; assign n = n + 1; },
        S -> Goal { guard i == 9 && n == 4; }; }
system P;";

const SEARCHES: [&str; 12] = [
    "auto", "bfs", "dfs", "rdfs", "drs", "highway", "random", "ret", "sem", "rlc", "rlc-a", "guided",
];

/// Options that limit a search which would otherwise go on forever.
fn limited(search: &str) -> Vec<&str> {
    let is_endless = ["ret", "sem", "rlc", "rlc-a", "com", "guided", "smc"].contains(&search);
    let limit = ["--max-walks", "50"];
    [
        &["--search", search][..],
        &limit[..if is_endless { 2 } else { 0 }],
    ]
    .concat()
}

fn check(model: &[u8], query: &str, more: &[&str]) -> (i32, Value) {
    let args = [&["check", "-", "-q", query, "--format", "json"], more].concat();
    let run = zonewalk_with(&args, model);
    let mut result = run.json()["results"][0].take();
    result["stderr"] = run.stderr.into();
    (run.status, result)
}

/// The answer is certain, with these many errors of the model told as warnings.
#[track_caller]
fn is_certain(model: &[u8], query: &str, verdict: &str, more: &[&str]) -> Value {
    let (status, result) = check(model, query, more);
    assert_eq!(result["verdict"], verdict, "{query} {more:?}: {result}");
    assert_eq!(status, i32::from(verdict != "satisfied"), "{query} {more:?}");
    assert_eq!(result["proof"], true);
    result
}

#[track_caller]
fn fails(model: &[u8], query: &str, more: &[&str]) -> Value {
    let (status, result) = check(model, query, more);
    assert_eq!(result["verdict"], "unknown", "{query} {more:?}: {result}");
    assert_eq!(status, 2, "{query} {more:?}: {result}");
    assert_eq!(result["fault"], Value::Null);
    result
}

#[test]
fn every_search_goes_on_to_the_goal() {
    for search in SEARCHES {
        let result = is_certain(INDEX, "E<> P.Goal", "satisfied", &["--search", search]);
        assert_eq!(
            result["fault"]["message"], "run-time error in the model: index 5 is outside the array's 0..4",
            "{search}"
        );
        assert!(result["fault"]["trace"]["steps"].as_u64() >= Some(5), "{search}");
        let warning = result["stderr"].as_str().unwrap_or_default();
        assert!(
            warning.starts_with("warning[index-out-of-range]"),
            "{search}: {warning}"
        );
        is_certain(INDEX, "A[] not P.Goal", "not satisfied", &["--search", search]);
    }
}

#[test]
fn without_a_goal_the_error_is_the_answer() {
    for search in SEARCHES {
        for query in ["E<> i == 10", "A[] i != 10"] {
            let result = fails(INDEX, query, &limited(search));
            assert_eq!(
                result["reason"], "run-time error in the model: index 5 is outside the array's 0..4",
                "{search}"
            );
            assert!(result["trace"]["steps"].as_u64() >= Some(5), "{search}");
        }
    }
    // Cut short, whatever the limit is.
    fails(INDEX, "E<> i == 10", &["--search", "bfs", "--max-states", "60"]);
    fails(INDEX, "E<> i == 10", &["--search", "ret", "--timeout", "200ms"]);
}

#[test]
fn auto_gives_the_same_answer_every_time() {
    let answers = |query: &str, seed: &str, threads: &str| {
        let (status, result) = check(INDEX, query, &["--seed", seed, "--threads", threads]);
        (status, result["verdict"].clone())
    };
    for run in 0..12 {
        let seed = (run % 3 + 1).to_string();
        for threads in ["1", "2"] {
            assert_eq!(answers("E<> P.Goal", &seed, threads), (0, "satisfied".into()));
            assert_eq!(answers("E<> i == 10", &seed, threads), (2, "unknown".into()));
        }
    }
}

#[test]
fn walks_tell_the_same_error_with_any_number_of_threads() {
    let told = |threads| {
        let more = ["--search", "ret", "--max-walks", "64", "--threads", threads];
        let result = fails(INDEX, "E<> i == 10", &more);
        (
            result["trace"]["found_steps"].clone(),
            result["trace"]["duration"].clone(),
        )
    };
    assert_eq!(told("1"), told("2"));
    assert_eq!(told("1"), told("5"));
}

/// A race of processes goes on, too.
#[test]
fn smc_goes_on() {
    let model = b"int a[2]; int i = 5; process P() { state S, T, Goal; init S;
        trans S -> T { assign a[i] = 1; }, S -> Goal { }; } system P;";
    is_certain(model, "E<> P.Goal", "satisfied", &["--search", "smc"]);
    fails(model, "E<> P.T", &limited("smc"));
}

#[test]
fn what_an_update_did_before_it_failed_is_undone() {
    let model = b"int a[2]; int i, j; clock x; process P() { state S, T, Goal; init S;
        trans S -> T { assign j = 1, x = 0, a[i + 5] = 1; }, S -> S { guard i < 3; assign i = i + 1; },
              S -> Goal { guard i == 3; }; } system P;";
    for search in ["auto", "bfs", "ret", "sem", "rlc"] {
        is_certain(model, "E<> P.Goal && j == 0", "satisfied", &["--search", search]);
        fails(model, "E<> j == 1", &limited(search));
    }
}

#[test]
fn an_error_of_the_query_says_so() {
    let model = b"int a[3]; int[0,5] i; process P() { state S; init S; trans S -> S { guard i < 5; assign i = i + 1; }; }
        system P;";
    for search in ["auto", "bfs", "ret"] {
        let result = fails(model, "E<> a[i] == 1", &limited(search));
        assert_eq!(
            result["reason"], "run-time error in the query: index 3 is outside the array's 0..2",
            "{search}"
        );
        assert_eq!(result["trace"]["steps"], 3, "{search}");
        is_certain(model, "E<> i == 5 || a[i] == 1", "satisfied", &limited(search));
        is_certain(model, "E<> a[i] == 0 && i == 1", "satisfied", &limited(search));
    }
}

#[test]
fn a_lasso_is_certain_and_none_is_not() {
    let model = b"int a[2]; int i = 5; process P() { state S, T, C, D; urgent S, T, C, D; init S;
        trans S -> T { }, T -> D { assign a[i] = 1; }, S -> C { }, C -> C { }; } system P;";
    for search in ["auto", "bfs", "dfs"] {
        let more = ["--search", search];
        is_certain(model, "E[] not P.T", "satisfied", &more);
        is_certain(model, "A<> P.T", "not satisfied", &more);
        is_certain(model, "P.S --> P.T", "not satisfied", &more);
        // The only edge of T fails: that is neither a deadlock nor a way on.
        fails(model, "E[] not P.C", &more);
        fails(model, "A<> P.C", &more);
        fails(model, "P.T --> P.C", &more);
    }
}

#[test]
fn an_extreme_may_lie_behind_the_error() {
    for query in ["sup: i", "inf: i", "bounds: i"] {
        fails(INDEX, query, &[]);
    }
}

#[test]
fn a_state_that_fails_is_no_deadlock() {
    let model = b"int a[2]; int i = 5; process P() { state S, T, C; init S;
        trans S -> T { }, T -> T { guard a[i] == 0; }, S -> C { }; } system P;";
    for search in ["auto", "bfs", "drs", "highway", "ret", "sem"] {
        let more = ["--search", search];
        is_certain(model, "E<> deadlock && P.C", "satisfied", &more);
        fails(model, "E<> deadlock && P.T", &limited(search));
    }
}

#[test]
fn another_edge_than_the_failing_one_settles_that_there_is_no_deadlock() {
    let beside = b"int[0,1] v = 1; clock x; process P() { state S, T, U { x <= 4 }; init S;
        trans S -> T { assign v = v + 1; }, S -> S { guard x <= 3; }, S -> U { guard x >= 1 && x <= 2; },
              U -> U { guard x >= 2; assign v = v + 1; }, U -> U { guard x <= 3; }; } system P;";
    for search in ["auto", "bfs", "dfs", "drs", "ret", "sem", "rlc"] {
        let more = ["--search", search];
        for query in [
            "E<> P.S && not deadlock",
            "E<> P.S && x > 2 && not deadlock",
            "E<> P.U && not deadlock",
        ] {
            let result = is_certain(beside, query, "satisfied", &more);
            let message = "run-time error in the model: value 2 is outside int[0,1]";
            assert_eq!(result["fault"]["message"], message, "{search} {query}");
        }
        is_certain(beside, "A[] P.S imply deadlock", "not satisfied", &more);
        // Nothing else is left there, and elsewhere the error may hide one.
        for query in [
            "E<> deadlock",
            "A[] not deadlock",
            "E<> P.S && x > 3 && not deadlock",
            "E<> P.U && x > 3 && not deadlock",
        ] {
            fails(beside, query, &limited(search));
        }
    }
}

#[test]
fn what_may_be_urgent_received_or_prior_is_not_certain() {
    let urgent = b"urgent chan u; int a[2]; int i = 5; clock x;
        process P() { state A, B; init A; trans A -> B { }; }
        process Q() { state A; init A; trans A -> A { guard a[i] == 0; sync u!; }; }
        process R() { state A; init A; trans A -> A { sync u?; }; } system P, Q, R;";
    let broadcast = b"broadcast chan c; int a[2]; int i = 5;
        process P() { state A, B, D; init A; trans A -> B { sync c!; }, A -> D { }; }
        process Q() { state A, B; init A; trans A -> B { guard a[i] == 0; sync c?; }; } system P, Q;";
    let priority = b"int a[2]; int i = 5; process P() { state A, B; init A; trans A -> B { }; }
        process Q() { state A, B; init A; trans A -> B { guard a[i] == 0; }; } system P < Q;";
    for search in ["auto", "bfs", "ret", "sem", "rlc"] {
        let more = limited(search);
        is_certain(urgent, "E<> P.B && x == 0", "satisfied", &more);
        fails(urgent, "E<> P.B && x > 0", &more);
        is_certain(broadcast, "E<> P.D", "satisfied", &more);
        fails(broadcast, "E<> P.B", &more);
        is_certain(priority, "E<> P.A", "satisfied", &more);
        fails(priority, "E<> P.B", &more);
    }
}

#[test]
fn a_clock_that_can_be_stopped() {
    // The zone graph only approximates it: an error that no run leads to is none.
    let model = b"int a[2]; int i; clock x, y; process P() { state S { x' == 0 }, T, U; init S;
        trans S -> T { guard y >= 2; assign i = 7; }, T -> U { guard x >= 1 && y <= 2; assign a[i] = 1; },
              T -> U { guard a[i - 7] == 0 && y >= 3; }; } system P;";
    for search in ["auto", "bfs"] {
        let (status, result) = check(model, "E<> P.U", &["--search", search, "--timeout", "2s"]);
        assert_ne!(status, 70, "{result}");
        assert_eq!(result["verdict"], "satisfied", "{search}: {result}");
    }
}

#[test]
fn the_error_has_a_trace_file_of_its_own() {
    let model = Scratch::new("faults.xta", INDEX);
    let file = Scratch::new("faults-run.json", b"");
    let error = file.path().replace(".json", "-error.json");
    let run = zonewalk(&[
        "check",
        model.path(),
        "-q",
        "E<> P.Goal",
        "--search",
        "bfs",
        "--trace-file",
        file.path(),
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for (path, end) in [(file.path(), "goal"), (error.as_str(), "error")] {
        let text = std::fs::read(path).unwrap();
        let trace: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(trace["end"]["reason"], end);
        let replay = zonewalk(&["replay", model.path(), path]);
        assert_eq!(replay.status, 0, "{}{}", replay.stdout, replay.stderr);
    }
    std::fs::remove_file(error).unwrap();
}

#[test]
fn in_words() {
    let args = [
        "check",
        "-",
        "-q",
        "E<> P.Goal",
        "-q",
        "E<> i == 10",
        "--search",
        "bfs",
    ];
    insta::assert_snapshot!(zonewalk_with(&args, INDEX).shown());
    let quiet = zonewalk_with(&[&args[..4], &["--search", "bfs", "--quiet"]].concat(), INDEX);
    assert_eq!((quiet.status, quiet.stderr.as_str()), (0, ""));
}

#[test]
fn exploring_goes_on_and_tells_of_the_error() {
    for more in [
        &["--search", "bfs"][..],
        &["--search", "ret", "--max-walks", "400"],
    ] {
        let args = [&["explore", "-", "--format", "json"], more].concat();
        let run = zonewalk_with(&args, INDEX);
        let result = &run.json()["results"][0];
        assert_eq!(run.status, 2);
        assert_eq!(result["coverage"]["locations"]["reached"], 3, "{result}");
        assert_eq!(result["proof"], false);
    }
}

/// The process with its parameters, the selected value, and what the failing expression read, after a run without anything
/// that is not needed for it.
const WORKERS: &[u8] = b"int a[5]; int[0,20] i; int n; clock x;
process Worker(const int[0,2] id) { state Idle, Busy; init Idle;
  trans Idle -> Busy { select k : int[0,1]; guard id == 2 && x >= 3; assign n = i, a[n + k + 1] = id, x = 0; },
        Idle -> Idle { guard i < 4; assign i = i + 1; },
        Idle -> Idle { guard i > 3; assign x = 0; }; }
system Worker;";

#[test]
fn what_fails_is_shown() {
    for search in ["ret", "rdfs", "bfs"] {
        let query = [
            "check",
            "-",
            "-q",
            "E<> a[0] == 7",
            "--seed",
            "1",
            "--threads",
            "1",
        ];
        let args = [&query[..], &limited(search)].concat();
        insta::assert_snapshot!(
            format!("what_fails_by_{search}"),
            zonewalk_with(&args, WORKERS).shown()
        );
    }
}

#[test]
fn what_fails_is_in_the_trace_file() {
    for search in ["ret", "rdfs", "bfs"] {
        let file = Scratch::new("fails.json", b"");
        let more = [
            "--search",
            search,
            "--trace-file",
            file.path(),
            "--max-walks",
            "50",
        ];
        let more = if search == "ret" { &more[..] } else { &more[..4] };
        let result = fails(WORKERS, "E<> a[0] == 7", more);
        // The walk has drawn the other value of `k`, for which `i` must be larger.
        let steps = if search == "ret" { 4 } else { 3 };
        assert_eq!(result["trace"]["steps"], steps, "{search}: {result}");
        let trace: Value = serde_json::from_slice(&std::fs::read(file.path()).unwrap()).unwrap();
        let end = &trace["end"];
        assert_eq!(end["reason"], "error");
        assert_eq!(
            (&end["label"], &end["process"]),
            (&"update".into(), &"Worker(2)".into())
        );
        assert_eq!(end["edges"][0]["process"], "Worker(2)");
        assert_eq!(end["edges"][0]["selects"][0]["name"], "k");
        let read = end["values"].as_array().unwrap();
        assert!(read.iter().any(|cell| cell["name"] == "n"), "{search}: {end}");
        assert!(read.iter().any(|cell| cell["name"] == "k"), "{search}: {end}");
    }
}

#[test]
fn walks_that_only_fail_come_to_an_end() {
    let model = b"int[0,3] n; process P() { state S; init S; trans S -> S { assign n = n + 1; }; } system P;";
    let result = fails(model, "E<> n == 7", &["--search", "ret", "--threads", "1"]);
    assert_eq!(result["stats"]["walks"], 6204);
}

/// A transition on `low`, one without a channel and one on `high` fail where `f` says so; the goal needs two steps without a channel.
fn with_priorities(f: &str) -> Vec<u8> {
    format!(
        "int[0,1] n; chan low, high; chan priority low < default < high; const int f = {f}; clock x;
         process P() {{ state S, T, Goal; init S; trans S -> T {{ guard x > 1; }}, T -> Goal {{ }}; }}
         process Q() {{ state s; init s; trans s -> s {{ guard f == 0; sync low!; assign n = n - 1; }},
           s -> s {{ guard f == 1; assign n = n - 1; }}, s -> s {{ guard f == 2; sync high!; assign n = n - 1; }}; }}
         process R() {{ state s; init s; trans s -> s {{ sync low?; }}, s -> s {{ sync high?; }}; }}
         system P, Q, R;"
    )
    .into_bytes()
}

/// A guard of `hi` that fails from time 2 on blocks `lo` from then on, and not before.
#[test]
fn what_fails_later_blocks_nothing_before() {
    let model = b"chan hi, lo; chan priority default < lo < hi; int[0,2] v = 2; int w; clock x;
        process P() { state a, b; init a; trans a -> b { sync hi!; assign v = v + 1; }, a -> b { sync lo!; assign w = 1; }; }
        process Q() { state a, b; init a; trans a -> b { guard x >= 2; sync hi?; }, a -> b { sync lo?; }; } system P, Q;";
    for search in SEARCHES {
        is_certain(model, "E<> w == 1", "satisfied", &["--search", search]);
        fails(model, "E<> w == 2", &limited(search));
    }
}

#[test]
fn what_fails_without_having_priority_blocks_nothing() {
    for search in SEARCHES {
        for (level, trace) in [("0", "some"), ("1", "some"), ("1", "shortest")] {
            let more = ["--search", search, "--trace", trace];
            is_certain(&with_priorities(level), "E<> P.Goal", "satisfied", &more);
        }
        // Whether it exists and blocks the others is not known.
        fails(&with_priorities("2"), "E<> P.Goal", &limited(search));
    }
}
