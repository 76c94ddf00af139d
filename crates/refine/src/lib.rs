//! Refinement of timed I/O automata, complete and by random walks, and what belongs to it: consistency, determinism, implementation,
//! reachability, pruning.

pub mod automaton;
pub mod concretise;
pub mod control;
pub mod delay;
pub mod determinism;
pub mod explore;
pub mod export;
pub mod frame;
pub mod game;
pub mod goal;
pub mod implementation;
pub mod leaf;
pub mod pair;
pub mod precondition;
pub mod product;
pub mod quotient;
pub mod reachability;
pub mod refinement;
pub mod set;
pub mod side;
pub mod start;
pub mod store;
pub mod system;
pub mod walk;
