//! Output for people and programs: diagnostics, facts about a model, answers, traces.
//!
//! Every kind of output is a plain value first and text or JSON second, so that each renderer can be tested alone
//! and a new one (JUnit, an editor, a web page) needs no change anywhere else.

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
