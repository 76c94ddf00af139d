//! Finds errors in real-time system models: networks of timed automata in UPPAAL's language, and timed I/O automata of ECDAR.
//!
//! Load a model and ask:
//!
//! ```
//! use zonewalk::{Loader, Options, Verdict};
//!
//! let lamp = "
//!     clock x; chan press;
//!     process Lamp() { state Off, Dim, Bright; init Off; trans
//!         Off -> Dim { sync press?; assign x = 0; }, Dim -> Off { guard x >= 5; sync press?; },
//!         Dim -> Bright { guard x < 5; sync press?; }, Bright -> Off { sync press?; }; }
//!     process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
//!     system Lamp, User;";
//! let model = Loader::new().query("E<> Lamp.Bright && x > 7").load_text("lamp.xta", lamp)?;
//! let report = model.check(0, &Options::default())?;
//! assert_eq!(report.verdict, Verdict::Satisfied);
//! let witness = report.witness.expect("a run shows it");
//! assert_eq!(witness.steps, 2);
//! # Ok::<(), zonewalk::Error>(())
//! ```
//!
//! - [`Loader`] and [`Model`]: from a file or a text to a model; [`Model::check`], [`Model::explore`], [`Model::simulate`] and
//!   [`Model::replay`].
//! - [`Options`]: which search, and its options.
//! - [`Monitor`]: hears how far a search is, and may cancel it.
//! - [`page`]: answers and runs as a web page.
//! - [`refine`]: queries about timed I/O automata.
//! - [`families`]: models of any size.
//! - [`search`] and [`zones`]: two libraries below that know no models, for transition systems and zones of your own.
//!
//! Every trace has been repeated by an interpreter that shares nothing with the engines.
//!
//! Nothing here prints, and nothing but the methods called `load` reads files. The command `zonewalk` is in the same package,
//! behind the feature `cli`, which is on by default.
//!
//! # Rooms
//!
//! `loader` and `model` load, check, explore, simulate and replay; `refine` is for timed I/O automata; `report` has what
//! they answer, `certificate` how that is proved. The binary is one call of `zonewalk_cli::main`. The tests of the command are in this package, because
//! Cargo builds a binary for the tests of its own package only.

mod certificate;
#[cfg(feature = "cli")]
pub mod command;
mod error;
pub mod families;
mod loader;
mod model;
pub mod page;
pub mod refine;
mod report;

pub use certificate::{Certificate, Judgement};
pub use error::{Error, FileError, FileProblem, InvalidTrace, Problem, Problems, Severity};
pub use loader::Loader;
pub use model::{Model, Process, Query, Simulation, Template};
pub use report::{
    Coverage, Estimate, Exploration, Limit, Optimality, Report, RuntimeError, Statistics, Unreached, Verdict,
    Witness,
};
pub use zonewalk_checker::{
    Abstraction, Certify, Combination, Covering, Delays, DirectedOptions, Distribution, DrsParameters,
    Fringe, HighwayOptions, Monitor, Options, Progress, ProofOptions, RunCounts, Schedule, Search, States,
    StatisticsOptions, Sweep, SweepError, TraceKind, TraceOptions, Unavailable, WalkOptions, ZoneOptions,
};
pub use zonewalk_report::verdict::{Quantity, Value};
pub use zonewalk_searches::{Estimator, Queueing, Switching};

/// Runs of a model: where they begin, what happens, when, and what it changes.
pub mod trace {
    pub use zonewalk_report::trace::{
        At, Attempt, Cell, Change, ClockValue, End, Participant, State, Step, Time, Trace,
    };
}

pub use zonewalk_search as search;
pub use zonewalk_zones as zones;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
mod rust_document {}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
