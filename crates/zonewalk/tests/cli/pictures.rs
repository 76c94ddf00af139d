//! Charts of runs, runs from files, states of traces, and pages about what was reached.

use crate::command::{Scratch, scratch_path, zonewalk, zonewalk_with};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A worker and a receiver, with a chart of the model's own.
const SHIFT: &str = "clock x; chan go;
process W() { state idle, busy { x <= 3 }; init idle; trans
    idle -> busy { guard x >= 1; sync go!; assign x = 0; }, busy -> idle { guard x >= 2; assign x = 0; }; }
process R() { state r; init r; trans r -> r { sync go?; }; }
system W, R;
gantt { work: W.busy -> 1, W.idle && x > 1 -> 2; }
";

/// The model, and a run of it with six steps.
fn shift(name: &str) -> (Scratch, Scratch) {
    let model = Scratch::new(&format!("{name}.xta"), SHIFT.as_bytes());
    let trace = zonewalk(&["simulate", model.path(), "--steps", "6", "--format", "json"]);
    assert_eq!(trace.status, 0, "{}", trace.shown());
    (
        model,
        Scratch::new(&format!("{name}.json"), trace.stdout.as_bytes()),
    )
}

fn chart(model: &str, trace: &str, args: &[&str]) -> String {
    // Tests run at the same time.
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let file = scratch_path(&format!("chart-{}.svg", NEXT.fetch_add(1, Ordering::Relaxed)));
    let run = zonewalk(&[&["view", model, trace, "-o", file.path()], args].concat());
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.shown());
    let svg = std::fs::read_to_string(file.path()).unwrap();
    std::fs::remove_file(file.path()).unwrap();
    // The style is the same in all of them.
    let (before, after) = (svg.find("<style>").unwrap(), svg.find("</style>").unwrap());
    format!("{}{}", &svg[..before], &svg[after + "</style>".len()..])
}

#[test]
fn charts_as_pictures() {
    let (model, trace) = shift("charts-as-pictures");
    insta::assert_snapshot!(chart(model.path(), trace.path(), &["--chart", "sequence"]));
    insta::assert_snapshot!(chart(model.path(), trace.path(), &["--chart", "gantt"]));
    let part = chart(
        model.path(),
        trace.path(),
        &["--chart", "gantt", "--steps", "2..4", "--process", "W"],
    );
    assert!(
        part.contains(">W</text>") && !part.contains(">R</text>"),
        "{part}"
    );
}

#[test]
fn charts_of_refinements() {
    let trace = scratch_path("refinement.json");
    let run = zonewalk(&[
        "refine",
        "models/tea-machine",
        "refinement: SlowMachine <= Machine",
        "--trace-file",
        trace.path(),
    ]);
    assert_eq!(run.status, 1, "{}", run.shown());
    for kind in ["sequence", "gantt"] {
        let svg = chart("models/tea-machine", trace.path(), &["--chart", kind]);
        assert!(
            svg.contains(">Machine</text>") && svg.contains(">SlowMachine</text>"),
            "{svg}"
        );
    }
    // The judge has to agree before anything is drawn.
    let text = std::fs::read_to_string(trace.path()).unwrap();
    let mut broken: serde_json::Value = serde_json::from_str(&text).unwrap();
    broken["last_delay"] = "1000".into();
    let broken = Scratch::new("refinement-broken.json", broken.to_string().as_bytes());
    for (arguments, ending) in [(&[][..], "html"), (&["--chart", "gantt"], "svg")] {
        let file = scratch_path(&format!("broken.{ending}"));
        let view = ["view", "models/tea-machine", broken.path(), "-o", file.path()];
        let run = zonewalk(&[&view, arguments].concat());
        assert_eq!(run.status, 2, "{}", run.shown());
        assert!(run.stderr.contains("refinement-broken.json: "), "{}", run.shown());
        assert!(!std::path::Path::new(file.path()).exists());
    }
}

#[test]
fn charts_that_cannot_be() {
    let (model, trace) = shift("charts-that-cannot-be");
    let line = |args: &[&str]| {
        let run = zonewalk(&[&["view", model.path(), trace.path()], args].concat());
        assert_eq!(run.status, 2, "{}", run.shown());
        run.stderr
    };
    insta::assert_snapshot!(
        [
            line(&["-o", "chart.svg"]),
            line(&["--chart", "gantt", "-o", "chart.html"]),
            line(&["--chart", "pie", "-o", "chart.svg"]),
            line(&["--chart", "gantt", "--process", "Nobody", "-o", "chart.svg"]),
            line(&["--chart", "gantt", "--steps", "7..9", "-o", "chart.svg"]),
            line(&["--chart", "gantt", "--steps", "4..2", "-o", "chart.svg"]),
            line(&["--steps", "1..2", "-o", "page.html"]),
        ]
        .join("\n")
    );
}

#[test]
fn charts_in_characters() {
    let (model, trace) = shift("charts-in-characters");
    let print =
        |format: &str| zonewalk(&["replay", model.path(), trace.path(), "--trace-format", format]).shown();
    insta::assert_snapshot!(["table", "sequence", "gantt"].map(print).join("\n"));
}

