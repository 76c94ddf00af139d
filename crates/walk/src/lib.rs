//! Random walks: exact concrete runs that look for a goal (FMICS 2021).
//!
//! [`plan::Plan`] lays a network out, [`search::search`] walks it until a [`goal::Goal`] is met.

mod enabled;
pub mod goal;
pub mod guided;
mod heuristic;
pub mod plan;
mod run;
pub mod search;
pub mod shrink;
mod state;
pub mod together;
mod walker;

pub use heuristic::{choose, coverage, schedule, smc};
pub use run::{given, retime};
pub use search::explore;
pub use zonewalk_product::Stop;
