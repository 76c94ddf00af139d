//! Random walks: exact concrete runs that look for a goal (FMICS 2021).
//!
//! [`plan::Plan`] lays a network out, [`search::search`] walks it until a [`goal::Goal`] is met.

mod affected;
mod alternatives;
mod assign;
mod atom;
mod candidate;
pub mod choose;
mod commit;
mod condition;
mod count;
pub mod coverage;
mod echo;
mod effort;
mod expiry;
pub mod explore;
pub mod fault;
mod follow;
mod gate;
pub mod given;
pub mod goal;
pub mod guided;
mod horizon;
mod imitate;
mod periods;
pub mod plan;
mod priority;
pub mod random;
mod rates;
mod record;
pub mod refresh;
pub mod retime;
pub mod schedule;
pub mod search;
mod settle;
pub mod shrink;
pub mod smc;
mod state;
mod tailor;
mod timeline;
pub mod together;
pub mod trace;
pub mod tree;
mod walker;
mod ways;
