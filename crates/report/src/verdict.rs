//! Answers to queries, and what they cost.

pub mod certificate;
pub mod coverage;
mod stats;
pub mod text;

use crate::statistics::Estimate;
use certificate::CertificateInfo;
use coverage::CoverageInfo;
use serde::Serialize;
pub use stats::{DirectedStats, Stats};
use std::borrow::Cow;
use std::fmt;

/// The answer to a query, or what came of looking at a model without one.
#[derive(Clone, Debug, Default, Serialize)]
pub struct QueryResult {
    /// The formula; `null` when there was none.
    pub query: Option<String>,
    /// Comment by the query's author, for example the name of a requirement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The answer; `null` when there was no question.
    pub verdict: Option<Answer>,
    /// Whether the answer needs no trust in a limit: a replayed trace shows it, or everything was explored.
    pub proof: bool,
    /// Whether a run shows it, wanted or not; otherwise looking at everything does.
    #[serde(skip)]
    pub by_run: bool,
    /// Search that gave the answer.
    pub search: String,
    /// Schedule of the walks, where any were made: `paper` or `tuned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<&'static str>,
    /// The seed.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// Time and memory that it took.
    #[serde(flatten)]
    pub cost: CostInfo,
    /// Counts, of the others too.
    pub stats: Stats,
    /// Effort of the other searches, if several ran in parallel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Effort>,
    /// Estimates and queues of a directed search.
    #[serde(flatten)]
    pub guidance: GuidanceInfo,
    /// Guided walks without an answer: the closest they got to the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest: Option<Closest>,
    /// Note about how the search was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Number of the walk that found the answer, from 0, for searches whose walk number i is the same everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walk: Option<u64>,
    /// The trace, in figures.
    pub trace: Option<TraceSummary>,
    /// Where the answer rests on having explored everything: the proof, and whether it was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateInfo>,
    /// A run-time error that was met, and that does not change the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultInfo>,
    /// Why the answer may say less than it seems to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// Why there is no answer.
    pub reason: Option<String>,
    /// Advice for the user.
    #[serde(skip)]
    pub advice: Option<String>,
    /// Values for `sup`, `inf` and `bounds` queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// Estimates for statistical queries.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Box<Estimate>>,
    /// With `--expect`: what the model says about the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expectation>,
    /// Coverage, for walks without a goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageInfo>,
}

impl QueryResult {
    /// An answer without anything that a search has found.
    pub fn bare(verdict: Answer, reason: Option<String>) -> Self {
        QueryResult {
            verdict: Some(verdict),
            reason,
            ..QueryResult::default()
        }
    }

    /// The question: the formula as it was written, and its author's comment, if there is one.
    pub fn set_question(&mut self, formula: &str, comment: &str) {
        self.query = Some(formula.to_owned());
        // What the answer should be is not a name of a requirement.
        let lines = comment
            .lines()
            .filter(|line| !line.trim_start().starts_with("EXPECT:"));
        let comment = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
        self.comment = Some(comment).filter(|comment| !comment.is_empty());
    }

    /// The comment in one line, which is its first one.
    pub fn title(&self) -> Option<Cow<'_, str>> {
        let comment = self.comment.as_deref()?.trim();
        let first = comment.lines().next()?.trim_end();
        Some(if first.len() == comment.len() {
            Cow::Borrowed(first)
        } else {
            Cow::Owned(format!("{first} …"))
        })
    }

    /// Tells whose walks were made, if any were. Requires: the counts are there.
    pub fn set_schedule(&mut self, schedule: &'static str) {
        self.schedule = (self.stats.walks > 0).then_some(schedule);
    }
}

/// Time and memory that an answer took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct CostInfo {
    /// All of it: loading, searching, shortening and replaying.
    pub time_s: f64,
    /// Reading and compiling the model.
    pub load_s: f64,
    /// Until the goal was found or the search gave up.
    pub search_s: f64,
    /// Time of processors.
    pub cpu_s: f64,
    /// The most memory that the process has had so far; 0 where the system does not tell.
    pub peak_memory_bytes: u64,
}

/// The estimates and queues that led a search.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GuidanceInfo {
    /// The estimates that led a directed search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic: Option<&'static str>,
    /// Whether the goal names nothing that they measure.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blind: bool,
    /// The queues of a directed search, or of one with several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queues: Option<&'static str>,
    /// The patterns of pattern databases, where such led the search: names with commas between them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
}

/// Why an answer may say less than it seems to: the model stands still, or what the query is about never happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Warning {
    /// Its stable name, such as `vacuous-query`.
    pub code: &'static str,
    /// In one line.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warning[{}]: {}", self.code, self.message)
    }
}

/// How large or small an expression becomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Value {
    /// The expression.
    pub expression: String,
    /// `8`, `< 8`, `no bound`; for `bounds` `[0, 3], [5, 8)`. It is proved that no run goes beyond it.
    pub value: String,
    /// Value witnessed by runs, in the form of `value`: runs that were replayed, or that come arbitrarily close to it.
    pub reached: Option<String>,
    /// Whether the value is the true one: otherwise that lies between the two.
    pub certain: bool,
    /// Requested quantity.
    #[serde(skip)]
    pub quantity: Quantity,
    /// Whether there is an upper bound at all.
    #[serde(skip)]
    pub is_bounded: bool,
    /// Whether the run that reaches it is the one that is shown.
    #[serde(skip)]
    pub is_shown: bool,
}

