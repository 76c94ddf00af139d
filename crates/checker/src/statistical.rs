//! Statistical queries: random runs, folded in the order of their numbers into an estimate, a test or curves.

mod doubles;
mod reach;
mod runs;
mod watch;

pub use doubles::check_in_doubles;

use crate::control::Control;
use crate::judge::confirm::confirm;
use crate::options::statistics::Parameters;
use crate::options::{Options, TraceKind};
use crate::outcome::{CheckerReport, Fault, Origin, Outcome, Stats, Times, Witness};
use crate::statistical_query::{Exact, Form, PathFormula, Sampling};
use crate::task::Checker;
use runs::{Runs, Sample, StatisticalAnswer, StatisticalError};
use std::time::Instant;
use watch::Interrupt;
use zonewalk_model::tree::Location;
use zonewalk_report::trace::End;
use zonewalk_sampling::{RunError, RunErrorKind};
use zonewalk_statistics::splitting;
use zonewalk_symbolic::stop::ModelError;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;
use zonewalk_walk::goal::WalkGoal;
use zonewalk_walk::smc::{ExactSampler, Observed as ExactObserved, SampleError, obstacle};

/// Transitions of a run at most, unless a number is given.
const MAX_STEPS: u64 = 1 << 32;

/// Obstacle that keeps statistical queries from runs in exact time.
enum StatisticalObstacle {
    /// The stochastic semantics does not cover the model.
    Model(Box<Diagnostic>),
    /// A rate or a weight that doubles alone can compute.
    ExactTime,
}

/// A statistical query, and the options that it is asked with.
struct StatisticalRequest<'a> {
    number: usize,
    recorded: &'a [(String, String)],
    options: &'a Options,
    control: &'a Control,
}

impl<'a> StatisticalRequest<'a> {
    fn runs(&self, conditions: usize, is_late: &'a (dyn Fn() -> bool + Sync)) -> Runs<'a> {
        Runs {
            // One stream for each query.
            seed: self.options.seed ^ (self.number as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93),
            threads: self.options.threads.get(),
            conditions,
            interrupt: Interrupt {
                interrupted: &self.control.walks.interrupted,
                is_late,
            },
            control: self.control,
            parameters: self.parameters(),
        }
    }

    fn parameters(&self) -> Parameters {
        Parameters::new(&self.options.statistics, self.recorded)
    }
}

fn report(outcome: Outcome, stats: Stats, start: Instant) -> CheckerReport {
    CheckerReport::new("smc", outcome, stats, Times::of_search(start))
}

/// Outcome of runs, with the one that is shown.
fn outcome(
    made: Result<StatisticalAnswer, StatisticalError>,
    stats: &mut Stats,
    show: impl FnOnce(&Sample) -> Result<Option<Box<Witness>>, String>,
) -> Outcome {
    let made = match made {
        Ok(made) => made,
        Err(StatisticalError::Run(error)) => return Outcome::Fault(fault(&error)),
        Err(StatisticalError::Question(diagnostic)) => {
            return Outcome::Fault(Fault {
                origin: Origin::Search,
                ..Fault::without_run(*diagnostic)
            });
        }
    };
    stats.walks = made.estimate.runs;
    stats.steps = made.made.steps;
    stats.max_depth = made.made.longest;
    match made.sample.as_ref().map_or(Ok(None), show) {
        Err(bug) => Outcome::Bug(bug),
        Ok(witness) => Outcome::Estimated {
            satisfied: made.satisfied,
            estimate: Box::new(made.estimate),
            witness,
        },
    }
}

impl Checker<'_, '_> {
    /// Answers a statistical query, the one with this number.
    pub(crate) fn check_statistically(
        &self,
        sampling: &Sampling<'_>,
        number: usize,
        options: &Options,
        control: &Control,
    ) -> CheckerReport {
        let start = Instant::now();
        let request = StatisticalRequest {
            number,
            recorded: sampling.recorded,
            options,
            control,
        };
        let mut stats = Stats::default();
        let of = (self.task.interpreter.model(), self.task.interpreter.system());
        let outcome = match (self.statistical_obstacle(), &sampling.exact) {
            (Some(StatisticalObstacle::Model(diagnostic)), _) => {
                Outcome::Fault(Fault::without_run(*diagnostic))
            }
            (None, Some(exact)) => self.sample(sampling, exact, &request, &mut stats),
            (Some(StatisticalObstacle::ExactTime), _) | (None, None) => {
                doubles::sample(of, &sampling.question, &request, &mut stats)
            }
        };
        report(outcome, stats, start)
    }

