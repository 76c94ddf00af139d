//! Best traces in text and JSON.

use crate::check::check_line;
use crate::command::{zonewalk, zonewalk_with};

#[test]
fn a_shortest_trace_is_called_so() {
    let run = check_line(&["-q", "E<> P.c", "--search", "bfs", "--trace", "shortest"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    insta::assert_snapshot!(run.shown());
}

#[test]
fn what_is_not_proved_is_told_with_the_reason() {
    let args = [
        "-q",
        "E<> P.c",
        "--search",
        "ret",
        "--trace",
        "fastest",
        "--max-walks",
        "20",
    ];
    let run = check_line(&args);
    let told = run
        .stdout
        .lines()
        .find(|line| line.starts_with("not proved"))
        .unwrap();
    assert_eq!(told, "not proved fastest: walks do not cover every run; bfs does");
    let json = check_line(&[&args[..], &["--format", "json"]].concat()).json();
    let trace = &json["results"][0]["trace"];
    assert_eq!(trace["fastest"], false, "{trace}");
    assert_eq!(
        trace["reason"], "walks do not cover every run; bfs does",
        "{trace}"
    );
    assert!(trace.get("shortest").is_none(), "{trace}");
}

#[test]
fn programs_are_told_whether_it_is_proved() {
    let best = |model: &str, wish: &str| {
        let args = [
            "check",
            model,
            "--query-index",
            "1",
            "--search",
            "bfs",
            "--trace",
            wish,
        ];
        let run = zonewalk(&[&args[..], &["--format", "json"]].concat());
        run.json()["results"][0]["trace"].clone()
    };
    let shortest = best("models/fischer-broken.xml", "shortest");
    assert_eq!(
        (&shortest["steps"], &shortest["shortest"]),
        (&6.into(), &true.into())
    );
    let fastest = best("models/bridge.xta", "fastest");
    assert_eq!(
        (&fastest["duration"], &fastest["fastest"]),
        (&"60".into(), &true.into())
    );
    assert!(fastest.get("reason").is_none(), "{fastest}");
    let some = best("models/fischer-broken.xml", "some");
    assert!(
        some.get("shortest").is_none() && some.get("fastest").is_none(),
        "{some}"
    );
    let listed = zonewalk(&[
        "check",
        "models/vending.aut",
        "--trace",
        "shortest",
        "--format",
        "json",
    ]);
    assert_eq!(listed.json()["results"][0]["trace"]["shortest"], true);
}

/// Depth first the ring of four is gone round before `f` is met.
const ROUND: &str = "\
clock x;

process P() {
    state a { x <= 1 }, b { x <= 1 }, c { x <= 1 }, d { x <= 1 }, e, f { x <= 1 };
    init a;
    trans
        a -> b { guard x >= 1; assign x = 0; },
        b -> c { guard x >= 1; assign x = 0; },
        c -> d { guard x >= 1; assign x = 0; },
        d -> a { guard x >= 1; assign x = 0; },
        b -> f { guard x >= 1; assign x = 0; },
        f -> b { guard x >= 1; assign x = 0; },
        d -> e { guard x >= 1; };
}

system P;
";

#[test]
fn a_shortest_run_without_end() {
    let args = [
        "check",
        "-",
        "-q",
        "A<> P.e",
        "-q",
        "P.d --> P.b",
        "--trace",
        "shortest",
    ];
    let run = zonewalk_with(&args, ROUND.as_bytes());
    assert_eq!(run.status, 1, "{}", run.stderr);
    insta::assert_snapshot!(run.shown());
    let json = zonewalk_with(&[&args[..], &["--format", "json"]].concat(), ROUND.as_bytes()).json();
    let trace = |query: usize| &json["results"][query]["trace"];
    assert_eq!(trace(0)["shortest"], true);
    assert_eq!(trace(0)["cycle"], serde_json::json!({ "start": 1, "length": 2 }));
    // Three transitions to where it begins and one to where time passes forever.
    assert_eq!((&trace(1)["steps"], trace(1).get("cycle")), (&4.into(), None));
}

#[test]
fn a_limit_leaves_a_run_without_end_that_may_not_be_shortest() {
    let args = [
        "check",
        "-",
        "-q",
        "A<> P.e",
        "--trace",
        "shortest",
        "--timeout",
        "20s",
    ];
    // The counter keeps the long way round from closing for a thousand transitions.
    let model = ROUND.replace("clock x;", "clock x; int[0, 1000] n;").replace(
        "a -> b { guard x >= 1; assign x = 0; }",
        "a -> b { guard x >= 1; assign x = 0, n = n < 1000 ? n + 1 : n; }",
    );
    let model = model.replace("b -> f { guard x >= 1; assign x = 0; },", "");
    let few = zonewalk_with(&[&args[..], &["--max-states", "2000"]].concat(), model.as_bytes());
    assert!(
        few.stdout
            .contains("not proved shortest: the state limit was reached"),
        "{}",
        few.stdout
    );
    let enough = zonewalk_with(&args, model.as_bytes());
    assert!(
        enough
            .stdout
            .contains("shortest: 3997 steps and a cycle of 4, counted once"),
        "{}",
        &enough.stdout[..400]
    );
}

/// The longer way to `m` looks shorter, and another process can only spoil it.
const DETOUR: &str = "bool p, broken; process P() { state s, x, a, l, m, e, f, g; init s; trans
    s -> x { guard !broken; }, x -> m { }, s -> a { guard !broken; }, a -> l { assign p = true; }, l -> l { guard p; },
    l -> m { assign p = false; }, m -> g { guard p; }, m -> e { }, e -> f { }, f -> g { }; }
    process Q() { state s; init s; trans s -> s { assign broken = true; }; } system P, Q;";

#[test]
fn what_estimates_cost_is_told() {
    let args = [
        "check", "-", "-q", "E<> P.g", "--search", "astar", "--trace", "none",
    ];
    let run = zonewalk_with(&args, DETOUR.as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
    insta::assert_snapshot!(run.shown());
    let json = zonewalk_with(&[&args[..], &["--format", "json"]].concat(), DETOUR.as_bytes()).json();
    let stats = &json["results"][0]["stats"];
    assert_eq!((&stats["pruned"], &stats["reopened"]), (&1.into(), &1.into()));
    assert!(stats["evaluations"].as_u64() > stats["cache_hits"].as_u64());
    assert!(stats["preparation_s"].as_f64() <= json["results"][0]["search_s"].as_f64());
    let json = zonewalk_with(
        &[
            "check", "-", "-q", "E<> P.g", "--search", "bfs", "--format", "json",
        ],
        DETOUR.as_bytes(),
    )
    .json();
    assert!(json["results"][0]["stats"].get("evaluations").is_none());
}
