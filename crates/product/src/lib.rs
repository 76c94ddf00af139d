//! The discrete behaviour of a compiled network, once for all engines: typed tables of edge instances and locations, their
//! conditions on data and on clocks, who synchronises with whom, which transitions committed locations and priorities leave,
//! and the order of updates.
//!
//! Each engine decides what clocks are: [`ClockForm`] says how it writes bounds down, [`Valuation`] what becomes of them in a
//! state (constraints of a zone, windows of instants at a point, nothing at all), [`Regions`] how a part of a state is cut.
//!
//! Invariant: nothing here stores a state, lets time pass or decides what is visited next. A rule of the language that
//! engines share is a function here. The reference interpreter, which judges them all, has it a second time; walks keep
//! its answers up to date from step to step, and tests compare what they keep with what the functions say.

mod condition;
mod influence;
mod moves;
mod pattern;
mod priority;
mod project;
mod rates;
mod stop;
mod sync;
mod tables;
pub mod together;
mod update;
mod urgent;
mod valuation;

pub use condition::{Accepted, ClockForm, Compare, Conditions, Conjunction, EvaluatedPart, Fixed, General};
pub use influence::Influences;
pub use moves::{Listing, Move, Moves, Ready, Splitter};
pub use pattern::Pattern;
pub use priority::{Level, sift};
pub use project::Projected;
pub use stop::Stop;
pub use sync::{Regions, split};
pub use tables::{EdgeInstance, LocationInstance, LocationInstanceId, Product, Role};
pub use update::{Unprojected, Updated};
pub use urgent::{Delay, Urgent};
pub use valuation::{ClockConstraint, CodeOf, Valuation};
