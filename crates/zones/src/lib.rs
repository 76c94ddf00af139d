//! Zones of timed automata: difference-bound matrices, federations and abstractions.

pub mod bound;
pub mod dbm;
mod kernels;

pub use bound::Bound;
