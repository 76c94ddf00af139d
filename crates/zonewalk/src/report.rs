//! Results of checks and explorations.

use crate::certificate::Certificate;
use crate::error::{Error, Problem};
use std::fmt;
use std::time::Duration;
use zonewalk_checker as checker;
use zonewalk_checker::SourceMap;
use zonewalk_report::trace::Trace;
use zonewalk_report::verdict::{QueryResult, Value};

pub use zonewalk_checker::{Limit, Optimality, Witness};

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The query is satisfied, for certain.
    Satisfied,
    /// The query is not satisfied, for certain.
    NotSatisfied,
    /// Clocks that can be stopped were over-approximated, and the approximation satisfies the query.
    MaybeSatisfied,
    /// Clocks that can be stopped were over-approximated, and the approximation does not satisfy the query.
    MaybeNotSatisfied,
    /// The values that a query of the form `sup`, `inf` or `bounds` asks for.
    Values(Vec<Value>),
    /// Estimate from random runs for a statistical query: [`Report::estimate`] has the numbers.
    Estimated {
        /// Whether the query is satisfied; `None` where it asks for a number, or where that is not decided.
        satisfied: Option<bool>,
    },
    /// The search ended without an answer.
    Unknown(Limit),
    /// A run-time error of the model or the query, and no answer that would be certain in spite of it:
    /// [`Report::error`] has it.
    Failed,
}

/// Work counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Walks that were begun.
    pub walks: u64,
    /// Transitions that walks fired.
    pub steps: u64,
    /// Cost of the walks in steps of a small model: counted, and so the same on every machine.
    pub effort: u64,
    /// Steps of the longest walk or path.
    pub max_depth: u64,
    /// States whose successors were computed.
    pub states_explored: u64,
    /// States in the store at the end.
    pub states_stored: u64,
    /// Successors that were computed.
    pub transitions: u64,
    /// Until the answer was found, or until the search gave up.
    pub search_time: Duration,
    /// Making the trace shorter, looking for better ones and repeating it on the reference interpreter.
    pub trace_time: Duration,
}

impl Statistics {
    fn new(stats: &checker::Stats, times: &checker::Times) -> Statistics {
        Statistics {
            walks: stats.walks,
            steps: stats.steps,
            effort: stats.effort,
            max_depth: stats.max_depth,
            states_explored: stats.states_explored,
            states_stored: stats.states_stored,
            transitions: stats.transitions,
            search_time: times.search,
            trace_time: times.shrink + times.improve + times.replay,
        }
    }
}

/// Estimate from random runs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The share of satisfied runs, or the mean.
    pub value: Option<f64>,
    /// An interval that holds the true value with the confidence below.
    pub interval: Option<[f64; 2]>,
    /// The confidence.
    pub confidence: Option<f64>,
    /// Runs, or pairs of runs.
    pub runs: u64,
    /// Number of runs that satisfy the formula.
    pub satisfied: Option<u64>,
    /// Number of runs whose verdict is unknown.
    pub undecided: u64,
}

/// A run-time error of the model or the query: a division by zero, a value outside of its range, and the like.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RuntimeError {
    /// Message and place.
    pub problem: Problem,
    /// The run that leads there, if there is one and traces are wanted.
    pub trace: Option<Box<Trace>>,
}

/// Result of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// Whether it is proved: a replayed run shows it, or everything was explored. Random runs in doubles are evidence only.
    pub is_proof: bool,
    /// A run that shows it, repeated by the reference interpreter. A certain answer without one is a proof: everything was explored.
    pub witness: Option<Box<Witness>>,
    /// Where the answer rests on having explored everything: the proof, and whether it was judged.
    pub certificate: Option<Certificate>,
    /// The numbers of a statistical query.
    pub estimate: Option<Estimate>,
    /// A run-time error that was met. Unless the verdict is [`Verdict::Failed`], the answer is certain all the same.
    pub error: Option<RuntimeError>,
    /// Why there is no answer, in words.
    pub reason: Option<String>,
    /// The name of the search that gave the answer.
    pub search: &'static str,
    /// Work done, including that of other searches in parallel.
    pub statistics: Statistics,
    /// Warnings about the model that were found on the way; run-time errors, too.
    pub problems: Vec<Problem>,
    /// Why the answer may say less than it seems to: the model stands still, or what the query is about never happens.
    pub warnings: Vec<Problem>,
    /// The result as the command reports it.
    pub(crate) result: Box<QueryResult>,
}

impl Report {
    /// The object that `zonewalk check --format json` has for the query in `results`. What a process has used is left at 0 there:
    /// `cpu_s` and `peak_memory_bytes`.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.result).unwrap_or_default()
    }
}

