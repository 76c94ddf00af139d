//! From what a search came to, to what is told about it.

use super::doubt;
use crate::advice;
use std::borrow::Cow;
use zonewalk_checker::{Doubt, Fault, Optimality, Origin, Outcome, Report, Times, Witness};
use zonewalk_report::trace::{End, Time, Trace};
use zonewalk_report::verdict::{Answer, Cycle, Effort, FaultInfo, QueryResult, Stats, TraceSummary};
use zonewalk_searches::Estimator;
use zonewalk_syntax::diagnostic::{Code, Diagnostic, Severity};

/// What to know about an error that does not change the answer.
const WENT_ON: &str = "the search continued without the failing transition; the answer does not depend on it. --trace-file also writes the run that leads here";

/// An answer in the making.
pub(crate) struct QueryOutcome {
    pub(crate) result: QueryResult,
    /// The trace, if one is wanted.
    pub(crate) trace: Option<Trace>,
    /// That of a run-time error which does not change the answer.
    pub(crate) fault_trace: Option<Trace>,
    /// Errors of the query or the model.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What looks wrong in the model, and came to light on the way.
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) is_error: bool,
    /// The query was not checked because of its errors.
    is_refused: bool,
    /// What zonewalk did wrong.
    pub(crate) bug: Option<String>,
}

impl QueryOutcome {
    pub(crate) fn new(verdict: Answer, reason: Option<String>) -> Self {
        QueryOutcome {
            result: QueryResult {
                query: None,
                verdict: Some(verdict),
                proof: false,
                by_run: false,
                search: String::new(),
                schedule: None,
                seed: 0,
                threads: 0,
                time_s: 0.0,
                load_s: 0.0,
                search_s: 0.0,
                cpu_s: 0.0,
                peak_memory_bytes: 0,
                stats: Stats::default(),
                others: Vec::new(),
                heuristic: None,
                blind: false,
                queues: None,
                patterns: Vec::new(),
                closest: None,
                note: None,
                trace: None,
                fault: None,
                reason,
                advice: None,
                values: None,
                statistics: None,
                expected: None,
                coverage: None,
            },
            trace: None,
            fault_trace: None,
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            is_error: false,
            is_refused: false,
            bug: None,
        }
    }

    /// There is no answer because of these errors.
    pub(crate) fn refused(errors: Vec<Diagnostic>) -> Self {
        let reason = errors.first().map(|error| error.message.clone());
        QueryOutcome {
            diagnostics: errors,
            is_error: true,
            is_refused: true,
            ..QueryOutcome::new(Answer::Unknown, reason)
        }
    }

