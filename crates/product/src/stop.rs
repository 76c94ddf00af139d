//! Why the behaviour of a model ends in an error.

use zonewalk_network::ids::{ClockId, InstanceId, LocationId, ProcessId};
use zonewalk_network::vm::Trap;
use zonewalk_syntax::span::Span;

/// An error of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A run-time error of its code.
    Trap(Trap),
    /// Two processes give a clock different rates, or a rate that is neither 0 nor 1.
    Rate {
        /// The clock.
        clock: ClockId,
        /// The rate that does not fit.
        rate: i32,
        /// Span of the rate.
        span: Span,
    },
    /// The weights of the branches of an edge are not probabilities.
    Weights {
        /// A branch that shows it.
        edge: InstanceId,
        /// Whether a weight is negative or not a number; otherwise all of them are 0.
        is_negative: bool,
    },
    /// The exponential rate of a location is negative, infinite or no number.
    Exponential {
        /// The process that is there.
        process: ProcessId,
        /// The location.
        location: LocationId,
    },
}

impl From<Trap> for Stop {
    fn from(trap: Trap) -> Self {
        Stop::Trap(trap)
    }
}
