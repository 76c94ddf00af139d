//! A run of a system, or of two systems side by side: what engines find, the judge repeats and trace files hold.
//!
//! It has a form of its own beside `zonewalk_run::Run`: a step is an action that both sides take, and components of one side may
//! ignore it or be part of a quotient that has left them.

use crate::project::Action;

/// Which side of `left <= right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The system whose behaviour must be allowed.
    Left,
    /// The system that must allow it.
    Right,
}

/// Move of one part of a system in a step. Parts that stood still are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Taken {
    /// A component took one of its edges.
    Edge {
        /// Which component: its place among the components of its side, from left to right in the query.
        part: u32,
        /// Which edge: its place in [`Component::edges`](crate::Component::edges).
        edge: u32,
    },
    /// A component took an input that no edge of it allows now, and stayed as it was.
    Ignored {
        /// Which component.
        part: u32,
    },
    /// A component in a universal or inconsistent location stayed there.
    Loop {
        /// Which component.
        part: u32,
    },
    /// A quotient went to its universal state, or stayed there.
    Universal {
        /// Which quotient: its place among the quotients of its side, in the order of their `//` signs read from the outermost
        /// inwards and from left to right: a quotient comes before those in its `whole`, and these before those in its `part`.
        quotient: u32,
    },
    /// A quotient went to its error state, or stayed there.
    Error {
        /// Which quotient.
        quotient: u32,
    },
}

/// A delay, and an action after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// In ticks, see [`Run::scale`].
    pub delay: i64,
    /// Action of the step.
    pub action: Action,
    /// Moves of the left side, sorted; empty if it stood still.
    pub left: Vec<Taken>,
    /// Moves of the right side, likewise; empty in a run of one system.
    pub right: Vec<Taken>,
}

/// Conclusions shown by the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The left side can send the action now, and the right side does not allow it.
    Output(Action),
    /// The right side accepts the action now, and the left side does not.
    Input(Action),
    /// The left side can let the last delay pass, and the right side cannot.
    Delay,
    /// The state that was asked for is reached.
    Reached,
}

/// Steps from the initial state, a last delay, and what is then the case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Ticks in a unit of time.
    pub scale: i64,
    /// The steps.
    pub steps: Vec<Step>,
    /// A delay after the last step, in ticks.
    pub last_delay: i64,
    /// Conclusion shown by the end of the run.
    pub rule: Rule,
}

/// How components are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// Which actions a component knows.
    pub alphabet: crate::project::AlphabetOf,
    /// Treatment of inputs that no edge allows.
    pub inputs: Inputs,
}

/// Treatment of inputs that no edge allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inputs {
    /// Inputs without an edge are ignored: components are completed by loops.
    Complete,
    /// Inputs without an edge are refused: components are taken as drawn.
    Strict,
}
