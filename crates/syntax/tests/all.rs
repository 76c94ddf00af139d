//! All tests that need no public models, as one binary: each binary more is linked and kept apart.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod markup;
mod own;
mod parser;
mod print;
mod queries;
mod support;
mod xml;
