//! Runs of the stochastic semantics in exact time, for statistical queries.
//!
//! Instants are those of the grid. A draw is off by less than one step of it, so that a probability is off by at most the number
//! of races times two steps times the largest density, and by the probability of ties.

use super::piece::{StatePiece, clock_of};
use super::{END_OF_TIME, StepOutcome};
use crate::Stop;
use crate::goal::{WalkGoal, Watch};
use crate::heuristic::choose::{Chooser, Heuristic};
use crate::heuristic::coverage::Coverage;
use crate::heuristic::options::Options;
use crate::heuristic::schedule::{Delays, Schedule};
use crate::plan::WalkPlan;
use crate::state::State;
use crate::time::{FOREVER, Window};
use crate::walker::{Record, Walker};
use std::ops::ControlFlow;
use zonewalk_network::Measure;
use zonewalk_network::ids::{LocationId, ProcessId};
use zonewalk_numbers::Random;
use zonewalk_run::Run;
use zonewalk_sampling::{Arithmetic, Bound, Ended, Monitor, Restart, RunError, RunErrorKind, Sampler};
use zonewalk_syntax::span::Span;

/// Number of transitions without time passing after which a run does not go on.
const ZENO: u64 = 1_000_000;

/// Error of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SampleError {
    /// A run-time error, or weights that are invalid.
    Stop(Stop),
    /// Time must stop for these processes, which are there, and no process can move.
    TimeLock(Vec<(ProcessId, LocationId)>),
    /// Transitions without end, without time; the last one was of this process, which is there.
    Zeno(Option<(ProcessId, LocationId)>),
    /// The invariants do not hold in the beginning.
    NoInitialState,
}

/// Puts what is wrong into words, with a place.
pub type Explain<'a> = dyn Fn(&SampleError) -> (RunErrorKind, String, Span) + Sync + 'a;

/// Conditions and expressions that are observed.
pub struct Observed {
    /// The conditions.
    pub conditions: Vec<WalkGoal>,
    /// The expressions.
    pub measures: Vec<Measure>,
}

/// Makes runs in exact time.
pub struct ExactSampler<'p> {
    plan: &'p WalkPlan<'p>,
    walker: Walker<'p>,
    chooser: Chooser,
    watches: Vec<Watch<'p>>,
    measures: &'p [Measure],
    windows: Vec<Window>,
    /// Transitions before the state that the run was gone on from; the record has those after it.
    before: u64,
    max_steps: u64,
    explain: &'p Explain<'p>,
}

/// A state of a run in exact time.
pub struct ExactState {
    state: State,
    steps: u64,
}

impl<'p> ExactSampler<'p> {
    /// Makes runs of at most a number of steps.
    ///
    /// # Errors
    /// There is no initial state.
    pub fn new(
        plan: &'p WalkPlan<'p>,
        observed: &'p Observed,
        max_steps: u64,
        explain: &'p Explain<'p>,
    ) -> Result<Self, RunError> {
        let trouble = match Walker::new(plan) {
            Ok(Some(walker)) => {
                return Ok(ExactSampler {
                    plan,
                    walker,
                    chooser: Chooser::new(Heuristic::Smc, Coverage::none()),
                    watches: observed.conditions.iter().map(Watch::new).collect(),
                    measures: &observed.measures,
                    windows: Vec::new(),
                    before: 0,
                    max_steps,
                    explain,
                });
            }
            Ok(None) => SampleError::NoInitialState,
            Err(stop) => SampleError::Stop(stop),
        };
        let (kind, message, span) = explain(&trouble);
        Err(RunError {
            kind,
            message,
            span,
            run: 0,
            time: 0.0,
            steps: 0,
        })
    }

    /// The last run, up to an instant after its last transition. Requires: it was made from the initial state on.
    pub fn trace_until(&self, instant: f64) -> Run {
        let record = &self.walker.record;
        // Exact: the instant was made from a whole number of ticks.
        let ticks = (instant * self.plan.unit as f64).round() as i64;
        record.run(self.plan, record.steps.len(), ticks)
    }

    /// Transitions since the beginning.
    fn steps(&self) -> u64 {
        self.before + self.walker.record.steps.len() as u64
    }

    fn error(&self, trouble: &SampleError, run: u64) -> RunError {
        let (kind, message, span) = (self.explain)(trouble);
        RunError {
            kind,
            message,
            span,
            run,
            time: self.walker.state.clocks.now as f64 / self.plan.unit as f64,
            steps: self.steps(),
        }
    }

    /// The last instant within the bound, as the state is now; `None` when it is after it.
    fn last_instant(&mut self, bound: &Bound) -> Result<Option<i64>, Stop> {
        let unit = self.plan.unit;
        let to_ticks = |units: f64| (units * unit as f64).min(END_OF_TIME as f64) as i64;
        Ok(match *bound {
            Bound::Time(limit) => Some(to_ticks(limit)),
            Bound::Steps(_) => Some(END_OF_TIME),
            Bound::Clock { clock, limit } => {
                let clock = clock_of(self.plan, &mut self.walker.state, &self.measures[clock.0])?;
                let Some(clock) = clock else {
                    return Ok(Some(END_OF_TIME));
                };
                let clocks = &self.walker.state.clocks;
                let left = to_ticks(limit) - clocks.value(clock);
                if left < 0 {
                    None
                } else if clocks.values[clock.index()].runs {
                    Some((clocks.now + left).min(END_OF_TIME))
                } else {
                    Some(END_OF_TIME)
                }
            }
        })
    }

