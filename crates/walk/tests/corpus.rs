//! Every step of a walk is a step of the model: the reference interpreter repeats walks over the public models.
//!
//! Eight walks of 200 steps on every model, unless `ZONEWALK_STEPS` gives another number: with 10,000 it takes half an hour
//! (`ZONEWALK_STEPS=10000 cargo test --release -p zonewalk-walk --test corpus`). `ZONEWALK_ONLY` is a part of the paths to
//! take, `ZONEWALK_PART=2/5` the second of five parts of the models.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

#[path = "support/replay.rs"]
mod replay;

use replay::replay;
use std::path::{Path, PathBuf};
use std::time::Instant;
use zonewalk_model::{check, instance};
use zonewalk_network::Network;
use zonewalk_reference::Interpreter;
use zonewalk_syntax::read;
use zonewalk_syntax::source::SourceMap;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::plan::Plan;
use zonewalk_walk::schedule::{Delays, Schedule};
use zonewalk_walk::smc::obstacle;
use zonewalk_walk::together;

fn models() -> Vec<PathBuf> {
    fn collect(dir: &Path, list: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(dir) else {
            return;
        };
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                collect(&path, list);
            } else if path
                .extension()
                .is_some_and(|e| e == "xml" || e == "xta" || e == "ta")
            {
                list.push(path);
            }
        }
    }
    let mut list = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        &mut list,
    );
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"),
        &mut list,
    );
    list.sort();
    list
}

/// A kind of walk.
struct Method {
    heuristic: Heuristic,
    delays: Delays,
    seed: u64,
}

const fn method(heuristic: Heuristic, delays: Delays, seed: u64) -> Method {
    Method {
        heuristic,
        delays,
        seed,
    }
}

/// Where a race is not possible, another walk takes its place.
const METHODS: [Method; 10] = [
    method(Heuristic::Ret, Delays::Predefined, 1),
    method(Heuristic::Sem, Delays::Adaptive, 1),
    method(Heuristic::Rlc, Delays::Predefined, 1),
    method(Heuristic::Smc, Delays::Predefined, 1),
    method(Heuristic::Ret, Delays::Uniform, 2),
    method(Heuristic::Ret, Delays::Adaptive, 3),
    method(Heuristic::Sem, Delays::Adaptive, 2),
    method(Heuristic::RlcA, Delays::Adaptive, 4),
    method(Heuristic::Com, Delays::Adaptive, 5),
    method(Heuristic::Com, Delays::Predefined, 6),
];

/// What was walked.
#[derive(Default)]
struct Tally {
    models: usize,
    walks: usize,
    steps: usize,
    failures: Vec<String>,
    /// Models that took long.
    slow: Vec<String>,
}

/// Makes one walk with every method on a model, if it can be walked, and repeats them.
fn walk_all(path: &Path, methods: &[Method], steps: u32, tally: &mut Tally) {
    let bytes = std::fs::read(path).unwrap();
    let mut sources = SourceMap::new();
    let (document, diagnostics) = read::read_model(&path.to_string_lossy(), &bytes, None, &mut sources);
    let Some(document) = document.filter(|_| !diagnostics.has_errors()) else {
        return;
    };
    let (Ok(model), _) = check::check(sources, &document, &[]) else {
        return;
    };
    let Ok(system) = instance::instantiate(&model) else {
        return;
    };
    let Ok(interpreter) = Interpreter::new(&model, &system) else {
        return;
    };
    let Ok(network) = Network::compile(&model, &system) else {
        return;
    };
    if together::obstacle(&model, &network).is_some() {
        return;
    }
    let plan = Plan::new(&network);
    tally.models += 1;
    // From one to the next a cycle of walks further, so that all that takes turns with the cycles has its turn.
    for (number, method) in (0..).step_by(12).zip(methods) {
        let can_race = obstacle(&model, &network).is_none();
        let heuristic = match method.heuristic {
            Heuristic::Smc if !can_race => Heuristic::Ret,
            other => other,
        };
        let options = Options {
            schedule: Schedule::Tuned,
            heuristic,
            delays: method.delays,
            seed: method.seed,
            max_steps: Some(steps),
            time_bound: None,
        };
        match replay(&plan, &options, number, &interpreter) {
            Ok(count) => tally.steps += count,
            Err(message) => {
                let walk = format!("{heuristic:?} {:?}, seed {}", method.delays, method.seed);
                tally
                    .failures
                    .push(format!("{} {walk}: {message}", path.display()));
            }
        }
        tally.walks += 1;
    }
}

fn asked_for(name: &str) -> Option<u32> {
    std::env::var(name).ok()?.parse().ok()
}

/// The models of this part, if only a part is asked for.
fn chosen() -> Vec<PathBuf> {
    let filter = std::env::var("ZONEWALK_ONLY").unwrap_or_default();
    let part = std::env::var("ZONEWALK_PART").ok();
    let part = part.as_deref().and_then(|p| p.split_once('/'));
    let (part, parts) = part.map_or((1, 1), |(a, b)| (a.parse().unwrap(), b.parse().unwrap()));
    let models = models().into_iter();
    let models = models.filter(|p| p.to_string_lossy().contains(&filter));
    models.skip(part - 1).step_by(parts).collect()
}

/// Walks on all the models of this part.
fn walk_models(methods: &[Method], steps: u32) -> Tally {
    let mut tally = Tally::default();
    for path in chosen() {
        let (start, before) = (Instant::now(), tally.steps);
        walk_all(&path, methods, steps, &mut tally);
        let (taken, time) = (tally.steps - before, start.elapsed());
        if time.as_secs() >= 10 {
            tally
                .slow
                .push(format!("{}: {taken} steps, {time:.1?}", path.display()));
        }
    }
    tally
}

impl Tally {
    fn assert_agreement(&self) {
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
        assert!(self.models > 0 && self.steps > 0);
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for slow in &self.slow {
            writeln!(f, "{slow}")?;
        }
        write!(
            f,
            "{} models, {} walks, {} steps, {} failures",
            self.models,
            self.walks,
            self.steps,
            self.failures.len()
        )
    }
}

#[test]
fn eight_walks_replay() {
    let tally = walk_models(&METHODS, asked_for("ZONEWALK_STEPS").unwrap_or(200));
    eprintln!("{tally}");
    tally.assert_agreement();
}
