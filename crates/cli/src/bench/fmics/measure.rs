//! Measures one model: every heuristic, several seeds, one thread.

use crate::bench::model::{Effort, Subject, options};
use crate::status::Error;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use zonewalk::{Checker, Control, Options, Outcome, Schedule, Search, TraceWish};

/// What one heuristic did on one model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Measured {
    /// Loading and searching, of each seed that found the target; sorted.
    pub(super) times: Vec<f64>,
    /// Seeds that were tried.
    pub(super) tried: u64,
    /// What the seeds cost that did not find it.
    pub(super) lost: f64,
    /// Steps of walks, or states explored, of each find; sorted.
    pub(super) counts: Vec<u64>,
    /// Of each find, when traces are wanted: steps when found, steps when shrunk, and how long that took; sorted.
    pub(super) traces: Vec<(usize, usize, f64)>,
    /// What was found is a path of an over-approximation.
    pub(super) is_maybe: bool,
}

impl Measured {
    pub(super) fn median(&self) -> Option<f64> {
        self.times.get(self.times.len().checked_sub(1)? / 2).copied()
    }

    /// The paper's metric: the mean time per target found, with the time of the runs that failed.
    pub(super) fn mean(&self) -> Option<f64> {
        let found = self.times.len();
        (found > 0).then(|| (self.times.iter().sum::<f64>() + self.lost) / found as f64)
    }

    /// The median of what is counted. Only where every seed succeeded: which ones do not depends on the machine.
    pub(super) fn median_count(&self) -> Option<u64> {
        let all = self.counts.len() as u64 == self.tried;
        self.counts
            .get(self.counts.len().checked_sub(1)? / 2)
            .copied()
            .filter(|_| all)
    }
}

/// Runs a search with every seed; `None` for one that does not support the model.
pub(super) fn measure(
    subject: &Subject,
    search: Search,
    trace: TraceWish,
    effort: &Effort,
    control: &Control,
) -> Result<Option<Measured>, Error> {
    subject.with_checker(|task, checker, load| match task.obstacle_to(search) {
        Some(_) => Ok(None),
        None => one_search(checker, search, trace, load, effort, control).map(Some),
    })
}

fn one_search(
    checker: &Checker<'_, '_>,
    search: Search,
    trace: TraceWish,
    load: Duration,
    effort: &Effort,
    control: &Control,
) -> Result<Measured, Error> {
    let mut measured = Measured::default();
    for seed in 1..=effort.seeds {
        // Two failures are enough to know what the others would come to.
        let enough = if search.info().is_by_chance { 2 } else { 1 };
        let is_hopeless = measured.times.is_empty() && measured.tried >= enough;
        if control.is_interrupted() || is_hopeless {
            break;
        }
        let options = Options {
            deadline: Instant::now().checked_add(effort.timeout),
            trace,
            schedule: if search.is_of_fmics() {
                effort.schedule
            } else {
                Schedule::Tuned
            },
            ..options(search, seed)
        };
        let Some(report) = checker.check(0, &options, control, &mut |_, _| {}) else {
            return Err(Error::new(
                "the query of the row is none that these searches can decide",
            ));
        };
        if control.is_interrupted() {
            break;
        }
        measured.tried += 1;
        let seconds = (load + report.times.search).as_secs_f64();
        let count = if search.walks() {
            report.stats.steps
        } else {
            report.stats.states_explored
        };
        match report.outcome {
            Outcome::Decided { witness, .. } => {
                measured.times.push(seconds);
                measured.counts.push(count);
                let shrink_s = report.times.shrink.as_secs_f64();
                let trace = witness.map(|witness| (witness.found_steps, witness.steps, shrink_s));
                measured.traces.extend(trace);
            }
            Outcome::Maybe { .. } => {
                measured.times.push(seconds);
                measured.counts.push(count);
                measured.is_maybe = true;
            }
            Outcome::Undecided(_) | Outcome::Values { .. } => measured.lost += seconds,
            Outcome::Fault(fault) => return Err(Error::new(fault.diagnostic.message)),
            Outcome::Bug(message) => return Err(Error::new(format_args!("a bug of zonewalk: {message}"))),
        }
    }
    measured.times.sort_by(f64::total_cmp);
    measured.counts.sort_unstable();
    measured.traces.sort_by_key(|trace| trace.0);
    Ok(measured)
}
