//! Random runs by the stochastic semantics, in doubles.
//!
//! This engine is for models that exact time does not reach: clock rates other than 0 and 1, differential equations, variables of
//! type `double`, random numbers. It compiles the typed tree by itself ([`StochasticPlan`]), and makes runs ([`Runner`]) that are the same on
//! every machine and with any number of threads.
//!
//! # Rooms
//!
//! `lower` compiles the typed tree to trees over cells (`code`), which `machine` runs; `layout` says where variables
//! lie. `flow` is how clocks go on while time passes, linear or integrated, `when` the instants at which a condition
//! holds (`windows`), `race` who moves next and when, `fire` how a transition is taken, `draw` the distributions,
//! `runner` a run from its beginning to its bound, `state` its data, `record` what it was.

mod code;
mod draw;
mod fire;
mod flow;
mod layout;
mod lower;
mod machine;
mod options;
mod plan;
mod race;
mod record;
mod runner;
mod state;
mod when;
mod windows;

pub use options::Options;
pub use plan::{StochasticPlan, Unsupported};
pub use record::{Record, RecordedStep, Taken};
pub use runner::DoubleState;
pub use state::Runner;
