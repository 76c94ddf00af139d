//! Models and queries that once got a wrong answer, none in time, or a crash, each with what the command must say.

#![allow(clippy::unwrap_used)]
// They share helpers with other tests.
#![allow(dead_code)]

#[path = "cli/command.rs"]
mod command;

use command::{Run, command};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use zonewalk_testkit::corpus;

fn main() -> ExitCode {
    corpus::run_in("trials", &[("expected_answers", expected_answers)])
}

/// Twice the time of the table: other tests want the processor, too.
const PATIENCE: f64 = 2.0;

/// Every row of `expected.tsv`: a file, arguments, the statuses that are right, words of which the output has one, and seconds.
fn expected_answers(folder: &Path) {
    let rows = corpus::table(&folder.join("expected.tsv"));
    assert!(rows.len() >= 72, "{} rows", rows.len());
    let wrong: Vec<String> = rows.iter().filter_map(|row| mistake(folder, row)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Fault of the answer to a row, if it has one.
fn mistake(folder: &Path, row: &[String]) -> Option<String> {
    let [file, arguments, statuses, words, seconds] = row else {
        return Some(format!("not a row of the table: {row:?}"));
    };
    let arguments = split(&arguments.replace("FILE", file));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let start = Instant::now();
    let run: Run = command(&arguments).current_dir(folder).output().unwrap().into();
    let took = start.elapsed();
    let is_expected = statuses.split('|').any(|status| status == run.status.to_string());
    let has_word = words
        .split('|')
        .any(|word| run.stdout.contains(word) || run.stderr.contains(word));
    let is_in_time = took < Duration::from_secs_f64(PATIENCE * seconds.parse::<f64>().unwrap());
    let is_right = is_expected && has_word && is_in_time;
    (!is_right).then(|| {
        let Run {
            status,
            stdout,
            stderr,
        } = run;
        format!(
            "{arguments:?}: status {status} after {took:?}, not {statuses} with {words:?}:\n{stdout}{stderr}"
        )
    })
}

/// Words as a shell splits them, with single quotes.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}
