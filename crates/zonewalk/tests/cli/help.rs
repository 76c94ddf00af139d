//! What the command says about itself.

use crate::command::zonewalk;

#[test]
fn help() {
    insta::assert_snapshot!(zonewalk(&["--help"]).shown());
}

const COMMANDS: [&str; 15] = [
    "check",
    "explore",
    "refine",
    "replay",
    "generate",
    "bench",
    "info",
    "lint",
    "simulate",
    "serve",
    "draw",
    "view",
    "verifyta",
    "completions",
    "man",
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
    let run = zonewalk(&["-V"]);
    let short = format!("zonewalk {}", env!("CARGO_PKG_VERSION"));
    assert_eq!((run.status, run.stdout), (0, format!("{short}\n")));
    let run = zonewalk(&["--version"]);
    let build = run
        .stdout
        .strip_prefix(&format!("{short} ("))
        .and_then(|rest| rest.strip_suffix(")\n"));
    let parts: Vec<_> = build
        .unwrap_or_else(|| panic!("{}", run.stdout))
        .split(", ")
        .collect();
    let (profile, target) = (parts[parts.len() - 1], parts[parts.len() - 2]);
    assert!(["debug", "release"].contains(&profile), "{profile}");
    assert!(target.contains(std::env::consts::ARCH), "{target}");
    // Without git there is no commit.
    assert!(parts.len() == 2 || parts[0].starts_with("commit "), "{parts:?}");
}

#[test]
fn searches() {
    let run = zonewalk(&["help", "searches"]);
    assert_eq!(run.stdout, zonewalk(&["searches"]).stdout);
    for search in zonewalk::Search::ALL {
        let name = format!("\n{:<10}", search.name());
        assert!(run.stdout.contains(&name), "{name}");
    }
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 100));
    insta::assert_snapshot!(run.shown());
}

#[test]
fn completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = zonewalk(&["completions", shell]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{shell}");
        for word in ["check", "verifyta", "query-index"] {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(zonewalk(&["completions", "csh"]).status, 2);
}

#[test]
fn manual_pages() {
    insta::assert_snapshot!(zonewalk(&["man"]).shown());
    for name in COMMANDS {
        let run = zonewalk(&["man", name]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{name}");
        assert!(
            run.stdout.contains(&format!(".TH zonewalk-{name} 1")),
            "{}",
            run.stdout
        );
    }
    assert_eq!(zonewalk(&["man", "searches"]).status, 2);
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
