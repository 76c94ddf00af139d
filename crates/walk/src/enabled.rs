//! Possible steps of a state: which edges are ready and when, and what can be made of them.

pub(crate) mod candidate;
pub(crate) mod firings;
mod horizon;
pub(crate) mod priority;
