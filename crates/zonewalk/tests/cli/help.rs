//! Help texts of the command.

use crate::command::zonewalk;

#[test]
fn help() {
    insta::assert_snapshot!(zonewalk(&["--help"]).shown());
}

const COMMANDS: [&str; 16] = [
    "check",
    "explore",
    "refine",
    "replay",
    "judge",
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

/// The commands with many options.
const LARGE: [&str; 3] = ["check", "explore", "refine"];

/// The lines of a help that begin with an option.
fn options(help: &str) -> Vec<&str> {
    let is_option = |line: &&str| line.trim_start().starts_with('-') && line.starts_with("  ");
    let above = help.split("\nExamples:").next().unwrap_or_default();
    above.lines().filter(is_option).map(str::trim_start).collect()
}

#[test]
fn short_help_has_what_most_users_need() {
    for name in LARGE {
        let (short, long) = (zonewalk(&[name, "-h"]).stdout, zonewalk(&[name, "--help"]).stdout);
        let (few, all) = (options(&short), options(&long));
        assert!((8..=16).contains(&few.len()), "{name}: {few:?}");
        assert!(all.len() > few.len(), "{name}");
        assert!(short.lines().count() <= 90, "{name}: {}", short.lines().count());
        insta::assert_snapshot!(format!("short_help_of_{name}"), short);
    }
}

/// Groups stand in the order of use, and every option but `--help` is in one.
#[test]
fn options_are_grouped() {
    for (name, groups) in [
        (
            "check",
            &[
                "Model and queries",
                "Search",
                "Limits",
                "Traces",
                "Proofs",
                "Output",
                "Walks",
                "Zone graph",
                "Directed searches",
                "Deep random search and highway search",
                "Statistical queries",
            ][..],
        ),
        (
            "explore",
            &[
                "Model and queries",
                "Search",
                "Limits",
                "Output",
                "Proofs",
                "Walks",
                "Zone graph",
            ],
        ),
        (
            "refine",
            &["Project and queries", "Search", "Limits", "Traces", "Output"],
        ),
        ("simulate", &["Model and queries", "Run", "Output"]),
    ] {
        let help = zonewalk(&[name, "--help"]).stdout;
        let places = groups.iter().map(|group| help.find(&format!("\n{group}:\n")));
        let places: Option<Vec<usize>> = places.collect();
        assert!(places.is_some_and(|places| places.is_sorted()), "{name}: {help}");
        let alone = help
            .split("\nOptions:\n")
            .nth(1)
            .and_then(|rest| rest.split("\n\n").next());
        assert_eq!(options(alone.unwrap_or_default()).len(), 1, "{name}: {help}");
    }
    let help = zonewalk(&["check", "--help"]).stdout;
    let (expect, search) = (help.find("--expect"), help.find("\nSearch:\n"));
    assert!(expect.is_some() && expect < search, "{help}");
}

/// A placeholder says what stands there.
#[test]
fn placeholders_are_words() {
    for name in COMMANDS {
        let help = zonewalk(&[name, "--help"]).stdout;
        for unclear in [
            "<WHOSE>", "<HOW>", "<WHAT>", "<WHICH>", "<OF>", "<T>", "<P>", "<E>", "<R>", "<W>", "<K>",
        ] {
            assert!(!help.contains(unclear), "{name}: {unclear}");
        }
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
