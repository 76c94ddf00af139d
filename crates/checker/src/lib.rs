//! The front of the library: a model and a query go in, a verdict with its evidence comes out.
//!
//! [`Task`] compiles a model with its queries, [`Checker`] runs a search for one of them under [`Options`] while others
//! watch and interrupt it through [`Control`]. Every trace is repeated by the reference interpreter before anybody gets to
//! see it.
//!
//! [`check_text`] does all of it in one call:
//!
//! ```
//! use zonewalk_checker::{Options, Outcome, check_text};
//!
//! let lamp = "
//!     clock x; chan press;
//!     process Lamp() { state Off, Dim, Bright; init Off; trans
//!         Off -> Dim { sync press?; assign x = 0; }, Dim -> Off { guard x >= 5; sync press?; },
//!         Dim -> Bright { guard x < 5; sync press?; }, Bright -> Off { sync press?; }; }
//!     process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
//!     system Lamp, User;";
//! let report = check_text("lamp.xta", lamp, "E<> Lamp.Bright && x > 7", &Options::default())?;
//! let Outcome::Decided { satisfied: true, witness: Some(witness) } = report.outcome else {
//!     panic!("the lamp can be bright");
//! };
//! assert_eq!(witness.steps, 2);
//! # Ok::<(), Box<zonewalk_checker::Refusal>>(())
//! ```
//!
//! Invariant: nothing here prints, reads files or looks at the terminal.

mod check;
mod check_text;
mod control;
mod decide;
mod explicit;
mod explore;
mod extremes;
mod fastest;
mod fault;
mod hunt;
mod improve;
mod liveness;
mod maximal;
mod options;
mod outcome;
mod pattern;
mod portfolio;
mod quest;
mod race;
mod rate_fault;
mod record;
pub mod refine;
mod replay;
mod rounds;
mod search;
mod stale;
mod standing;
mod survey;
mod task;
mod timed;
mod turns;
mod visit;
mod witness;
mod zones;

pub use check_text::{Refusal, check_text};
pub use control::{Control, Progress, States};
pub use explicit::{ExplicitOutcome, ExplicitReport, Sought, explicit_trial, search_explicit};
pub use explore::{Coverage, Explored, Unreached};
pub use options::{Options, TraceWish, ZoneOptions};
pub use outcome::{
    Claim, DirectedStats, Doubt, Effort, Fault, Lead, Origin, Outcome, Reason, Report, Stats, Times, Witness,
};
pub use pattern::UnknownComponent;
pub use record::{Recorder, time};
pub use replay::{Invalid, Purpose, replay};
pub use standing::Standing;
pub use task::{Checker, Task};
pub use zonewalk_search::aut::{Aut, AutError};
pub use zonewalk_search::drs::{Fringe, Parameters as DrsParameters};
pub use zonewalk_search::measure;
pub use zonewalk_searches::{Search, Unavailable, deciders};
pub use zonewalk_symbolic::abstraction::Abstraction;
pub use zonewalk_symbolic::store::Covering;
pub use zonewalk_walk::schedule::{Delays, Distribution, Schedule};
pub use zonewalk_walk::smc::{Obstacle, obstacle as smc_obstacle};
pub use zonewalk_walk::together::obstacle as walk_obstacle;
