//! The state of a run, and buffers beside it.

use crate::flow::Flow;
use crate::machine::Machine;
use crate::record::Recorder;
use smallvec::SmallVec;
use zonewalk_model::eval::Fault;
use zonewalk_sampling::{RunError, RunErrorKind};
use zonewalk_syntax::span::Span;

/// Makes runs, one at a time. A thread has its own.
pub struct Runner<'p> {
    pub(crate) machine: Machine<'p>,
    pub(crate) flow: Flow,
    /// When clocks reach the values that conditions compare them with.
    pub(crate) crossings: Vec<Crossing>,
    /// Time horizon up to which nonlinear conditions are examined.
    pub(crate) reach: f64,
    /// Whether one was, since this was last reset.
    pub(crate) is_looked_for: bool,
    pub(crate) grid: Vec<f64>,
    pub(crate) scratch: Scratch,
    pub(crate) racers: Vec<Racer>,
    pub(crate) run: u64,
    pub(crate) now: f64,
    pub(crate) steps: u64,
    pub(crate) recorder: Option<Recorder>,
}

/// Data with which a process enters a race.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Racer {
    /// A number of the unit interval, drawn before anything is known.
    pub(crate) unit: f64,
    /// The first instant at which it can begin a transition.
    pub(crate) first: Option<f64>,
    /// When its invariant ends.
    pub(crate) deadline: f64,
    /// The deadline is not known yet: nothing ended as far as was looked.
    pub(crate) is_open: bool,
}

/// A clock that reaches a value at an instant. Advancing by that time may miss the value by a rounding error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub(crate) at: f64,
    pub(crate) cell: u32,
    pub(crate) value: f64,
}

/// The values of the names that an edge selects.
pub(crate) type Selected = SmallVec<[i32; 4]>;

/// An edge that can be taken, with the values that it selects.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub(crate) process: usize,
    /// Among the outputs or inputs of its location.
    pub(crate) stem: usize,
    pub(crate) is_output: bool,
    pub(crate) selected: Selected,
}

/// Lists that are used again and again.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The edges that can be taken.
    pub(crate) choices: Vec<Choice>,
    /// Rejected choices: the invariants of their target locations do not hold.
    pub(crate) refused: Vec<Choice>,
    pub(crate) parts: Vec<(Choice, usize)>,
    pub(crate) before: Vec<u64>,
    pub(crate) locations: Vec<u32>,
    /// Which process sets the rate of each clock, by which part of its invariant.
    pub(crate) set_by: Vec<Option<(usize, usize)>>,
    /// Races without a transition, one after the other, in which no time has passed.
    pub(crate) idle: u32,
}

/// Why a run cannot go on.
pub(crate) enum Stop {
    Fault(Box<Fault>),
    Error(RunErrorKind, Span, String),
    Run(RunError),
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Stop {
        Stop::Run(error)
    }
}

impl From<Box<Fault>> for Stop {
    fn from(fault: Box<Fault>) -> Stop {
        Stop::Fault(fault)
    }
}
