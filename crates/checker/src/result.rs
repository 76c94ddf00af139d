//! Converts a report into the JSON result: the fields of documents, and of pages.

mod doubt;

use crate::engine::has_independent_walks;
use crate::options::Options;
use crate::outcome::optimality::Optimality;
use crate::outcome::proof::Proof;
use crate::outcome::{CheckerReport, Effort, Fault, Origin, Outcome, Times, Witness};
use zonewalk_report::trace::{End, Time, Trace};
use zonewalk_report::verdict::{self, Answer, Cycle, FaultInfo, QueryResult, TraceSummary};
use zonewalk_searches::Estimator;
use zonewalk_syntax::diagnostic::{Diagnostic, Severity};

impl CheckerReport {
    /// The answer in words and figures, still without the query, the options and what the process has used.
    pub fn to_result(&self) -> QueryResult {
        let mut result = result_of(&self.outcome, self);
        if let Some(fault) = &self.fault {
            result.fault = Some(FaultInfo {
                message: fault.message(),
                trace: fault.trace.as_deref().map(summary),
            });
        }
        result.search = self.search.to_owned();
        result.cost.search_s = self.times.search.as_secs_f64();
        result.stats = self.stats;
        let effort = |other: &Effort| verdict::Effort {
            search: other.search.to_owned(),
            stats: other.stats,
        };
        result.others = self.others.iter().map(effort).collect();
        if let Some(lead) = self.lead {
            result.guidance.heuristic = lead.estimator.map(Estimator::name);
            result.guidance.blind = lead.is_blind;
            result.guidance.queues = Some(lead.queueing.name());
        }
        result.guidance.patterns.clone_from(&self.patterns);
        result.closest.clone_from(&self.closest);
        result.note = self.note.map(str::to_owned);
        result.certificate = self.proof.as_deref().map(Proof::to_info);
        let warnings = self.warnings.iter().map(|warning| verdict::Warning {
            code: warning.code.as_str(),
            message: warning.message.clone(),
        });
        result.warnings = warnings.collect();
        result
    }
}

/// Help for an error that does not change the answer.
const WENT_ON: &str = "the search continued without the failing transition; the answer does not depend on it. --trace-file also writes the run that leads here";

impl Fault {
    /// Warning for an answer that is certain all the same.
    pub fn to_warning(&self) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            message: self.message(),
            help: Some(WENT_ON.to_owned()),
            ..(*self.diagnostic).clone()
        }
    }

    /// The error, with the part that fails.
    pub fn message(&self) -> String {
        let message = &self.diagnostic.message;
        match self.origin {
            Origin::Model => format!("run-time error in the model: {message}"),
            Origin::Query => format!("run-time error in the query: {message}"),
            Origin::Search => message.clone(),
        }
    }
}

impl Options {
    /// Tells under which options an answer was found. Requires: the counts are there.
    pub fn record_in(&self, result: &mut QueryResult) {
        result.set_schedule(self.walks.schedule.name());
        result.seed = self.seed;
        result.threads = self.threads.get();
        // A number is worth telling where it names the same walk everywhere.
        result.walk = result.walk.filter(|_| has_independent_walks(self.search));
    }
}

fn result_of(outcome: &Outcome, report: &CheckerReport) -> QueryResult {
    match outcome {
        Outcome::Decided { satisfied, evidence } => {
            let answer = if *satisfied {
                Answer::Satisfied
            } else {
                Answer::NotSatisfied
            };
            let mut result = QueryResult::bare(answer, None);
            result.proof = evidence.is_proof();
            result.by_run = evidence.witness().is_some();
            show(&mut result, evidence.witness(), report);
            result
        }
        Outcome::Maybe { satisfied, claim } => {
            let answer = if *satisfied {
                Answer::MaybeSatisfied
            } else {
                Answer::MaybeNotSatisfied
            };
            QueryResult::bare(answer, Some(doubt::of_claim(*claim, *satisfied, &report.stats)))
        }
        Outcome::Values {
            values,
            doubt,
            witness,
        } => {
            let mut result = match doubt {
                None => QueryResult::bare(Answer::Satisfied, None),
                Some(doubt) => {
                    let value = values.iter().find(|value| !value.certain);
                    QueryResult::bare(Answer::MaybeSatisfied, Some(doubt::of_value(doubt, value)))
                }
            };
            result.proof = doubt.is_none();
            result.values = Some(values.clone());
            show(&mut result, witness.as_deref(), report);
            result
        }
        Outcome::Estimated {
            satisfied,
            estimate,
            witness,
        } => {
            let answer = match satisfied {
                Some(true) => Answer::Satisfied,
                Some(false) => Answer::NotSatisfied,
                None => Answer::Unknown,
            };
            let mut result = QueryResult::bare(answer, estimate.cut.map(str::to_owned));
            show(&mut result, witness.as_deref(), report);
            result.statistics = Some(estimate.clone());
            result
        }
        Outcome::Undecided(reason) => QueryResult::bare(Answer::Unknown, Some(reason.to_string())),
        Outcome::Fault(fault) => {
            let mut result = QueryResult::bare(Answer::Unknown, Some(fault.message()));
            result.trace = fault.trace.as_deref().map(summary);
            result
        }
        Outcome::Bug(message) => {
            QueryResult::bare(Answer::Unknown, Some(format!("bug in zonewalk: {message}")))
        }
    }
}

/// Shows a run in figures, if the run itself is wanted.
fn show(result: &mut QueryResult, witness: Option<&Witness>, report: &CheckerReport) {
    let Some(witness) = witness else { return };
    result.walk = Some(witness.walk);
    result.trace = (witness.trace.is_some()).then(|| figures(witness, &report.times));
}

/// Summary of a trace that is shown as it was found.
fn summary(trace: &Trace) -> TraceSummary {
    let duration = trace
        .steps
        .last()
        .map_or(Time::ZERO, |step| step.time)
        .to_string();
    TraceSummary {
        steps: trace.steps.len(),
        found_steps: trace.steps.len(),
        found_duration: duration.clone(),
        duration,
        ..TraceSummary::default()
    }
}

/// A run in figures.
fn figures(witness: &Witness, times: &Times) -> TraceSummary {
    let (shortest, fastest, reason) = match &witness.optimality {
        Optimality::NotRequested => (None, None, None),
        Optimality::Shortest => (Some(true), None, None),
        Optimality::Fastest => (None, Some(true), None),
        Optimality::UnprovenShortest(why) => (Some(false), None, Some(why.clone())),
        Optimality::UnprovenFastest(why) => (None, Some(false), Some(why.clone())),
    };
    let cycle = match witness.trace.as_ref().map(|trace| &trace.end) {
        Some(&End::Cycle { start, length }) => Some(Cycle { start, length }),
        _ => None,
    };
    TraceSummary {
        steps: witness.steps,
        cycle,
        duration: witness.duration.to_string(),
        found_steps: witness.found_steps,
        found_duration: witness.found_duration.to_string(),
        shrink_s: times.shrink.as_secs_f64(),
        improve_s: times.improve.as_secs_f64(),
        shortest,
        fastest,
        reason,
        ..TraceSummary::default()
    }
}
