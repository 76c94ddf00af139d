//! All tests that need no public models, as one binary: each binary more is linked and kept apart.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod commitment;
mod counters;
mod effort;
mod expiry;
mod faithful;
mod guided;
mod heuristics;
mod limits;
mod own;
mod periods;
mod priorities;
mod selections;
mod smc;
mod support;
mod times;
mod together;
