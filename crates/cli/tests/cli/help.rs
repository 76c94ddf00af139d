//! What the command says about itself.

use crate::command::zonewalk;

#[test]
fn help() {
    insta::assert_snapshot!(zonewalk(&["--help"]).shown());
}

const COMMANDS: [&str; 8] = [
    "check", "explore", "replay", "generate", "bench", "info", "simulate", "verifyta",
];

#[test]
fn help_of_commands() {
    for name in COMMANDS {
        insta::assert_snapshot!(format!("help_of_{name}"), zonewalk(&[name, "--help"]).shown());
    }
}

#[test]
fn list_of_families() {
    insta::assert_snapshot!(zonewalk(&["generate", "--list"]).shown());
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
    let mut help = vec![zonewalk(&["--help"]).stdout];
    help.extend(COMMANDS.map(|name| zonewalk(&[name, "--help"]).stdout));
    for name in ["refine", "--heuristic", "--report"] {
        assert!(help.iter().all(|help| !help.contains(name)), "{name}");
    }
}

/// The examples in the help are commands that work.
#[test]
fn examples_can_be_parsed() {
    for name in COMMANDS {
        let help = zonewalk(&[name, "--help"]).stdout;
        let examples = help.lines().filter_map(|line| line.strip_prefix("  zonewalk "));
        for example in examples.filter(|example| !example.contains(['|', '>', '\''])) {
            let mut words: Vec<_> = example.split_whitespace().collect();
            // Asking for help as well checks the words and runs nothing.
            words.push("--help");
            assert_eq!(zonewalk(&words).status, 0, "{example}");
        }
    }
}
