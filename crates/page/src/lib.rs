//! Verdicts, automata and runs as one web page that needs nothing else.
//!
//! [`Document`] is what a page shows, as plain data. [`model_of`] and [`RunBuilder`] make its parts from a network and a run that the
//! reference interpreter repeats, [`pair`] from runs of timed I/O automata, and [`Evidence`] collects them for answers. [`html()`] packs it
//! all into a file.
//!
//! The page draws, the data decide: states, windows and bars of Gantt charts are computed here, by the interpreter, and the script
//! adds up nothing but delays. The same script serves a live page: it takes documents from wherever they come.
//!
//! Invariant: nothing here reads files or prints; a page makes no request, and what a model says is text in it.
//!
//! # Rooms
//!
//! `document` is the format between Rust and the script: runs as columns of changes, times as multiples of a common
//! unit. `build` makes it while the reference interpreter repeats a run (`values`, `enabled`, `gantt`), `pair` from runs
//! of timed I/O automata, `answer` from verdicts. `coverage` is a page of its own, without a script: what an exploration
//! has reached. `html` packs all into one file. The script in `assets` is written by hand and has no build step:
//! `run.js` answers what holds at a position, each view draws what is visible, `app.js` knows the position. `serve` has
//! the same page: its script gives `start` a source of its own and an object `live`, which adds controls and asks the
//! server (`serve/page`); `serve::recorded` makes the document of the run under construction.

mod answer;
mod build;
mod coverage;
mod document;
mod evidence;
mod html;
mod pack;
pub mod pair;

pub use answer::answer;
pub use build::{ENABLED_STEPS, RunBuilder, model_of};
pub use coverage::{CoverageDocument, Covered, CoveredTemplate, coverage_html};
pub use document::{
    Bar, Channel, Columns, Document, Enabled, Ending, Fact, Model, Notice, Process, Result, Row, Run, Start,
    Template, Timed,
};
pub use evidence::Evidence;
pub use html::{html, script, style};
