//! Refinement of timed I/O automata, complete and by random walks, and what belongs to it: consistency, determinism, implementation,
//! reachability, pruning.

pub mod control;
mod questions;
mod symbolic;
mod systems;
pub mod walk;

pub use questions::{determinism, export, game, goal, implementation, precondition, reachability};
pub use symbolic::{concretise, delay, explore, frame, pair, refinement, start, store};
pub use systems::{automaton, leaf, product, quotient, set, side, system};
