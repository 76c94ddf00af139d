//! Random walks: exact concrete runs that look for a goal (FMICS 2021).
//!
//! [`plan::Plan`] lays a network out, [`search::search`] walks it until a [`goal::Goal`] is met.

mod affected;
mod atom;
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
mod retime;
pub mod schedule;
pub mod search;
pub mod shrink;
pub mod smc;
mod state;
mod timeline;
pub mod together;
pub mod trace;
pub mod tree;
mod walker;
