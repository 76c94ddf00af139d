//! Runs under construction.

// An assertion that unwraps is one all the same.
#![allow(clippy::unwrap_used)]

mod steps;
mod zones;
