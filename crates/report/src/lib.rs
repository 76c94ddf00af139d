//! Output for people and programs: diagnostics, facts about a model, answers, traces.
//!
//! Every kind of output is a plain value first and text or JSON second, so that each renderer can be tested alone
//! and a new one (JUnit, an editor, a web page) needs no change anywhere else.
//!
//! # Rooms
//!
//! Every kind of output is a plain value with its renderers: `diagnostic::{text, json}`, `info` with `info::text`,
//! `trace` with `trace::text`, `verdict` with `verdict::text` and `verdict::coverage`, `summary` (a whole run) with
//! `summary::{junit, markdown}`, `refinement` (answers about timed I/O automata, and runs of one or two systems) with
//! `refinement::text`, `statistics` (estimates and curves) with `text`, `csv` and `svg`. `layout` breaks lines for a
//! screen, and `palette` has all colours.
//!
//! `verdict::Stats` is the one set of statistics: engines and the facade fill it, and reports show it. `run::Ends` in it
//! says how walks ended. The crate `search` has counts of its own (`Statistics`), because it knows no walks and no
//! reports; `checker::outcome` adds them.

pub mod decimal;
pub mod diagnostic;
pub mod info;
pub mod layout;
pub mod palette;
pub mod refinement;
pub mod statistics;
pub mod summary;
pub mod sweep;
pub mod trace;
pub mod verdict;
