//! `zonewalk replay`

use crate::check::{LINE, check_line};
use crate::command::{Run, Scratch, scratch_path, zonewalk, zonewalk_with};

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
        assert!(run.stderr.contains(" is no trace: "), "{text}: {}", run.stderr);
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
