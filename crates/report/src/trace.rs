//! Runs of a model: where they begin, what happens, when, and what it changes.
//!
//! Neutral about the origin of the run: the simulator, a random walk or a symbolic search.

pub mod document;
mod fold;
pub mod text;
mod time;

pub use time::Time;

use serde::{Deserialize, Serialize};

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// Initial state.
    pub initial: State,
    /// The transitions, in order.
    pub steps: Vec<Step>,
    /// Time that passes after the last transition; part of the run, but no step.
    pub last_delay: Time,
    /// Why it goes no further.
    pub end: End,
}

/// A state in full.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Where each process is, in the order of the system line.
    pub locations: Vec<At>,
    /// Integer variables, cell by cell.
    pub variables: Vec<Cell>,
    /// Variables of type `double`, cell by cell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubles: Vec<ClockValue>,
    /// Clocks.
    pub clocks: Vec<ClockValue>,
}

/// A process in a location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct At {
    /// The process.
    pub process: String,
    /// The location.
    pub location: String,
}

/// A cell of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Its name, such as `queue[2]` or `P(3).count`.
    pub name: String,
    /// Its value.
    pub value: i32,
}

/// A clock, or a variable of type `double`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockValue {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Time,
}

/// A delay and the transition after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Time that passes before the transition.
    pub delay: Time,
    /// Time since the beginning, at the transition.
    pub time: Time,
    /// The channel; `None` for an internal transition.
    pub channel: Option<String>,
    /// Participants: the sender first, then the receivers in the order of their updates.
    pub edges: Vec<Participant>,
    /// Changes made by the step. A clock's old value is the one after the delay.
    pub changes: Vec<Change>,
}

/// A process that takes part in a transition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    /// The process.
    pub process: String,
    /// The location that it leaves.
    pub source: String,
    /// The location that it enters.
    pub target: String,
    /// The edge, by its number among those of the template: two edges may join the same locations. A trace that a user
    /// wrote by hand need not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<usize>,
    /// The values of its selections.
    #[serde(default)]
    pub selects: Vec<Cell>,
}

/// A variable or a clock that changes its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Its name.
    pub name: String,
    /// The value before.
    pub old: Time,
    /// The value after.
    pub new: Time,
}

/// Context of a failure: the transition or expression being evaluated when the model or a query failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The label that fails: `guard`, `synchronisation`, `update`, `invariant`, `select`, or `query`.
    pub label: String,
    /// Process that owns the label; `None` for a query and for labels of the whole system.
    #[serde(default)]
    pub process: Option<String>,
    /// The channel of the transition that is tried, where there is one.
    #[serde(default)]
    pub channel: Option<String>,
    /// Participants of the transition: for a guard, its own edge; for a query, none.
    #[serde(default)]
    pub edges: Vec<Participant>,
    /// Variables that the failing expression read, as written in it.
    #[serde(default)]
    pub values: Vec<Cell>,
}

impl Attempt {
    /// `in the guard of P(5)`, `in the query`
    pub fn place(&self) -> String {
        match &self.process {
            Some(process) => format!("in the {} of {process}", self.label),
            None => format!("in the {}", self.label),
        }
    }

    /// `i = 7, n = 2`
    pub fn readings(&self) -> String {
        let values: Vec<_> = self
            .values
            .iter()
            .map(|cell| format!("{} = {}", cell.name, cell.value))
            .collect();
        values.join(", ")
    }
}

/// Why a run goes no further.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum End {
    /// It shows what it should show.
    Goal,
    /// An expression whose extremes are asked for has this value.
    Value {
        /// The expression.
        expression: String,
        /// Its value.
        value: Time,
    },
    /// The requested number of steps was made.
    Steps,
    /// No transition is possible any more, however long one waits.
    Deadlock {
        /// Whether time cannot pass without end either.
        time_stops: bool,
    },
    /// The last steps are repeated forever.
    Cycle {
        /// Steps before the cycle.
        start: usize,
        /// Steps of the cycle.
        length: usize,
    },
    /// Time passes forever.
    Endless,
    /// The model does what its language forbids, such as leaving a range.
    Error {
        /// Error message.
        message: String,
        /// Context of the error, if known.
        #[serde(default, flatten, skip_serializing_if = "Option::is_none")]
        attempt: Option<Box<Attempt>>,
    },
    /// The user ended it.
    Quit,
}