#[test]
fn states_of_a_trace() {
    let (model, trace) = shift("states-of-a-trace");
    let print = |state: &str| zonewalk(&["replay", model.path(), trace.path(), "--state", state]).shown();
    insta::assert_snapshot!(["0", "3", "-1", "99"].map(print).join("\n"));
    let document = zonewalk(&["replay", model.path(), trace.path(), "--format", "json"]).json();
    let states = document["states"].as_array().unwrap();
    assert_eq!(states.len(), 7);
    assert_eq!(states[3]["locations"][0]["location"], "busy");
}

#[test]
fn runs_come_from_files_and_go_there() {
    let (model, trace) = shift("runs-from-files");
    let saved = scratch_path("saved-run.json");
    let base = ["simulate", model.path(), "--from", trace.path()];
    let on = zonewalk(&[&base[..], &["--steps", "2", "--save", saved.path()]].concat());
    let stepped = zonewalk_with(
        &[&base[..], &["--interactive"]].concat(),
        b"n\nn\nb\ng 4\ns\n1 2\nt\nq\n",
    );
    insta::assert_snapshot!([on.shown(), stepped.shown()].join("\n"));
    let replayed = zonewalk(&["replay", model.path(), saved.path()]);
    assert!(
        replayed.stdout.starts_with("valid: 8 steps"),
        "{}",
        replayed.shown()
    );
}

#[test]
fn markdown_with_charts() {
    let (model, _) = shift("markdown");
    let report = scratch_path("with charts.md");
    let option = format!("md+svg:{}", report.path());
    let args = [
        "check",
        model.path(),
        "-q",
        "E<> W.busy && x == 2",
        "-q",
        "A[] not W.busy",
        "-q",
        "A[] x >= 0",
    ];
    let run = zonewalk(&[&args[..], &["--search", "bfs", "--report", &option]].concat());
    assert_eq!(run.status, 1, "{}", run.shown());
    let text = std::fs::read_to_string(report.path()).unwrap();
    let links: Vec<&str> = text.lines().filter(|line| line.starts_with("![")).collect();
    let stem = std::path::Path::new(report.path()).file_stem().unwrap();
    insta::assert_snapshot!(links.join("\n").replace(stem.to_str().unwrap(), "NAME"));
    assert!(text.contains("## 1. passed") && !text.contains("## 3."), "{text}");
    let folder = std::path::Path::new(report.path()).parent().unwrap();
    for link in links {
        let (_, file) = link.split_once("](<").unwrap();
        let svg = std::fs::read_to_string(folder.join(file.trim_end_matches(">)"))).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
    let refined = zonewalk(&[
        "refine",
        "models/tea-machine",
        "refinement: SlowMachine <= Machine",
        "--report",
        &option,
    ]);
    assert_eq!(refined.status, 1, "{}", refined.shown());
}

#[test]
fn pages_are_small() {
    let file = scratch_path("small.html");
    let option = format!("html:{}", file.path());
    for model in [
        "models/train-gate.xml",
        "models/bridge.xta",
        "models/scheduler.xml",
        "models/crossing.ta",
    ] {
        let run = zonewalk(&["check", model, "--quiet", "--report", &option]);
        assert!(run.status <= 1, "{}", run.shown());
        let size = std::fs::metadata(file.path()).unwrap().len();
        assert!((20_000..300_000).contains(&size), "{model}: {size} bytes");
    }
}

#[test]
fn coverage_as_a_page() {
    let file = scratch_path("coverage.html");
    let option = format!("html:{}", file.path());
    let text = "chan c; process P(const int[0,1] i) { state a, b, d; init a; trans
        a -> b { guard i == 0; sync c!; }, b -> d { guard i == 1; }; }
        process Q() { state q, r; init q; trans q -> r { sync c?; }; } system P, Q;";
    let model = Scratch::new("coverage.xta", text.as_bytes());
    let run = zonewalk(&["explore", model.path(), "--search", "bfs", "--coverage", &option]);
    assert_eq!(run.status, 0, "{}", run.shown());
    let page = std::fs::read_to_string(file.path()).unwrap();
    let body = &page[page.find("<main>").unwrap()..];
    for part in [
        "cannot be reached",
        "Edges that were never taken: 1 of 3",
        "<li>P: b → d",
        "Locations that were never reached: 1 of 5",
        "class=\"location initial all\"",
        "class=\"location never\"",
        "class=\"location some\"",
        "class=\"edge some\"",
        "class=\"edge never\"",
        "1 of 2 processes",
    ] {
        assert!(body.contains(part), "{part}: {body}");
    }
    assert!(page.contains("default-src 'none'; style-src 'sha256-") && !page.contains("<script"));
    // Walks prove nothing about what they did not find.
    let walks = zonewalk(&[
        "explore",
        model.path(),
        "--search",
        "ret",
        "--max-walks",
        "2",
        "--coverage",
        &option,
    ]);
    assert_eq!(walks.status, 0, "{}", walks.shown());
    assert!(
        std::fs::read_to_string(file.path())
            .unwrap()
            .contains("which proves nothing")
    );
    let explicit = zonewalk(&["explore", "models/vending.aut", "--coverage", &option]);
    assert_eq!(explicit.status, 2);
    insta::assert_snapshot!(explicit.stderr);
}
