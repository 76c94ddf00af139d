//! All tests that need no public models, as one binary: each binary more is linked and kept apart.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod agreement;
mod aut;
mod dining;
mod directed;
mod drs;
mod engine;
mod estimates;
mod guide;
mod highway;
mod own;
mod predecessors;
mod queues;
mod quotient;
mod random_search;
mod support;
