//! Searches of the zone graph.

pub(crate) mod check;
pub(crate) mod fastest;
pub(crate) mod patterns;
pub(crate) mod search;
