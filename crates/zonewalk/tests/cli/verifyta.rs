//! `zonewalk verifyta`

use crate::check::LINE;
use crate::command::{Scratch, command, scratch_path, zonewalk};

/// A model and a query file beside it.
fn files(name: &str, queries: &str) -> (Scratch, Scratch) {
    (
        Scratch::new(&format!("{name}.xta"), LINE.as_bytes()),
        Scratch::new(&format!("{name}.q"), queries.as_bytes()),
    )
}

const QUERIES: &str = "// can it end?\nE<> P.c\n\nA[] i < 2\n\nA[] i < 3\n\nsup: i\n";

/// Without the number of the machine's cores and the scratch files' folder.
fn shown(run: &crate::command::Run, hidden: &[&str]) -> String {
    let mut text = String::new();
    for line in run.shown().lines() {
        let line = match line.strip_prefix("  Number of threads is ") {
            Some(_) => "  Number of threads is …".to_owned(),
            None => hidden
                .iter()
                .fold(line.to_owned(), |line, path| line.replace(path, "FILE")),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[test]
fn answers_as_scripts_expect_them() {
    let (model, _queries) = files("answers", QUERIES);
    let run = zonewalk(&["verifyta", "-o0", "-t0", "-S1", "-H", "27", "-C", model.path()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    insta::assert_snapshot!(shown(&run, &[]));
}

/// Scripts take whatever is on standard error for a failure.
#[test]
fn what_is_done_differently_is_told_among_the_options() {
    let (model, queries) = files("notes", "E<> P.c\n");
    let run = zonewalk(&["verifyta", "-sAZyt1", "-o4", "-n3", model.path(), queries.path()]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(shown(&run, &[]));
}

#[test]
fn only_errors_go_to_standard_error() {
    let warned = Scratch::new(
        "warned.xta",
        b"<nta><template><name>P</name><location id=\"a\"><name>a</name></location>\
        <init ref=\"a\"/></template><system>system P;</system></nta>",
    );
    let (model, _queries) = files("streams", QUERIES);
    let prefix = scratch_path("streams-out");
    for args in [
        &["-o", "1", model.path()][..],
        &["-o", "2", model.path()],
        &["-o", "3", "-t1", model.path()],
        &["-o", "4", "-t2", model.path()],
        &["-n", "2", model.path()],
        &["-A", model.path()],
        &["-Z", "-y", "-t0", model.path()],
        &["-f", prefix.path(), model.path()],
        &["-t", "0", "-f", prefix.path(), model.path()],
    ] {
        let run = zonewalk(&[&["verifyta"], args].concat());
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{args:?}");
        let verdicts = run.stdout.matches(" -- Formula is ").count();
        assert_eq!(verdicts, 4, "{args:?}: {}", run.stdout);
    }
    for number in [1, 2] {
        std::fs::remove_file(format!("{}-{number}.json", prefix.path())).unwrap();
    }
    let query = Scratch::new("warned.q", b"E<> P.a\n");
    let run = zonewalk(&["verifyta", "-qs", warned.path(), query.path()]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(shown(&run, &[warned.path()]));
}

/// Options for formats of that tool that are not written fail, and name the alternatives.
#[test]
fn formats_that_are_not_written() {
    let (model, _queries) = files("formats", QUERIES);
    let run = zonewalk(&["verifyta", "-t", "0", "-X", "out", model.path()]);
    let compile = command(&["verifyta", model.path()])
        .env("UPPAAL_COMPILE_ONLY", "1")
        .output()
        .unwrap();
    let compile = crate::command::Run::from(compile);
    insta::assert_snapshot!(shown(&run, &[]) + "\n" + &shown(&compile, &[]));
}

#[test]
fn glued_and_separate_options_are_the_same() {
    let (model, queries) = files("glued", QUERIES);
    let glued = zonewalk(&["verifyta", "-qst0", "-o2", "-r7", model.path(), queries.path()]);
    let separate = zonewalk(&[
        "verifyta",
        model.path(),
        queries.path(),
        "-q",
        "-s",
        "-t",
        "0",
        "-o",
        "2",
        "-r",
        "7",
    ]);
    assert_eq!(glued.shown(), separate.shown());
    assert!(
        glued
            .stdout
            .starts_with("\nVerifying formula 1 at line 2\n -- Formula is satisfied.\n")
    );
}

#[test]
fn trace_files() {
    let (model, queries) = files("traces", QUERIES);
    let prefix = scratch_path("traces-out");
    let run = zonewalk(&[
        "verifyta",
        "-qs",
        "-t",
        "0",
        "-f",
        prefix.path(),
        model.path(),
        queries.path(),
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    insta::assert_snapshot!(shown(&run, &[prefix.path()]));
    for number in [1, 2] {
        let trace = format!("{}-{number}.json", prefix.path());
        let replayed = zonewalk(&["replay", model.path(), &trace]);
        assert_eq!(replayed.status, 0, "{}", replayed.shown());
        std::fs::remove_file(trace).unwrap();
    }
    assert!(!std::path::Path::new(&format!("{}-3.json", prefix.path())).exists());
}

#[test]
fn shortest_traces_are_shortest_in_any_order() {
    let query = Scratch::new("both.q", b"A[] not (Process(1).critical && Process(2).critical)");
    let model = "models/fischer-broken.xml";
    let run = |order: &str| zonewalk(&["verifyta", "-qst1", order, model, query.path()]);
    let breadth_first = run("-o0");
    assert_eq!(breadth_first.stderr, "");
    assert!(breadth_first.stdout.contains("Showing counter example."));
    for order in ["-o1", "-o2"] {
        let other = run(order);
        assert_eq!(other.stdout, breadth_first.stdout, "{order}");
        assert_eq!(other.stderr, "");
    }
}

#[test]
fn queries_inside_the_model_are_named_by_their_path() {
    let run = zonewalk(&["verifyta", "-qs", "models/heartbeat.xml"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let places: Vec<_> = run
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("Verifying formula "))
        .collect();
    assert_eq!(places[1], "2 at /nta/queries/query[2]/formula");
}

#[test]
fn what_a_formula_took() {
    let (model, queries) = files("usage", "A[] i < 3\n");
    let run = zonewalk(&["verifyta", "-qsu", "-o0", model.path(), queries.path()]);
    let lines: Vec<_> = run.stdout.lines().collect();
    assert!(
        lines.contains(&" -- States explored : 3 states"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains(" -- Resident memory used : "),
        "{}",
        run.stdout
    );
}

#[test]
fn errors_have_status_1() {
    let (model, queries) = files("errors", "E<> P.z\n\nE<> P.c\n");
    let run = zonewalk(&["verifyta", "-qs", model.path(), queries.path()]);
    assert_eq!(run.status, 1);
    assert!(
        run.stdout
            .contains("Verifying formula 2 at line 3\n -- Formula is satisfied."),
        "{}",
        run.stdout
    );
    let broken = Scratch::new("broken.xml", b"<nta>");
    for args in [
        &["verifyta", "models/none.xml"][..],
        &["verifyta", broken.path()],
        &["verifyta", "-o", "9", "models/fischer.xml"],
        &["verifyta", "--frobnicate", "models/fischer.xml"],
        &["verifyta"],
    ] {
        let run = zonewalk(args);
        assert_eq!(run.status, 1, "{args:?}: {}", run.shown());
        assert!(run.stderr.starts_with("error"), "{}", run.stderr);
    }
}

/// `pyuppaal` takes the word after this name for the version of the options.
#[test]
fn version() {
    let run = zonewalk(&["verifyta", "-v"]);
    assert_eq!(run.status, 0);
    let mut words = run.stdout.split(' ').skip_while(|word| *word != "UPPAAL");
    assert_eq!(words.nth(1), Some("5.0"));
}

/// Warnings that a search gives rise to are no errors either.
#[test]
fn a_warning_of_a_search_is_a_line() {
    let model =
        "int32_t i = 1; process P() { state a, b; init a; trans a -> b { assign i = i << 31; }; } system P;";
    let model = Scratch::new("wraps.xta", model.as_bytes());
    let query = Scratch::new("wraps.q", b"A[] i > 0\n");
    let run = zonewalk(&["verifyta", "-qs", "-o0", model.path(), query.path()]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let warnings = run.stdout.lines().filter(|line| line.starts_with("Warning: "));
    assert_eq!(warnings.count(), 1, "{}", run.stdout);
}
