//! Models with doubles: proved where no state is one, run at random otherwise.

use crate::command::{Run, zonewalk_with};

/// The integer comes from a root, and is the same each time.
const DISTANCE: &str = "const double STEP = 1.5; int[0,6] at; int done;
    double far(int k) { return sqrt(k * k * STEP * STEP); }
    void move() { at++; done = fint(far(at) / STEP + 0.5); }
    process P() { state A; init A; trans A -> A { guard at < 6; assign move(); }; } system P;";

/// Several simultaneous exponential lifetimes.
const LIVES: &str = "const double RATE = 0.5; int alive = 6;
    process P() { state A { ; RATE * alive }; init A; trans A -> A { guard alive > 0; assign alive--; }; } system P;";

/// A state with a double in it, drawn at random.
const RANDOM: &str =
    "double d; process P() { state A { ; 1 }; init A; trans A -> A { assign d = random(1.0); }; } system P;";

fn check(model: &str, args: &[&str]) -> Run {
    let all: Vec<&str> = ["check", "-"].iter().chain(args).copied().collect();
    zonewalk_with(&all, model.as_bytes())
}

#[test]
fn functions_of_doubles_are_proved_as_any_others() {
    for search in ["auto", "bfs", "dfs", "rdfs", "astar"] {
        for (query, status) in [
            ("A[] done == at", 0),
            ("A[] done <= 5", 1),
            ("E<> done == 6", 0),
            ("E<> done == 7", 1),
            ("A[] not deadlock", 1),
        ] {
            let run = check(DISTANCE, &["-q", query, "--search", search]);
            assert_eq!(
                run.status, status,
                "{query} by {search}: {}{}",
                run.stdout, run.stderr
            );
            assert!(!run.stderr.contains("no proof"), "{}", run.stderr);
        }
    }
    let proved = check(DISTANCE, &["-q", "A[] done == at", "--format", "json"]);
    assert_eq!(proved.json()["results"][0]["proof"], true);
    let largest = check(DISTANCE, &["-q", "sup: done"]);
    assert!(largest.stdout.contains('6'), "{}", largest.stdout);
}

#[test]
fn walks_compute_with_doubles() {
    for search in ["ret", "sem", "rlc"] {
        let run = check(DISTANCE, &["-q", "E<> done == 6 && at == 6", "--search", search]);
        assert_eq!(run.status, 0, "{search}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn a_double_that_is_no_integer_is_an_error_of_the_model() {
    let text = DISTANCE.replace("far(at) / STEP + 0.5", "far(at) * 1e10");
    let run = check(&text, &["-q", "A[] done >= 0", "--search", "bfs"]);
    assert!(run.stderr.contains("[overflow]"), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("fint"), "{}", run.stderr);
}

#[test]
fn doubles_of_the_state_leave_random_runs() {
    let text = DISTANCE.replace("int done;", "int done; double last;");
    let run = check(&text, &["-q", "A[] done == at", "--timeout", "1s"]);
    assert_eq!(run.status, 3, "{}", run.stdout);
    let why = "no proof, random runs alone: zonewalk does not support variables of type double";
    assert!(run.stderr.contains(why), "{}", run.stderr);
}

#[test]
fn rates_may_depend_on_the_state() {
    let run = check(LIVES, &["-q", "Pr[<=4; 4000](<> alive == 0)", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let result = &run.json()["results"][0];
    let exact = (1.0 - (-2.0f64).exp()).powi(6);
    let value = result["value"].as_f64().unwrap();
    assert!(
        (value - exact).abs() < 4.5 * (exact * (1.0 - exact) / 4000.0).sqrt(),
        "{value}"
    );
    assert_eq!(result["engine"], "exact");
}

#[test]
fn what_is_wrong_with_a_query_is_said_first() {
    for (query, told) in [
        ("Pr[<=10](<> Q.B)", "unknown-name"),
        ("E<> Q.B", "unknown-name"),
        ("Pr[<=10](<> P.A) under S", "zonewalk has no strategies"),
    ] {
        let run = check(RANDOM, &["-q", query]);
        assert_eq!(run.status, 2, "{query}: {}", run.stdout);
        assert!(run.stderr.contains(told), "{query}: {}", run.stderr);
        assert!(!run.stderr.contains("random numbers"), "{query}: {}", run.stderr);
    }
    let other = check(RANDOM, &["-q", "A<> P.A"]);
    assert!(
        other.stderr.contains("does not support random numbers"),
        "{}",
        other.stderr
    );
}

#[test]
fn info_asks_what_check_asks() {
    let info = |model: &str, queries: &[&str]| {
        let queries = queries.iter().flat_map(|query| ["-q", query]);
        let args: Vec<&str> = ["info", "-", "--format", "json"]
            .into_iter()
            .chain(queries)
            .collect();
        zonewalk_with(&args, model.as_bytes()).json()
    };
    let suits = |info: &serde_json::Value, engine: &str| {
        let engines = info["engines"].as_array().unwrap().iter();
        let mut found = engines.filter(|e| e["engine"] == engine);
        found.next().unwrap()["suitable"].as_bool().unwrap()
    };
    let random = info(RANDOM, &["Pr[<=10](<> d > 0.5)", "E<> d > 0.5", "A<> d > 0.5"]);
    assert!(suits(&random, "statistical walks") && !suits(&random, "symbolic search"));
    let decided = |info: &serde_json::Value, query: usize| info["queries"][query]["decided_by"].clone();
    assert_eq!(decided(&random, 0), serde_json::json!(["smc"]));
    assert_eq!(decided(&random, 1), serde_json::json!(["smc"]));
    assert_eq!(decided(&random, 2), serde_json::json!([]));
    let distance = info(DISTANCE, &["A[] done == at"]);
    assert!(suits(&distance, "symbolic search") && suits(&distance, "walks"));
    let cost = "hybrid clock cost; int n; process P() { clock x; state A { x <= 2 && cost' == 3 }; init A;
        trans A -> A { guard x >= 1; assign x = 0, n = 1 - n; }; } system P;";
    let hybrid = info(cost, &["A[] n <= 1", "Pr[<=9](<> cost > 5)", "A[] cost <= 5"]);
    assert!(suits(&hybrid, "symbolic search") && suits(&hybrid, "statistical walks"));
    assert!(decided(&hybrid, 0).as_array().unwrap().contains(&"bfs".into()));
    assert_eq!(decided(&hybrid, 1), serde_json::json!(["smc"]));
    assert!(!decided(&hybrid, 2).as_array().unwrap().contains(&"bfs".into()));
}
