//! Converts the checker's report into the result that is printed and written.

mod doubt;

use crate::advice;
use crate::status::Status;
use std::borrow::Cow;
use zonewalk_checker::{CheckerReport, Doubt, Fault, KeptCertificate, Outcome};
use zonewalk_report::trace::Trace;
use zonewalk_report::verdict::{Answer, QueryResult};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};

/// Demands of the user on answers beyond that queries are satisfied.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Demands {
    /// They agree with the outcomes that the model records.
    pub(crate) expect: bool,
    /// There is no warning about them.
    pub(crate) strict: bool,
}

/// An answer in the making.
pub(crate) struct QueryOutcome {
    pub(crate) result: QueryResult,
    /// The trace, if one is wanted.
    pub(crate) trace: Option<Trace>,
    /// The trace to a run-time error that does not change the answer.
    pub(crate) fault_trace: Option<Trace>,
    /// The certificate, if one is wanted.
    pub(crate) certificate: Option<Box<KeptCertificate>>,
    /// Errors of the query or the model.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Warnings about the model that were found on the way.
    pub(crate) warnings: Vec<Diagnostic>,
    /// The warnings of the result, with their places.
    pub(crate) sanity: Vec<Diagnostic>,
    pub(crate) is_error: bool,
    /// The query was not checked because of its errors.
    is_refused: bool,
    /// Bug of zonewalk, if there is one.
    pub(crate) bug: Option<String>,
}

impl QueryOutcome {
    pub(crate) fn new(verdict: Answer, reason: Option<String>) -> Self {
        QueryOutcome {
            result: QueryResult::bare(verdict, reason),
            trace: None,
            fault_trace: None,
            certificate: None,
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            sanity: Vec::new(),
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

    /// The result as it is shown beside its errors: what they say is not repeated.
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

    /// Results of a search.
    pub(crate) fn from_report(report: CheckerReport) -> Self {
        let mut outcome = QueryOutcome {
            result: report.to_result(),
            sanity: report.warnings,
            ..QueryOutcome::new(Answer::Unknown, None)
        };
        outcome.certificate = report.proof.and_then(|proof| proof.kept);
        let advice = &mut outcome.result.advice;
        match report.outcome {
            Outcome::Decided { evidence, .. } => {
                outcome.trace = evidence.into_witness().and_then(|witness| witness.trace);
            }
            Outcome::Estimated { witness, .. } => {
                outcome.trace = witness.and_then(|witness| witness.trace);
            }
            Outcome::Maybe { claim, .. } => *advice = Some(doubt::advice(claim, &report.stats).to_owned()),
            Outcome::Values { doubt, witness, .. } => {
                if let Some(Doubt::Approximate(query)) = doubt {
                    *advice = Some(doubt::query(&query));
                }
                outcome.trace = witness.and_then(|witness| witness.trace);
            }
            Outcome::Undecided(reason) => {
                *advice = advice::of_limit(&reason, report.search).map(str::to_owned);
            }
            Outcome::Fault(fault) => {
                outcome.is_error = true;
                outcome.trace = fault.trace.map(|trace| *trace);
                outcome.diagnostics.push(*fault.diagnostic);
            }
            Outcome::Bug(message) => outcome.bug = Some(message),
        }
        if let Some(fault) = report.fault {
            outcome.warn(fault);
        }
        outcome
    }

    /// Contribution of the answer to the exit status.
    pub(crate) fn status(&self, demands: Demands) -> Status {
        if self.bug.is_some() {
            return Status::Bug;
        }
        if self.is_error {
            return Status::Failure;
        }
        let is_suspect = demands.strict && !self.result.warnings.is_empty();
        match (demands.expect, &self.result.expected, self.result.verdict) {
            _ if is_suspect => Status::No,
            (true, Some(expected), _) if !expected.agrees => Status::No,
            (true, _, _) | (_, _, Some(Answer::Satisfied)) => Status::Success,
            (_, _, Some(Answer::NotSatisfied)) => Status::No,
            _ => Status::Undecided,
        }
    }

    /// A run-time error was met, and the answer is certain all the same.
    fn warn(&mut self, fault: Fault) {
        self.diagnostics.push(fault.to_warning());
        self.fault_trace = fault.trace.map(|trace| *trace);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::ExitCode;
    use zonewalk_checker::{CheckerReport, Outcome, Stats, Times};

    #[test]
    fn a_trace_that_does_not_replay_ends_with_status_70() {
        let bug = "the trace that walk 7 found does not replay: step 1".to_owned();
        let report = CheckerReport::new("ret", Outcome::Bug(bug), Stats::default(), Times::default());
        let outcome = QueryOutcome::from_report(report);
        for expect in [false, true] {
            let status = outcome.status(Demands { expect, strict: true });
            assert_eq!(status, Status::Bug);
            assert_eq!(ExitCode::from(status), ExitCode::from(70));
        }
        let reason = outcome.result.reason.as_deref().unwrap_or_default();
        assert!(
            reason.starts_with("bug in zonewalk: the trace that walk 7 found"),
            "{reason}"
        );
    }
}
