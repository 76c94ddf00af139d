//! The reference interpreter: the language's semantics, written as plainly as possible over the typed tree.
//!
//! Nothing is compiled and nothing is cached; time is exact. It judges every other engine: traces are replayed on
//! it before they are shown. Where `semantics.md` leaves a choice, [`decisions`] says what was chosen.
//!
//! # What it shares with those that it judges
//!
//! The typed tree, and what `zonewalk_model` makes of it before anything runs: the instances with their parameters, clocks and
//! channels, the initial values, the alphabets of synchronisations without `!` or `?`. They say which model it is; a model that is
//! read wrongly is read wrongly by all engines, and tests on texts, with instances and values written down by hand, watch over
//! that. Constant expressions: the compiler has them evaluated by the evaluator of this crate, and random tests compare what is not
//! constant. The form of runs, which says nothing of what a step does. The functions of `eval::arithmetic`, one for each operator on integers, since the language has one
//! arithmetic; tests compare them with definitions from the schoolbook. The warnings about arithmetic that wraps, and the
//! descriptions of errors, which decide nothing. Everything else is written twice: what an expression or statement does, when a
//! quantifier stops, which edges are ready and who synchronises, what urgent, committed and priorities rule out, invariants, rates,
//! delays, comparisons. No shortcut of the compiler is known here, and every value of a quantifier is examined, from the smallest
//! to the first that decides.
//!
//! Runs in doubles have a judge of their own, in [`doubles`], which says what it shares.
//!
//! Timed I/O automata have a judge of their own, in [`tioa`], which says what it shares.
//!
//! Invariant: every function of a state is a function of nothing but the model and that state.

mod chances;
pub mod decisions;
mod delay;
mod describe;
pub mod doubles;
mod edges;
mod error;
mod failure;
mod fire;
pub mod gantt;
mod interpreter;
mod invariant;
mod moment;
mod predicate;
pub mod proof;
mod rates;
mod region;
mod replay;
pub mod simulate;
mod support;
pub mod tioa;
mod transition;
pub mod window;

pub use error::{Activity, Error, Refusal, Unsupported};
pub use failure::{ExpectedError, Failure};
pub use interpreter::{Interpreter, State};
pub use replay::{Replayed, Step};
pub use support::supported;
pub use transition::Transition;
pub use zonewalk_numbers::rational;
pub use zonewalk_run::Part;
