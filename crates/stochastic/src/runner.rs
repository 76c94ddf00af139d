//! One run after the other.

use crate::flow::Flow;
use crate::machine::{Draws, Machine, Ran};
use crate::plan::StochasticPlan;
use crate::race::{Mover, RaceResult};
use crate::record::{Record, Recorder};
use crate::state::{Runner, Scratch, Stop};
use std::ops::ControlFlow;
use zonewalk_model::tree::BinaryOp;
use zonewalk_numbers::Random;
use zonewalk_sampling::{
    Arithmetic, Bound, ConditionId, Ended, ExpressionId, Monitor, Piece, Restart, RunError, RunErrorKind,
    Sampler,
};
use zonewalk_syntax::span::Span;

/// Counts delays that are far shorter than a step of the integrator.
///
/// A ball that bounces lower and lower would bounce without end in a finite time, and the run would never come beyond it. After many
/// delays that together are a small part of `--discretization`, clocks go on straight for such a step, which is what Euler's method
/// with fixed steps does everywhere: the ball then bounces about as high as it falls in one step.
struct ZenoBounceGuard {
    since: f64,
    delays: u32,
}

impl ZenoBounceGuard {
    /// Number of delays that counts as Zeno behaviour,
    const MOST: u32 = 64;
    /// if together they are shorter than this part of a step.
    const PART: f64 = 1e-3;

    fn begin(now: f64) -> ZenoBounceGuard {
        ZenoBounceGuard {
            since: now,
            delays: 0,
        }
    }

    fn count(&mut self, now: f64, step: f64) {
        self.delays += 1;
        if now - self.since > Self::PART * step {
            *self = ZenoBounceGuard::begin(now);
        }
    }

    fn is_too_much(&self) -> bool {
        self.delays >= Self::MOST
    }
}

