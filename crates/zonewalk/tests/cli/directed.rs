//! Directed searches at their edges: goals without structure, limits, large models, proofs by pruning.

use crate::command::{Run, Scratch, zonewalk, zonewalk_with};
use serde_json::Value;
use std::time::{Duration, Instant};

/// A loop that counts, and then a deadlock.
const COUNTER: &str = "clock x; int[0,3] n;
    process P() { state a { x <= 8 }, b; init a; trans a -> a { guard x >= 1; assign n = n < 3 ? n + 1 : n, x = 0; },
        a -> b { guard n == 3 && x >= 4; }; }
    process Q() { state s, t, u; init s; trans s -> t { guard n == 2; }, t -> u { guard x > 5; }; }
    system P, Q;";

const ESTIMATES: [&str; 7] = ["blind", "dl", "du", "dg", "hl", "hu", "pdb"];

fn checked(model: &[u8], query: &str, more: &[&str]) -> Run {
    let args = [&["check", "-", "-q", query, "--trace", "none"], more].concat();
    zonewalk_with(&args, model)
}

fn result(run: &Run) -> Value {
    run.json()["results"][0].clone()
}

#[test]
fn goals_without_structure_are_decided_as_by_breadth_first() {
    let queries = [
        "E<> deadlock",
        "A[] not deadlock",
        "E<> x > 5",
        "A[] x <= 8",
        "E<> x > 5 && Q.t && n == 3",
        "E<> x > 9 && Q.u && P.a",
    ];
    for query in queries {
        let wanted = result(&checked(
            COUNTER.as_bytes(),
            query,
            &["--search", "bfs", "--format", "json"],
        ));
        let (verdict, proof) = (&wanted["verdict"], &wanted["proof"]);
        assert_ne!(verdict, "unknown", "{query}");
        for (search, heuristic) in ["greedy", "astar"]
            .iter()
            .flat_map(|search| ESTIMATES.map(|h| (search, h)))
        {
            for queues in ["plain", "useless", "icb", "ce", "alternation"] {
                let is_refused = match queues {
                    "useless" => heuristic == "blind",
                    "alternation" => heuristic == "blind" || *search == "astar",
                    _ => false,
                };
                if is_refused {
                    continue;
                }
                let way = ["--search", search, "--heuristic", heuristic, "--queues", queues];
                let more = [&way[..], &["--format", "json"]].concat();
                let found = result(&checked(COUNTER.as_bytes(), query, &more));
                assert_eq!(
                    (&found["verdict"], &found["proof"]),
                    (verdict, proof),
                    "{query} {way:?}"
                );
                assert_eq!(
                    (&found["heuristic"], &found["queues"]),
                    (&heuristic.into(), &queues.into()),
                    "{query} {way:?}"
                );
                let is_about_clocks = query.contains("x ") && !query.contains("&&");
                let is_blind = match heuristic {
                    "blind" => false,
                    // Nothing is chosen for a goal that names no locations and variables.
                    _ => query.contains("deadlock") || is_about_clocks,
                };
                assert_eq!(found["blind"] == true, is_blind, "{query} {way:?}");
            }
        }
    }
}

#[test]
fn an_estimate_that_measures_nothing_of_the_goal_says_so() {
    let told = |query: &str, heuristic: &str| {
        let more = ["--search", "greedy", "--heuristic", heuristic];
        checked(COUNTER.as_bytes(), query, &more).stdout
    };
    let blind =
        "hu is blind here: it does not measure deadlocks and clocks, and the goal mentions nothing else";
    assert!(told("E<> x > 5", "hu").contains(blind));
    let blind = "pdb is blind here: it does not measure deadlocks and clocks that no pattern keeps, and the goal mentions nothing else";
    assert!(told("A[] not deadlock", "pdb").contains(blind));
    assert!(told("E<> x > 5", "pdb").contains(blind));
    // Without `n`, which an edge reads that resets it, `x` cannot be kept.
    for (pattern, is_blind) in [("n", true), ("n,x", false), ("n;x", true)] {
        let more = ["--search", "greedy", "--heuristic", "pdb", "--pattern", pattern];
        let run = checked(COUNTER.as_bytes(), "E<> x > 5", &more);
        assert_eq!(run.stdout.contains(blind), is_blind, "{pattern}: {}", run.stdout);
    }
    assert!(!told("E<> x > 5 && n == 3", "hu").contains("blind"));
}

