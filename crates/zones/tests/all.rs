//! All tests that need no public models, as one binary: each binary more is linked and kept apart.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod abstractions;
mod kernels;
mod operations;
mod oracle;
mod standing;
mod storage;
mod widths;
