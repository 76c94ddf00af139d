//! Why successors cannot be computed.

use zonewalk_network::ids::ClockId;
use zonewalk_network::vm::Trap;
pub use zonewalk_product::Stop as ModelError;

/// Why successors of a state cannot be computed: an error of the model, or a limit of zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An error of the model.
    Model(ModelError),
    /// A clock is compared with a number that zones cannot hold.
    Constant(i32),
    /// The [alarm](zonewalk_search::Alarm) rings: it is no error of the model, and what was not computed may be anything.
    Alarm,
    /// A state has more transitions than can be put in the order of their priorities.
    TooManyTransitions,
    /// A clock may become negative; which code does it is known to the interpreter that repeats the run.
    NegativeClock(ClockId),
}

impl From<ModelError> for Stop {
    fn from(error: ModelError) -> Self {
        Stop::Model(error)
    }
}

impl From<Trap> for Stop {
    fn from(trap: Trap) -> Self {
        Stop::Model(trap.into())
    }
}
