//! Results that are not read, or that cannot be written.

use crate::command::{Scratch, command};
use std::io::Read as _;
use std::process::Stdio;

/// Status and messages when the reader of the results is gone before there are any.
fn without_reader(args: &[&str]) -> (i32, String) {
    let mut child = command(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (child.wait().unwrap().code().expect("no signal ended it"), stderr)
}

#[test]
fn a_reader_that_goes_away_changes_no_status() {
    let fischer = "models/fischer.xml";
    let violated = ["check", fischer, "-q", "A[] !Process(1).wait", "--search", "ret"];
    for (args, status) in [
        (&["info", fischer, "--format", "json"][..], 0),
        (&["simulate", fischer], 0),
        (&["generate", "fischer"], 0),
        (
            &["check", fischer, "-q", "E<> Process(1).wait", "--search", "ret"],
            0,
        ),
        (&violated, 1),
        (&[&violated[..], &["--format", "json"]].concat(), 1),
        (&[&violated[..], &["-q", "E<> Process(1).wait"]].concat(), 1),
        (
            &[
                "check",
                fischer,
                "-q",
                "E<> false",
                "--search",
                "ret",
                "--max-walks",
                "1",
            ],
            3,
        ),
    ] {
        assert_eq!(without_reader(args), (status, String::new()), "{args:?}");
    }
}

#[test]
fn a_reader_that_goes_away_hides_no_error_of_the_model() {
    let model = Scratch::new(
        "unread.xta",
        b"int n; process P() { state a; init a; trans a -> a { assign n = 1 / n; }; } system P;",
    );
    let (status, stderr) = without_reader(&["check", model.path(), "-q", "E<> n == 9", "--search", "bfs"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error["), "{stderr}");
}

/// Status and messages on a full disk.
#[cfg(target_os = "linux")]
fn on_a_full_disk(args: &[&str]) -> (i32, String) {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(args).stdout(full).output().unwrap();
    let status = output.status.code().expect("no signal ended it");
    (status, String::from_utf8(output.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_of_and_so_are_the_answers() {
    let lost = "error: cannot write standard output: no space left on device\n";
    let fischer = "models/fischer.xml";
    let check = ["check", fischer, "--search", "ret", "-q", "A[] !Process(1).wait"];
    let verdict = "A[] !Process(1).wait: not satisfied\n";
    for (args, expected) in [
        (&check[..], format!("{lost}{verdict}")),
        (
            &[&check[..], &["--format", "json"]].concat(),
            format!("{lost}{verdict}"),
        ),
        (
            &[&check[..], &["-q", "E<> Process(1).wait"]].concat(),
            format!("{lost}{verdict}E<> Process(1).wait: satisfied\n"),
        ),
        (
            &[
                "explore",
                fischer,
                "--search",
                "ret",
                "--max-walks",
                "1",
                "--max-steps",
                "9",
            ],
            lost.to_owned(),
        ),
        (&["generate", "fischer"], lost.to_owned()),
        (&["--help"], lost.to_owned()),
        (&["info", fischer], lost.to_owned()),
        (&["simulate", fischer], lost.to_owned()),
    ] {
        assert_eq!(on_a_full_disk(args), (2, expected), "{args:?}");
    }
    // Scripts for that tool know no other status.
    assert_eq!(on_a_full_disk(&["verifyta", "models/heartbeat.xml"]).0, 1);
}
