//! Measures one model: every heuristic, several seeds, one thread.

use super::column::Method;
use crate::boxed;
use crate::model::{Effort, Stopwatch, Subject, options};
use crate::output::Error;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use zonewalk_checker::{Checker, CheckerReport, Control, Options, Outcome, Times, TraceOptions, WalkOptions};
use zonewalk_report::trace::Time;

/// Measurements of one heuristic on one model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Measured {
    /// Loading and searching, of each seed that found the target; sorted.
    pub(super) times: Vec<f64>,
    /// Seeds that were tried.
    pub(super) tried: u64,
    /// Cost of the seeds that did not find it.
    pub(super) lost: f64,
    /// Steps of walks, or states explored, of each find; sorted.
    pub(super) counts: Vec<u64>,
    /// Length of each find, when traces are wanted; sorted by their steps when found.
    pub(super) traces: Vec<Length>,
    /// Whether the find is a path of an over-approximation.
    pub(super) is_maybe: bool,
}

/// How long a trace is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Length {
    /// Steps when it was found.
    pub(super) found: usize,
    /// Steps after shrinking.
    pub(super) steps: usize,
    /// The time of the model that passes in it, as found.
    pub(super) duration: f64,
    /// Time that shrinking took.
    pub(super) shrink_s: f64,
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

impl Method {
    /// One search, which ends when it is interrupted.
    pub(super) fn options(self, seed: u64) -> Options {
        let options = options(self.search, seed);
        Options {
            trace: TraceOptions {
                kind: self.trace,
                shrink_budget: if self.shrinks {
                    options.trace.shrink_budget
                } else {
                    0
                },
            },
            walks: WalkOptions {
                schedule: self.schedule,
                time_bound: self.time_bound,
                ..options.walks
            },
            ..options
        }
    }
}

/// Runs a search with every seed; `None` for one that does not support the model.
pub(super) fn measure(
    subject: &Subject,
    method: Method,
    effort: &Effort,
    control: &Control,
) -> Result<Option<Measured>, Error> {
    subject.with_checker(|task, checker, load| match task.obstacle_to(method.search) {
        Some(_) => Ok(None),
        None => one_search(checker, method, load, effort, control).map(Some),
    })
}

fn one_search(
    checker: &Checker<'_, '_>,
    method: Method,
    load: Duration,
    effort: &Effort,
    control: &Control,
) -> Result<Measured, Error> {
    let search = method.search;
    let mut measured = Measured::default();
    for seed in 1..=effort.seeds {
        // Two failures are enough to know how the others would end.
        let enough = if search.info().is_by_chance { 2 } else { 1 };
        let is_hopeless = measured.times.is_empty() && measured.tried >= enough;
        if control.is_interrupted() || is_hopeless {
            break;
        }
        let options = method.options(seed);
        let watch = Stopwatch::start();
        let report = boxed::within(effort.timeout, control, |control| {
            checker.check(0, &options, control, &mut |_, _| {})
        });
        let Some(report) = report else {
            return Err(Error::new(
                "the query of the row is none that these searches can decide",
            ));
        };
        if control.is_interrupted() {
            break;
        }
        measured.tried += 1;
        let seconds = (load + search_time(&report, &watch)).as_secs_f64();
        let count = if search.walks() {
            report.stats.steps
        } else {
            report.stats.states_explored
        };
        match report.outcome {
            Outcome::Decided { evidence, .. } => {
                measured.times.push(seconds);
                measured.counts.push(count);
                let shrink_s = report.times.shrink.as_secs_f64();
                let trace = evidence.witness().map(|witness| Length {
                    found: witness.found_steps,
                    steps: witness.steps,
                    duration: number(witness.found_duration),
                    shrink_s,
                });
                measured.traces.extend(trace);
            }
            Outcome::Maybe { .. } => {
                measured.times.push(seconds);
                measured.counts.push(count);
                measured.is_maybe = true;
            }
            Outcome::Undecided(_) | Outcome::Values { .. } | Outcome::Estimated { .. } => {
                measured.lost += seconds;
            }
            Outcome::Fault(fault) => return Err(Error::new(fault.diagnostic.message)),
            Outcome::Bug(message) => return Err(Error::new(format_args!("bug in zonewalk: {message}"))),
        }
    }
    measured.times.sort_by(f64::total_cmp);
    measured.counts.sort_unstable();
    measured.traces.sort_by_key(|trace| trace.found);
    Ok(measured)
}

/// Processor time of the search. Making a trace better and repeating it have their own shares.
pub(super) fn search_time(report: &CheckerReport, watch: &Stopwatch) -> Duration {
    let Times {
        search,
        shrink,
        replay,
        improve,
        judge,
    } = report.times;
    let all = (search + shrink + replay + improve + judge).as_secs_f64();
    let share = if all > 0.0 {
        search.as_secs_f64() / all
    } else {
        1.0
    };
    watch.elapsed().mul_f64(share)
}

fn number(time: Time) -> f64 {
    time.numerator() as f64 / time.denominator() as f64
}
