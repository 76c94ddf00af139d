//! Walks of every kind over whole models, repeated by the reference interpreter.

use super::replay::replay;
use std::path::{Path, PathBuf};
use std::time::Instant;
use zonewalk_network::Network;
use zonewalk_testkit::load_file;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::schedule::{Delays, Schedule};
use zonewalk_walk::smc::obstacle;
use zonewalk_walk::together;

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

/// Walks that were made.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) models: usize,
    walks: usize,
    pub(crate) steps: usize,
    failures: Vec<String>,
    /// Models that took long.
    slow: Vec<String>,
}

/// Makes one walk with every method on a model, if it can be walked, and repeats them.
fn walk_all(path: &Path, methods: &[Method], steps: u32, tally: &mut Tally) {
    let Ok(loaded) = load_file(path) else {
        return;
    };
    let model = &loaded.model;
    let Ok(interpreter) = loaded.interpreter() else {
        return;
    };
    let Ok(network) = Network::compile(model, &loaded.system) else {
        return;
    };
    if together::obstacle(model, &network).is_some() {
        return;
    }
    let plan = WalkPlan::new(&network);
    tally.models += 1;
    // From one to the next a cycle of walks further, so that all that takes turns with the cycles has its turn.
    for (number, method) in (0..).step_by(12).zip(methods) {
        let can_race = obstacle(model, &network).is_none();
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

/// Makes one walk with every method on each of the models.
pub(crate) fn walk_models(models: impl IntoIterator<Item = PathBuf>, steps: u32) -> Tally {
    let mut tally = Tally::default();
    for path in models {
        let (start, before) = (Instant::now(), tally.steps);
        walk_all(&path, &METHODS, steps, &mut tally);
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
    /// Asserts that all walks were repeated.
    #[track_caller]
    pub(crate) fn assert_agreement(&self) {
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
