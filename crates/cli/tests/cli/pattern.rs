//! `--heuristic pdb` and `--pattern`.

use crate::command::{Run, zonewalk, zonewalk_with};

const CHAIN: &str = "int[0,3] n; int[0,1] noise; clock x;
    process P() { state a, b, c; init a; trans a -> a { guard n < 3; assign n = n + 1; }, a -> b { guard n == 3; },
        b -> c { guard x > 5; }; }
    process Q() { state s; init s; trans s -> s { assign noise = 1 - noise; }; }
    system P, Q;";

fn check(pattern: &str) -> Run {
    let args = [
        "check",
        "-",
        "-q",
        "E<> P.c",
        "--search",
        "astar",
        "--heuristic",
        "pdb",
        "--pattern",
        pattern,
        "--format",
        "json",
    ];
    zonewalk_with(&args, CHAIN.as_bytes())
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
    for (pattern, name) in [
        ("P,m", "`m`"),
        ("P(1)", "`P(1)`"),
        ("", "a pattern names"),
        ("P,;n", "a pattern names"),
    ] {
        let run = check(pattern);
        assert_eq!(run.status, 2, "{pattern}");
        assert!(
            run.stderr.contains("--pattern") && run.stderr.contains(name),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn goals_without_structure_and_other_searches() {
    for query in ["E<> deadlock", "E<> x > 3"] {
        let args = [
            "check",
            "-",
            "-q",
            query,
            "--search",
            "astar",
            "--heuristic",
            "pdb",
            "--trace",
            "none",
        ];
        let run = zonewalk_with(&args, CHAIN.as_bytes());
        assert!(
            run.stdout.contains("satisfied"),
            "{query}: {}{}",
            run.stdout,
            run.stderr
        );
    }
    let run = zonewalk(&[
        "check",
        "models/fischer.xml",
        "--search",
        "bfs",
        "--pattern",
        "P(1)",
        "--trace",
        "none",
    ]);
    assert!(run.stderr.contains("--pattern"), "{}", run.stderr);
}

#[test]
fn that_projections_are_too_large_is_told() {
    let args = [
        "check",
        "-",
        "-q",
        "E<> P.c",
        "--search",
        "astar",
        "--heuristic",
        "pdb",
        "--memory",
        "500",
        "--trace",
        "none",
    ];
    let run = zonewalk_with(&args, CHAIN.as_bytes());
    assert!(
        run.stdout
            .contains("pattern: none; projections are too large, so hl led the search"),
        "{}{}",
        run.stdout,
        run.stderr
    );
}