    /// Obstacle that keeps statistical queries from runs in exact time.
    fn statistical_obstacle(&self) -> Option<StatisticalObstacle> {
        if let Some(diagnostic) = self.task.no_walks() {
            return Some(StatisticalObstacle::Model(Box::new(diagnostic.clone())));
        }
        let found = obstacle(self.task.interpreter.model(), &self.task.network)?;
        if found.is_quantity {
            return Some(StatisticalObstacle::ExactTime);
        }
        let message = format!("the stochastic semantics does not cover {}", found.construct);
        let diagnostic = Diagnostic::error("unsupported", found.span, message)
            .help("statistical queries need broadcast channels alone, and no priorities");
        Some(StatisticalObstacle::Model(Box::new(diagnostic)))
    }

    fn sample(
        &self,
        sampling: &Sampling<'_>,
        exact: &Exact,
        request: &StatisticalRequest<'_>,
        stats: &mut Stats,
    ) -> Outcome {
        let question = &sampling.question;
        let goals = question.conditions.iter().zip(&exact.predicates);
        let observed = ExactObserved {
            conditions: goals
                .map(|(&(_, truth), p)| WalkGoal::new(self.walk_plan(), p, truth))
                .collect(),
            measures: exact.measures.clone(),
        };
        let options = request.options;
        let explain = |trouble: &SampleError| self.explain(trouble);
        let max_steps = options
            .walks
            .max_steps
            .map_or(MAX_STEPS, |steps| u64::from(u32::from(steps)));
        let make = || ExactSampler::new(self.walk_plan(), &observed, max_steps, &explain);
        let is_late = || options.is_late();
        let runs = request.runs(question.conditions.len(), &is_late);
        outcome(runs.answer(&question.form, &make), stats, |sample| {
            self.shown(sampling, (&runs, sample), &make, options)
        })
    }

    /// The run with a number, repeated by the reference interpreter.
    ///
    /// # Errors
    /// Errors in it.
    fn shown<'p>(
        &self,
        sampling: &Sampling<'_>,
        (runs, sample): (&Runs<'_>, &Sample),
        make: &dyn Fn() -> Result<ExactSampler<'p>, RunError>,
        options: &Options,
    ) -> Result<Option<Box<Witness>>, String> {
        let (side, condition) = match &sampling.question.form {
            Form::Probability(side) | Form::Test { side, .. } => match side.formula {
                PathFormula::Reach(condition) => (side, condition),
                _ => return Ok(None),
            },
            Form::Splitting { side, goal, .. } => (side, *goal),
            _ => return Ok(None),
        };
        let Ok(mut sampler) = make() else {
            return Ok(None);
        };
        let number = (runs.seed, sample.number);
        let instant = match (&sampling.question.form, &sample.way) {
            (Form::Splitting { levels, .. }, Some(way)) => {
                let of = runs.split(side, condition, levels);
                splitting::again(&mut sampler, number, &of, way).ok().flatten()
            }
            _ => {
                let conditions = sampling.question.conditions.len();
                let again = watch::alone(&mut sampler, number, side, conditions);
                again.and_then(|again| again.instant)
            }
        };
        if instant != Some(sample.instant) {
            return Err(format!("run {} differs when it is repeated", sample.number));
        }
        let run = sampler.trace_until(sample.instant);
        let goal = Some(sampling.question.conditions[condition.0]);
        let is_wanted = options.trace.kind != TraceKind::None;
        let trace = confirm(&self.task.interpreter, &run, goal, End::Goal, is_wanted)
            .map_err(|error| format!("run {} does not replay: {error}", sample.number))?;
        Ok(Some(Box::new(Witness {
            walk: sample.number,
            ..Witness::new(&run, trace)
        })))
    }

