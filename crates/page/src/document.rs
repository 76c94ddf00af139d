//! Data shown by a page: the format between this crate and the script.
//!
//! Runs are columns of changes, because a run of 100,000 steps through 2,000 processes has 67 MB as a list of steps. Times and clocks
//! are multiples of `1 / unit`, so that the script needs integers alone.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Document {
    /// Subject: the model's file, or the project.
    pub title: String,
    /// `zonewalk` and its version.
    pub tool: String,
    /// The commands that make it again.
    pub commands: Vec<String>,
    /// Errors and warnings.
    pub notices: Vec<Notice>,
    /// Answers.
    pub results: Vec<Result>,
    /// The automata; those of runs that bring their own are there.
    pub model: Model,
    /// The runs that answers and queries refer to.
    pub runs: Vec<Run>,
}

/// An error, a warning or a note.
#[derive(Clone, Debug, Serialize)]
pub struct Notice {
    /// `error`, `warning` or `note`.
    pub kind: &'static str,
    /// Message with its place.
    pub text: String,
}

/// An answer with its evidence.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Result {
    /// Its number, counted from 1.
    pub number: usize,
    /// The question.
    pub query: String,
    /// Comment by the query's author.
    #[serde(default)]
    pub comment: Option<String>,
    /// The answer, in words.
    pub verdict: String,
    /// `passed`, `failed`, `undecided` or `error`.
    pub finding: Cow<'static, str>,
    /// Further remark of the finding.
    pub remark: Option<String>,
    /// Whether the answer needs no trust in a limit.
    pub proof: bool,
    /// Why it may say less than it seems to.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// How it was found, as text.
    pub details: String,
    /// Figures.
    pub facts: Vec<Fact>,
    /// A drawing of the answer, as SVG.
    pub figure: Option<String>,
    /// The number of its run.
    pub run: Option<usize>,
    /// The number of the run that leads to a run-time error.
    pub fault: Option<usize>,
    /// Why a run is not shown.
    pub without_run: Option<String>,
}

/// A figure with its name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fact {
    /// Name of the quantity.
    pub name: Cow<'static, str>,
    /// Its value.
    pub value: String,
}

/// Automata and the names of everything.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Model {
    /// Templates.
    pub templates: Vec<Template>,
    /// Processes.
    pub processes: Vec<Process>,
    /// Integer variables, cell by cell.
    pub variables: Vec<String>,
    /// Clocks.
    pub clocks: Vec<String>,
    /// Channels.
    pub channels: Vec<Channel>,
    /// The names of two systems side by side.
    pub sides: Vec<String>,
}

/// A template.
#[derive(Clone, Debug, Serialize)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// The drawing.
    pub svg: String,
    /// The names of its locations.
    pub locations: Vec<String>,
    /// The target of each edge that traces number.
    pub targets: Vec<usize>,
    /// Which drawn edges each of these edges is.
    pub drawn: Vec<Vec<usize>>,
}

/// A process.
#[derive(Clone, Debug, Serialize)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// Its template.
    pub template: usize,
    /// Side the process belongs to, if two systems are shown side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<usize>,
}

/// A channel.
#[derive(Clone, Debug, Serialize)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// One sender, any number of receivers.
    pub broadcast: bool,
}

/// A multiple of `1 / unit`: a number, or its digits where a script would round it.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Timed {
    /// One that a script knows exactly.
    Small(i64),
    /// Any other.
    Large(String),
}

/// A run.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// Subject of the run, such as the query.
    pub title: String,
    /// Automata and names, where they are not those of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Box<Model>>,
    /// The denominator of all times.
    pub unit: Timed,
    /// Whether numbers are so large that the script needs big integers.
    pub big: bool,
    /// Distinct transitions: the channel (−1 for none), then for each part its process, edge, number of selected values and these.
    pub transitions: Vec<Vec<i64>>,
    /// The names of selected values, by template and edge number, where an edge has any.
    pub selects: Vec<(usize, usize, Vec<String>)>,
    /// Initial state.
    pub start: Start,
    /// The transition of each step.
    pub steps: Vec<usize>,
    /// The delay before each step.
    pub delays: Vec<Timed>,
    /// Variables: what each step changes.
    pub variables: Columns<i64>,
    /// Clocks: what each step sets, to a value and a rate.
    pub clocks: Columns<Timed>,
    /// The rates that go with `clocks`.
    pub rates: Vec<i64>,
    /// Time that passes after the last step.
    pub last_delay: Timed,
    /// Why it goes no further.
    pub end: Ending,
    /// Enabled transitions after each step; empty if the run is too long for them.
    pub enabled: Vec<Vec<(usize, usize)>>,
    /// Windows that `enabled` refers to.
    pub windows: Vec<String>,
    /// The rows of the model's `gantt` section.
    pub gantt: Vec<Row>,
    /// Notes about the run, such as omitted parts.
    pub notes: Vec<String>,
}

/// The initial state.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Start {
    /// The location of each process.
    pub locations: Vec<usize>,
    /// The values of variables.
    pub variables: Vec<i64>,
    /// The values of clocks.
    pub clocks: Vec<Timed>,
    /// Their rates.
    pub rates: Vec<i64>,
}

/// Changes step by step.
#[derive(Clone, Debug, Serialize)]
pub struct Columns<T> {
    /// Number of changes in each step.
    pub count: Vec<usize>,
    /// Ids of the changed items.
    pub id: Vec<usize>,
    /// The values afterwards.
    pub value: Vec<T>,
}

impl<T> Default for Columns<T> {
    fn default() -> Self {
        Columns {
            count: Vec::new(),
            id: Vec::new(),
            value: Vec::new(),
        }
    }
}

/// The end of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Ending {
    /// In words.
    pub text: String,
    /// Infinite runs: number of steps before the cycle, and length of the cycle.
    pub cycle: Option<(usize, usize)>,
    /// Pairs of systems: the rule that fails, in words.
    pub rule: Option<String>,
}

/// Enabled moves of a state: a transition and its windows, both by number.
pub type Enabled = Vec<(usize, usize)>;

/// A row of a Gantt chart.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its bars, in the order of time.
    pub bars: Vec<Bar>,
}

/// A bar: from, to, colour number.
pub type Bar = (Timed, Timed, i64);