impl<'p> Runner<'p> {
    /// A maker of runs of a plan.
    pub fn new(plan: &'p StochasticPlan) -> Runner<'p> {
        let mut flow = Flow::default();
        flow.rates.resize(plan.clocks.len(), 1.0);
        Runner {
            machine: Machine::new(plan),
            flow,
            crossings: Vec::new(),
            reach: 0.0,
            is_looked_for: false,
            grid: Vec::new(),
            scratch: Scratch::default(),
            racers: Vec::new(),
            run: 0,
            now: 0.0,
            steps: 0,
            recorder: None,
        }
    }

    /// Makes a run as [`Sampler::run`] does, and keeps all that is needed to repeat it.
    ///
    /// # Errors
    /// The error of the model that the run meets.
    pub fn record(
        &mut self,
        seed: u64,
        run: u64,
        bound: &Bound,
        monitor: &mut dyn Monitor,
    ) -> (Record, Result<Ended, RunError>) {
        self.recording(|runner| runner.run(seed, run, bound, monitor))
    }

    /// Keeps all that is needed to repeat what is made: a run from the initial state, and what it goes on with.
    pub fn recording<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (Record, T) {
        self.recorder = Some(Recorder::default());
        let made = make(self);
        let recorder = self.recorder.take().unwrap_or_default();
        (
            recorder.finish(self.now, self.machine.plan.options.discretization),
            made,
        )
    }

    fn begin(&mut self, seed: u64, run: u64) -> Ran<()> {
        let plan = self.machine.plan;
        self.machine.cells.copy_from_slice(&plan.initial);
        for (location, process) in self.machine.locations.iter_mut().zip(&plan.processes) {
            *location = process.initial;
        }
        self.machine.random = Random::for_walk(seed, run);
        self.machine.draws = match self.recorder {
            Some(_) => Draws::Recorded(Vec::new()),
            None => Draws::Fresh,
        };
        (self.run, self.now, self.steps) = (run, 0.0, 0);
        self.machine.refuel();
        for effect in &plan.at_start {
            self.machine.perform(effect)?;
        }
        self.note_draws(true);
        Ok(())
    }

    /// Hands the draws since the last time to the recorder.
    pub(crate) fn note_draws(&mut self, at_start: bool) -> Vec<f64> {
        let Draws::Recorded(list) = &mut self.machine.draws else {
            return Vec::new();
        };
        let drawn = std::mem::take(list);
        if let Some(recorder) = self.recorder.as_mut().filter(|_| at_start) {
            recorder.initial = drawn;
            return Vec::new();
        }
        drawn
    }

    fn go(&mut self, bound: &Bound, monitor: &mut dyn Monitor) -> Result<Ended, Stop> {
        let options = self.machine.plan.options;
        let mut instant_steps = 0;
        let mut bounces = ZenoBounceGuard::begin(self.now);
        let mut stretch = 64.0 * options.discretization;
        loop {
            self.crossings.clear();
            self.settle_rates()?;
            self.flow.begin(&self.machine);
            let left = match bound {
                Bound::Time(limit) => (limit - self.now).max(0.0),
                _ => (options.max_time - self.now).max(0.0),
            };
            let is_straight = bounces.is_too_much() && self.flow.is_integrated();
            if is_straight {
                self.flow.straighten(&mut self.machine)?;
                bounces = ZenoBounceGuard::begin(self.now);
            }
            // How far ahead is looked at once.
            let length = match bound {
                _ if is_straight => options.discretization,
                // The clock may reach its bound long before the time that is left, and what comes after it need not be integrated.
                Bound::Clock { .. } if self.flow.is_integrated() => stretch,
                _ => f64::INFINITY,
            };
            let is_over = matches!(bound, Bound::Steps(limit) if self.steps >= *limit);
            let mut race = if is_over {
                RaceResult::NONE
            } else {
                self.race(left.min(length))?
            };
            stretch = 64.0 * options.discretization;
            if !is_over && race.delay > length && length < left {
                race = RaceResult::later(length);
                stretch = 2.0 * length;
            }
            let (delay, ended) = self.end_of_piece(bound, left, is_over, &race)?;
            if self.show(delay, bound, monitor)?.is_break() {
                return Ok(Ended::Decided);
            }
            self.advance(delay)?;
            let before = self.now;
            self.now = match (bound, ended) {
                (Bound::Time(limit), Some(Ended::Bound)) => *limit,
                _ => self.now + delay,
            };
            if let Some(recorder) = self.recorder.as_mut().filter(|_| is_straight) {
                recorder.straight(before, self.now);
            }
            if let Some(ended) = ended {
                return Ok(ended);
            }
            if self.steps >= options.max_steps {
                return Ok(Ended::StepLimit);
            }
            // A delay may be so short that the time stays the same.
            instant_steps = if self.now > before { 0 } else { instant_steps + 1 };
            if instant_steps > options.max_instant_steps {
                return Err(self.zeno());
            }
            let taken = self.steps;
            let fired = self.fire(&race, delay);
            let is_at_bound = matches!(bound, Bound::Time(_)) && delay >= left;
            if is_at_bound && matches!(fired, Err(Stop::Error(RunErrorKind::TimeLock, ..))) {
                // Time need not pass any more.
                return Ok(Ended::Bound);
            }
            fired?;
            if delay > 0.0 && self.steps > taken {
                bounces.count(self.now, options.discretization);
            }
        }
    }

    /// Length of the next piece, and the reason the run ends with it, if any.
    fn end_of_piece(
        &mut self,
        bound: &Bound,
        left: f64,
        is_over: bool,
        race: &RaceResult,
    ) -> Result<(f64, Option<Ended>), Stop> {
        Ok(match bound {
            // A transition at the bound is still part of the run.
            Bound::Time(_) if race.delay > left => (left, Some(Ended::Bound)),
            Bound::Steps(_) if is_over => (0.0, Some(Ended::Bound)),
            Bound::Clock { clock, limit } => {
                let within = race.delay.min(left);
                match self.reaches(*clock, *limit, within)? {
                    Some(at) if at <= within => (at, Some(Ended::Bound)),
                    _ if race.mover == Mover::None => (0.0, Some(Ended::Deadlock)),
                    _ if race.delay > left => (left, Some(Ended::StepLimit)),
                    _ => (race.delay, None),
                }
            }
            Bound::Steps(_) if race.mover == Mover::None => (0.0, Some(Ended::Deadlock)),
            Bound::Steps(_) if race.delay > left => (left, Some(Ended::StepLimit)),
            _ => (race.delay, None),
        })
    }

    /// When a clock reaches a value, within a time.
    fn reaches(&mut self, clock: ExpressionId, limit: f64, within: f64) -> Ran<Option<f64>> {
        let code = &self.machine.plan.expressions[clock.0];
        let condition = crate::code::Cond::Compare(
            BinaryOp::GreaterEqual,
            code.clone(),
            crate::code::Real::Const(limit),
            Span::NONE,
        );
        self.reach = within.min(self.machine.plan.options.max_time);
        Ok(self.when(&condition)?.first())
    }

    /// Shows the next piece to the monitor.
    fn show(
        &mut self,
        delay: f64,
        bound: &Bound,
        monitor: &mut dyn Monitor,
    ) -> Result<ControlFlow<()>, RunError> {
        let mut piece = Stretch {
            bound: *bound,
            delay,
            runner: self,
        };
        monitor.piece(&mut piece)
    }

    /// Lets time pass.
    fn advance(&mut self, delay: f64) -> Ran<()> {
        if delay == 0.0 {
            return Ok(());
        }
        self.flow.extend(&mut self.machine, delay)?;
        self.flow.set(&mut self.machine, delay);
        for crossing in &self.crossings {
            if crossing.at == delay {
                self.machine.set_double(crossing.cell, crossing.value);
            }
        }
        Ok(())
    }

    fn zeno(&self) -> Stop {
        let plan = self.machine.plan;
        let limit = plan.options.max_instant_steps;
        let place = self
            .machine
            .locations
            .iter()
            .zip(&plan.processes)
            .map(|(location, process)| (&process.locations[*location as usize], process))
            .find(|(place, _)| place.committed || place.urgent || place.invariant.is_some());
        let (span, place) = match place {
            Some((place, process)) => (place.span, format!("{}.{}", process.name, place.name)),
            None => (Span::NONE, "no location with an invariant".to_owned()),
        };
        let message =
            format!("the run does not diverge: {limit} transitions without time passing, in {place}");
        Stop::Error(RunErrorKind::Zeno, span, message)
    }

    /// The error of a run, with its place and time.
    pub(crate) fn error(&self, stop: Stop) -> RunError {
        let (kind, span, message) = match stop {
            Stop::Run(error) => return error,
            Stop::Fault(fault) => (RunErrorKind::Fault, fault.span, fault.to_string()),
            Stop::Error(kind, span, message) => (kind, span, message),
        };
        RunError {
            kind,
            message,
            span,
            run: self.run,
            time: self.now,
            steps: self.steps,
        }
    }
}

impl Sampler for Runner<'_> {
    fn run(
        &mut self,
        seed: u64,
        run: u64,
        bound: &Bound,
        monitor: &mut dyn Monitor,
    ) -> Result<Ended, RunError> {
        let begun = self.begin(seed, run).map_err(Stop::from);
        begun
            .and_then(|()| self.go(bound, monitor))
            .map_err(|stop| self.error(stop))
    }

