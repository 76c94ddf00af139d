//! Facts about a model: how large it is, what it uses, what it asks, and which engines can work on it.

pub mod capability;
mod gather;
pub mod text;

pub use gather::{Facts, QueryFacts, Refusal, features};

use crate::diagnostic::json::DiagnosticJson;
use capability::Engine;
use serde::Serialize;

/// All that `zonewalk info` tells about a model.
#[derive(Clone, Debug, Serialize)]
pub struct ModelInfo {
    /// The file as it was named.
    pub model: String,
    /// `new`, or `old` for the syntax before version 4 of the language.
    pub syntax: &'static str,
    /// Templates, in the order of the file.
    pub templates: Vec<TemplateInfo>,
    /// Number of processes.
    pub processes: usize,
    /// Locations of all processes together.
    pub locations: usize,
    /// Edges of all processes together; an edge with selections counts once.
    pub edges: usize,
    /// Variables, cell by cell.
    pub variables: VariableCounts,
    /// Number of clocks.
    pub clocks: usize,
    /// Channels.
    pub channels: ChannelCounts,
    /// Sizes of the parts of a state.
    pub state_vector: StateVector,
    /// Features the model uses beyond plain timed automata.
    pub features: Vec<FeatureInfo>,
    /// Its queries.
    pub queries: Vec<QueryInfo>,
    /// Headings and blanks listed among the queries.
    pub skipped_queries: Vec<SkippedInfo>,
    /// Capabilities of each family of searches on this model.
    pub engines: Vec<Engine>,
    /// The size of the compiled form; `null` where the model cannot be compiled.
    pub compiled: Option<Compiled>,
    /// Seconds that each phase of loading took.
    pub load: LoadTimes,
}

/// A template.
#[derive(Clone, Debug, Serialize)]
pub struct TemplateInfo {
    /// Its name.
    pub name: String,
    /// Number of its parameters.
    pub parameters: usize,
    /// Number of its locations.
    pub locations: usize,
    /// Number of its edges; one into a branchpoint counts once per branch.
    pub edges: usize,
    /// Number of its processes.
    pub processes: usize,
}

/// Variables, counted in cells: an array of structs has many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VariableCounts {
    /// Integers, booleans and scalars that are part of the state.
    pub integers: usize,
    /// Number of `meta` variables, which are not part of the state.
    pub meta: usize,
    /// Floating-point numbers.
    pub doubles: usize,
}

/// Channels by kind. An urgent broadcast channel counts as both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ChannelCounts {
    /// All of them.
    pub total: usize,
    /// Neither urgent nor broadcast.
    pub plain: usize,
    /// Broadcast.
    pub broadcast: usize,
    /// Urgent.
    pub urgent: usize,
}

/// Sizes of the parts of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateVector {
    /// The sum.
    pub size: usize,
    /// One location per process.
    pub locations: usize,
    /// Integer cells.
    pub integers: usize,
    /// Clocks.
    pub clocks: usize,
}

/// A feature that the model uses.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureInfo {
    /// Its name, in words.
    pub feature: &'static str,
    /// Number of uses.
    pub count: u32,
    /// The file of the first use.
    pub file: Option<String>,
    /// The line of the first use.
    pub line: Option<u32>,
}

/// A query.
#[derive(Clone, Debug, Serialize)]
pub struct QueryInfo {
    /// Its number in its file, from 1, as `--query-index` counts.
    pub number: usize,
    /// The formula.
    pub query: String,
    /// Kind of the query, such as `reachable` or `invariant`; `null` if it cannot be read.
    pub kind: Option<&'static str>,
    /// Whether it fits the model.
    pub valid: bool,
    /// The searches that will be able to decide it on this model.
    pub decided_by: Vec<&'static str>,
    /// The claim by which an answer that rests on having explored everything is proved and judged; `null` where there is none.
    pub claim: Option<&'static str>,
    /// Why there is none.
    pub no_claim: Option<String>,
    /// The author's comment.
    pub comment: String,
    /// Outcome recorded in the file.
    pub recorded: Option<RecordedOutcome>,
    /// File of the query.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// Errors of the query.
    pub errors: Vec<DiagnosticJson>,
}

/// A heading or a blank listed among the queries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedInfo {
    /// Its number among the queries, from 1.
    pub number: usize,
    /// `empty`, `comment` or `heading`.
    pub kind: &'static str,
}

/// An outcome that a file records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordedOutcome {
    /// `success`, `failure`, `maybe_true`, ….
    pub outcome: String,
    /// `quality`, `quantity`, ….
    pub kind: String,
    /// The value of a quantity.
    pub value: Option<String>,
    /// The author expects it, rather than an earlier run found it.
    pub expected: bool,
}

/// The size of the compiled form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Compiled {
    /// Copies of templates' code; processes share them.
    pub code_copies: usize,
    /// Instructions of all guards, updates and functions.
    pub instructions: usize,
    /// Edges of all processes, with a copy for each value of those selections that guards and channels need.
    pub edges: usize,
    /// Bytes of a state.
    pub state_bytes: usize,
    /// Bytes of code and tables, roughly.
    pub bytes: usize,
}

/// Seconds that each phase of loading took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LoadTimes {
    /// Reading and parsing.
    pub read_s: f64,
    /// Names and types.
    pub check_s: f64,
    /// Processes and initial values.
    pub instantiate_s: f64,
    /// The compiled form.
    pub compile_s: f64,
    /// Total time.
    pub total_s: f64,
}
