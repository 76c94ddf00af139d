//! `zonewalk info`

use crate::command::zonewalk;

const MODELS: [&str; 7] = [
    "fischer.xml",
    "fischer-broken.xml",
    "train-gate.xml",
    "scheduler.xml",
    "heartbeat.xml",
    "bridge.xta",
    "crossing.ta",
];

#[test]
fn shipped_models() {
    for name in MODELS {
        let run = zonewalk(&["info", &format!("models/{name}")]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{name}");
        assert!(
            run.stdout.lines().all(|line| line.chars().count() <= 80),
            "{}",
            run.stdout
        );
        insta::assert_snapshot!(name.replace('.', "-"), run.shown());
    }
}

#[test]
fn shipped_models_as_json() {
    for name in MODELS {
        let run = zonewalk(&["info", &format!("models/{name}"), "--format", "json"]);
        let json = run.json();
        assert_eq!(json["valid"], true);
        assert!(
            json["queries"]
                .as_array()
                .unwrap()
                .iter()
                .all(|query| query["valid"] == true),
            "{name}"
        );
        assert!(!json["queries"].as_array().unwrap().is_empty(), "{name}");
    }
    insta::assert_snapshot!(zonewalk(&["info", "models/train-gate.xml", "--format", "json"]).shown());
}

#[test]
fn overrides_change_the_model() {
    let run = zonewalk(&["info", "models/fischer.xml", "-D", "N=20", "--format", "json"]);
    let json = run.json();
    assert_eq!(json["processes"], 20);
    assert_eq!(json["state_vector"]["size"], 41);
}

#[test]
fn queries_from_the_command_line() {
    let run = zonewalk(&[
        "info",
        "models/fischer.xml",
        "-q",
        "E<> Process(2).critical",
        "-q",
        "A[] Process(2).nowhere",
        "-q",
        "Pr[<=10](<> Process(1).critical)",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 0, "queries do not decide the status: {}", run.stderr);
    let json = run.json();
    let kinds: Vec<_> = json["queries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|query| &query["kind"])
        .collect();
    assert_eq!(
        kinds,
        ["reachable", "null", "statistical"]
            .map(|kind| serde_json::from_str(&match kind {
                "null" => "null".to_owned(),
                kind => format!("\"{kind}\""),
            })
            .unwrap())
            .iter()
            .collect::<Vec<&serde_json::Value>>()
    );
    insta::assert_snapshot!(run.stderr);
}

#[test]
fn queries_from_a_file_given_or_beside_the_model() {
    let beside = zonewalk(&["info", "models/bridge.xta", "--format", "json"]).json();
    let given = zonewalk(&["info", "models/bridge.xta", "models/bridge.q", "--format", "json"]).json();
    assert_eq!(beside["queries"], given["queries"]);
    assert_eq!(beside["queries"].as_array().unwrap().len(), 4);
    let other = zonewalk(&[
        "info",
        "models/fischer.xml",
        "models/crossing.q",
        "--format",
        "json",
    ]);
    assert_eq!(other.status, 0);
    assert!(
        other.json()["queries"]
            .as_array()
            .unwrap()
            .iter()
            .all(|query| query["valid"] == false)
    );
}
