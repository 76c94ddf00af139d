//! What the command says about itself.

use crate::command::zonewalk;

#[test]
fn help() {
    insta::assert_snapshot!(zonewalk(&["--help"]).shown());
}

#[test]
fn help_of_info() {
    insta::assert_snapshot!(zonewalk(&["info", "--help"]).shown());
}

#[test]
fn help_of_simulate() {
    insta::assert_snapshot!(zonewalk(&["simulate", "--help"]).shown());
}

#[test]
fn version() {
    let run = zonewalk(&["--version"]);
    assert_eq!(
        (run.status, run.stdout),
        (0, format!("zonewalk {}\n", env!("CARGO_PKG_VERSION")))
    );
}

#[test]
fn help_names_nothing_that_is_not_there() {
    let help = [
        zonewalk(&["--help"]),
        zonewalk(&["info", "--help"]),
        zonewalk(&["simulate", "--help"]),
    ];
    for name in [
        "check", "explore", "refine", "replay", "generate", "bench", "verifyta", "--search", "--trace",
    ] {
        assert!(help.iter().all(|run| !run.stdout.contains(name)), "{name}");
    }
}
