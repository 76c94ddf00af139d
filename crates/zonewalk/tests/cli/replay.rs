//! `zonewalk replay`

use crate::check::{LINE, check_line};
use crate::command::{Run, Scratch, scratch_path, zonewalk, zonewalk_with};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The trace of [`LINE`] to its end.
fn trace() -> String {
    let file = scratch_path("replay.json");
    let run = check_line(&["-q", "E<> P.c", "--trace-file", file.path()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    std::fs::read_to_string(file.path()).unwrap()
}

fn replay(trace: &str) -> Run {
    let file = Scratch::new("told.json", trace.as_bytes());
    zonewalk_with(&["replay", "-", file.path()], LINE.as_bytes())
}

/// All in one test, because the files have one name.
#[test]
fn what_is_told_must_be_so() {
    let trace = trace();
    let run = replay(&trace);
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (0, "valid: 2 steps, time 3; it decides E<> P.c\n")
    );
    // Who writes a trace by hand need not number the edges.
    assert_eq!(
        replay(&trace.replace("\"edge\":0,", "").replace("\"edge\":1,", "")).status,
        0
    );

    let damages = [
        (
            "\"delay\":3",
            "\"delay\":2",
            "step 1: the guard of P's edge does not hold",
        ),
        (
            "\"delay\":3",
            "\"delay\":\"7/2\"",
            "step 1: the invariant of P does not hold throughout the delay 7/2",
        ),
        ("\"delay\":3", "\"delay\":-1", "step 1: the delay -1 is negative"),
        (
            "\"delay\":0",
            "\"delay\":1",
            "step 2: no delay is possible: P is in a committed or urgent location",
        ),
        (
            "\"time\":3",
            "\"time\":4",
            "step 1: the trace says that it is at time 4, but it is at 3",
        ),
        (
            "\"process\":\"P\",\"source\":\"a\"",
            "\"process\":\"Q\",\"source\":\"a\"",
            "step 1: there is no process Q",
        ),
        (
            "\"source\":\"b\"",
            "\"source\":\"a\"",
            "step 2: P has no edge number 1 from a to c with 0 selections",
        ),
        (
            "\"edge\":1",
            "\"edge\":77",
            "step 2: P has no edge number 77 from b to c with 0 selections",
        ),
        (
            "\"channel\":null",
            "\"channel\":\"c\"",
            "step 1: the trace says that it is on c, but it is on no channel",
        ),
        (
            "\"old\":1,\"new\":2",
            "\"old\":1,\"new\":3",
            "step 2: the trace says i: 1 → 3, but i: 1 → 2",
        ),
        (
            "{\"name\":\"i\",\"old\":0,\"new\":1},",
            "",
            "step 1: the trace leaves out i: 0 → 1",
        ),
        (
            "\"location\":\"a\"",
            "\"location\":\"b\"",
            "the initial state is not the model's: the trace has P.b, the model has P.a",
        ),
        (
            "\"name\":\"x\",\"value\":0",
            "\"name\":\"x\",\"value\":1",
            "the initial state is not the model's: the trace has x = 1, the model has x = 0",
        ),
        (
            "E<> P.c",
            "E<> P.b",
            "every step is possible, but the trace does not end where the query says",
        ),
        (
            "\"last_delay\":0",
            "\"last_delay\":\"-1/2\"",
            "after the last step: the delay -1/2 is negative",
        ),
    ];
    for (from, to, expected) in damages {
        assert!(trace.contains(from), "{from}: {trace}");
        let run = replay(&trace.replacen(from, to, 1));
        assert_eq!(
            (run.status, run.stdout.as_str()),
            (1, format!("invalid: {expected}\n").as_str()),
            "{from}"
        );
    }
    let file = Scratch::new(
        "damaged.json",
        trace.replace("\"delay\":3", "\"delay\":2").as_bytes(),
    );
    let json = zonewalk_with(&["replay", "-", file.path(), "--format", "json"], LINE.as_bytes());
    assert_eq!(json.status, 1);
    assert_eq!(json.json()["trace_valid"], false);
    assert_eq!(json.json()["step"], 1);

    let malformed = [
        "",
        "{}",
        "[1, 2",
        "nonsense",
        &trace[..trace.len() / 2],
        &trace.replace("\"delay\":3", "\"delay\":\"3/0\""),
        &trace.replace("\"delay\":3", "\"delay\":1.5"),
    ];
    for text in malformed {
        let run = replay(text);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{text}");
        assert!(run.stderr.contains(" is not a trace: "), "{text}: {}", run.stderr);
    }
    let run = replay(&trace.replace("E<> P.c", "E<> Q.c"));
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("unknown name `Q`"), "{}", run.stderr);
}

