//! Answers and runs as one web page that needs nothing else: that of `zonewalk check --report html:FILE`.

use crate::error::Error;
use crate::model::Model;
use crate::report::{Report, Verdict};
use zonewalk_page::{Evidence, Result as Shown, answer, html};
use zonewalk_report::summary::{Case, Finding, details};
use zonewalk_report::trace::Trace;

/// An answer as a page shows it. As JSON it can be kept until there is a page for it.
#[derive(Clone, Debug)]
pub struct PageAnswer(Shown);

impl PageAnswer {
    /// The answer of a report.
    pub fn new(report: &Report) -> Self {
        let result = &report.result;
        let trace = report.witness.as_ref().and_then(|witness| witness.trace.as_ref());
        let finding = match (&report.verdict, &result.reason) {
            (Verdict::Failed, Some(why)) => Finding::Error(why.clone()),
            _ => Finding::of(result),
        };
        PageAnswer(answer(&Case {
            number: 1,
            result,
            finding,
            details: &details(result, trace),
        }))
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// Reads an answer written by [`to_json`](PageAnswer::to_json).
    ///
    /// # Errors
    /// It is something else.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let read = serde_json::from_str(text);
        read.map(PageAnswer)
            .map_err(|error| Error::Query(format!("this is no answer of a page: {error}")))
    }
}

/// A page in the making.
#[derive(Debug)]
pub struct Page<'m> {
    model: &'m Model,
    evidence: Evidence,
    answers: Vec<Shown>,
}

impl<'m> Page<'m> {
    /// A page about a model: its automata and its warnings.
    pub fn new(model: &'m Model) -> Self {
        let mut evidence = Evidence::of_model(&model.loaded);
        evidence.notices(&model.loaded.diagnostics, model.sources());
        Page {
            model,
            evidence,
            answers: Vec::new(),
        }
    }

    /// Adds an answer with the run that shows it, and the one that leads to a run-time error. Runs are repeated by the reference
    /// interpreter; of one that it refuses the page says why it is not shown.
    pub fn answer(&mut self, answer: &PageAnswer, run: Option<&Trace>, fault: Option<&Trace>) {
        let mut answer = answer.0.clone();
        answer.number = self.answers.len() + 1;
        self.evidence
            .add(answer.number, &answer.query, &self.model.loaded, [run, fault]);
        self.answers.push(answer);
    }

    /// Adds a run that is not an answer.
    ///
    /// # Errors
    /// It does not belong to the model.
    pub fn run(&mut self, title: &str, run: &Trace) -> Result<(), Error> {
        let shown = self.evidence.trace(title, &self.model.loaded, run);
        shown.map(|_| ()).map_err(Error::Query)
    }

    /// The page.
    pub fn html(self) -> String {
        html(&self.evidence.page(self.model.name(), self.answers, Vec::new()))
    }
}
