//! Turns of searches that share threads: among walks and deep searches, and between these and an exhaustive search.

pub(crate) mod schedule;
pub(crate) mod time_sharing;
