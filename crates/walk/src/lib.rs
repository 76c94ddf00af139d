//! Random walks.

pub mod choose;
pub mod plan;
pub mod random;
mod refresh;
pub mod schedule;
mod state;
pub mod tree;
mod walker;
