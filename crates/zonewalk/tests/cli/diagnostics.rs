//! One small file for each kind of error, and what is said about it.

use crate::command::Run;
use crate::command::{command, root};

#[test]
fn each_kind_of_error() {
    let folder = root().join("crates/zonewalk/tests/diagnostics");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert!(files.len() > 20);
    let runs: Vec<(String, Run)> = files
        .into_iter()
        .map(|file| {
            let run = command(&["info", &file])
                .current_dir(&folder)
                .output()
                .unwrap()
                .into();
            (file, run)
        })
        .collect();
    let has_expected_status =
        |(file, run): &&(String, Run)| run.status == if file.starts_with("warning-") { 0 } else { 2 };
    let surprises: Vec<_> = runs
        .iter()
        .filter(|item| !has_expected_status(item))
        .map(|(file, _)| file)
        .collect();
    assert!(surprises.is_empty(), "{surprises:?}");
    for (file, run) in runs {
        assert!(!run.stderr.is_empty(), "{file}");
        insta::assert_snapshot!(file.replace('.', "-"), run.stderr);
    }
}

#[test]
fn errors_as_json() {
    let run: Run = command(&[
        "info",
        "crates/zonewalk/tests/diagnostics/unknown-name.xml",
        "--format",
        "json",
    ])
    .output()
    .unwrap()
    .into();
    assert_eq!(run.status, 2);
    insta::assert_snapshot!(run.shown());
}
