//! Random walks: exact concrete runs that look for a goal (FMICS 2021).
//!
//! [`plan::Plan`] lays a network out, [`search::search`] walks it until a [`goal::Goal`] is met.

mod affected;
mod assign;
pub mod choose;
mod condition;
mod echo;
pub mod explore;
mod follow;
mod gate;
pub mod goal;
pub mod plan;
mod priority;
pub mod random;
mod record;
pub mod refresh;
pub mod schedule;
pub mod search;
mod settle;
pub mod shrink;
pub mod smc;
mod state;
pub mod trace;
pub mod tree;
mod walker;
