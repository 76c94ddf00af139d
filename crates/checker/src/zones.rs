//! Searches of the zone graph.

pub(crate) mod patterns;
pub(crate) mod search;
