//! One small file for each kind of error, and what is said about it.

use crate::command::{command, root};
use crate::command::Run;

#[test]
fn each_kind_of_error() {
    let folder = root().join("crates/cli/tests/diagnostics");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert!(files.len() > 20);
    for file in files {
        let run: Run = command(&["info", &file]).current_dir(&folder).output().unwrap().into();
        let expected = if file.starts_with("warning-") { 0 } else { 2 };
        assert_eq!(run.status, expected, "{file}: {}", run.stderr);
        insta::assert_snapshot!(file.replace('.', "-"), run.stderr);
    }
}

#[test]
fn errors_as_json() {
    let run: Run = command(&["info", "crates/cli/tests/diagnostics/unknown-name.xml", "--format", "json"])
        .output()
        .unwrap()
        .into();
    assert_eq!(run.status, 2);
    insta::assert_snapshot!(run.shown());
}