    /// Explains an error of the model, in words and with a place.
    fn explain(&self, trouble: &SampleError) -> (RunErrorKind, String, Span) {
        match trouble {
            SampleError::Stop(stop) => {
                let kind = match stop {
                    ModelError::Weights { .. } => RunErrorKind::Weights,
                    ModelError::Rate { .. } | ModelError::Exponential { .. } => RunErrorKind::Rates,
                    ModelError::Trap(_) => RunErrorKind::Fault,
                };
                let diagnostic = self.error_diagnostic(stop);
                (kind, diagnostic.message, diagnostic.primary.span)
            }
            SampleError::TimeLock(processes) => {
                let stopped: Vec<String> = processes.iter().map(|&place| self.stops_time(place)).collect();
                let message = format!("time cannot pass and no process can move: {}", stopped.join("; "));
                let span = processes
                    .first()
                    .map_or(Span::NONE, |&place| self.location(place).span);
                (RunErrorKind::TimeLock, message, span)
            }
            SampleError::Zeno(place) => {
                let name = |&place: &Place| format!("by {}", self.place_name(place));
                let last = place.as_ref().map_or_else(|| "by a process".to_owned(), name);
                let message = format!(
                    "the run does not diverge: a million transitions without time, the last one {last}"
                );
                let span = place.map_or(Span::NONE, |place| self.location(place).span);
                (RunErrorKind::Zeno, message, span)
            }
            SampleError::NoInitialState => (
                RunErrorKind::TimeLock,
                "the initial state violates an invariant".to_owned(),
                Span::NONE,
            ),
        }
    }

    /// The location in which a process is.
    fn location(&self, (process, location): Place) -> &Location {
        let network = &self.task.network;
        let variant = &network.variants[network.processes[process.index()].variant as usize];
        &self.task.interpreter.model().templates[variant.template.index()].locations[location.index()]
    }

    fn place_name(&self, place: Place) -> String {
        let process = &self.task.network.processes[place.0.index()].name;
        format!("{process}.{}", self.location(place).name)
    }

    /// Why time must stop for a process.
    fn stops_time(&self, place: Place) -> String {
        let location = self.location(place);
        let why = if location.committed {
            "is committed"
        } else if location.urgent {
            "is urgent"
        } else {
            "has an invariant that ends"
        };
        format!("{} {why}", self.place_name(place))
    }
}

/// A process, and the location in which it is.
type Place = (
    zonewalk_network::ids::ProcessId,
    zonewalk_network::ids::LocationId,
);

fn fault(error: &RunError) -> Fault {
    let place = format!(
        "in run {}, at time {}, after {} transitions",
        error.run, error.time, error.steps
    );
    let code = match error.kind {
        RunErrorKind::Weights => "weights",
        RunErrorKind::TimeLock => "time-lock",
        RunErrorKind::Zeno => "zeno",
        _ => "run-time",
    };
    let message = format!("{} ({place})", error.message);
    let mut diagnostic = Diagnostic::error(code, error.span, message);
    let help = match error.kind {
        RunErrorKind::Weights => Some("weights are numbers of at least 0, and one of them is above 0"),
        RunErrorKind::TimeLock => {
            Some("an edge must be enabled when an invariant ends, and in urgent and committed locations")
        }
        RunErrorKind::Zeno => Some(
            "time must pass on every cycle: let one of its locations be neither urgent nor committed, or wait there",
        ),
        _ => None,
    };
    if let Some(help) = help {
        diagnostic = diagnostic.help(help);
    }
    Fault {
        diagnostic: Box::new(diagnostic),
        trace: None,
        origin: Origin::Model,
    }
}
