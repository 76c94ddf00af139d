//! The judge of runs of timed I/O automata: one system, or two of them side by side.
//!
//! The rules of `docs/tioa.md`, sections 3.1, 3.2 and 3.6, over single states: a location and a value for each clock, in ticks. Nothing is
//! completed, multiplied or negated beforehand, and there are no zones: whether an input is ignored or a quotient goes to its error
//! state is asked of the state at hand.
//!
//! It shares with the engines the data of `zonewalk_tioa`: components as they were drawn, abbreviations written out, and the
//! name of the input that a quotient adds.
//!
//! Where the rules leave a choice:
//!
//! - The time at which a location was entered matters only where time stops (urgent and inconsistent locations, the error state of a
//!   quotient). Inside a quotient time passes all the same; such a part is then *overdue*, and that counts as a broken invariant.
//! - Drawn edges that leave universal and inconsistent locations do not count. The invariant of a universal location does not
//!   either.
//! - In a conjunction of three, what one sends and another receives is a clash even if the third does not know it.
//! - A run refutes only if the side that answers a step has a single answer to it. With two, another answer might have been right, so
//!   the judge objects.

mod component;
mod delay;
mod formula;
mod goal;
mod judge;
mod objection;
mod operators;
mod reach;
mod shown;
mod specification;
mod state;

pub use delay::Wait;
pub use goal::{StateCondition, UnknownInGoal};
pub use judge::{Moment, Pair, Phase, ReplayedRun, judge_pair};
pub use objection::{Objection, Reason};
pub use operators::SuccessorState;
pub use reach::{Start, judge_run};
pub use shown::Shown;
pub use specification::{Refused, Specification};
pub use state::{ComponentState, State};
