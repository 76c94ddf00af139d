//! Random walks: exact concrete runs that look for a goal (FMICS 2021).
//!
//! [`plan::Plan`] lays a network out, [`search::search`] walks it until a [`goal::Goal`] is met.

mod affected;
pub mod choose;
mod condition;
pub mod explore;
mod follow;
pub mod given;
pub mod goal;
pub mod plan;
mod priority;
pub mod random;
pub mod refresh;
pub mod schedule;
pub mod search;
pub mod shrink;
pub mod smc;
mod state;
pub mod trace;
pub mod tree;
mod walker;
