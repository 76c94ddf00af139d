//! Zones of timed automata: difference-bound matrices, federations and abstractions.

pub mod bound;
pub mod dbm;
pub mod display;
pub mod extrapolation;
pub mod federation;
mod kernels;
pub mod minimal;
pub mod packed;

pub use bound::Bound;
pub use federation::Federation;
