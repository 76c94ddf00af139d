//! What a session keeps of a run.

use crate::saved::Ending;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::window::Windows;
use zonewalk_reference::{Step, Transition};
use zonewalk_report::trace;

/// A step: for the interpreter, and in the words of a trace.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) step: Step,
    pub(crate) told: trace::Step,
}

/// What a change of the run has replaced: everything behind the first `kept` steps.
#[derive(Debug)]
pub(crate) struct Edit {
    pub(crate) kept: usize,
    pub(crate) removed: Vec<Entry>,
    pub(crate) last_delay: Rational,
    pub(crate) position: usize,
    pub(crate) ending: Ending,
}

/// What is possible in a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    /// The transitions, each with the delays after which it is possible.
    pub transitions: Vec<Transition>,
    /// The delays that are possible.
    pub delays: Windows,
}
