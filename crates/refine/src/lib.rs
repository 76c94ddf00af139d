//! Refinement of timed I/O automata, complete and by random walks, and what belongs to it: consistency, determinism, implementation,
//! reachability, pruning.
//!
//! # Rooms
//!
//! Queries about timed I/O automata. `systems` has what the engines explore, made from the systems of a query
//! (`system`): `leaf` is a component, `product` a composition or conjunction, `quotient` a quotient, all of them an
//! `automaton`; `side` is one side of a refinement. `symbolic` explores over zones: `pair` is both sides, `graph` is
//! their zone graph as the crate `search` explores it (`frame`, `store`), `question` is what it is asked, `refinement` asks whether a
//! rule is broken, and `concretise` makes an exact run of a way to the answer. `walk` looks for
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
pub use symbolic::{concretise, delay, explore, frame, graph, pair, question, refinement, start};
pub use systems::{automaton, leaf, product, quotient, set, side, system};
