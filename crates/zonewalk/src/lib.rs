//! The front of the library: a model and a query go in, a verdict with its evidence comes out.
//!
//! [`Task`] compiles a model with its queries, [`Checker`] runs a search for one of them under [`Options`] while others
//! watch and interrupt it through [`Control`]. Every trace is repeated by the reference interpreter before anybody gets to
//! see it.
//!
//! Invariant: nothing here prints, reads files or looks at the terminal.

mod check;
mod control;
mod decide;
mod explicit;
mod explore;
mod extremes;
mod fastest;
mod hunt;
mod improve;
mod liveness;
mod maximal;
mod options;
mod outcome;
mod portfolio;
mod record;
mod replay;
mod search;
mod survey;
mod task;
mod witness;
mod zones;

pub use control::{Control, Progress, States};
pub use explicit::{ExplicitOutcome, ExplicitReport, Sought, explicit_trial, search_explicit};
pub use explore::{Coverage, Explored, Unreached};
pub use options::{Options, TraceWish, ZoneOptions};
pub use outcome::{Effort, Outcome, Reason, Report, Stats, Times, Witness};
pub use record::{Recorder, time};
pub use replay::{Invalid, replay};
pub use search::{Order, Search, Unavailable, deciders};
pub use task::{Checker, Task};
pub use zonewalk_search::aut::{Aut, AutError};
pub use zonewalk_search::drs::{Fringe, Parameters as DrsParameters};
pub use zonewalk_search::measure;
pub use zonewalk_symbolic::abstraction::Abstraction;
pub use zonewalk_symbolic::store::Covering;
pub use zonewalk_walk::schedule::Delays;
pub use zonewalk_walk::smc::{Obstacle, obstacle as smc_obstacle};
pub use zonewalk_walk::together::obstacle as walk_obstacle;
