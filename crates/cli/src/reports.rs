//! `--report`: what to write for others, and where.

use crate::args::value::{Report, ReportKind};
use crate::check::QueryOutcome;
use crate::evidence::Evidence;
use crate::output::Output;
use crate::status::Error;
use crate::whole_file;
use zonewalk_page::html;
use zonewalk_report::palette::Palette;
use zonewalk_report::summary::{Case, Finding, Summary, junit, markdown};
use zonewalk_report::trace::text as trace_text;
use zonewalk_report::verdict::{Answer, QueryResult, text};
use zonewalk_syntax::diagnostic::{Diagnostics, Severity};

/// Steps of a trace that a report holds; the trace file has the rest.
pub(crate) const STEPS: usize = 500;

/// One query in a report.
pub(crate) struct ReportEntry {
    number: usize,
    finding: Finding,
    details: String,
}

impl ReportEntry {
    /// An entry from its parts.
    pub(crate) fn new(number: usize, finding: Finding, details: String) -> Self {
        ReportEntry {
            number,
            finding,
            details,
        }
    }

    /// The number of its query.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// The entry of a query that was checked.
    pub(crate) fn of_query(number: usize, outcome: &QueryOutcome, expect: bool) -> Self {
        let mut details = text::render(&outcome.result, None, Palette::Plain);
        if let Some(trace) = outcome.trace.as_ref().filter(|trace| trace.steps.len() <= STEPS) {
            details.push('\n');
            details.push_str(&trace_text::render(trace));
        }
        ReportEntry {
            number,
            finding: finding(outcome, expect),
            details,
        }
    }
}

fn finding(outcome: &QueryOutcome, expect: bool) -> Finding {
    let result = &outcome.result;
    let answer = result.verdict.unwrap_or(Answer::Unknown);
    let reason = || result.reason.clone().unwrap_or_else(|| answer.word().to_owned());
    if outcome.is_error || outcome.bug.is_some() {
        return Finding::Error(reason());
    }
    match (&result.expected, answer) {
        (Some(expected), _) if expect && expected.agrees => Finding::Passed,
        (Some(expected), _) if expect => {
            Finding::Failed(format!("{}, but {} is recorded", answer.word(), expected.outcome))
        }
        (None, _) if expect => Finding::Undecided("the model records no outcome".to_owned()),
        (_, Answer::Satisfied) => Finding::Passed,
        (_, Answer::NotSatisfied) => Finding::Failed("not satisfied".to_owned()),
        _ => Finding::Undecided(reason()),
    }
}

/// The errors among diagnostics, in words.
pub(crate) fn errors(diagnostics: &Diagnostics) -> Vec<String> {
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
    errors.map(|error| error.message.clone()).collect()
}

/// Writes all the reports; each of them whole or not at all.
pub(crate) fn write(
    reports: &[&Report],
    model: &str,
    errors: Vec<String>,
    entries: &[(&ReportEntry, &QueryResult)],
    output: &mut Output,
) -> Result<(), Error> {
    write_with(reports, model, errors, entries, Evidence::default(), output)
}

/// Whether automata and runs are asked for.
pub(crate) fn want_evidence(reports: &[&Report]) -> bool {
    reports.iter().any(|report| report.kind == ReportKind::Html)
}

/// The same, with automata and runs for those that show them.
pub(crate) fn write_with(
    reports: &[&Report],
    model: &str,
    errors: Vec<String>,
    entries: &[(&ReportEntry, &QueryResult)],
    evidence: Evidence,
    output: &mut Output,
) -> Result<(), Error> {
    if reports.is_empty() {
        return Ok(());
    }
    let summary = Summary {
        model,
        errors,
        cases: entries
            .iter()
            .map(|(entry, result)| Case {
                number: entry.number,
                result,
                finding: entry.finding.clone(),
                details: &entry.details,
            })
            .collect(),
    };
    output.flush()?;
    let page = want_evidence(reports).then(|| html(&evidence.document(&summary)));
    for report in reports {
        let text = match report.kind {
            ReportKind::Junit => junit::render(&summary),
            ReportKind::Markdown => markdown::render(&summary),
            ReportKind::Html => page.clone().unwrap_or_default(),
        };
        whole_file::write(&report.path, |out| out.write_all(text.as_bytes()))
            .map_err(|error| Error::new(whole_file::failure("the report", &report.path, &error)))?;
    }
    Ok(())
}
