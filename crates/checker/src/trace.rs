//! From the find of an engine to a confirmed trace: times, shrinking, better runs, run-time errors.

pub(crate) mod allowance;
pub(crate) mod fastest;
pub(crate) mod fault;
pub(crate) mod improve;
pub(crate) mod timed;
