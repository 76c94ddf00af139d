//! Measures one cell: violations one after the other within a time box, or proofs.

use super::row::{Method, Row, Subject};
use crate::boxed;
use crate::model::Stopwatch;
use crate::output::Error;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use zonewalk_checker::measure::Sample;
use zonewalk_checker::refine::{RefineControl, RefineOptions, RefineSearch, Verdict, decide};
use zonewalk_checker::resources;
use zonewalk_checker::resources::default_memory;
use zonewalk_checker::{Control, Schedule};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Violations for each cell at most.
    pub(super) violations: u64,
    /// For each cell.
    pub(super) timeout: Duration,
}

impl Effort {
    /// In words: two measurements with the same words are made in the same way.
    pub(super) fn settings(&self) -> String {
        let (violations, seconds) = (self.violations, self.timeout.as_secs_f64());
        format!("{violations} violations, {seconds} s")
    }
}

/// A complete search is the same every time: only its time is measured again.
const PROOFS: u64 = 3;

/// Measurements of one search on one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Measured {
    /// Violations or proofs.
    pub(super) found: u64,
    /// Searches that the end of the time box cut short: 0 or 1.
    pub(super) failed: u64,
    /// Time of all of them, with the one that failed.
    pub(super) wall: Duration,
    /// Processor time of all of them; nothing where the system does not tell.
    pub(super) cpu: Duration,
    /// Processor time of each of those that ended, in microseconds, by seeds.
    #[serde(default)]
    pub(super) micros: Vec<u64>,
    pub(super) count: Option<Count>,
    /// Writing, reading and building the model, which is not counted.
    #[serde(default)]
    pub(super) load: Duration,
}

/// Counts that do not depend on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Count {
    /// Steps of walks for a violation, in the mean.
    Steps(f64),
    /// Pairs of locations and zones of the relation.
    Relation(usize, usize),
    /// Steps of the run that the complete search found.
    Run(usize),
}

impl Measured {
    /// The metric of the paper: the mean time per violation, here with the time of the search that was cut short. It is the time of
    /// the processor, which others may be using as well; one thread is at work.
    pub(super) fn mean(&self) -> Option<f64> {
        let time = if self.cpu.is_zero() { self.wall } else { self.cpu };
        (self.found > 0).then(|| time.as_secs_f64() / self.found as f64)
    }

    /// Our metric: the median over the seeds that ended, in seconds of the processor.
    pub(super) fn median(&self) -> Option<f64> {
        let seconds = self.micros.iter().map(|&micros| micros as f64 / 1e6);
        Sample::new(seconds.collect()).quantile(0.5)
    }

    /// Keeps what one search took.
    fn ended(&mut self, watch: &Stopwatch) {
        self.found += 1;
        self.micros
            .push(u64::try_from(watch.elapsed().as_micros()).unwrap_or(u64::MAX));
    }
}

/// Measures a cell.
pub(super) fn measure(
    subject: &mut Subject,
    row: &Row,
    method: Method,
    effort: &Effort,
    control: &Control,
) -> Result<Measured, Error> {
    let options = RefineOptions {
        search: method.search,
        delays: method.delays,
        max_steps: match method.schedule {
            Schedule::Paper => Some(row.steps),
            Schedule::Tuned => None,
        },
        memory: default_memory().and_then(|bytes| usize::try_from(bytes).ok()),
        ..RefineOptions::default()
    };
    let load = subject.load;
    let measured = watched(effort.timeout, control, |control| {
        if method.search == RefineSearch::Symbolic {
            proofs(subject, &options, effort, control)
        } else {
            Ok(violations(subject, &options, effort, control))
        }
    })?;
    Ok(Measured { load, ..measured })
}

/// Finds violations, each with a seed of its own.
pub(super) fn violations(
    subject: &Subject,
    options: &RefineOptions,
    effort: &Effort,
    control: &RefineControl,
) -> Measured {
    let mut measured = Measured::default();
    let (start, cpu) = (Instant::now(), resources::cpu_time());
    let mut steps = 0;
    while measured.found < effort.violations {
        let options = RefineOptions {
            seed: measured.found + 1,
            ..options.clone()
        };
        let watch = Stopwatch::start();
        match subject.trials.violation(&options, None, control) {
            Some(trial) if trial.found => {
                measured.ended(&watch);
                steps += trial.steps;
            }
            // The end of the box; what is interrupted by hand is not kept.
            _ => {
                measured.failed = 1;
                break;
            }
        }
    }
    measured.wall = start.elapsed();
    measured.cpu = resources::cpu_time().saturating_sub(cpu);
    // Which ones are cut short depends on the machine.
    let is_whole = measured.found == effort.violations;
    measured.count = is_whole.then(|| Count::Steps(steps as f64 / measured.found as f64));
    measured
}

/// Decides the refinement completely.
fn proofs(
    subject: &mut Subject,
    options: &RefineOptions,
    effort: &Effort,
    control: &RefineControl,
) -> Result<Measured, Error> {
    let mut measured = Measured::default();
    let cpu = resources::cpu_time();
    while measured.found < effort.violations.min(PROOFS) {
        let used = resources::cpu_time().saturating_sub(cpu);
        let is_first = measured.found == 0;
        // One that is known to need the rest of the box is not begun.
        if !is_first && effort.timeout.saturating_sub(used) < used {
            break;
        }
        let watch = Stopwatch::start();
        let answer = decide(&mut subject.project, &subject.query, options, control)
            .map_err(|why| Error::new(format_args!("a row cannot be measured: {why}")))?;
        if let Some(bug) = answer.bug {
            return Err(Error::new(format_args!("bug in zonewalk: {bug}")));
        }
        measured.wall += answer.search_time;
        if answer.verdict == Verdict::Unknown {
            measured.failed = 1;
            break;
        }
        measured.ended(&watch);
        measured.count = match (answer.relation, answer.evidence) {
            (Some((pairs, zones)), _) => Some(Count::Relation(pairs, zones)),
            (None, Some(evidence)) => Some(Count::Run(evidence.found_steps)),
            (None, None) => None,
        };
    }
    // With that of the judge, who repeats the runs.
    measured.cpu = resources::cpu_time().saturating_sub(cpu);
    Ok(measured)
}

/// Searches within a box.
pub(super) fn watched<T>(time: Duration, control: &Control, search: impl FnOnce(&RefineControl) -> T) -> T {
    let searching = RefineControl::default();
    boxed::watched(time, control, || searching.stop(), || search(&searching))
}
