//! Every command in the documents does what they say.
//!
//! Commands are the lines of `sh` blocks, and the lines after `$ ` of `console` blocks, that begin with `zonewalk` or
//! `cargo run --release --`; other lines are for the reader alone. What a `console` block shows below a command must be what
//! the command prints on both streams, but for measurements; a line `…` stands for any number of lines. Before a block may
//! stand `<!-- status: 1 -->`, which is then the exit status of its commands (0 otherwise; several numbers: one for each), or
//! `<!-- skip: why -->`, which keeps it from being run. The commands of a page run in one folder, in order.
#![cfg(unix)]

use crate::command::{bare, root, without_measurements, zonewalk};
use crate::pages::pages_below;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A command of a page, and what the page says of it.
#[derive(Debug, PartialEq)]
struct Example {
    line: usize,
    command: String,
    status: i32,
    /// Expected output; `None` if the page does not show it.
    shown: Option<String>,
}

/// The examples of a page.
fn examples(text: &str) -> Vec<Example> {
    let mut found = Vec::new();
    let (mut statuses, mut skip) = (Vec::new(), false);
    let mut lines = (1..).zip(text.lines());
    while let Some((_, line)) = lines.next() {
        let comment = |key: &str| {
            let inner = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
            inner.trim().strip_prefix(key).map(str::to_owned)
        };
        if let Some(numbers) = comment("status:") {
            statuses = numbers
                .split_whitespace()
                .map(|n| n.parse().expect("a status"))
                .collect();
        } else if let Some(why) = comment("skip:") {
            assert!(!why.trim().is_empty(), "a skipped block needs a reason");
            skip = true;
        } else if let Some(language) = line.trim_start().strip_prefix("```") {
            let block: Vec<_> = lines
                .by_ref()
                .take_while(|(_, line)| line.trim() != "```")
                .collect();
            let mut inside = match language.trim() {
                "sh" => commands(&block),
                "console" => session(&block),
                _ => Vec::new(),
            };
            inside.retain(|example| example.command.starts_with("zonewalk "));
            for (i, example) in inside.iter_mut().enumerate() {
                example.status = statuses.get(i).or(statuses.last()).copied().unwrap_or(0);
            }
            if !skip {
                found.extend(inside);
            }
            (statuses, skip) = (Vec::new(), false);
        }
    }
    found
}

/// A command as a user types it, or as one of a clone does before the command is installed.
fn example(line: usize, typed: &str, shown: Option<String>) -> Example {
    let command = match typed.strip_prefix("cargo run --release -- ") {
        Some(rest) => format!("zonewalk {rest}"),
        None => typed.to_owned(),
    };
    Example {
        line,
        command,
        status: 0,
        shown,
    }
}

fn commands(block: &[(usize, &str)]) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut goes_on = false;
    for &(number, line) in block {
        let (text, next) = match line.trim().strip_suffix('\\') {
            Some(text) => (text, true),
            None => (line.trim(), false),
        };
        match found.last_mut().filter(|_| goes_on) {
            Some(last) => last.command.push_str(text),
            None => found.push(example(number, text, None)),
        }
        goes_on = next;
    }
    found
}

fn session(block: &[(usize, &str)]) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    for &(number, line) in block {
        if let Some(command) = line.strip_prefix("$ ") {
            found.push(example(number, command, Some(String::new())));
        } else if let Some(shown) = found.last_mut().and_then(|last| last.shown.as_mut()) {
            shown.push_str(line);
            shown.push('\n');
        }
    }
    found
}

/// Without what differs between runs and machines: times, and who of several was first after how much work.
fn comparable(text: &str) -> Vec<String> {
    let who = |line: &str| {
        ["found by", "proved by"]
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    };
    without_measurements(text.trim())
        .lines()
        .map(|line| {
            if who(line) {
                "found by …".to_owned()
            } else {
                line.trim_end().to_owned()
            }
        })
        .collect()
}

/// Whether lines are as expected, where `…` stands for any number of them.
fn matches(expected: &[String], actual: &[String]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((first, rest)) if first == "…" => (0..=actual.len()).any(|n| matches(rest, &actual[n..])),
        Some((first, rest)) => actual.first() == Some(first) && matches(rest, &actual[1..]),
    }
}

