//! The zone graphs of the public models: walks of the interpreter stay in them, exploring them panics nowhere, all searches give
//! the same answers to their queries, queries about runs without end have the verdicts that were recorded, and the judge accepts
//! all proofs.
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
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::models::{searches_agree, walks_stay};
use support::proof::{Exploration, Shown, WAYS, explore, explore_ranked, judged};
use zonewalk_reference::proof::Judgement;
use zonewalk_testkit::{MODEL, corpus, corpus_tests, files, load_file, number};

corpus_tests! {
    searches_agree_on_public_models,
    walks_stay_in_the_zone_graphs_of_public_models,
    recorded_verdicts_about_runs,
    proofs_about_public_models_are_accepted,
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

/// Proofs of queries in the files, of the absence of deadlocks, and of the set of reachable states. `ZONEWALK_STATES` is the
/// largest number of states of a proof (1,000 unless told otherwise).
fn proofs_about_public_models_are_accepted(folder: &Path) {
    let most = number("ZONEWALK_STATES").unwrap_or(1_000);
    let is_verbose = std::env::var("ZONEWALK_VERBOSE").is_ok();
    let (mut accepted, mut nodes, mut refused) = (0, 0, Vec::new());
    let (mut searching, mut judging) = (Duration::ZERO, Duration::ZERO);
    let mut open: BTreeMap<String, u64> = BTreeMap::new();
    let rows = corpus::verdicts(folder);
    for path in models(folder) {
        let Ok(loaded) = load_file(&path) else {
            continue;
        };
        let recorded = rows.iter().filter(|row| folder.join(&row.file) == path);
        let texts = recorded
            .map(|row| row.query.as_str())
            .chain(["A[] not deadlock", "A[] true"]);
        let further = texts.filter_map(|text| loaded.query(text).ok());
        for query in loaded.queries().into_iter().chain(further) {
            let way = Exploration { most, ..WAYS[0] };
            let began = Instant::now();
            let shown = explore(&loaded, &query, way).or_else(|| explore_ranked(&loaded, &query, most));
            let searched = began.elapsed();
            let Some(Shown::Proved(proof)) = shown else {
                continue;
            };
            let began = Instant::now();
            let judgement = judged(&loaded, &query, &proof);
            (searching, judging) = (searching + searched, judging + began.elapsed());
            let name = format!("{}: {}", path.display(), query.text);
            if is_verbose {
                println!(
                    "{} nodes, {searched:?}, {:?}: {name}",
                    proof.nodes.len(),
                    began.elapsed()
                );
            }
            match judgement {
                Judgement::Accepted(counts) => {
                    accepted += 1;
                    nodes += counts.nodes;
                }
                Judgement::NotCovered(construct) => *open.entry(construct).or_default() += 1,
                other => refused.push(format!("{name}: {other:?}")),
            }
        }
    }
    println!(
        "{accepted} proofs of {nodes} nodes accepted; search {searching:?}, judge {judging:?}; not covered: {open:?}"
    );
    assert!(
        refused.is_empty(),
        "{} refused\n{}",
        refused.len(),
        refused.join("\n")
    );
    assert!(accepted > 0);
}
