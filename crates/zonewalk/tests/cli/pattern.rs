//! `--heuristic pdb` and `--pattern`.

use crate::command::{Run, zonewalk, zonewalk_with};

const CHAIN: &str = "int[0,3] n; int[0,1] noise; clock x;
    process P() { state a, b, c; init a; trans a -> a { guard n < 3; assign n = n + 1; }, a -> b { guard n == 3; },
        b -> c { guard x > 5; }; }
    process Q() { state s; init s; trans s -> s { assign noise = 1 - noise; }; }
    system P, Q;";

/// A* with databases.
fn guided(query: &str, more: &[&str]) -> Run {
    let args = [
        "check",
        "-",
        "-q",
        query,
        "--search",
        "astar",
        "--heuristic",
        "pdb",
    ];
    zonewalk_with(&[&args[..], more].concat(), CHAIN.as_bytes())
}

fn check(pattern: &str) -> Run {
    guided("E<> P.c", &["--pattern", pattern, "--format", "json"])
}

#[test]
fn a_pattern_is_chosen_and_told() {
    let json = check("auto").json();
    let result = &json["results"][0];
    assert_eq!(result["verdict"], "satisfied");
    assert_eq!(result["trace"]["steps"], 5);
    assert_eq!(result["trace"]["shortest"], true);
    assert_eq!(result["patterns"], serde_json::json!(["P,n,x"]));
    assert!(result["stats"]["abstract_states"].as_u64() > Some(0));
    let again = check("P,n,x").json();
    assert_eq!(
        again["results"][0]["stats"]["states_explored"],
        result["stats"]["states_explored"]
    );
}

#[test]
fn downward_refinement_finds_as_short_a_trace() {
    let json = check("downward").json();
    let result = &json["results"][0];
    assert_eq!(
        (&result["trace"]["steps"], &result["trace"]["shortest"]),
        (&5.into(), &true.into())
    );
    assert_eq!(result["patterns"], serde_json::json!(["P,n,x"]));
}

#[test]
fn a_pattern_that_is_given_is_used_and_stays_a_lower_bound() {
    let explored = |pattern: &str| {
        let json = check(pattern).json();
        let result = &json["results"][0];
        assert_eq!(
            (&result["trace"]["steps"], &result["trace"]["shortest"]),
            (&5.into(), &true.into()),
            "{pattern}"
        );
        result["stats"]["states_explored"].as_u64().expect("a number")
    };
    let (all, few, two) = (explored("P,n,x"), explored("noise"), explored("P; n,noise"));
    assert!(all < few && all <= two && two <= few, "{all} {two} {few}");
    assert_eq!(explored("P.*,n"), explored("P , n"));
}

#[test]
fn a_pattern_that_names_nothing_is_refused() {
    let forms = "a pattern names processes (`P`, `P(1)`), variables";
    for (pattern, name) in [
        ("P,m", "no process, variable or clock `m`"),
        ("P(1)", "no process, variable or clock `P(1)`"),
        ("", "the pattern is empty; expected names, as in `P,v,x`"),
        ("P,;n", "the pattern is empty; expected names, as in `P,v,x`"),
    ] {
        let run = check(pattern);
        assert_eq!(run.status, 2, "{pattern}");
        for words in ["--pattern: ", name, forms] {
            assert!(run.stderr.contains(words), "{words}: {}", run.stderr);
        }
        let json = run.json();
        let diagnostic = &json["diagnostics"][0];
        assert_eq!(diagnostic["code"], "unknown-component", "{pattern}");
        assert!(
            diagnostic["message"].as_str().unwrap_or_default().contains(name),
            "{pattern}"
        );
        assert_eq!(json["results"], serde_json::json!([]), "{pattern}");
    }
}

/// Four are named, and that there are more is said only if there are.
#[test]
fn all_of_four_processes_are_named() {
    for (last, end) in [(4, "`P(4)`\n"), (5, "`P(4)` and so on\n")] {
        let model = format!(
            "int n; process P(const int[1,{last}] i) {{ state a; init a; trans a -> a {{ assign n = i; }}; }} system P;"
        );
        let args = [
            "check",
            "-",
            "-q",
            "E<> n == 1",
            "--search",
            "greedy",
            "--heuristic",
            "pdb",
            "--pattern",
            "P",
        ];
        let run = zonewalk_with(&args, model.as_bytes());
        let list = format!("its processes are `P(1)`, `P(2)`, `P(3)`, {end}");
        assert!(run.stderr.contains(&list), "{}", run.stderr);
    }
}

#[test]
fn the_name_of_a_template_is_answered_with_its_processes() {
    for (pattern, processes) in [
        (
            "Process",
            "`Process(1)`, `Process(2)`, `Process(3)`, `Process(4)` and so on",
        ),
        (
            "Process(1),Process.*",
            "`Process` is a template; its processes are `Process(1)`",
        ),
    ] {
        let args = [
            "check",
            "models/fischer.xml",
            "--query-index",
            "1",
            "--search",
            "astar",
        ];
        let run = zonewalk(&[&args[..], &["--heuristic", "pdb", "--pattern", pattern]].concat());
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert!(run.stderr.contains(processes), "{}", run.stderr);
    }
}

#[test]
fn a_pattern_that_is_given_twice_counts_once() {
    let json = check("P,n; n,P,P; noise").json();
    assert_eq!(
        json["results"][0]["patterns"],
        serde_json::json!(["P,n", "noise"])
    );
}

#[test]
fn a_pattern_without_databases_is_noted() {
    let note = "--pattern has no effect without --heuristic pdb";
    let args = [
        "check",
        "-",
        "-q",
        "E<> P.c",
        "--search",
        "greedy",
        "--pattern",
        "P",
    ];
    let run = zonewalk_with(&args, CHAIN.as_bytes());
    assert!(run.stderr.contains(note), "{}", run.stderr);
    assert!(!check("P").stderr.contains(note));
    let args = [
        "check",
        "models/fischer.xml",
        "--search",
        "bfs",
        "--pattern",
        "P(1)",
        "--trace",
        "none",
    ];
    let run = zonewalk(&args);
    assert!(
        run.stderr.contains("--pattern has no effect on bfs"),
        "{}",
        run.stderr
    );
}

#[test]
fn that_projections_are_too_large_is_told() {
    let run = guided("E<> P.c", &["--memory", "500", "--trace", "none"]);
    assert!(
        run.stdout
            .contains("pattern: none; projections are too large, so hl guided the search"),
        "{}{}",
        run.stdout,
        run.stderr
    );
}
