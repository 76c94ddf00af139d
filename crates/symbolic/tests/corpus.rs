//! The zone graphs of the public models: walks of the interpreter stay in them, exploring them panics nowhere, all searches give
//! the same answers to their queries, and queries about runs without end have the verdicts that were recorded.
//!
//! A sample by default; all of them with `ZONEWALK_CORPUS=all`, some by a part of their path with `ZONEWALK_ONLY`.

// What tests may do, which clippy does not see to be tests.
#![allow(clippy::unwrap_used, clippy::print_stdout)]
// They share helpers with other tests.
#![allow(dead_code)]

mod live {
    pub(crate) mod rows;
    pub(crate) mod support;
}
mod support;

use live::rows::{Answer, decide};
use std::path::{Path, PathBuf};
use support::models::{searches_agree, walks_stay};
use zonewalk_testkit::{MODEL, corpus, corpus_tests, files, load_file, number};

corpus_tests! {
    searches_agree_on_public_models,
    walks_stay_in_the_zone_graphs_of_public_models,
    recorded_verdicts_about_runs,
}

/// One in so many models is in the sample.
const SAMPLE: usize = 12;

fn models(folder: &Path) -> Vec<PathBuf> {
    let is_all = std::env::var("ZONEWALK_CORPUS").is_ok_and(|v| v == "all");
    let only = std::env::var("ZONEWALK_ONLY").ok();
    let is_chosen = |number: usize, path: &Path| match &only {
        Some(part) => path.to_string_lossy().contains(part),
        None => is_all || number.is_multiple_of(SAMPLE),
    };
    let numbered = files(folder, &MODEL).into_iter().enumerate();
    let chosen = numbered.filter(|(number, path)| is_chosen(*number, path));
    chosen.map(|(_, path)| path).collect()
}

fn searches_agree_on_public_models(folder: &Path) {
    let agreed = searches_agree(&models(folder));
    println!("{agreed:?}");
    assert!(
        agreed.decided > agreed.reached && agreed.reached > 0,
        "{agreed:?}"
    );
}

fn walks_stay_in_the_zone_graphs_of_public_models(folder: &Path) {
    let stayed = walks_stay(&models(folder));
    println!("{stayed:?}");
    assert!(
        stayed.steps > 0 && stayed.points > 0 && stayed.finished > 0,
        "{stayed:?}"
    );
}

/// `ZONEWALK_SECONDS` is the limit for each row; without it that is a number of states, so that the test is short and always
/// the same. `ZONEWALK_ONLY` is a part of the file names.
fn recorded_verdicts_about_runs(folder: &Path) {
    let seconds = number("ZONEWALK_SECONDS");
    let only = std::env::var("ZONEWALK_ONLY").unwrap_or_default();
    let is_verbose = std::env::var("ZONEWALK_VERBOSE").is_ok();
    let (mut decided, mut wrong, mut open) = (0, Vec::new(), Vec::new());
    let rows = corpus::verdicts(folder).into_iter();
    for row in rows.filter(|row| row.is_about_runs() && row.file.contains(&only)) {
        let (file, text) = (&row.file, &row.query);
        let answer = match load_file(&folder.join(file)) {
            Ok(loaded) => decide(file, &loaded, text, seconds),
            Err(refused) => Answer::Open(format!("model: {refused}")),
        };
        match answer {
            Answer::Holds(truth, how) => {
                decided += 1;
                if is_verbose {
                    println!("{truth} {how}: {file}: {text}");
                }
                if truth != row.is_satisfied {
                    wrong.push(format!("{file}: {text}: {truth}; {how}"));
                }
            }
            Answer::Open(reason) => open.push(format!("{file}: {text}: {reason}")),
        }
    }
    println!("{decided} rows decided, {} open", open.len());
    assert!(
        wrong.is_empty(),
        "{} rows differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(decided > 20 || !only.is_empty(), "{decided}\n{}", open.join("\n"));
}
