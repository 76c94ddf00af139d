//! The document that `zonewalk replay` writes.

use crate::document::Header;
use serde::Serialize;
use zonewalk_report::trace::{State, Time};

/// The document about a trace, whatever it is a trace of.
#[derive(Serialize)]
pub(crate) struct Replayed<'a> {
    #[serde(flatten)]
    pub(crate) header: Header,
    pub(crate) model: &'a str,
    pub(crate) trace: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) trace_valid: bool,
    pub(crate) steps: usize,
    pub(crate) duration: String,
    /// The step that is wrong, counted from 1.
    pub(crate) step: Option<usize>,
    pub(crate) reason: Option<&'a str>,
    /// The states that were asked for, or all of them; absent where they are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) states: Option<&'a [StateJson]>,
}

/// A state of a trace.
#[derive(Serialize)]
pub(crate) struct StateJson {
    /// Steps before it.
    pub(crate) step: usize,
    /// When it was entered.
    pub(crate) time: Time,
    #[serde(flatten)]
    pub(crate) state: State,
}
