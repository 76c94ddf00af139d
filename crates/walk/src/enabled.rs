//! Possible steps of a state: which edges are ready and when, kept up to date from step to step.

pub(crate) mod candidate;
pub(crate) mod counters;
pub(crate) mod firings;
pub(crate) mod gate;
mod horizon;
pub(crate) mod memo;
pub(crate) mod priority;
pub(crate) mod refresh;
mod update;
