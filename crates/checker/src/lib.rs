//! The front of the library: a model and a query go in, a verdict with its evidence comes out.
//!
//! A [`QuerySet`] plans how queries are answered, and a [`Decider`] answers them under [`Options`] while others watch and
//! interrupt it through [`Control`]. Below, [`Task`] is the compiled model, and [`Checker`] its engines. Every trace is repeated by the reference interpreter before a caller gets to
//! see it.
//!
//! [`check_text`] does all of it in one call:
//!
//! ```
//! use zonewalk_checker::{Evidence, Options, Outcome, check_text};
//!
//! let lamp = "
//!     clock x; chan press;
//!     process Lamp() { state Off, Dim, Bright; init Off; trans
//!         Off -> Dim { sync press?; assign x = 0; }, Dim -> Off { guard x >= 5; sync press?; },
//!         Dim -> Bright { guard x < 5; sync press?; }, Bright -> Off { sync press?; }; }
//!     process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
//!     system Lamp, User;";
//! let report = check_text("lamp.xta", lamp, "E<> Lamp.Bright && x > 7", &Options::default())?;
//! let Outcome::Decided { satisfied: true, evidence: Evidence::Run(witness) } = report.outcome else {
//!     panic!("the lamp can be bright");
//! };
//! assert_eq!(witness.steps, 2);
//! # Ok::<(), Box<zonewalk_checker::Refusal>>(())
//! ```
//!
//! Invariant: nothing here prints or looks at the terminal, and nothing but [`load`] reads files.

mod ask;
mod by_walks;
mod by_zones;
pub mod channels;
mod check_text;
mod control;
mod decide;
mod engine;
mod explicit;
mod explore;
mod extremes;
mod hybrid;
mod infinite_runs;
mod judge;
pub mod load;
mod monitor;
mod options;
mod order;
mod outcome;
mod portfolio;
pub mod premise;
pub mod refine;
mod sanity;
mod search_end;
mod statistical;
mod statistical_query;
mod sweep;
mod task;
mod told;
mod trace;
mod trial;
mod turns;
mod walks;
mod zones;

pub use ask::{
    Decider, PlannedQueries, QueryEngine, QueryPlan, QueryRefusal, QuerySet, RefusalKind, Support,
};
pub use check_text::{Refusal, check_text};
pub use control::{Control, Progress, RunCounts, States};
pub use engine::has_independent_walks;
pub use explicit::{ExplicitGoal, ExplicitOutcome, ExplicitReport, explicit_trial, search_explicit};
pub use explore::{Coverage, Explored, Unreached};
pub use hybrid::{StrippedModel, without_hybrid_clocks};
pub use judge::doubles::{DoubleTrace, NoRun, has_runs_in_doubles, run_in_doubles};
pub use judge::record::{Recorder, time};
pub use judge::replay::{Invalid, Purpose, replay, replay_each};
pub use monitor::Monitor;
pub use options::{
    DirectedOptions, HighwayOptions, Options, StatisticsOptions, TraceKind, TraceOptions, WalkOptions,
    ZoneOptions,
};
pub use outcome::optimality::Optimality;
pub use outcome::{
    Claim, DirectedStats, Doubt, Effort, Evidence, Fault, Guidance, Limit, Origin, Outcome, Reason, Report,
    Stats, Times, Witness,
};
pub use statistical::check_in_doubles;
pub use sweep::{Combination, Sweep, SweepError};
pub use task::{Checker, Task};
pub use zones::patterns::UnknownComponent;
pub use zonewalk_model::ids::LocationId;
pub use zonewalk_search::aut::{Aut, AutError};
pub use zonewalk_search::drs::{Fringe, Parameters as DrsParameters};
pub use zonewalk_search::measure;
pub use zonewalk_searches::{Search, Unavailable, deciders};
pub use zonewalk_symbolic::abstraction::Abstraction;
pub use zonewalk_symbolic::store::Covering;
pub use zonewalk_syntax::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
pub use zonewalk_syntax::source::SourceMap;
pub use zonewalk_walk::schedule::{Delays, Distribution, Schedule};
