//! What is said about the best traces, in words and in JSON.

use crate::check::check_line;
use crate::command::zonewalk;

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
    assert_eq!(told, "not proved fastest: walks do not see every run; bfs does");
    let json = check_line(&[&args[..], &["--format", "json"]].concat()).json();
    let trace = &json["results"][0]["trace"];
    assert_eq!(trace["fastest"], false, "{trace}");
    assert_eq!(trace["reason"], "walks do not see every run; bfs does", "{trace}");
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