impl fmt::Display for Report {
    /// A line: the verdict, the search and why there is no answer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Verdict::Satisfied => f.write_str("satisfied")?,
            Verdict::NotSatisfied => f.write_str("not satisfied")?,
            Verdict::MaybeSatisfied => f.write_str("maybe satisfied")?,
            Verdict::MaybeNotSatisfied => f.write_str("maybe not satisfied")?,
            Verdict::Values(values) => {
                let values = values
                    .iter()
                    .map(|value| format!("{}: {}", value.expression, value.value));
                f.write_str(&values.collect::<Vec<_>>().join(", "))?;
            }
            Verdict::Estimated {
                satisfied: Some(true),
            } => f.write_str("satisfied")?,
            Verdict::Estimated {
                satisfied: Some(false),
            } => f.write_str("not satisfied")?,
            Verdict::Estimated { satisfied: None } => match self.estimate.and_then(|estimate| estimate.value)
            {
                Some(value) => write!(f, "about {value}")?,
                None => f.write_str("estimated")?,
            },
            Verdict::Unknown(_) | Verdict::Failed => f.write_str("unknown")?,
        }
        write!(f, " ({})", self.search)?;
        match (&self.error, &self.reason) {
            (Some(error), _) if self.verdict == Verdict::Failed => write!(f, ": {}", error.problem),
            (_, Some(reason)) => write!(f, ": {reason}"),
            _ => Ok(()),
        }
    }
}

impl Report {
    pub(crate) fn new(report: checker::CheckerReport, sources: &SourceMap) -> Result<Report, Error> {
        let mut problems = Vec::new();
        if let checker::Outcome::Fault(fault) = &report.outcome {
            problems.push(Problem::new(&fault.diagnostic, sources));
        }
        if let Some(fault) = &report.fault {
            problems.push(Problem::new(&fault.to_warning(), sources));
        }
        let found = report.warnings.iter();
        let warnings: Vec<Problem> = found.map(|found| Problem::new(found, sources)).collect();
        let runtime = |fault: checker::Fault| RuntimeError {
            problem: Problem::new(&fault.diagnostic, sources),
            trace: fault.trace,
        };
        let result = Box::new(report.to_result());
        let mut made = Report {
            verdict: Verdict::Failed,
            is_proof: false,
            witness: None,
            certificate: report.proof.map(|proof| Certificate::new(*proof)),
            estimate: None,
            error: report.fault.map(runtime),
            reason: result.reason.clone(),
            search: report.search,
            statistics: Statistics::new(&report.stats, &report.times),
            problems,
            warnings,
            result,
        };
        match report.outcome {
            checker::Outcome::Decided { satisfied, evidence } => {
                made.verdict = if satisfied {
                    Verdict::Satisfied
                } else {
                    Verdict::NotSatisfied
                };
                made.is_proof = evidence.is_proof();
                made.witness = evidence.into_witness();
            }
            checker::Outcome::Maybe { satisfied, .. } => {
                made.verdict = if satisfied {
                    Verdict::MaybeSatisfied
                } else {
                    Verdict::MaybeNotSatisfied
                };
            }
            checker::Outcome::Values {
                values,
                doubt,
                witness,
            } => {
                made.is_proof = doubt.is_none();
                made.verdict = Verdict::Values(values);
                made.witness = witness;
            }
            checker::Outcome::Estimated {
                satisfied,
                estimate,
                witness,
            } => {
                made.verdict = Verdict::Estimated { satisfied };
                made.estimate = Some(Estimate {
                    value: estimate.value,
                    interval: estimate.interval,
                    confidence: estimate.confidence,
                    runs: estimate.runs,
                    satisfied: estimate.satisfied,
                    undecided: estimate.undecided,
                });
                made.witness = witness;
            }
            checker::Outcome::Undecided(reason) => {
                made.verdict = Verdict::Unknown(reason.limit);
            }
            checker::Outcome::Fault(fault) => made.error = Some(runtime(fault)),
            checker::Outcome::Bug(message) => return Err(Error::Internal(message)),
        }
        Ok(made)
    }
}

/// Result of an exploration without a query.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exploration {
    /// Whether everything was explored.
    pub is_complete: bool,
    /// Limit that ended it, if it is not complete.
    pub limit: Option<Limit>,
    /// Where everything was explored: the proof of that, and whether it was judged.
    pub certificate: Option<Certificate>,
    /// A run-time error that was met.
    pub error: Option<RuntimeError>,
    /// Work done.
    pub statistics: Statistics,
    /// Locations and edges reached.
    pub coverage: Coverage,
}

/// Locations and edges reached by the processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// Locations of all processes.
    pub locations: usize,
    /// Edges of all processes.
    pub edges: usize,
    /// Locations that some process of their template never reached.
    pub unreached_locations: Vec<Unreached>,
    /// Edges that some process of their template never took.
    pub unreached_edges: Vec<Unreached>,
}

/// A location or an edge that not all processes of its template have reached.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unreached {
    /// The template.
    pub template: String,
    /// The location, or the edge as `source -> target`.
    pub name: String,
    /// The line in the model's file, from 1.
    pub line: Option<u32>,
    /// Processes that did not reach it.
    pub missed: usize,
    /// Processes of the template.
    pub processes: usize,
}

impl Exploration {
    pub(crate) fn new(
        report: checker::CheckerReport,
        coverage: Coverage,
        sources: &SourceMap,
    ) -> Result<Exploration, Error> {
        let report = Report::new(report, sources)?;
        Ok(Exploration {
            is_complete: report.verdict == Verdict::Satisfied,
            limit: match report.verdict {
                Verdict::Unknown(limit) => Some(limit),
                _ => None,
            },
            certificate: report.certificate,
            error: report.error,
            statistics: report.statistics,
            coverage,
        })
    }
}
