//! All tests, as one binary.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod findings;
mod own;
mod random;
mod runs;
mod support;
