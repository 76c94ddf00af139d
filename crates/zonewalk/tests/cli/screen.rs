//! Output on screens of several widths. `COLUMNS` stands for the terminal.

use crate::command::{Run, command, zonewalk};

fn on_screen(columns: &str, args: &[&str]) -> Run {
    command(args).env("COLUMNS", columns).output().unwrap().into()
}

/// Columns of the lines that are too long, unless they are a single word.
fn too_long(text: &str, width: usize) -> Vec<&str> {
    let is_long = |line: &&str| line.chars().count() > width && line.split_whitespace().count() > 1;
    text.lines().filter(is_long).collect()
}

const RUNS: [&[&str]; 12] = [
    &["--help"],
    &["check", "--help"],
    &["explore", "--help"],
    &["verifyta", "--help"],
    &["bench", "--help"],
    &["help", "searches"],
    &["generate", "--list"],
    &["info", "models/scheduler.xml"],
    &[
        "check",
        "models/tutorial/tank.xta",
        "--query-index",
        "1",
        "--search",
        "bfs",
    ],
    &[
        "check",
        "models/tutorial/tank.xta",
        "-q",
        "Pr[<=10](<> Tank.Overflow)",
    ],
    &["check", "models/tutorial/tank.xta", "-t", "1"],
    &["explore", "models/tutorial/tank.xta", "--search", "bfs"],
];

#[test]
fn lines_keep_within_the_screen() {
    for width in [60, 80, 200] {
        for args in RUNS {
            let run = on_screen(&width.to_string(), args);
            for text in [&run.stdout, &run.stderr] {
                let long = too_long(text, width);
                assert!(long.is_empty(), "{width} columns: {args:?}: {long:?}");
            }
        }
    }
}

/// A word that is broken in two makes two words of it.
#[test]
fn words_are_not_broken() {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let timeless = |run: Run| words(&run.shown());
    let args = [
        "check",
        "models/tutorial/tank.xta",
        "--query-index",
        "1",
        "--search",
        "bfs",
    ];
    let wide = timeless(zonewalk(&args));
    for columns in ["30", "60", "80"] {
        let narrow = timeless(on_screen(columns, &args));
        assert_eq!(narrow.len(), wide.len(), "{columns}");
    }
}

#[test]
fn a_trace_in_60_and_80_columns() {
    let args = [
        "check",
        "models/tutorial/tank.xta",
        "--query-index",
        "1",
        "--search",
        "bfs",
    ];
    let shown =
        ["60", "80"].map(|columns| format!("{columns} columns\n{}", on_screen(columns, &args).shown()));
    insta::assert_snapshot!(shown.join("\n"));
}

/// In a pipe a step is a line, for programs that work by lines.
#[test]
fn a_step_is_a_line_in_a_pipe() {
    let run = zonewalk(&[
        "check",
        "models/tutorial/tank.xta",
        "--query-index",
        "1",
        "--search",
        "bfs",
    ]);
    assert!(
        run.stdout.lines().any(|line| line.chars().count() > 100),
        "{}",
        run.stdout
    );
}

/// Colours come with `--color always`, and go with `NO_COLOR` and in pipes.
#[test]
fn colours() {
    let args = [
        "check",
        "models/tutorial/tank.xta",
        "--query-index",
        "1",
        "--search",
        "bfs",
    ];
    let colored = zonewalk(&[&args[..], &["--color", "always"]].concat());
    insta::assert_snapshot!(colored.shown().replace('\u{1b}', "␛"));
    let plain = command(&args).env("NO_COLOR", "1").output().unwrap();
    for run in [
        Run::from(plain),
        zonewalk(&args),
        zonewalk(&[&args[..], &["--color", "never"]].concat()),
    ] {
        assert!(!run.stdout.contains('\u{1b}'), "{}", run.stdout);
    }
}
