//! All tests that need no public models, as one binary: each binary more is linked and kept apart.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod effort;
mod live;
mod own;
mod proofs;
mod random;
mod rules;
mod sharing;
mod standing;
mod support;