    /// Shows the state to the monitor without a duration; true when it has seen enough.
    fn show_now(&mut self, bound: &Bound, monitor: &mut dyn Monitor) -> Result<ControlFlow<()>, RunError> {
        let now = self.walker.state.clocks.now;
        let steps = self.steps();
        let mut piece = StatePiece {
            plan: self.plan,
            state: &mut self.walker.state,
            to: now,
            steps,
            watches: &mut self.watches,
            measures: self.measures,
            windows: &mut self.windows,
            bound,
            explain: self.explain,
        };
        monitor.piece(&mut piece)
    }

    fn whereabouts(&self, process: ProcessId) -> (ProcessId, LocationId) {
        (process, self.walker.state.location(process))
    }

    fn make(&mut self, run: u64, bound: &Bound, monitor: &mut dyn Monitor) -> Result<Ended, RunError> {
        let mut since = (self.walker.state.clocks.now, self.steps());
        loop {
            let steps = self.steps();
            if let Some(fault) = self.walker.fault.take() {
                return Err(self.error(&SampleError::Stop(fault.stop), run));
            }
            if let Bound::Steps(limit) = *bound
                && steps >= limit
            {
                let seen = self.show_now(bound, monitor)?;
                return Ok(if seen.is_break() {
                    Ended::Decided
                } else {
                    Ended::Bound
                });
            }
            if steps >= self.max_steps {
                return Ok(Ended::StepLimit);
            }
            let now = self.walker.state.clocks.now;
            if now > since.0 {
                since = (now, steps);
            } else if steps - since.1 >= ZENO {
                let last = self.walker.record.parts.last();
                let process = last.map(|&edge| self.whereabouts(self.plan.edge(edge).process));
                return Err(self.error(&SampleError::Zeno(process), run));
            }
            let last = match self.last_instant(bound) {
                Ok(Some(last)) => last,
                Ok(None) => return Ok(Ended::Bound),
                Err(stop) => return Err(self.error(&SampleError::Stop(stop), run)),
            };
            if now > last {
                return Ok(Ended::Bound);
            }
            if let Some(ended) = self.step(run, last, bound, monitor)? {
                return Ok(ended);
            }
        }
    }

    /// One transition. How the run ended, if it did.
    fn step(
        &mut self,
        run: u64,
        last: i64,
        bound: &Bound,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Ended>, RunError> {
        let steps = self.steps();
        let ExactSampler {
            plan,
            walker,
            chooser,
            watches,
            measures,
            windows,
            explain,
            ..
        } = self;
        let mut failed = None;
        let mut meets = |state: &mut State, until: i64| {
            let now = state.clocks.now;
            // Where nothing ends it, the run ends here.
            let to = if until >= END_OF_TIME { now } else { until };
            let mut piece = StatePiece {
                plan,
                state,
                to,
                steps,
                watches,
                measures,
                windows,
                bound,
                explain: *explain,
            };
            match monitor.piece(&mut piece) {
                Ok(ControlFlow::Continue(())) => None,
                Ok(ControlFlow::Break(())) => Some(now),
                Err(error) => {
                    failed = Some(error);
                    Some(now)
                }
            }
        };
        let outcome = chooser.stochastic_step(walker, last, &mut meets);
        if let Some(error) = failed {
            return Err(RunError { run, ..error });
        }
        let ended = match outcome {
            Ok(StepOutcome::Taken) => return Ok(None),
            Ok(StepOutcome::Met(_)) => Ended::Decided,
            Ok(StepOutcome::TimeBound) if last >= END_OF_TIME => Ended::Deadlock,
            Ok(StepOutcome::TimeBound) => Ended::Bound,
            Ok(StepOutcome::OffGrid) => Ended::StepLimit,
            Ok(StepOutcome::Stuck) => {
                let horizon = self.walker.horizon();
                if horizon >= last {
                    if last >= END_OF_TIME {
                        Ended::Deadlock
                    } else {
                        Ended::Bound
                    }
                } else if horizon == FOREVER {
                    Ended::Deadlock
                } else {
                    let deadlines = &self.walker.state.deadlines;
                    let is_due = |process: &ProcessId| deadlines.get(process.index()) <= horizon;
                    let due = self.plan.processes().filter(is_due);
                    let due = due.map(|process| self.whereabouts(process)).collect();
                    // That is when time must stop.
                    self.walker.state.clocks.now = horizon & !1;
                    return Err(self.error(&SampleError::TimeLock(due), run));
                }
            }
            Err(stop) => return Err(self.error(&SampleError::Stop(stop), run)),
        };
        Ok(Some(ended))
    }
}

impl Sampler for ExactSampler<'_> {
    fn run(
        &mut self,
        seed: u64,
        run: u64,
        bound: &Bound,
        monitor: &mut dyn Monitor,
    ) -> Result<Ended, RunError> {
        self.walker.restart();
        self.before = 0;
        self.go_on(seed, run, bound, monitor)
    }

    fn arithmetic(&self) -> Arithmetic {
        Arithmetic::Exact
    }
}

impl Restart for ExactSampler<'_> {
    type State = ExactState;

    fn keep(&self) -> ExactState {
        ExactState {
            state: self.walker.state.clone(),
            steps: self.steps(),
        }
    }

    fn restore(&mut self, kept: &ExactState) {
        self.walker.resume(&kept.state, &Record::default());
        self.before = kept.steps;
    }

    fn go_on(
        &mut self,
        seed: u64,
        run: u64,
        bound: &Bound,
        monitor: &mut dyn Monitor,
    ) -> Result<Ended, RunError> {
        let options = Options {
            schedule: Schedule::Tuned,
            heuristic: Heuristic::Smc,
            delays: Delays::Adaptive,
            seed,
            max_steps: None,
            time_bound: None,
        };
        self.chooser
            .begin(Random::for_walk(seed, run), options.parameters(run));
        self.watches.iter_mut().for_each(Watch::begin);
        self.make(run, bound, monitor)
    }
}
