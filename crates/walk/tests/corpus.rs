//! Every step of a walk is a step of the model: the reference interpreter repeats walks over the public models.
//!
//! Ten walks of 200 steps on every model, unless `ZONEWALK_STEPS` gives another number: with 10,000 it takes half an hour
//! (`ZONEWALK_STEPS=10000 cargo test --release -p zonewalk-walk --test corpus`). `ZONEWALK_ONLY` is a part of the paths to
//! take, `ZONEWALK_PART=2/5` the second of five parts of the models.

// What tests may do, which clippy does not see to be tests.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use std::path::{Path, PathBuf};
use zonewalk_testkit::{MODEL, corpus_tests, files, number};

corpus_tests! {
    ten_walks_replay,
}

/// The models of this part, if only a part is asked for.
fn chosen(folder: &Path) -> Vec<PathBuf> {
    let filter = std::env::var("ZONEWALK_ONLY").unwrap_or_default();
    let part = std::env::var("ZONEWALK_PART").ok();
    let part = part.as_deref().and_then(|p| p.split_once('/'));
    let (part, parts) = part.map_or((1, 1), |(a, b)| (a.parse().unwrap(), b.parse().unwrap()));
    let models = files(folder, &MODEL).into_iter();
    let models = models.filter(|p| p.to_string_lossy().contains(&filter));
    models.skip(part - 1).step_by(parts).collect()
}

fn ten_walks_replay(folder: &Path) {
    let tally = support::walks::walk_models(chosen(folder), number("ZONEWALK_STEPS").unwrap_or(200));
    println!("{tally}");
    tally.assert_agreement();
}
