//! Liveness and extremes: small models whose answers follow by hand.

#![allow(clippy::unwrap_used)]

mod deadlocks;
mod extremes;
mod lasso;
mod regions;
pub(crate) mod rows;
mod shortest;
pub(crate) mod support;
mod zeno;
