//! Refinement of timed I/O automata, complete and by random walks, and what belongs to it: consistency, determinism, implementation,
//! reachability, pruning.
//!
//! # Rooms
//!
//! Queries about timed I/O automata. `systems` has what the engines explore, made from the systems of a query
//! (`system`): `leaf` is a component, `product` a composition or conjunction, `quotient` a quotient, all of them an
//! `automaton`; `side` is one side of a refinement. `symbolic` explores over zones: `pair` is both sides, `refinement`
//! builds the relation (`frame`, `store`), and `concretise` makes an exact run of a way through it. `walk` looks for
//! violations in single runs (the randomized checks RET, random enabled transition, and RCF, random channel first):
//! `schedule` says how long they are and how delays are chosen, `walker` makes one, `search` many. Among the
//! `questions`, `game` decides consistency; `determinism`, `implementation` and `reachability` are about one system.
//! `precondition` has what must hold before two systems are compared.

pub mod control;
mod questions;
mod symbolic;
mod systems;
pub mod walk;

pub use questions::{determinism, export, game, goal, implementation, precondition, reachability};
pub use symbolic::{concretise, delay, explore, frame, pair, refinement, start, store};
pub use systems::{automaton, leaf, product, quotient, set, side, system};
