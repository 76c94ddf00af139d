//! Public models with statistical queries: each is compiled and makes a few short runs, or is refused for a reason that is known.

// What tests may do, which clippy does not see to be tests.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use zonewalk_sampling::{Bound, Monitor, Piece, RunError, Sampler};
use zonewalk_stochastic::{Options, Runner, StochasticPlan};
use zonewalk_testkit::{corpus_tests, load_file};

corpus_tests! {
    public_models_with_statistical_queries_run,
}

struct Nothing;

impl Monitor for Nothing {
    fn piece(&mut self, _: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        Ok(ControlFlow::Continue(()))
    }
}

/// Describes the result of checking and running a model.
fn outcome(path: &Path) -> String {
    let loaded = match load_file(path) {
        Ok(loaded) => loaded,
        Err(refused) => return format!("not checked: {refused}"),
    };
    let options = Options {
        max_steps: 20_000,
        max_instant_steps: 10_000,
        ..Options::default()
    };
    let plan = match StochasticPlan::new(&loaded.model, &loaded.system, &[], &[], options) {
        Ok(plan) => plan,
        Err(unsupported) => return format!("refused: {}", unsupported.construct),
    };
    let mut runner = Runner::new(&plan);
    for run in 0..2 {
        if let Err(error) = runner.run(1, run, &Bound::Time(20.0), &mut Nothing) {
            return format!("error: {error}");
        }
    }
    "runs".into()
}

fn public_models_with_statistical_queries_run(corpus: &Path) {
    let mut files: Vec<String> = Vec::new();
    for table in ["smc-verdicts.tsv", "smc-comments.tsv"] {
        let text = std::fs::read_to_string(corpus.join(table)).unwrap();
        files.extend(
            text.lines()
                .skip(1)
                .filter_map(|l| l.split('\t').next())
                .map(str::to_owned),
        );
    }
    files.sort();
    files.dedup();
    let mut outcomes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        let found = outcome(&corpus.join(&file));
        outcomes.entry(found).or_default().push(file);
    }
    let is_known = |outcome: &str| {
        outcome == "runs"
            || outcome.starts_with("refused: the external function `")
            || outcome.starts_with("not checked: ")
    };
    let unexpected: Vec<_> = outcomes
        .iter()
        .filter(|(outcome, _)| !is_known(outcome))
        .collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    assert!(outcomes.get("runs").map_or(0, Vec::len) >= 30, "{outcomes:#?}");
}
