//! A dead model is never passed in silence: warnings about answers that say less than they seem to.

use crate::command::{Run, Scratch, scratch_path, zonewalk, zonewalk_with};
use serde_json::Value;

/// Nobody receives `ready`.
const DEAD: &str = "chan ready, done;
process Task() {
    clock x;
    state Idle { x <= 5 }, Waiting, Running { x <= 2 };
    init Idle;
    trans Idle -> Waiting { guard x >= 5; sync ready!; assign x = 0; },
        Waiting -> Running { sync done?; },
        Running -> Idle { guard x >= 1; assign x = 0; };
}
process Sched() {
    state Free, Busy;
    init Free;
    trans Free -> Busy { sync done!; }, Busy -> Free { };
}
T = Task();
S = Sched();
system T, S;
";

/// Both go one step, and the second one waits for what never comes. `Gone` is left only when `n` is 7.
const ENDS: &str = "int n;
process First() {
    state A, B;
    init A;
    trans A -> B { assign n = 1; }, B -> A { guard n == 2; };
}
process Second() {
    clock x;
    state A { x <= 3 }, B { x <= 4 }, C;
    init A;
    trans A -> B { guard n == 1; }, B -> C { guard n == 7; };
}
P = First();
Q = Second();
system P, Q;
";

/// `A` and `B` go round for ever; `C` is never reached.
const ALIVE: &str = "bool go;
process Loop() {
    state A, B, C;
    init A;
    trans A -> B { }, B -> A { }, B -> C { guard go; };
}
P = Loop();
Q = Loop();
system P, Q;
";

/// One-shot: both come to a location without edges, as they should.
const DONE: &str = "process Job() {
    clock x;
    state Wait, Work { x <= 2 }, Done;
    init Wait;
    trans Wait -> Work { assign x = 0; }, Work -> Done { guard x >= 1; };
}
J = Job();
K = Job();
system J, K;
";

fn check(model: &str, args: &[&str]) -> Run {
    let search: &[&str] = if args.contains(&"--search") {
        &[]
    } else {
        &["--search", "bfs"]
    };
    let args = [&["check", "-"], search, args].concat();
    zonewalk_with(&args, model.as_bytes())
}

