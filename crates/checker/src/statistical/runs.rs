//! Runs of a query, folded in the order of their numbers.

mod comparison;
mod expectation;
mod probability;
mod simulation;
mod splitting;
mod tally;
mod test;

use super::watch::{Interrupt, Watched};
use crate::control::Control;
use crate::options::statistics::Parameters;
use crate::statistical_query::Form;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use zonewalk_report::statistics::{BoundInfo, Estimate, Kind};
use zonewalk_sampling::{Arithmetic, Bound, Restart, RunError, Sampler};
use zonewalk_statistics::fold::{Ended, in_order};
use zonewalk_statistics::splitting::StagedRun;
use zonewalk_syntax::diagnostic::Diagnostic;

/// Result of a fold.
pub(super) struct StatisticalAnswer {
    pub(super) estimate: Estimate,
    /// Whether the query is satisfied; `None` where that is not decided.
    pub(super) satisfied: Option<bool>,
    /// A run that shows something.
    pub(super) sample: Option<Sample>,
    pub(super) made: Made,
}

/// Runs that were made, for any form of query.
#[derive(Clone, Copy)]
pub(super) struct Made {
    arithmetic: Arithmetic,
    /// Transitions of all runs that count.
    pub(super) steps: u64,
    /// The most transitions of one outcome.
    pub(super) longest: u64,
}

/// An outcome of runs that knows how many transitions they had.
trait Steps {
    fn steps(&self) -> u64;
}

impl Steps for Watched {
    fn steps(&self) -> u64 {
        self.steps
    }
}

/// A run that reaches the condition that was looked for.
pub(super) struct Sample {
    pub(super) number: u64,
    pub(super) instant: f64,
    /// Where estimates are made by splitting: how the run of the estimate with this number came there.
    pub(super) way: Option<StagedRun>,
}

/// Why there is no answer.
pub(super) enum StatisticalError {
    /// The model is wrong.
    Run(Box<RunError>),
    /// The question is.
    Question(Box<Diagnostic>),
}

impl From<Box<RunError>> for StatisticalError {
    fn from(error: Box<RunError>) -> StatisticalError {
        StatisticalError::Run(error)
    }
}

/// Why runs ended early.
enum Cut {
    Error(Box<RunError>),
    Interrupted(&'static str),
    MaxRuns,
}

/// How runs are made for a query.
pub(super) struct Runs<'a> {
    pub(super) seed: u64,
    pub(super) threads: usize,
    pub(super) conditions: usize,
    pub(super) interrupt: Interrupt<'a>,
    pub(super) control: &'a Control,
    pub(super) parameters: Parameters,
}

impl Runs<'_> {
    pub(super) fn answer<S: Restart>(
        &self,
        form: &Form<'_>,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<StatisticalAnswer, StatisticalError> {
        self.control.see_runs(0, None);
        Ok(match form {
            Form::Probability(side) => self.probability(side, make)?,
            Form::Splitting { side, goal, levels } => self.splitting(side, *goal, levels, make)?,
            Form::Test { side, threshold } => self.test(side, *threshold, make)?,
            Form::Comparison(first, second) => self.comparison(first, second, make)?,
            Form::Expectation {
                bound,
                over,
                runs,
                is_maximum,
                observed,
            } => {
                // The number on the command line goes before that of the query.
                let runs = self.parameters.runs.or(*runs);
                self.expectation((bound, over), runs, (*observed, *is_maximum), make)?
            }
            Form::Simulation {
                bound,
                over,
                runs,
                curves,
                filter,
            } => self.simulation((bound, over), *runs, curves, *filter, make)?,
        })
    }

    /// Makes runs until `see` has enough or there are `most` of them. How it was cut, if it was.
    fn fold<S: Sampler, T: Send + Steps>(
        &self,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
        most: Option<u64>,
        work: impl Fn(&mut S, u64, &AtomicBool) -> Option<Result<T, RunError>> + Sync,
        mut see: impl FnMut(u64, T) -> ControlFlow<()>,
    ) -> (Option<Cut>, Made) {
        let mut cut = None;
        let mut made = Made {
            arithmetic: Arithmetic::Exact,
            steps: 0,
            longest: 0,
        };
        let begin = |_: &AtomicBool| make();
        let first = self.parameters.first_run;
        let one = |worker: &mut Result<S, RunError>, number: u64, over: &AtomicBool| match worker {
            Ok(sampler) => {
                let outcome = work(sampler, first + number, over)?;
                Some((outcome.map_err(Box::new), sampler.arithmetic()))
            }
            Err(error) => Some((Err(Box::new(error.clone())), Arithmetic::Exact)),
        };
        if most == Some(0) {
            return (Some(Cut::MaxRuns), made);
        }
        let ended = in_order(self.threads, begin, one, |number, (outcome, by)| {
            made.arithmetic = by;
            self.control.walks.walks.fetch_add(1, Ordering::Relaxed);
            match outcome {
                Err(error) => {
                    cut = Some(Cut::Error(error));
                    ControlFlow::Break(())
                }
                Ok(outcome) => {
                    made.steps += outcome.steps();
                    made.longest = made.longest.max(outcome.steps());
                    see(first + number, outcome)?;
                    if most.is_some_and(|most| number + 1 >= most) {
                        cut = Some(Cut::MaxRuns);
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                }
            }
        });
        if let Ended::Interrupted(_) = ended {
            let is_interrupted = self.interrupt.interrupted.load(Ordering::Relaxed);
            cut = Some(Cut::Interrupted(if is_interrupted {
                "interrupted"
            } else {
                "the time limit was reached"
            }));
        }
        (cut, made)
    }

    /// An estimate of nothing yet.
    fn estimate(
        &self,
        kind: Kind,
        (bound, over): (&Bound, &str),
        made: Made,
        method: &'static str,
    ) -> Estimate {
        let limit = match *bound {
            Bound::Time(limit) | Bound::Clock { limit, .. } => limit,
            Bound::Steps(steps) => steps as f64,
        };
        Estimate {
            kind,
            value: None,
            interval: None,
            confidence: None,
            half_width: None,
            runs: 0,
            satisfied: None,
            satisfied_second: None,
            undecided: 0,
            method,
            engine: match made.arithmetic {
                Arithmetic::Exact => "exact",
                Arithmetic::Double => "f64",
                Arithmetic::Integrated => "ode",
            },
            bound: BoundInfo {
                over: over.to_owned(),
                limit,
            },
            histogram: None,
            first_hit: None,
            mean_of_satisfying: None,
            hypothesis: None,
            sample_run: None,
            series: Vec::new(),
            wide: None,
            splitting: None,
            path: "",
            is_maximum: false,
            cut: None,
        }
    }
}
