//! The families as their users meet them.

// The helpers are tests as well, which clippy's own exception does not see.
#![allow(clippy::unwrap_used)]

mod errors;
mod expected;
mod graphs;
mod leader_election;
mod pairs;
mod shipped;
mod snapshots;
mod support;
mod tioa;
mod valid;
