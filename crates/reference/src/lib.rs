//! The reference interpreter: the language's semantics, written as plainly as possible over the typed tree.
//!
//! Nothing is compiled and nothing is cached; time is exact. It judges every other engine: traces are replayed on
//! it before they are shown. Where `semantics.md` leaves a choice, [`decisions`] says what was chosen.
//!
//! Invariant: every function of a state is a function of nothing but the model and that state.

pub mod decisions;
mod delay;
mod describe;
mod edges;
mod error;
mod failure;
mod fire;
mod interpreter;
mod moment;
mod predicate;
mod rates;
pub mod rational;
mod replay;
pub mod simulate;
mod support;
mod transition;
pub mod window;

pub use edges::Part;
pub use error::{Activity, Error, Refusal, Unsupported};
pub use failure::{Failure, Wanted};
pub use interpreter::{Interpreter, State};
pub use replay::{Replayed, Step};
pub use support::supported;
pub use transition::Transition;
