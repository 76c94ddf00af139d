//! Answers to queries about timed I/O automata, and the runs that show them.

pub mod text;

use crate::trace::{ClockValue, Time};
use crate::verdict::{Answer, Expectation, Stats};
use serde::{Deserialize, Serialize};

/// The answer to a query, and what it cost.
#[derive(Clone, Debug, Serialize)]
pub struct RefineResult {
    /// The query.
    pub query: String,
    /// Kind of query: `refinement`, `consistency`, …; `None` if it could not be read.
    pub kind: Option<&'static str>,
    /// The answer.
    pub verdict: Answer,
    /// Whether the answer needs no trust in a limit.
    pub proof: bool,
    /// Search that gave the answer.
    pub search: &'static str,
    /// The seed.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// All of it: loading, searching and judging.
    pub time_s: f64,
    /// Reading the project.
    pub load_s: f64,
    /// The search.
    pub search_s: f64,
    /// Time of processors.
    pub cpu_s: f64,
    /// The most memory that the process has had so far; 0 where the system does not tell.
    pub peak_memory_bytes: u64,
    /// Counts. States are zones here; what has no meaning is 0.
    pub stats: Stats,
    /// Relation that proves a refinement.
    pub relation: Option<Relation>,
    /// A run that shows the answer.
    pub trace: Option<RunSummary>,
    /// Component made by `get-component` or `prune`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<ComponentInfo>,
    /// Why, for everything but a plain yes.
    pub reason: Option<Reason>,
    /// Further notes.
    pub notes: Vec<String>,
    /// Comparison with the outcome that the project records, if one was asked for and there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expectation>,
}

/// Why an answer is what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// For programs: `output`, `delay`, `precondition`, `limit`, ….
    pub rule: &'static str,
    /// For people.
    pub text: String,
}

/// A relation between the states of two systems, in figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Relation {
    /// Pairs of locations.
    pub pairs: usize,
    /// Zones of them.
    pub zones: usize,
}

/// A component that was made, in figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComponentInfo {
    /// Its name.
    pub name: String,
    /// Number of locations.
    pub locations: usize,
    /// Number of edges.
    pub edges: usize,
    /// Number of clocks.
    pub clocks: usize,
    /// The file that holds it.
    pub file: Option<String>,
}

/// A run in figures, and the run itself.
#[derive(Clone, Debug, Serialize)]
pub struct RunSummary {
    /// Its actions.
    pub steps: usize,
    /// The time that passes in it, exactly.
    pub duration: String,
    /// Its actions when it was found.
    pub found_steps: usize,
    /// The file that holds it.
    pub file: Option<String>,
    /// The run.
    pub run: Run,
}

/// A run of one system, or of two side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The system, or the left and the right one, as queries write them.
    pub systems: Vec<String>,
    /// Which actions a component knows.
    pub alphabet: Alphabet,
    /// Treatment of inputs that no edge allows.
    pub inputs: Inputs,
    /// Where a run of one system begins; `None` for the initial state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Vec<StatePart>>,
    /// Steps of the run.
    pub steps: Vec<Step>,
    /// Time that passes after the last step.
    pub last_delay: Time,
    /// State at the end, and the violated rule.
    pub end: End,
}

/// Which actions a component knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Alphabet {
    /// Actions on its edges.
    Edges,
    /// Actions on its edges and in its `IO` line.
    Declared,
}

/// Treatment of inputs that no edge allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inputs {
    /// Inputs without an edge are ignored.
    Complete,
    /// Inputs without an edge are refused.
    Strict,
}

/// A delay, and an action after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Time that passes before.
    pub delay: Time,
    /// Time since the beginning.
    pub time: Time,
    /// The action.
    pub action: String,
    /// Side that decides on the action: input or output.
    pub direction: Direction,
    /// Moves of the parts of the left or only system; empty if it stands still.
    pub left: Vec<Move>,
    /// Moves of the parts of the right system; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<Vec<Move>>,
}

/// Side that decides when an action happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The environment.
    Input,
    /// The system; of two the left one.
    Output,
}

impl Direction {
    /// The sign after the action.
    pub fn sign(self) -> char {
        match self {
            Direction::Input => '?',
            Direction::Output => '!',
        }
    }
}

/// Move of one part of a system in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "does", rename_all = "lowercase")]
pub enum Move {
    /// A component takes an edge.
    Edge {
        /// Its place among the components of its side, from 0.
        part: u32,
        /// How the query calls it.
        component: String,
        /// The edge, by its place in the component's list, from 0.
        edge: u32,
        /// Id of the edge in the file.
        id: String,
        /// The location that it leaves.
        source: String,
        /// The location that it enters.
        target: String,
    },
    /// A component takes an input that no edge allows, and stays as it is.
    Ignores {
        /// Its place.
        part: u32,
        /// How the query calls it.
        component: String,
        /// Location of the part.
        location: String,
    },
    /// A component stays in a universal or inconsistent location.
    Stays {
        /// Its place.
        part: u32,
        /// How the query calls it.
        component: String,
        /// Location of the part.
        location: String,
    },
    /// A quotient goes to its universal state, or stays there.
    Universal {
        /// Its place among the quotients of its side, from 0.
        quotient: u32,
    },
    /// A quotient goes to its error state, or stays there.
    Error {
        /// Its place.
        quotient: u32,
    },
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Violated rule, or the goal reached.
    pub rule: Rule,
    /// The action that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// When, after the last delay.
    pub time: Time,
    /// Until when the left or only system could wait before the last delay: `7`, `< 7`, `no bound` or `never`.
    pub left_until: String,
    /// Latest time the right system could wait until before the last delay, in the same notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right_until: Option<String>,
    /// The state of the left or only system.
    pub left: Vec<StatePart>,
    /// The state of the right one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<Vec<StatePart>>,
}

impl End {
    /// Conclusion in words; `None` if a requested state has been reached.
    pub fn words(&self) -> Option<String> {
        let action = self.action.as_deref().unwrap_or_default();
        match self.rule {
            Rule::Output => Some(format!(
                "output: the left side can send {action}!, and the right side does not allow it"
            )),
            Rule::Input => Some(format!(
                "input: the right side accepts {action}?, and the left side does not"
            )),
            Rule::Delay => Some("delay: the left side can wait longer than the right side".to_owned()),
            Rule::Reached => None,
        }
    }
}

/// Conclusion drawn from the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// The left side can send what the right side does not allow.
    Output,
    /// The right side accepts what the left side does not.
    Input,
    /// The left side can wait longer than the right side.
    Delay,
    /// A state of one system that is asked for, or that shows what is wrong with it.
    Reached,
}

/// A part of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "lowercase")]
pub enum StatePart {
    /// A component in a location.
    Location {
        /// Its place among the components of its side.
        part: u32,
        /// How the query calls it.
        component: String,
        /// The location.
        location: String,
        /// The values of its clocks.
        clocks: Vec<ClockValue>,
    },
    /// A quotient in its universal state.
    Universal {
        /// Its place among the quotients of its side.
        quotient: u32,
    },
    /// A quotient in its error state.
    Error {
        /// Its place.
        quotient: u32,
    },
}

impl RefineResult {
    /// The question and the answer in one line.
    pub fn line(&self) -> String {
        let (query, answer) = (&self.query, self.verdict.word());
        text::visible(&match &self.reason {
            Some(reason) => format!("{query}: {answer}: {}", reason.text),
            None => format!("{query}: {answer}"),
        })
    }
}
