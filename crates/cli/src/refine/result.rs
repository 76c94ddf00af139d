//! Converts the checker's answer into the result that is printed and written.

use crate::check;
use crate::config::RefineConfig;
use crate::reports::ReportEntry;
use crate::status::Status;
use zonewalk_checker::refine::{RefineAnswer, bare, to_result};
use zonewalk_report::layout::WIDTH;
use zonewalk_report::palette::Palette;
use zonewalk_report::refinement::{Reason, RefineResult, text};
use zonewalk_report::summary::{Finding, STEPS};
use zonewalk_report::verdict::{Answer, CostInfo, QueryResult};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};
use zonewalk_tioa::{Component, Project, Query};

/// An answer in the making.
pub(crate) struct RefineOutcome {
    pub(crate) result: RefineResult,
    /// Errors of the query, or of the components that it needs.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Errors without a place in a text.
    pub(crate) errors: Vec<String>,
    /// Bug of zonewalk, if there is one.
    pub(crate) bug: Option<String>,
    /// Component that `get-component` or `prune` has made.
    pub(crate) built: Option<Component>,
    /// There is no answer because of errors.
    is_refused: bool,
}

impl RefineOutcome {
    fn new(config: &RefineConfig, verdict: Answer, reason: Option<Reason>) -> Self {
        RefineOutcome::of(bare(&config.options, verdict, reason))
    }

    fn of(result: RefineResult) -> Self {
        RefineOutcome {
            result,
            diagnostics: Vec::new(),
            errors: Vec::new(),
            bug: None,
            built: None,
            is_refused: false,
        }
    }

    /// There is no answer because of these errors, of which the first says most.
    pub(crate) fn refused(config: &RefineConfig, errors: Vec<Diagnostic>) -> Self {
        let reason = errors.first().map(|error| Reason {
            rule: if error.code == Code::UNSUPPORTED {
                "unsupported"
            } else {
                "error"
            },
            text: error.message.clone(),
        });
        RefineOutcome {
            diagnostics: errors,
            is_refused: true,
            ..RefineOutcome::new(config, Answer::Unknown, reason)
        }
    }

    /// There was no time to begin.
    pub(crate) fn interrupted(config: &RefineConfig) -> Self {
        let text = "interrupted before it started".to_owned();
        RefineOutcome::new(config, Answer::Unknown, Some(Reason { rule: "limit", text }))
    }

    /// Result of the facade's answer.
    pub(crate) fn answered(
        config: &RefineConfig,
        project: &Project,
        query: &Query,
        answer: RefineAnswer,
    ) -> Self {
        let (result, bug) = to_result(project, query, &config.options, &answer);
        RefineOutcome {
            built: answer.built,
            bug,
            ..RefineOutcome::of(result)
        }
    }

    /// The result as it is shown beside its errors: what they say is not repeated.
    pub(crate) fn beside_errors(&self) -> RefineResult {
        let mut result = self.result.clone();
        if self.is_refused {
            let text = match self.diagnostics.first().map(|error| error.code) {
                Some(Code::UNSUPPORTED) => "not supported",
                Some(Code::BROKEN_COMPONENT) => "a component has errors",
                _ => "the query has an error",
            };
            result.reason = Some(Reason {
                rule: "error",
                text: text.to_owned(),
            });
        }
        result
    }

    /// Contribution of the answer to the exit status: with `--expect`, whether it is as recorded.
    pub(crate) fn status(&self, expect: bool) -> Status {
        if self.bug.is_some() {
            return Status::Bug;
        }
        if self.is_refused || !self.errors.is_empty() {
            return Status::Failure;
        }
        match (expect, &self.result.expected, self.result.verdict) {
            (true, Some(expected), _) if !expected.agrees => Status::No,
            (true, _, _) | (_, _, Answer::Satisfied) => Status::Success,
            (_, _, Answer::NotSatisfied) => Status::No,
            _ => Status::Undecided,
        }
    }

    /// As reports tell it.
    pub(crate) fn report_entry(
        &self,
        number: usize,
        config: &RefineConfig,
        with_charts: bool,
    ) -> (ReportEntry, QueryResult) {
        let result = &self.result;
        let reason = result.reason.as_ref().map(|reason| reason.text.clone());
        let why = || reason.clone().unwrap_or_else(|| result.verdict.word().to_owned());
        let finding = match (self.status(config.expect), &result.expected, result.verdict) {
            (Status::Bug, _, _) => Finding::Error(why()),
            (Status::Failure, _, _) => Finding::Error(self.errors.first().cloned().unwrap_or_else(why)),
            (_, Some(expected), _) if expected.agrees => Finding::Passed,
            (_, Some(expected), verdict) => Finding::Failed(format!(
                "{}, but {} is recorded",
                verdict.word(),
                expected.outcome
            )),
            (_, None, _) if config.expect => Finding::Undecided("the project records no outcome".to_owned()),
            (_, _, Answer::Satisfied) => Finding::Passed,
            (_, _, Answer::NotSatisfied) => Finding::Failed(why()),
            _ => Finding::Undecided(why()),
        };
        let mut details = text::render(result, None, Palette::Plain);
        if let Some(trace) = result.trace.as_ref().filter(|trace| trace.steps <= STEPS) {
            details.push('\n');
            details.push_str(&text::run(&trace.run, WIDTH, Palette::Plain));
        }
        let summary = QueryResult {
            query: Some(result.query.clone()),
            search: result.search.to_owned(),
            cost: CostInfo {
                time_s: result.time_s,
                peak_memory_bytes: result.peak_memory_bytes,
                ..CostInfo::default()
            },
            proof: result.proof,
            seed: result.seed,
            threads: result.threads,
            stats: result.stats,
            ..check::QueryOutcome::new(result.verdict, reason).result
        };
        let run = result.trace.as_ref().filter(|_| with_charts);
        let trace = run.map(|trace| zonewalk_charts::pair::trace_of(&trace.run));
        let entry = ReportEntry::new(number, finding, details).illustrated(trace.as_ref(), None);
        (entry, summary)
    }
}
