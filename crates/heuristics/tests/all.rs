//! All tests that need no public models, as one binary: each binary more is linked and kept apart.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod alternation;
mod local;
mod networks;
mod pattern;
mod queues;
mod random;
mod relaxed;
mod support;