    /// The result as it is told beside its errors: what those say is not said twice.
    pub(crate) fn beside_errors(&self) -> Cow<'_, QueryResult> {
        let reason = match self.diagnostics.first().map(|error| error.code) {
            Some(_) if !self.is_refused => return Cow::Borrowed(&self.result),
            None => return Cow::Borrowed(&self.result),
            Some(Code::UNSUPPORTED) => "not supported",
            Some(Code::UNDECIDABLE) => "not decided by this search",
            Some(_) => "the query has an error",
        };
        Cow::Owned(QueryResult {
            reason: Some(reason.to_owned()),
            ..self.result.clone()
        })
    }

    /// There is no answer, and no error either.
    pub(crate) fn undecided(reason: &str) -> Self {
        QueryOutcome::new(Answer::Unknown, Some(reason.to_owned()))
    }

    /// What a search came to.
    pub(crate) fn from_report(report: Report) -> Self {
        let mut outcome = match report.outcome {
            Outcome::Decided { satisfied, witness } => {
                let answer = if satisfied {
                    Answer::Satisfied
                } else {
                    Answer::NotSatisfied
                };
                let mut outcome = QueryOutcome::new(answer, None);
                outcome.result.proof = true;
                if let Some(witness) = witness {
                    outcome.result.by_run = true;
                    outcome.show(*witness, &report.times);
                }
                outcome
            }
            Outcome::Maybe { satisfied, claim } => {
                let answer = if satisfied {
                    Answer::MaybeSatisfied
                } else {
                    Answer::MaybeNotSatisfied
                };
                let mut outcome =
                    QueryOutcome::new(answer, Some(doubt::of_claim(claim, satisfied, &report.stats)));
                outcome.result.advice = Some(doubt::advice(claim, &report.stats).to_owned());
                outcome
            }
            Outcome::Values {
                values,
                doubt,
                witness,
            } => {
                let mut outcome = match &doubt {
                    None => QueryOutcome::new(Answer::Satisfied, None),
                    Some(doubt) => {
                        let value = values.iter().find(|value| !value.certain);
                        QueryOutcome::new(Answer::MaybeSatisfied, Some(doubt::of_value(doubt, value)))
                    }
                };
                outcome.result.proof = doubt.is_none();
                if let Some(Doubt::Approximate(query)) = doubt {
                    outcome.result.advice = Some(doubt::query(&query));
                }
                outcome.result.values = Some(values);
                if let Some(witness) = witness {
                    outcome.show(*witness, &report.times);
                }
                outcome
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
                let mut outcome = QueryOutcome::new(answer, estimate.cut.map(str::to_owned));
                if let Some(witness) = witness {
                    outcome.show(*witness, &report.times);
                }
                outcome.result.statistics = Some(estimate);
                outcome
            }
            Outcome::Undecided(reason) => {
                let mut outcome = QueryOutcome::new(Answer::Unknown, Some(reason.to_string()));
                outcome.result.advice = advice::of_limit(&reason, report.search).map(str::to_owned);
                outcome
            }
            Outcome::Fault(fault) => {
                let mut outcome = QueryOutcome::new(Answer::Unknown, Some(fault_message(&fault)));
                outcome.is_error = true;
                if let Some(trace) = fault.trace {
                    outcome.result.trace = Some(summary(&trace));
                    outcome.trace = Some(*trace);
                }
                outcome.diagnostics.push(*fault.diagnostic);
                outcome
            }
            Outcome::Bug(message) => {
                let mut outcome =
                    QueryOutcome::new(Answer::Unknown, Some(format!("bug in zonewalk: {message}")));
                outcome.bug = Some(message);
                outcome
            }
        };
        if let Some(fault) = report.fault {
            outcome.warn(fault);
        }
        outcome.result.search = report.search.to_owned();
        outcome.result.search_s = report.times.search.as_secs_f64();
        outcome.result.stats = report.stats;
        let effort = |other: &zonewalk_checker::Effort| Effort {
            search: other.search.to_owned(),
            stats: other.stats,
        };
        outcome.result.others = report.others.iter().map(effort).collect();
        if let Some(lead) = report.lead {
            outcome.result.heuristic = lead.estimator.map(Estimator::name);
            outcome.result.blind = lead.is_blind;
            outcome.result.queues = Some(lead.queueing.name());
        }
        outcome.result.patterns = report.patterns;
        outcome.result.closest = report.closest;
        outcome.result.note = report.note.map(str::to_owned);
        outcome
    }
}

impl QueryOutcome {
    /// Shows a run, in figures and itself if it is wanted.
    fn show(&mut self, witness: Witness, times: &Times) {
        self.result.trace = witness.trace.is_some().then(|| TraceSummary {
            shrink_s: times.shrink.as_secs_f64(),
            improve_s: times.improve.as_secs_f64(),
            ..figures(&witness)
        });
        self.trace = witness.trace;
    }

    /// A run-time error was met, and the answer is certain all the same.
    fn warn(&mut self, fault: Fault) {
        let message = fault_message(&fault);
        self.result.fault = Some(FaultInfo {
            message: message.clone(),
            trace: fault.trace.as_deref().map(summary),
        });
        self.fault_trace = fault.trace.map(|trace| *trace);
        self.diagnostics.push(Diagnostic {
            severity: Severity::Warning,
            message,
            help: Some(WENT_ON.to_owned()),
            ..*fault.diagnostic
        });
    }
}

/// Who fails, and how.
fn fault_message(fault: &Fault) -> String {
    let message = &fault.diagnostic.message;
    match fault.origin {
        Origin::Model => format!("run-time error in the model: {message}"),
        Origin::Query => format!("run-time error in the query: {message}"),
        Origin::Search => message.clone(),
    }
}

/// Of a trace that is shown as it was found.
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

/// A run in figures, but for the time that went into it.
fn figures(witness: &Witness) -> TraceSummary {
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
        shortest,
        fastest,
        reason,
        ..TraceSummary::default()
    }
}
