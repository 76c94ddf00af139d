//! Charts of runs: [`Sequence`] shows who synchronised with whom and when, [`Gantt`] where each process was over time.
//!
//! Both are made of a [`Trace`](zonewalk_report::trace::Trace) and a [`Selection`] of its steps and processes, as plain values, and
//! have two renderers: as characters, within a number of columns, and as SVG.
//!
//! Invariant: a chart is bounded, however long the run is and however many processes the model has: what is left out is counted in
//! a note. Names from a model work neither on a terminal nor in a browser.
//!
//! # Rooms
//!
//! Traces as charts: `Sequence` (who synchronises with whom, when) and `Gantt` (where each process is over time) are
//! plain values made of a `report::trace::Trace` and a `Selection` of its steps and processes, each with the renderers
//! `to_text` and `to_svg`; `pair` makes such a trace of a run of timed I/O automata.

mod escape;
pub mod gantt;
pub mod pair;
mod select;
pub mod sequence;

pub use gantt::Gantt;
pub use select::{Selection, Unknown};
pub use sequence::Sequence;
