//! Random walks.

pub mod choose;
pub mod explore;
pub mod plan;
mod priority;
pub mod random;
pub mod refresh;
pub mod schedule;
mod state;
pub mod trace;
pub mod tree;
mod walker;
