//! Why successors cannot be computed.

use zonewalk_network::ids::ClockId;
use zonewalk_network::vm::Trap;
use zonewalk_syntax::span::Span;

/// Why successors of a state cannot be computed: an error of the model, or a limit of zones.
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
        /// Where it is set.
        span: Span,
    },
    /// A clock is compared with a number that zones cannot hold.
    Constant(i32),
    /// A clock may become negative; which code does it is known to the interpreter that repeats the run.
    NegativeClock(ClockId),
}

impl From<zonewalk_product::Stop> for Stop {
    fn from(stop: zonewalk_product::Stop) -> Self {
        match stop {
            zonewalk_product::Stop::Trap(trap) => Stop::Trap(trap),
            zonewalk_product::Stop::Rate { clock, rate, span } => Stop::Rate { clock, rate, span },
        }
    }
}

impl From<Trap> for Stop {
    fn from(trap: Trap) -> Self {
        Stop::Trap(trap)
    }
}
