//! Random walks.

pub mod random;
pub mod schedule;
pub mod tree;
