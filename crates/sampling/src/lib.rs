//! Random runs, piece by piece: what statistical queries ask of an engine that makes runs, whichever engine it is.
//!
//! A [`Sampler`] makes runs. Between two transitions lies a [`Piece`] of time, and a [`Monitor`] sees each of them until it has
//! decided. Conditions and expressions are known to a sampler by number, in the order in which it was given them.

use std::fmt;
use std::ops::ControlFlow;
use zonewalk_syntax::span::Span;

/// A condition, among those that a sampler was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConditionId(pub usize);

/// An expression with a number as its value, among those that a sampler was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExpressionId(pub usize);

/// Bound that ends a run. The last piece ends at the bound, and the bound is part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// `<=T`: this much time has passed.
    Time(f64),
    /// `#<=N`: this number of transitions was taken.
    Steps(u64),
    /// `x<=N`: a clock has reached a value.
    Clock {
        /// The clock.
        clock: ExpressionId,
        /// The value.
        limit: f64,
    },
}

/// A stretch of time without a transition, of length 0 or more.
///
/// Every state is seen as a piece, also if time does not pass in it: `<> p` sees committed states.
pub trait Piece {
    /// The instant at which it begins; 0 is the beginning of the run.
    fn from(&self) -> f64;

    /// The instant at which it ends.
    fn to(&self) -> f64;

    /// The transitions that were taken before.
    fn steps(&self) -> u64;

    /// Adds the maximal intervals of [`Self::from`] to [`Self::to`] on which a condition holds, in order. Their ends may be
    /// instants at which it just does not hold.
    ///
    /// # Errors
    /// The run-time error that the condition runs into.
    fn holds(&mut self, condition: ConditionId, into: &mut Vec<(f64, f64)>) -> Result<(), RunError>;

    /// Adds points (instant, value) of a curve that is linear between them: the first at [`Self::from`], the last at
    /// [`Self::to`], a single one where these are the same. The largest and smallest values are among them, up to the steps of
    /// the integrator where a rate depends on clocks.
    ///
    /// # Errors
    /// The run-time error that the expression runs into.
    fn values(&mut self, expression: ExpressionId, into: &mut Vec<(f64, f64)>) -> Result<(), RunError>;

    /// Value of the bounded quantity at an instant of the piece: time, transitions, or the clock.
    ///
    /// # Errors
    /// The run-time error that the clock's expression runs into.
    fn progress(&mut self, at: f64) -> Result<f64, RunError>;
}

/// Watches a run.
pub trait Monitor {
    /// Sees the next piece. Breaks when nothing that comes later matters.
    ///
    /// # Errors
    /// The run-time error that what it asked for ran into.
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError>;
}

/// Why a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The monitor has decided.
    Decided,
    /// At its bound.
    Bound,
    /// No transition is possible any more, and time alone does not lead to the bound.
    Deadlock,
    /// After the largest number of transitions.
    StepLimit,
}

/// Kinds of run-time errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunErrorKind {
    /// An expression has no value: an index out of range, a division by zero, no number in a guard.
    Fault,
    /// Time must stop, and no process can move.
    TimeLock,
    /// Transition after transition without time passing.
    Zeno,
    /// Weights that are negative, or all 0.
    Weights,
    /// A receiver of a broadcast would violate the invariant of the location that it enters.
    ReceiverInvariant,
    /// Two processes set the rate of a clock to different values.
    Rates,
}

/// An error of the model that a run has met.
#[derive(Clone, Debug, PartialEq)]
pub struct RunError {
    /// Kind of the error.
    pub kind: RunErrorKind,
    /// For a person.
    pub message: String,
    /// Where in the model.
    pub span: Span,
    /// The number of the run.
    pub run: u64,
    /// When it happened.
    pub time: f64,
    /// After how many transitions.
    pub steps: u64,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunError {
            message,
            run,
            time,
            steps,
            ..
        } = self;
        write!(
            f,
            "{message} (run {run}, at time {time}, after {steps} transitions)"
        )
    }
}

impl std::error::Error for RunError {}

/// How an engine computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Whole ticks of time.
    Exact,
    /// Doubles; clocks run at rates that are constant between transitions.
    Double,
    /// Doubles; some rates depend on clocks, and are integrated.
    Integrated,
}

/// Makes runs of one model.
pub trait Sampler: Send {
    /// Makes a run and shows it to the monitor. It depends on the seed, its number and the bound, and on nothing else.
    ///
    /// # Errors
    /// The error of the model that the run meets.
    fn run(
        &mut self,
        seed: u64,
        run: u64,
        bound: &Bound,
        monitor: &mut dyn Monitor,
    ) -> Result<Ended, RunError>;

    /// How it computes.
    fn arithmetic(&self) -> Arithmetic;
}

/// A sampler that can go on from states of its runs: what importance splitting needs.
///
/// Between two transitions nothing is remembered of earlier draws (after each of them all processes draw anew), so that a run that
/// goes on from a state with draws of its own has the law of one that never stopped there.
pub trait Restart: Sampler {
    /// A state of a run, with its time and the number of its transitions.
    type State;

    /// The state in which the last run ended. Requires: a monitor has ended it with the first piece after a transition, or with
    /// the first one of all; the state is the one at the beginning of that piece.
    fn keep(&self) -> Self::State;

    /// Goes to a state that was kept.
    fn restore(&mut self, state: &Self::State);

    /// Goes on from the present state, with draws that depend on `seed` and `run` alone, as [`Sampler::run`] does from the initial one.
    ///
    /// # Errors
    /// The error of the model that the run meets.
    fn go_on(
        &mut self,
        seed: u64,
        run: u64,
        bound: &Bound,
        monitor: &mut dyn Monitor,
    ) -> Result<Ended, RunError>;
}