#[test]
fn constants_are_remembered() {
    let file = scratch_path("constants.json");
    let args = [
        "check",
        "models/fischer-broken.xml",
        "-D",
        "N=3",
        "--query-index",
        "1",
        "--trace-file",
        file.path(),
    ];
    assert_eq!(zonewalk(&args).status, 1);
    let run = zonewalk(&["replay", "models/fischer-broken.xml", file.path()]);
    assert_eq!(run.status, 0, "{}", run.stdout);
    let run = zonewalk(&["replay", "models/fischer-broken.xml", "-D", "N=4", file.path()]);
    assert_eq!(run.status, 1, "{}", run.stdout);
}

#[test]
fn simulated_runs_replay() {
    for model in [
        "models/heartbeat.xml",
        "models/train-gate.xml",
        "models/scheduler.xml",
    ] {
        let run = zonewalk(&["simulate", model, "--steps", "100", "--format", "json"]);
        let file = Scratch::new("simulated.json", run.stdout.as_bytes());
        let replay = zonewalk(&["replay", model, file.path()]);
        assert_eq!(replay.status, 0, "{model}: {}", replay.stdout);
    }
}

/// A trace of a model for a query, and what `replay` says of it after a change.
fn judged(model: &str, query: &str, change: impl Fn(&str) -> String, on: &str) -> (i32, String) {
    // Several tests come here at the same time.
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = scratch_path(&format!("judged-{number}.json"));
    let args = [
        "check",
        "-",
        "-q",
        query,
        "--search",
        "bfs",
        "--trace-file",
        file.path(),
    ];
    let run = zonewalk_with(&args, model.as_bytes());
    assert!(run.status < 3, "{}", run.stderr);
    let told = Scratch::new(
        &format!("judged-{number}-told.json"),
        change(&std::fs::read_to_string(file.path()).unwrap()).as_bytes(),
    );
    let run = zonewalk_with(&["replay", "-", told.path()], on.as_bytes());
    (run.status, run.stdout)
}

const ROUNDS: &str = "clock x; int[0,1] i; process P() { state a { x <= 3 }, b { x <= 3 }; init a;
    trans a -> b { guard x >= 2; assign x = 0, i = 1; }, b -> a { guard x >= 1; assign x = 0, i = 0; }; } system P;";

#[test]
fn cycles_must_come_back() {
    let same = |trace: &str| trace.to_owned();
    let (status, said) = judged(ROUNDS, "E[] i < 2", same, ROUNDS);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.ends_with("whether it decides E[] i < 2 was not checked\n"),
        "{said}"
    );
    let lasso = |start: &str, length: &str| {
        let (start, length) = (start.to_owned(), length.to_owned());
        move |trace: &str| {
            let (head, _) = trace.split_once("\"end\"").unwrap();
            format!("{head}\"end\":{{\"reason\":\"cycle\",\"start\":{start},\"length\":{length}}}}}")
        }
    };
    for (start, length, complaint) in [
        (
            "500",
            "14",
            "a cycle of 14 that begins after 500 is not among them",
        ),
        ("0", "1", "does not return to the locations and variables"),
        ("0", "0", "a cycle of 0 that begins after 0 is not among them"),
    ] {
        let (status, said) = judged(ROUNDS, "E[] i < 2", lasso(start, length), ROUNDS);
        assert!(status == 1 && said.contains(complaint), "{said}");
    }
}

#[test]
fn errors_must_happen_still() {
    let faulty = "int[0,1] n; process P() { state a; init a; trans a -> a { assign n = n + 1; }; } system P;";
    let mended = faulty.replace("int[0,1]", "int[0,9]");
    let same = |trace: &str| trace.to_owned();
    let (status, said) = judged(faulty, "E<> n == 7", same, faulty);
    assert!(
        status == 0 && said.contains("; it ends with the error: "),
        "{said}"
    );
    let (status, said) = judged(faulty, "E<> n == 7", same, &mended);
    assert!(
        status == 1 && said.contains("the error that the trace ends with does not happen"),
        "{said}"
    );
}

#[test]
fn the_last_delay_is_part_of_the_time() {
    let model = "clock x; process P() { state a; init a; } system P;";
    let (status, said) = judged(model, "E<> x == 4", str::to_owned, model);
    assert_eq!(
        (status, said.as_str()),
        (0, "valid: 0 steps, time 4; it decides E<> x == 4\n")
    );
}
