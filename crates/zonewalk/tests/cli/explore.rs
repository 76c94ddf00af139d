//! `zonewalk explore`

use crate::check::LINE;
use crate::command::{zonewalk, zonewalk_with};
use serde_json::Value;

/// [`LINE`] with an edge that no run takes, into a location that no run reaches.
fn unreachable() -> String {
    LINE.replace("b, c;", "b, c, d;")
        .replace("i = 2; };", "i = 2; }, c -> d { guard i == 3; };")
}

#[test]
fn what_is_never_reached() {
    let args = [
        "explore",
        "-",
        "--max-walks",
        "3",
        "--threads",
        "1",
        "--search",
        "sem",
    ];
    let run = zonewalk_with(&args, unreachable().as_bytes());
    assert_eq!(run.status, 0);
    insta::assert_snapshot!(run.shown());
    let run = zonewalk_with(
        &[&args[..], &["--format", "json"]].concat(),
        unreachable().as_bytes(),
    );
    let document = run.json();
    let result = &document["results"][0];
    assert_eq!(
        (&result["query"], &result["verdict"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (
            &result["search"],
            &result["stats"]["walks"],
            &result["stats"]["steps"]
        ),
        (&"sem".into(), &3.into(), &6.into())
    );
    let coverage = &result["coverage"];
    assert_eq!(
        coverage["locations"],
        serde_json::json!({"reached": 3, "total": 4})
    );
    assert_eq!(coverage["edges"], serde_json::json!({"reached": 2, "total": 3}));
    assert_eq!(coverage["unreached_locations"][0]["name"], "d");
    assert_eq!(coverage["unreached_edges"][0]["name"], "c → d");
}

#[test]
fn receivers_count_and_walks_have_their_length() {
    let args = [
        "explore",
        "models/train-gate.xml",
        "--max-walks",
        "1",
        "--max-steps",
        "5000",
        "--format",
        "json",
    ];
    let run = zonewalk(&args);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    let result = &document["results"][0];
    assert_eq!(
        (&result["stats"]["steps"], &result["stats"]["max_depth"]),
        (&5000.into(), &5000.into())
    );
    // The gate only ever receives on its loop.
    let unreached = result["coverage"]["unreached_edges"].as_array().unwrap();
    assert!(
        unreached.iter().all(|edge| edge["template"] != "Gate"),
        "{result}"
    );
}

#[test]
fn a_limit_cuts_it_short() {
    let run = zonewalk(&["explore", "models/fischer.xml", "--timeout", "200ms"]);
    assert_eq!(run.status, 3, "{}", run.stdout);
    assert!(
        run.stdout.contains("the time limit was reached"),
        "{}",
        run.stdout
    );
}

#[test]
fn an_error_of_the_model() {
    let model = LINE.replace("i = 2;", "i = 2 + 8 * i;");
    let run = zonewalk_with(&["explore", "-"], model.as_bytes());
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("error[value-out-of-range]"), "{}", run.stderr);
    assert!(
        run.stdout.contains("run-time error in the model: "),
        "{}",
        run.stdout
    );
}

/// Values drawn in `a` are read only in `b`.
#[test]
fn variables_that_do_not_matter_are_no_part_of_a_state() {
    let model = b"int[0,9] v; process P() { state a, b; init a;
        trans a -> b { select i : int[0,9]; assign v = i; }, b -> a { guard v >= 0; }; } system P;";
    let stored = |more: &[&str]| {
        let args = [&["explore", "-", "--format", "json", "--search"], more].concat();
        zonewalk_with(&args, model).json()["results"][0]["stats"]["states_stored"].clone()
    };
    assert_eq!(stored(&["bfs"]), 11);
    assert_eq!(stored(&["bfs", "--keep-variables"]), 20);
    assert_eq!(stored(&["drs"]), 20);
}
