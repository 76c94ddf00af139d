//! The front of the library: a model and a query go in, a verdict with its evidence comes out.
//!
//! A [`QuerySet`] plans how queries are answered, and a [`Decider`] answers them under [`Options`] while others watch and
//! interrupt it through [`Control`]. Below, [`CompiledModel`] is the compiled model, and [`Checker`] its engines. Every trace is repeated by the reference interpreter before a caller gets to
//! see it.
//!
//! [`check_text()`] does all of it in one call:
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
//!
//! # Rooms
//!
//! The facade below the public library. `load` is the one way from a file or a text to a model with its queries, for the
//! command as well. `ask` is the one way to ask: which engine answers which query, what is left out, and why something
//! is refused. Below it, `CompiledModel` compiles a model with all of its queries, `Checker` decides one of them (`decide`).
//! `engine` says which engine makes a search; `order` is the one dispatch from an order of visiting states to its
//! algorithm, over any system and store.
//!
//! - `walks` makes walks (one heuristic, or all in turn for `auto`), and `by_walks` decides by them.
//! - `zones`: `search` is one search of the zone graph, by which `by_zones` decides; `patterns` reads what pattern
//!   databases are about.
//! - `form` knows the queries that their form decides, `infinite_runs` looks for maximal runs, `extremes` for the largest and smallest values and the runs that attain
//!   them.
//! - `portfolio` is `auto`: walks, deep searches and an exhaustive search in parallel; `directed` has the directed
//!   searches, `first_answer` says which of them has the answer. `turns`: `schedule` gives the members their turns,
//!   `time_sharing` shares the threads.
//! - `statistical` decides statistical queries: `statistical_query` is what is asked, `runs` makes the runs, with a
//!   file for each form of query.
//! - `trace`: `timed` turns paths into runs, `fastest` looks for the least time, `improve` shrinks runs and looks for
//!   better ones, `fault` does all that for run-time errors.
//! - `judge`: `confirm` and `maximal` repeat runs on the reference interpreter, `record` makes traces of them,
//!   `replay` judges traces that come from elsewhere.
//! - `certify` makes certificates of what was explored, and has the judge of proofs decide.
//! - `outcome` is the result of a check; `optimality` says how a run compares with all others.
//! - `sanity` warns of answers that say less than they seem to; `channels` and `premise` are about the text and serve
//!   `lint`, too. `reach` is what the marks of a search over all states say, `ends` and `named` what follows from it.
//! - `explicit` searches systems in Aldebaran format, `explore` walks without a goal, `refine` decides queries about
//!   timed I/O automata, `measurement` is for measurements. `options` has a part for each kind of search. `Control` shows
//!   the progress of a search and stops it; `monitor` has the one trait by which users of the library do both.

mod ask;
mod by_walks;
mod by_zones;
mod certify;
pub mod channels;
mod check_text;
mod control;
mod decide;
mod engine;
mod explicit;
mod explore;
mod extremes;
mod form;
mod hybrid;
mod infinite_runs;
mod judge;
pub mod load;
mod measurement;
mod memory_limit;
mod monitor;
mod options;
mod order;
mod outcome;
mod portfolio;
pub mod premise;
pub mod refine;
pub mod resources;
mod result;
mod sanity;
mod search_end;
mod statistical;
mod statistical_query;
mod sweep;
mod task;
mod trace;
mod turns;
mod walks;
mod zones;

pub use ask::{
    Decider, PlannedQueries, QueryEngine, QueryPlan, QueryRefusal, QuerySet, RefusalKind, Support,
};
pub use certify::{FormFinding, JudgeOptions, JudgedCertificate, ReadCertificate, claim_of};
pub use check_text::{Refusal, check_text};
pub use control::{Control, Progress, RunCounts, States};
pub use engine::has_independent_walks;
pub use explicit::{ExplicitGoal, ExplicitOutcome, ExplicitReport, explicit_trial, search_explicit};
pub use explore::{Coverage, Explored, Unreached};
pub use judge::doubles::{DoubleTrace, NoRun, has_runs_in_doubles, run_in_doubles};
pub use judge::record::{Recorder, time};
pub use judge::replay::{Invalid, Purpose, replay, replay_each};
pub use monitor::Monitor;
pub use options::{
    Certify, DirectedOptions, HighwayOptions, Options, ProofOptions, StatisticsOptions, TraceKind,
    TraceOptions, WalkOptions, ZoneOptions,
};
pub use outcome::optimality::Optimality;
pub use outcome::proof::{Judged, KeptCertificate, Proof};
pub use outcome::{
    CheckerReport, Claim, DirectedStats, Doubt, Effort, Evidence, Fault, Guidance, Limit, Origin, Outcome,
    Reason, Stats, Times, Witness,
};
pub use statistical::check_in_doubles;
pub use sweep::{Combination, Sweep, SweepError};
pub use task::{Checker, CompiledModel};
pub use zones::patterns::UnknownComponent;
pub use zonewalk_model::ids::LocationId;
pub use zonewalk_reference::proof::{Counts, Judgement, Obligation, Refusal as ProofRefusal};
pub use zonewalk_search::aut::{Aut, AutError};
pub use zonewalk_search::drs::{Fringe, Parameters as DrsParameters};
pub use zonewalk_search::measure;
pub use zonewalk_searches::{Search, Unavailable, deciders};
pub use zonewalk_symbolic::abstraction::Abstraction;
pub use zonewalk_symbolic::store::Covering;
pub use zonewalk_syntax::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
pub use zonewalk_syntax::source::SourceMap;
pub use zonewalk_walk::schedule::{Delays, Distribution, Schedule};