/// The warnings of one query, as codes and messages.
fn warnings(model: &str, query: &str) -> Vec<(String, String)> {
    let search = if query.contains("-->") { "dfs" } else { "bfs" };
    let args = ["check", "-", "--search", search, "-q", query, "--format", "json"];
    let run = zonewalk_with(&args, model.as_bytes());
    let document = run.json();
    let told = document["results"][0]["warnings"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let text = |warning: &Value, key: &str| warning[key].as_str().unwrap().to_owned();
    told.iter()
        .map(|warning| (text(warning, "code"), text(warning, "message")))
        .collect()
}

fn codes(model: &str, query: &str) -> Vec<String> {
    warnings(model, query).into_iter().map(|(code, _)| code).collect()
}

#[test]
fn a_model_that_stands_still() {
    let run = check(
        DEAD,
        &["-q", "A[] T.Running imply T.x <= 2", "-q", "A[] not T.Running"],
    );
    assert_eq!(run.status, 0, "{}", run.shown());
    insta::assert_snapshot!(run.shown());
    let expected = ["trivial-state-space", "channel-without-receiver"];
    for query in ["A[] not T.Running", "E<> T.Running", "sup: T.x"] {
        assert_eq!(codes(DEAD, query), expected, "{query}");
    }
    // What a run shows is no proof about all states.
    for query in ["A[] not deadlock", "E<> T.Idle"] {
        assert_eq!(codes(DEAD, query), ["channel-without-receiver"], "{query}");
    }
    // With a location for the second line of the file.
    let program = check(DEAD, &["-q", "A[] not T.Running", "--format", "json", "--quiet"]).json();
    let found = program["diagnostics"].as_array().unwrap();
    let channel = found
        .iter()
        .find(|d| d["code"] == "channel-without-receiver")
        .unwrap();
    assert_eq!(
        (&channel["line"], program["warnings"].as_u64()),
        (&Value::from(1), Some(2))
    );
}

#[test]
fn every_search_that_proves_tells_of_it() {
    for search in ["auto", "bfs", "dfs", "rdfs", "drs"] {
        let run = check(DEAD, &["-q", "A[] not T.Running", "--search", search]);
        assert!(
            run.stdout
                .contains("\nwarning[trivial-state-space]: no transition is ever possible"),
            "{}",
            run.shown()
        );
    }
    // Walks prove nothing.
    let run = check(
        DEAD,
        &["-q", "A[] not T.Running", "--search", "ret", "--max-walks", "5"],
    );
    assert!(!run.stdout.contains("trivial-state-space"), "{}", run.shown());
    assert!(
        run.stdout.contains("warning[channel-without-receiver]"),
        "{}",
        run.shown()
    );
    // Nor does a search that is cut short.
    let run = check(ENDS, &["-q", "A[] n < 5", "--max-states", "1"]);
    assert!(
        run.status == 3 && !run.stdout.contains("warning["),
        "{}",
        run.shown()
    );
}

#[test]
fn every_run_ends() {
    let found = warnings(ENDS, "A[] n < 5");
    assert_eq!(
        found,
        [(
            "every-run-ends".to_owned(),
            "every run ends; one ends after 2 steps in a time-lock in P.B, Q.B".to_owned()
        )]
    );
    // The queries ask for it.
    assert_eq!(codes(ENDS, "A[] (deadlock imply P.B)"), [""; 0]);
    let both = check(ENDS, &["-q", "A[] n < 5", "-q", "E<> deadlock and Q.B"]);
    assert!(!both.stdout.contains("warning["), "{}", both.shown());
    // To rule deadlocks out is not to ask for them.
    let both = check(ENDS, &["-q", "A[] n < 5", "-q", "A[] not deadlock"]);
    assert!(
        both.stdout.contains("warning[every-run-ends]"),
        "{}",
        both.shown()
    );
    // Runs that come to a location without edges are meant to end, and others do not end.
    assert_eq!(codes(DONE, "A[] J.x >= 0"), [""; 0]);
    assert_eq!(codes(ALIVE, "A[] not P.C"), [""; 0]);
}

#[test]
fn a_premise_that_never_holds() {
    let message = |premise: &str| format!("the query holds trivially: its premise `{premise}` never does");
    for (query, premise) in [
        ("A[] P.C imply Q.A", "P.C"),
        ("A[] (P.A imply not go) and (P.B && go imply Q.A)", "P.B && go"),
        ("P.C --> Q.A", "P.C"),
    ] {
        let expected = ("vacuous-query".to_owned(), message(premise));
        assert_eq!(warnings(ALIVE, query), [expected], "{query}");
    }
    for query in [
        "A[] P.B imply not go",
        "P.A --> P.A or P.B",
        "A[] 1 == 2 imply P.A",
    ] {
        assert_eq!(codes(ALIVE, query), [""; 0], "{query}");
    }
}

#[test]
fn a_location_that_a_query_names() {
    let told = |query: &str| warnings(ALIVE, query).into_iter().map(|(_, message)| message);
    let unreached = "P.C, which the query names, is never reached";
    assert_eq!(told("A[] not (P.C && Q.B)").collect::<Vec<_>>(), [unreached]);
    assert_eq!(told("E<> P.C && Q.C && go").count(), 2);
    assert_eq!(told("A[] P.C + Q.B <= 1").collect::<Vec<_>>(), [unreached]);
    // That is what these ask.
    for query in [
        "A[] not P.C",
        "E<> P.C || Q.C",
        "E<> P.C && !go",
        "A[] not P.C && not Q.C",
        "A[] P.C + Q.C == 0",
    ] {
        assert_eq!(codes(ALIVE, query), [""; 0], "{query}");
    }
    let stuck = warnings(ENDS, "A[] not (P.B and Q.B and n == 3)");
    let left = |name: &str| format!("{name}, which the query names, is never left");
    let messages: Vec<_> = stuck.into_iter().map(|(_, message)| message).skip(1).collect();
    assert_eq!(messages, [left("P.B"), left("Q.B")]);
}

#[test]
fn strict_makes_them_failures() {
    let strict = |model: &str, args: &[&str]| check(model, &[args, &["--strict"]].concat()).status;
    assert_eq!(strict(DEAD, &["-q", "A[] not T.Running"]), 1);
    assert_eq!(strict(ALIVE, &["-q", "A[] not P.C"]), 0);
    // Undecided, and a channel without a partner: 1. An error of the query comes first.
    assert_eq!(
        strict(
            DEAD,
            &["-q", "E<> T.Waiting", "--search", "ret", "--max-walks", "5"]
        ),
        1
    );
    assert_eq!(
        strict(DEAD, &["-q", "A[] not T.Running", "-q", "E<> T.nowhere"]),
        2
    );
    // What makes a quiet run fail is said.
    let quiet = check(DEAD, &["-q", "A[] not T.Running", "--quiet"]);
    assert!(
        quiet.status == 0 && !quiet.stdout.contains("warning["),
        "{}",
        quiet.shown()
    );
    let quiet = check(DEAD, &["-q", "A[] not T.Running", "--quiet", "--strict"]);
    assert!(
        quiet.status == 1 && quiet.stdout.contains("warning["),
        "{}",
        quiet.shown()
    );
    let sweep = check(
        "const int N = 1; process P() { state A, B; init A; trans A -> B { guard N == 2; }, B -> A { }; } Q = P(); system Q;",
        &["-q", "A[] Q.A or Q.B", "--sweep", "N=1..2", "--strict"],
    );
    assert_eq!(sweep.status, 1, "{}", sweep.shown());
    assert!(
        sweep.stderr.contains("warning[trivial-state-space]"),
        "{}",
        sweep.shown()
    );
}

#[test]
fn reports_have_them() {
    let model = Scratch::new("dead.xta", DEAD.as_bytes());
    let written = |kind: &str, strict: &[&str]| {
        let file = scratch_path(&format!("dead.{kind}"));
        let report = format!("{kind}:{}", file.path());
        let args = [
            "check",
            model.path(),
            "--search",
            "bfs",
            "-q",
            "A[] not T.Running",
            "--report",
            &report,
        ];
        zonewalk(&[&args, strict].concat());
        std::fs::read_to_string(file.path()).unwrap()
    };
    let words = "no transition is ever possible: the model stays in T.Idle, S.Free, and time stops";
    for kind in ["junit", "md", "html"] {
        let text = written(kind, &[]);
        assert!(text.contains(words), "{text}");
    }
    let junit = written("junit", &["--strict"]);
    assert!(
        junit.contains("failures=\"1\"")
            && junit.contains("<failure message=\"satisfied, but warning[trivial"),
        "{junit}"
    );
}

#[test]
fn comments_of_queries_are_shown() {
    let queries = Scratch::new(
        "commented.q",
        b"// REQ-12: it never gets there <yet>\nA[] not P.C\n\nE<> P.B\n",
    );
    let model = Scratch::new("commented.xta", ALIVE.as_bytes());
    let check = |args: &[&str]| {
        zonewalk(
            &[
                &[
                    "check",
                    model.path(),
                    queries.path(),
                    "--search",
                    "bfs",
                    "--trace",
                    "none",
                ],
                args,
            ]
            .concat(),
        )
    };
    let text = check(&[]).stdout;
    assert!(
        text.starts_with("1. A[] not P.C\n   // REQ-12: it never gets there <yet>\n   satisfied"),
        "{text}"
    );
    let document = check(&["--format", "json"]).json();
    assert_eq!(
        document["results"][0]["comment"],
        "REQ-12: it never gets there <yet>"
    );
    assert!(document["results"][1].get("comment").is_none());
    for (kind, expected) in [
        (
            "junit",
            "<testcase name=\"1. REQ-12: it never gets there &lt;yet&gt; (A[] not P.C)\"",
        ),
        (
            "md",
            "| 1 | REQ-12: it never gets there \\<yet\\><br>`A[] not P.C` |",
        ),
        ("html", "REQ-12: it never gets there &lt;yet&gt;</p>"),
    ] {
        let file = scratch_path(&format!("commented.{kind}"));
        let report = format!("{kind}:{}", file.path());
        assert_eq!(check(&["--report", &report]).status, 0);
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(text.contains(expected), "{text}");
    }
}