/// Quantities that queries ask of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The largest.
    Sup,
    /// The smallest.
    Inf,
    /// All of them.
    Bounds,
}

impl Value {
    /// Formats the value, with both bounds if they differ.
    pub fn in_words(&self) -> String {
        if self.certain {
            return self.value.clone();
        }
        let by = if self.is_shown { "run shown" } else { "by a run" };
        let value = &self.value;
        let strict = |relation: &str| value.starts_with(relation);
        match (self.quantity, &self.reached) {
            (Quantity::Sup, Some(reached)) if self.is_bounded => {
                format!("between {reached} ({by}) and {value}")
            }
            (Quantity::Sup, Some(reached)) => format!("at least {reached} ({by}); no upper bound is known"),
            (Quantity::Sup, None) if !self.is_bounded => {
                "nothing is known: no upper bound, and no run".to_owned()
            }
            (Quantity::Sup, None) if strict("< ") => format!("{value}; no run is known"),
            (Quantity::Sup, None) => format!("at most {value}; no run is known"),
            (Quantity::Inf, Some(reached)) => format!("between {value} and {reached} ({by})"),
            (Quantity::Inf, None) if strict("> ") => format!("{value}; no run is known"),
            (Quantity::Inf, None) => format!("at least {value}; no run is known"),
            (Quantity::Bounds, Some(reached)) => {
                format!("all of {reached} (by runs), and nothing outside {value}")
            }
            (Quantity::Bounds, None) => format!("nothing outside {value}; no run is known"),
        }
    }
}

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Answer {
    /// Yes.
    #[serde(rename = "satisfied")]
    Satisfied,
    /// No.
    #[serde(rename = "not satisfied")]
    NotSatisfied,
    /// Perhaps: an over-approximation says so.
    #[serde(rename = "maybe satisfied")]
    MaybeSatisfied,
    /// Perhaps not.
    #[serde(rename = "maybe not satisfied")]
    MaybeNotSatisfied,
    /// The answer is not known.
    #[serde(rename = "unknown")]
    Unknown,
}

/// Effort of a search up to the moment another one had the answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effort {
    /// Its name.
    pub search: String,
    /// Its counts; all zero when it had not begun.
    pub stats: Stats,
}

/// How close guided walks got to a goal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Closest {
    /// The least distance by locations and variables; `None` where the goal names none. It is 0 where all that was missing is what the
    /// goal says of clocks or deadlocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u64>,
    /// Fraction of a lower bound on a clock, guarding the goal, that a walk reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
}

/// The largest part of a lower bound that a clock reached, in a guard of an edge that makes the goal true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Margin {
    /// The process that has the edge.
    pub process: String,
    /// The clock.
    pub clock: String,
    /// Largest value of the clock.
    pub value: String,
    /// Lower bound in the guard.
    pub bound: String,
}

/// A trace in figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TraceSummary {
    /// Its transitions.
    pub steps: usize,
    /// The time that passes in it, exactly; empty where there is no time.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub duration: String,
    /// Its transitions when it was found, before it was made shorter.
    pub found_steps: usize,
    /// The time that passed in it when it was found.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub found_duration: String,
    /// Time spent on shortening it.
    pub shrink_s: f64,
    /// Time spent on looking for a better one, as requested by `--trace shortest` and `fastest`.
    pub improve_s: f64,
    /// Repeated steps, if the run is infinite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
    /// Whether no run that shows the same has fewer transitions; `None` if it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest: Option<bool>,
    /// Whether no run that shows the same takes less time; `None` if it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fastest: Option<bool>,
    /// Why one of these is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The file that holds it.
    pub file: Option<String>,
    /// Labels of the transitions, for an explicit system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
}

/// The steps of a trace that are repeated forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cycle {
    /// Number of steps before the cycle.
    pub start: usize,
    /// Number of steps in the cycle.
    pub length: usize,
}

/// A run-time error that does not change the answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultInfo {
    /// Message with the failing process.
    pub message: String,
    /// The run that leads there, in figures.
    pub trace: Option<TraceSummary>,
}

/// Comparison of the answer with the outcome recorded in the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Expectation {
    /// Recorded outcome: `success`, `failure`, ….
    pub outcome: String,
    /// Whether the answer agrees.
    pub agrees: bool,
}

impl Expectation {
    /// In words.
    pub(crate) fn line(&self) -> String {
        let agrees = if self.agrees {
            "as recorded"
        } else {
            "not as recorded"
        };
        format!("{agrees}: {}", self.outcome)
    }
}

impl Answer {
    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Satisfied => "satisfied",
            Answer::NotSatisfied => "not satisfied",
            Answer::MaybeSatisfied => "maybe satisfied",
            Answer::MaybeNotSatisfied => "maybe not satisfied",
            Answer::Unknown => "unknown",
        }
    }

    /// Whether a recorded outcome says the same.
    pub fn agrees_with(self, outcome: &str) -> bool {
        match self {
            Answer::Satisfied => matches!(outcome, "success" | "maybe_true"),
            Answer::NotSatisfied => matches!(outcome, "failure" | "maybe_false"),
            Answer::MaybeSatisfied => outcome == "maybe_true",
            Answer::MaybeNotSatisfied => outcome == "maybe_false",
            Answer::Unknown => false,
        }
    }
}