    fn arithmetic(&self) -> Arithmetic {
        if self.machine.plan.is_integrated {
            Arithmetic::Integrated
        } else {
            Arithmetic::Double
        }
    }
}

/// A state of a run in doubles.
pub struct DoubleState {
    cells: Vec<u64>,
    locations: Vec<u32>,
    now: f64,
    steps: u64,
}

impl Restart for Runner<'_> {
    type State = DoubleState;

    fn keep(&self) -> DoubleState {
        DoubleState {
            cells: self.machine.cells.clone(),
            locations: self.machine.locations.clone(),
            now: self.now,
            steps: self.steps,
        }
    }

    fn restore(&mut self, kept: &DoubleState) {
        self.machine.cells.copy_from_slice(&kept.cells);
        self.machine.locations.copy_from_slice(&kept.locations);
        (self.now, self.steps) = (kept.now, kept.steps);
    }

    fn go_on(
        &mut self,
        seed: u64,
        run: u64,
        bound: &Bound,
        monitor: &mut dyn Monitor,
    ) -> Result<Ended, RunError> {
        self.run = run;
        self.machine.random = Random::for_walk(seed, run);
        self.scratch.idle = 0;
        self.go(bound, monitor).map_err(|stop| self.error(stop))
    }
}

/// The piece that is shown.
struct Stretch<'r, 'p> {
    runner: &'r mut Runner<'p>,
    bound: Bound,
    delay: f64,
}

