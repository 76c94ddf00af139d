//! `--report`

use crate::check::check_line;
use crate::command::{Scratch, scratch_path, zonewalk};

/// Without the times, which differ from run to run.
fn without_times(text: &str) -> String {
    let mut shown = String::new();
    for line in text.lines() {
        let mut line = line.to_owned();
        for mark in [" time=\"", " | ret | ", " | bfs | ", " | auto | ", " | dfs | "] {
            if let Some(start) = line.rfind(mark).map(|at| at + mark.len()) {
                let length = line[start..].find(['"', '|']).unwrap_or(0);
                line.replace_range(start..start + length, "…");
            }
        }
        if let Some((before, after)) = line.rsplit_once(" steps in ") {
            let rest = after.split_once(" s").map_or("", |(_, rest)| rest);
            line = format!(
                "{before} steps in …{}",
                rest.trim_start_matches(|c: char| c != ';' && c != '<')
            );
        }
        shown.push_str(&line);
        shown.push('\n');
    }
    shown
}

fn report(kind: &str, args: &[&str]) -> (i32, String) {
    let file = scratch_path(&format!("report-{kind}"));
    let report = format!("{kind}:{}", file.path());
    let run = check_line(&[args, &["--report", &report]].concat());
    let text =
        std::fs::read_to_string(file.path()).unwrap_or_else(|error| panic!("{error}: {}", run.shown()));
    (run.status, without_times(&text))
}

const ALL_KINDS: [&str; 12] = [
    "-q",
    "E<> P.c",
    "-q",
    "A[] i < 2 || i > 7",
    "-q",
    "E<> i == 3",
    "-q",
    "E<> P.nowhere",
    "--max-walks",
    "5",
    "--search",
    "ret",
];

#[test]
fn junit() {
    let (status, text) = report("junit", &ALL_KINDS);
    assert_eq!(status, 2);
    insta::assert_snapshot!(text);
}

#[test]
fn markdown() {
    let (status, text) = report("md", &ALL_KINDS);
    assert_eq!(status, 2);
    insta::assert_snapshot!(text);
}

#[test]
fn several_reports_and_a_model_in_error() {
    let files = [scratch_path("several.xml"), scratch_path("several.md")];
    let reports = [
        format!("junit:{}", files[0].path()),
        format!("md:{}", files[1].path()),
    ];
    let model = "crates/zonewalk/tests/diagnostics/unknown-name.xml";
    let run = zonewalk(&["check", model, "--report", &reports[0], "--report", &reports[1]]);
    assert_eq!(run.status, 2);
    let texts: Vec<_> = files
        .iter()
        .map(|file| std::fs::read_to_string(file.path()).unwrap())
        .collect();
    insta::assert_snapshot!(without_times(&texts.join("\n")));
}

#[test]
fn of_an_explicit_system() {
    let (system, file) = (
        Scratch::new("report.aut", b"des (0, 1, 2)\n(0, \"go\", 1)\n"),
        scratch_path("report-aut.xml"),
    );
    let report = format!("junit:{}", file.path());
    let run = zonewalk(&["check", system.path(), "--report", &report]);
    assert_eq!(run.status, 0, "{}", run.shown());
    let text = std::fs::read_to_string(file.path()).unwrap();
    assert!(text.contains("<testcase name=\"1. deadlock\""), "{text}");
}

#[test]
fn recorded_outcomes_decide_what_fails() {
    let file = scratch_path("expect.xml");
    let report = format!("junit:{}", file.path());
    let run = zonewalk(&[
        "check",
        "models/fischer-broken.xml",
        "--query-index",
        "1",
        "--expect",
        "--report",
        &report,
    ]);
    let text = std::fs::read_to_string(file.path()).unwrap();
    assert_eq!(run.status, 0, "{}", run.shown());
    assert!(
        text.contains("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\""),
        "{text}"
    );
}

#[test]
fn a_report_that_cannot_be_written_is_told_about_first() {
    for (report, why) in [
        (
            "junit:models/none/r.xml",
            "there is no folder models/none; create it first",
        ),
        ("md:models", "it is a folder"),
        ("md:models/fischer.xml/r.md", "models/fischer.xml is not a folder"),
    ] {
        let run = check_line(&["-q", "E<> P.c", "--report", report]);
        assert_eq!(run.status, 2, "{report}");
        assert!(
            run.stdout.contains("satisfied: a run of 2 steps"),
            "{}",
            run.stdout
        );
        assert!(run.stderr.contains(why), "{}", run.stderr);
    }
    for report in ["xml:r.xml", "junit:", "junit"] {
        let run = check_line(&["-q", "E<> P.c", "--report", report]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{report}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_answer() {
    let run = check_line(&["-q", "E<> P.c", "--report", "md:/dev/full"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stdout.contains("satisfied: a run of 2 steps"),
        "{}",
        run.stdout
    );
    assert!(
        run.stderr
            .contains("cannot write the report to /dev/full: no space left"),
        "{}",
        run.stderr
    );
}

/// A run that would go on forever, with its traces and a report in a folder of its own, and the signal that ends it, and all
/// that it may have started, once its first answer is there.
#[cfg(unix)]
fn ended_by(signal: &str) -> (Option<i32>, std::path::PathBuf) {
    use std::io::BufRead as _;
    use std::os::unix::process::CommandExt as _;
    let name = format!("ended-by{signal}-{}", std::process::id());
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let report = format!("junit:{}", folder.join("report.xml").display());
    let trace = folder.join("trace.json").display().to_string();
    let mut child = crate::command::command(&[
        "check",
        "models/fischer.xml",
        "-q",
        "E<> Process(1).wait",
        "-q",
        "A[] forall (i : pid_t) Process(i).critical imply owner == i",
        "--search",
        "ret",
        "--trace-file",
        &trace,
        "--report",
        &report,
    ])
    .process_group(0)
    .stdout(std::process::Stdio::piped())
    .spawn()
    .unwrap();
    let mut lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("found by ret")));
    let killed = std::process::Command::new("kill")
        .args([signal, "--", &format!("-{}", child.id())])
        .status();
    assert!(killed.unwrap().success());
    // To the end, so that no writer misses its reader.
    lines.for_each(drop);
    (child.wait().unwrap().code(), folder)
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_report_of_what_there_is() {
    let (status, folder) = ended_by("-INT");
    assert_eq!(status, Some(130));
    let text = std::fs::read_to_string(folder.join("report.xml")).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    assert!(
        text.contains("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""),
        "{text}"
    );
    assert!(text.contains("<skipped message=\"interrupted"), "{text}");
}

#[cfg(unix)]
#[test]
fn nothing_is_half_written_when_the_run_is_killed() {
    let (status, folder) = ended_by("-KILL");
    assert_eq!(status, None);
    let left: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    // The first trace was there before its answer was told, and is whole.
    assert_eq!(left, ["trace-1.json"]);
    let trace = std::fs::read(folder.join("trace-1.json")).unwrap();
    let trace: serde_json::Value = serde_json::from_slice(&trace).unwrap();
    assert_eq!(trace["query"], "E<> Process(1).wait");
    std::fs::remove_dir_all(folder).unwrap();
}