#[test]
fn a_goal_that_holds_at_the_start_needs_no_search() {
    let run = checked(COUNTER.as_bytes(), "E<> P.a", &["--search", "greedy"]);
    assert_eq!(run.status, 0);
    assert!(
        run.stdout
            .contains("found by greedy: nothing had to be explored, in "),
        "{}",
        run.stdout
    );
}

/// The single track with so many inputs that no search of states sees them all.
fn large_track() -> Scratch {
    let run = zonewalk(&["generate", "plc-track", "-n", "20", "--param", "relays=4"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    Scratch::new("large-track.xml", run.stdout.as_bytes())
}

#[test]
fn limits_during_estimates_and_preparation_are_kept() {
    let model = large_track();
    let ways: [&[&str]; 4] = [
        &["--search", "astar", "--heuristic", "pdb"],
        &["--search", "astar", "--heuristic", "hl"],
        &["--search", "greedy", "--queues", "useless"],
        &["--search", "greedy", "--queues", "alternation"],
    ];
    for way in ways {
        let limits: [(&[&str], &str); 3] = [
            (&["--timeout", "200ms"], "the time limit was reached"),
            (&["--memory", "20000"], "memory limit reached after 1 state"),
            (
                &["--max-states", "10", "--memory", "1MiB"],
                "state limit reached after 11 states",
            ),
        ];
        for (limit, reason) in limits {
            let start = Instant::now();
            let args = [
                &["check", model.path(), "--query-index", "1", "--format", "json"],
                way,
                limit,
            ]
            .concat();
            let run = zonewalk(&args);
            assert_eq!(run.status, 3, "{way:?} {limit:?}: {}", run.stderr);
            let result = result(&run);
            assert_eq!(result["verdict"], "unknown", "{way:?} {limit:?}");
            assert_eq!(result["reason"], reason, "{way:?} {limit:?}");
            assert!(start.elapsed() < Duration::from_secs(20), "{way:?} {limit:?}");
        }
    }
}

#[test]
fn another_seed_is_no_advice_where_nothing_is_left_to_chance() {
    let model = large_track();
    for (search, is_advised) in [
        ("astar", false),
        ("greedy", false),
        ("bfs", false),
        ("rdfs", true),
    ] {
        let args = ["check", model.path(), "--query-index", "1", "--timeout", "50ms"];
        let run = zonewalk(&[&args[..], &["--search", search]].concat());
        assert!(run.stdout.contains("try: a longer --timeout"), "{}", run.stdout);
        assert_eq!(run.stdout.contains("--seed"), is_advised, "{search}");
    }
}

#[test]
fn ten_thousand_processes_are_searched_until_time_is_up() {
    let model = b"const int N = 10000; typedef int[0,N-1] id_t; int[0,3] v; broadcast chan go;
        process P(const id_t id) { state a, b, c; init a;
          trans a -> b { assign v = (v + 1) % 4; }, b -> c { guard v == 3; sync go?; }; }
        process Q() { state a, b; init a; trans a -> b { sync go!; }; }
        system P, Q;";
    let ways: [&[&str]; 6] = [
        &["--search", "greedy", "--queues", "useless"],
        &["--search", "greedy", "--queues", "alternation"],
        &["--search", "greedy", "--heuristic", "du", "--queues", "ce"],
        &["--search", "astar", "--heuristic", "hl"],
        &["--search", "astar", "--heuristic", "pdb"],
        &["--search", "astar", "--heuristic", "pdb", "--pattern", "downward"],
    ];
    for way in ways {
        let start = Instant::now();
        let more = [way, &["--timeout", "1s", "--format", "json"]].concat();
        let run = checked(model, "E<> P(17).c and P(9999).c and Q.a", &more);
        assert_eq!(run.status, 3, "{way:?}: {}", run.stderr);
        assert_eq!(result(&run)["reason"], "the time limit was reached", "{way:?}");
        // Loading the model takes its time, too, and tests share the machine.
        assert!(start.elapsed() < Duration::from_secs(15), "{way:?}");
    }
}

#[test]
fn a_correct_track_is_proved_by_pruning_as_by_breadth_first() {
    let args = [
        "generate",
        "plc-track",
        "-n",
        "0",
        "--param",
        "faults=0",
        "--param",
        "short=0",
    ];
    let model = zonewalk(&args).stdout;
    let ways: [&[&str]; 4] = [
        &["--search", "bfs"],
        &["--search", "astar", "--heuristic", "pdb"],
        &["--search", "astar", "--heuristic", "hl"],
        &["--search", "greedy", "--heuristic", "hu"],
    ];
    for way in ways {
        let more = [&["check", "-", "--query-index", "1", "--format", "json"], way].concat();
        let run = zonewalk_with(&more, model.as_bytes());
        let result = result(&run);
        assert_eq!(
            (&result["verdict"], &result["proof"]),
            (&"not satisfied".into(), &true.into()),
            "{way:?}"
        );
        let is_pruned = way.contains(&"pdb");
        assert_eq!(
            result["stats"]["pruned"].as_u64().unwrap_or(0) > 0,
            is_pruned,
            "{way:?}"
        );
    }
}

/// A `meta` variable that is read depends on the path on which a state was first reached.
#[test]
fn a_meta_variable_that_is_read_before_it_is_written_is_named() {
    let model = b"meta int[0,1] k; meta int[0,3] passed, steps; int[0,3] n; chan c; clock x;
        process P() { meta bool seen; state a, b, m, g; init a; trans a -> m { assign steps = 1; }, a -> b { guard x > 1; },
          b -> m { assign k = 1, steps = 2; }, m -> g { guard k == 1; }, g -> a { sync c!; assign passed = 2, seen = true; }; }
        process Q() { state s; init s; trans s -> s { sync c?; assign n = passed; }; }
        system P, Q;";
    for search in ["bfs", "astar", "greedy", "rdfs"] {
        let run = checked(
            model,
            "E<> P.g && n == 2",
            &["--search", search, "--format", "json"],
        );
        assert!(run.status == 0 || run.status == 1, "{search}: {}", run.stderr);
        let warnings: Vec<&str> = run
            .stderr
            .lines()
            .filter(|line| line.starts_with("warning"))
            .collect();
        assert_eq!(
            warnings,
            ["warning[stale-meta]: the meta variable `k` is read after an earlier transition wrote it"],
            "{search}"
        );
        assert_eq!(run.json()["diagnostics"][0]["code"], "stale-meta");
    }
    let run = checked(model, "E<> P.seen || steps == 1", &["--search", "bfs"]);
    for name in ["`k`", "`steps`", "`seen`"] {
        assert!(run.stderr.contains(name), "{name}: {}", run.stderr);
    }
    assert!(!run.stderr.contains("`passed`"), "{}", run.stderr);
}

/// Reads by `before_update` and `after_update` count, and their possible writes do not. The sender on a channel that depends on
/// the state is unknown.
#[test]
fn a_meta_variable_is_named_unless_it_is_written_for_certain() {
    let of_p = "process P() { state a, b; init a; trans a -> b { assign m = 1; }, a -> b { assign m = 2; }";
    let senders = |sends: &str, receives: &str| {
        format!(
            "{of_p}, b -> a {{ sync c[{sends}]!; assign k = 1; }}, b -> a {{ sync c[0]!; assign m = 3; }}; }}
             process Q() {{ state a; init a; trans a -> a {{ sync c[{receives}]?; assign n = m; }}; }} system P, Q;"
        )
    };
    let reader = format!("{of_p}, b -> a {{ assign n = m; }}; }} system P;");
    let silent = format!("{of_p}, b -> a {{ assign k = 1; }}; }} system P;");
    let always = format!("{of_p}, b -> a {{ assign m = 3; }}; }} system P;");
    for (rest, is_named) in [
        (format!("before_update {{ n = m }} {silent}"), true),
        (format!("before_update {{ o = m }} {silent}"), false),
        (format!("before_update {{ m = k == 1 ? 5 : m }} {reader}"), true),
        (format!("before_update {{ m = m + 1 }} {reader}"), true),
        (format!("before_update {{ m = 5 }} {reader}"), false),
        // Through another variable.
        (format!("before_update {{ o = m, m = o }} {reader}"), true),
        (format!("after_update {{ n = m }} {silent}"), true),
        (format!("after_update {{ n = m }} {always}"), false),
        (senders("k", "k"), true),
        (senders("k", "0"), true),
        (senders("1", "k"), true),
        (senders("1", "1"), true),
        (senders("1", "0"), false),
    ] {
        let model = format!("meta int m, o; int n; int[0,1] k; chan c[2]; {rest}");
        let run = checked(model.as_bytes(), "E<> n == 9", &["--search", "bfs"]);
        assert_ne!(run.status, 2, "{rest}: {}", run.stderr);
        let warning = "the meta variable `m` is read after an earlier transition wrote it";
        assert_eq!(run.stderr.contains(warning), is_named, "{rest}: {}", run.stderr);
    }
}
