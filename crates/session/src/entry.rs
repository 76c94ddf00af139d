//! History entries that a session keeps for a run.

use zonewalk_reference::rational::Rational;
use zonewalk_reference::window::Windows;
use zonewalk_reference::{Step, Transition};
use zonewalk_report::trace::{self, End};

/// A step: for the interpreter, and in the words of a trace.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) step: Step,
    pub(crate) told: trace::Step,
}

/// A change of the run's history: everything after the first `kept` steps was replaced.
#[derive(Debug)]
pub(crate) struct Edit {
    pub(crate) kept: usize,
    pub(crate) removed: Vec<Entry>,
    pub(crate) last_delay: Rational,
    pub(crate) position: usize,
    pub(crate) ending: Ending,
}

/// Why the run ends where it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// In the words of a trace.
    pub end: End,
    /// The query that the run decides.
    pub query: Option<String>,
}

impl Default for Ending {
    /// The user has ended it.
    fn default() -> Self {
        Ending {
            end: End::Quit,
            query: None,
        }
    }
}

/// Moves possible in a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    /// The transitions, each with the delays after which it is possible.
    pub transitions: Vec<Transition>,
    /// The delays that are possible.
    pub delays: Windows,
}
