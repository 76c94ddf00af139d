//! `zonewalk draw` and `zonewalk view`

use crate::command::{Scratch, scratch_path, zonewalk, zonewalk_with};

fn draw(ending: &str, args: &[&str]) -> String {
    let file = scratch_path(&format!("drawing.{ending}"));
    let run = zonewalk(&[&["draw"], args, &["-o", file.path()]].concat());
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.shown());
    std::fs::read_to_string(file.path()).unwrap()
}

#[test]
fn all_templates_or_some() {
    let all = draw("svg", &["models/train-gate.xml"]);
    assert!(
        all.contains(">Gate</text>") && all.contains(">Train(const train_t id)</text>"),
        "{all}"
    );
    let one = draw("svg", &["models/train-gate.xml", "--template", "Gate"]);
    assert!(
        one.contains("aria-label=\"Gate\"") && !one.contains("Train(const"),
        "{one}"
    );
    let graph = draw("dot", &["models/bridge.xta"]);
    assert!(
        graph.starts_with("digraph") && graph.contains("Person(const person_t id)"),
        "{graph}"
    );
    let project = draw("svg", &["models/tea-machine", "--template", "Machine"]);
    assert!(
        project.contains("coin?") && project.contains("y &lt;= 0"),
        "{project}"
    );
}

#[test]
fn only_the_text_must_be_well_formed() {
    let text = "process P() { state A, B; init A; trans A -> B { guard unknown > 3; }; } system P;";
    let file = Scratch::new("unknown-name.xta", text.as_bytes());
    assert!(draw("svg", &[file.path()]).contains("unknown &gt; 3"));
}

#[test]
fn mistakes() {
    let file = scratch_path("drawing.svg");
    let line = |args: &[&str]| zonewalk_with(&[&["draw"], args].concat(), b"process P(").shown();
    insta::assert_snapshot!(
        [
            line(&["models/fischer.xml", "-o", "drawing.png"]),
            line(&["models/fischer.xml", "--template", "Nobody", "-o", file.path()]),
            line(&["models/vending.aut", "-o", file.path()]),
            line(&["models/nothing.xml", "-o", file.path()]),
            line(&["-", "-o", file.path()]),
            line(&["models/fischer.xml"]),
        ]
        .join("\n")
    );
    assert!(!std::path::Path::new(file.path()).exists());
}

#[test]
fn views_that_cannot_be() {
    let page = scratch_path("view.html");
    let trace = zonewalk(&[
        "simulate",
        "models/fischer.xml",
        "--steps",
        "5",
        "--format",
        "json",
    ])
    .stdout;
    let trace = Scratch::new("view-trace.json", trace.as_bytes());
    let good = zonewalk(&["view", "models/fischer.xml", trace.path(), "-o", page.path()]);
    assert_eq!(
        (good.status, good.shown().lines().count()),
        (0, 3),
        "{}",
        good.shown()
    );
    assert!(
        std::fs::read_to_string(page.path())
            .unwrap()
            .starts_with("<!doctype html>")
    );
    std::fs::remove_file(page.path()).unwrap();
    let line = |model: &str, page: &str| {
        let run = zonewalk(&["view", model, trace.path(), "-o", page]);
        assert_eq!(run.status, 2, "{}", run.shown());
        run.stderr.replace(trace.path(), "TRACE")
    };
    insta::assert_snapshot!(
        [
            line("models/fischer.xml", "page.pdf"),
            line("models/train-gate.xml", page.path())
        ]
        .join("\n")
    );
    assert!(!std::path::Path::new(page.path()).exists());
}
