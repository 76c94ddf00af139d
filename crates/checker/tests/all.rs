//! All tests that need no public models, as one binary: each binary more is linked and kept apart.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod auto;
mod choice;
mod deadlocks;
mod directed;
mod extremes;
mod families;
mod lassos;
mod own;

mod queries;
mod race;
mod refine;
mod scaling;
mod shortest;
mod splitting;
mod statistics;
mod support;
mod wrap;