impl Stretch<'_, '_> {
    /// Absolute instants, without a rounding error at the end.
    fn absolute(&self, at: f64) -> f64 {
        if at >= self.delay {
            self.to()
        } else {
            self.from() + at
        }
    }
}

impl Piece for Stretch<'_, '_> {
    fn from(&self) -> f64 {
        self.runner.now
    }

    fn to(&self) -> f64 {
        match self.bound {
            Bound::Time(limit) if self.runner.now + self.delay >= limit => limit,
            _ => self.runner.now + self.delay,
        }
    }

    fn steps(&self) -> u64 {
        self.runner.steps
    }

    fn holds(&mut self, condition: ConditionId, into: &mut Vec<(f64, f64)>) -> Result<(), RunError> {
        let condition = &self.runner.machine.plan.conditions[condition.0];
        self.runner.machine.refuel();
        self.runner.reach = self.delay;
        let windows = if self.delay == 0.0 {
            let holds = self.runner.machine.holds(condition);
            holds.map(crate::windows::Windows::constant)
        } else {
            self.runner.when(condition)
        };
        let windows = windows.map_err(|fault| self.runner.error(fault.into()))?;
        for interval in windows.intervals() {
            // Where there is no first instant, the next double is one at which the condition holds.
            let lo = self.absolute(interval.lo);
            let lo = if interval.lo_open { lo.next_up() } else { lo };
            let hi = self.absolute(interval.hi.min(self.delay));
            if interval.lo <= self.delay && lo <= hi {
                into.push((lo, hi));
            }
        }
        Ok(())
    }

    fn values(&mut self, expression: ExpressionId, into: &mut Vec<(f64, f64)>) -> Result<(), RunError> {
        let code = &self.runner.machine.plan.expressions[expression.0];
        let (from, delay) = (self.runner.now, self.delay);
        self.runner.machine.refuel();
        let curve = self.runner.curve(code, delay, from, into);
        curve.map_err(|fault| self.runner.error(fault.into()))?;
        if let Some(last) = into.last_mut() {
            last.0 = self.to();
        }
        Ok(())
    }

    fn progress(&mut self, at: f64) -> Result<f64, RunError> {
        match self.bound {
            Bound::Time(_) => Ok(at),
            Bound::Steps(_) => Ok(self.runner.steps as f64),
            Bound::Clock { clock, .. } => {
                let runner = &mut *self.runner;
                let code = &runner.machine.plan.expressions[clock.0];
                let value = runner.value_after(code, (at - runner.now).clamp(0.0, self.delay));
                value.map_err(|fault| runner.error(fault.into()))
            }
        }
    }
}

impl Runner<'_> {
    /// The value of an expression after a time.
    fn value_after(&mut self, code: &crate::code::Real, at: f64) -> Ran<f64> {
        self.flow.extend(&mut self.machine, at)?;
        self.flow.set(&mut self.machine, at);
        let value = self.machine.real(code);
        self.flow.set(&mut self.machine, 0.0);
        value
    }
}
