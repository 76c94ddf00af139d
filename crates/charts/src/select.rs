//! Which part of a run a chart is of.

use std::fmt;
use std::ops::Range;
use zonewalk_report::trace::Trace;

/// Steps and processes to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The first step, counted from 1; the beginning unless given.
    pub from: Option<usize>,
    /// The last step, inclusive; the end unless given.
    pub to: Option<usize>,
    /// The processes by name; all that take part unless given.
    pub processes: Vec<String>,
}

/// A requested item that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// No such process.
    Process(String),
    /// No such steps: those that are asked for, and how many there are.
    Steps(usize, usize, usize),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Process(name) => write!(f, "the trace has no process `{name}`"),
            Unknown::Steps(from, to, count) => {
                write!(f, "there are no steps {from} to {to}: the trace has {count}")
            }
        }
    }
}

impl std::error::Error for Unknown {}

impl Selection {
    /// The indices of the steps, counted from 0.
    ///
    /// # Errors
    /// When there are none, although the trace has steps.
    pub(crate) fn steps(&self, trace: &Trace) -> Result<Range<usize>, Unknown> {
        let count = trace.steps.len();
        let (from, to) = (self.from.unwrap_or(1), self.to.unwrap_or(count.max(1)));
        let is_whole = self.from.is_none() && self.to.is_none();
        if !is_whole && (from == 0 || from > to || from > count) {
            return Err(Unknown::Steps(from, to, count));
        }
        Ok(from - 1..to.min(count))
    }

    /// The indices of the processes among those of the initial state: those that are named, otherwise all.
    ///
    /// # Errors
    /// A name that no process has.
    pub(crate) fn processes(&self, trace: &Trace) -> Result<Vec<usize>, Unknown> {
        if self.processes.is_empty() {
            return Ok((0..trace.initial.locations.len()).collect());
        }
        let index = |name: &String| {
            let is_it = |at: &zonewalk_report::trace::At| at.process == *name;
            let found = trace.initial.locations.iter().position(is_it);
            found.ok_or_else(|| Unknown::Process(name.clone()))
        };
        self.processes.iter().map(index).collect()
    }
}
