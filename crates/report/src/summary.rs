//! A run in short, for people and systems that did not see it: continuous integration above all.

pub mod junit;
pub mod markdown;

use crate::palette::Palette;
use crate::trace::{Trace, text as trace_text};
use crate::verdict::{Answer, QueryResult, text};

/// Steps of a trace that a report holds; the trace file has the rest.
pub const STEPS: usize = 500;

/// A run: a model and what came of its queries.
#[derive(Clone, Debug)]
pub struct Summary<'a> {
    /// The file as it was named.
    pub model: &'a str,
    /// Why the model could not be used, in words; queries are not checked then.
    pub errors: Vec<String>,
    /// The queries.
    pub cases: Vec<Case<'a>>,
}

/// A query and what came of it.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// Its number, counted from 1.
    pub number: usize,
    /// The answer.
    pub result: &'a QueryResult,
    /// Meaning of the answer for the exit status.
    pub finding: Finding,
    /// How it was found, and the trace, as text.
    pub details: &'a str,
}

/// Meaning of an answer for the exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// As it should be: satisfied, or as recorded.
    Passed,
    /// Not as it should be, and why.
    Failed(String),
    /// There is no certain answer, and why.
    Undecided(String),
    /// The query or the model is in error, and how.
    Error(String),
}

impl Finding {
    /// Finding for an answer that has no recorded expectation and no error.
    pub fn of(result: &QueryResult) -> Self {
        let answer = result.verdict.unwrap_or(Answer::Unknown);
        match answer {
            Answer::Satisfied => Finding::Passed,
            Answer::NotSatisfied => Finding::Failed("not satisfied".to_owned()),
            _ => Finding::Undecided(result.reason.clone().unwrap_or_else(|| answer.word().to_owned())),
        }
    }
}

/// How an answer was found, and a trace that is not too long.
pub fn details(result: &QueryResult, trace: Option<&Trace>) -> String {
    let mut details = text::render(result, None, Palette::Plain);
    if let Some(trace) = trace.filter(|trace| trace.steps.len() <= STEPS) {
        details.push('\n');
        details.push_str(&trace_text::render(trace));
    }
    details
}

/// Number of queries by finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: usize,
    failed: usize,
    undecided: usize,
    errors: usize,
}

impl Summary<'_> {
    fn tally(&self) -> Tally {
        let mut tally = Tally {
            errors: self.errors.len(),
            ..Tally::default()
        };
        for case in &self.cases {
            match case.finding {
                Finding::Passed => tally.passed += 1,
                Finding::Failed(_) => tally.failed += 1,
                Finding::Undecided(_) => tally.undecided += 1,
                Finding::Error(_) => tally.errors += 1,
            }
        }
        tally
    }
}

impl Case<'_> {
    fn formula(&self) -> &str {
        self.result.query.as_deref().unwrap_or_default()
    }

    /// `1. A[] not deadlock`, or with its author's comment `1. No deadlock (A[] not deadlock)`.
    fn name(&self) -> String {
        let (number, formula) = (self.number, self.formula());
        match self.result.title() {
            Some(title) => format!("{number}. {title} ({formula})"),
            None => format!("{number}. {formula}"),
        }
    }
}