/// Runs a line in a shell that knows the command; both streams in one.
fn in_shell(line: &str, folder: &Path) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_zonewalk")).parent().unwrap();
    let path = format!(
        "{}:{}",
        binary.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1; {line}")]);
    bare(&mut shell)
        .env("PATH", path)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Error of an example, if any.
fn fault(example: &Example, folder: &Path) -> Option<String> {
    let output = in_shell(&example.command, folder);
    let printed = String::from_utf8(output.stdout).unwrap();
    if output.status.code() != Some(example.status) {
        let status = output.status;
        return Some(format!(
            "expected status {}, got {status}:\n{printed}",
            example.status
        ));
    }
    let shown = comparable(example.shown.as_deref()?);
    (!matches(&shown, &comparable(&printed))).then(|| format!("it prints:\n{printed}"))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Runs the examples of a page in a folder of their own; returns their number and what is wrong.
fn run(page: &Path) -> (usize, Vec<String>) {
    let name = page
        .strip_prefix(root())
        .unwrap()
        .to_string_lossy()
        .replace('/', "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("docs-{}-{name}", std::process::id()));
    copy(&root().join("models"), &folder.join("models"));
    let examples = examples(&fs::read_to_string(page).unwrap());
    let faults = examples.iter().filter_map(|example| {
        let fault = fault(example, &folder)?;
        Some(format!(
            "{}:{}: {}\n{fault}",
            page.display(),
            example.line,
            example.command
        ))
    });
    let faults = faults.collect();
    fs::remove_dir_all(&folder).unwrap();
    (examples.len(), faults)
}

fn check(pages: &[PathBuf], at_least: usize) {
    let mut count = 0;
    let mut faults = Vec::new();
    for page in pages {
        let (examples, wrong) = run(page);
        count += examples;
        faults.extend(wrong);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count >= at_least, "only {count} commands were found");
}

#[test]
fn commands_of_the_readme() {
    check(&[root().join("README.md")], 4);
}

#[test]
fn commands_of_the_book() {
    let pages = pages_below(&root().join("docs"));
    check(&pages, 30);
}

#[test]
fn examples_of_the_help() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("help-{}", std::process::id()));
    copy(&root().join("models"), &folder.join("models"));
    let mut count = 0;
    // Those of `bench` measure for minutes.
    for command in [
        "", "check", "explore", "refine", "replay", "generate", "info", "simulate",
    ] {
        let words: Vec<_> = command.split_whitespace().chain(["--help"]).collect();
        let help = zonewalk(&words).stdout;
        for line in help.lines().filter_map(|line| line.strip_prefix("  ")) {
            if !line.starts_with("zonewalk ") {
                continue;
            }
            // As an example any limit will do.
            let run = in_shell(&line.replace("--timeout 10s", "--timeout 1s"), &folder);
            let status = run.status.code();
            assert!(
                matches!(status, Some(0 | 1 | 3)),
                "{line}: {}",
                String::from_utf8_lossy(&run.stdout)
            );
            count += 1;
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert!(count >= 20, "only {count} examples were found");
}

#[test]
fn pages_are_read_as_their_readers_would() {
    let text = "<!-- status: 1 3 -->\n```sh\ncargo run --release -- check a.xml\nls\nzonewalk check \\\n  b.xml > c\n```\n\
        ```console\n$ zonewalk info x\nhello\n\n…\n$ zonewalk help\n```\n<!-- skip: too long -->\n```sh\nzonewalk bench\n```\n\
        ```text\nzonewalk frob\n```\n";
    let example = |line, command: &str, status, shown: Option<&str>| Example {
        line,
        command: command.to_owned(),
        status,
        shown: shown.map(str::to_owned),
    };
    let expected = vec![
        example(3, "zonewalk check a.xml", 1, None),
        example(5, "zonewalk check b.xml > c", 3, None),
        example(9, "zonewalk info x", 0, Some("hello\n\n…\n")),
        example(13, "zonewalk help", 0, Some("")),
    ];
    assert_eq!(examples(text), expected);
    let lines = |text: &str| comparable(text);
    assert!(matches(
        &lines("a\n…\nfound by ret: 3 walks"),
        &lines("a\nb\nc\nfound by sem: 4 walks")
    ));
    assert!(matches(&lines("took 3 ms"), &lines("took 5 s")));
    assert!(!matches(&lines("a\n…\nd"), &lines("a\nb")));
    assert!(!matches(&lines("a"), &lines("a\nb")));
}
