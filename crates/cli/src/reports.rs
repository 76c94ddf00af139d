//! `--report`: what to write for others, and where.

use crate::args::value::{ReportFile, ReportKind};
use crate::chart::{self, ChartKind};
use crate::command_line::command;
use crate::load::Loaded;
use crate::outcome::{Demands, QueryOutcome};
use crate::output::Output;
use crate::status::Error;
use crate::trace_file;
use crate::whole_file;
use std::path::{Path, PathBuf};
use zonewalk_charts::Selection;
use zonewalk_page::{Evidence, html};
use zonewalk_report::summary::{Case, Finding, STEPS, Summary, details, junit, markdown};
use zonewalk_report::trace::Trace;
use zonewalk_report::verdict::{Answer, QueryResult};
use zonewalk_syntax::diagnostic::{Diagnostics, Severity};

/// One query in a report.
pub(crate) struct ReportEntry {
    number: usize,
    finding: Finding,
    details: String,
    /// Charts of the trace: their kinds, and what they are as SVG.
    charts: Vec<(&'static str, String)>,
}

impl ReportEntry {
    /// An entry from its parts.
    pub(crate) fn new(number: usize, finding: Finding, details: String) -> Self {
        ReportEntry {
            number,
            finding,
            details,
            charts: Vec::new(),
        }
    }

    /// Adds charts of a trace, unless it is too long for a report. `loaded` is the model whose trace it is.
    pub(crate) fn illustrated(mut self, trace: Option<&Trace>, loaded: Option<&Loaded>) -> Self {
        let Some(trace) = trace.filter(|trace| (1..=STEPS).contains(&trace.steps.len())) else {
            return self;
        };
        for (kind, chart) in [("sequence", ChartKind::Sequence), ("gantt", ChartKind::Gantt)] {
            // Of a whole trace there is nothing that could be missing.
            if let Ok(svg) = chart::svg(chart, trace, loaded, &Selection::default()) {
                self.charts.push((kind, svg));
            }
        }
        self
    }

    /// The number of its query.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// The entry of a query that was checked.
    pub(crate) fn of_query(number: usize, outcome: &QueryOutcome, demands: Demands) -> Self {
        ReportEntry {
            number,
            finding: finding(outcome, demands),
            details: details(&outcome.result, outcome.trace.as_ref()),
            charts: Vec::new(),
        }
    }
}

fn finding(outcome: &QueryOutcome, demands: Demands) -> Finding {
    let result = &outcome.result;
    let answer = result.verdict.unwrap_or(Answer::Unknown);
    let reason = || result.reason.clone().unwrap_or_else(|| answer.word().to_owned());
    if outcome.is_error || outcome.bug.is_some() {
        return Finding::Error(reason());
    }
    let expect = demands.expect;
    if demands.strict
        && let Some(warning) = result.warnings.first()
    {
        return Finding::Failed(format!("{}, but {warning}", answer.word()));
    }
    match &result.expected {
        Some(expected) if expect && expected.agrees => Finding::Passed,
        Some(expected) if expect => {
            Finding::Failed(format!("{}, but {} is recorded", answer.word(), expected.outcome))
        }
        None if expect => Finding::Undecided("the model records no outcome".to_owned()),
        _ => Finding::of(result),
    }
}

/// The errors among diagnostics, in words.
pub(crate) fn errors(diagnostics: &Diagnostics) -> Vec<String> {
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error);
    errors.map(|error| error.message.clone()).collect()
}

/// Writes all the reports; each of them whole or not at all.
pub(crate) fn write(
    reports: &[&ReportFile],
    model: &str,
    errors: Vec<String>,
    entries: &[(&ReportEntry, &QueryResult)],
    output: &mut Output,
) -> Result<(), Error> {
    write_with(reports, model, errors, entries, Evidence::default(), output)
}

/// Whether automata and runs are asked for.
pub(crate) fn want_evidence(reports: &[&ReportFile]) -> bool {
    reports.iter().any(|report| report.kind == ReportKind::Html)
}

/// Whether charts are asked for.
pub(crate) fn want_charts(reports: &[&ReportFile]) -> bool {
    reports
        .iter()
        .any(|report| report.kind == ReportKind::Illustrated)
}

/// Writes reports, with automata and runs for those that show them.
pub(crate) fn write_with(
    reports: &[&ReportFile],
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
    let page = want_evidence(reports).then(|| html(&evidence.document(&summary, vec![command()])));
    for report in reports {
        let text = match report.kind {
            ReportKind::Junit => junit::render(&summary),
            ReportKind::Markdown => markdown::render(&summary, &|_| Vec::new()),
            ReportKind::Illustrated => {
                let all = entries.iter().map(|(entry, _)| *entry);
                all.clone()
                    .try_for_each(|entry| write_charts(&report.path, entry))?;
                let links = |number: usize| {
                    let entry = all.clone().find(|entry| entry.number == number);
                    let charts = entry.iter().flat_map(|entry| &entry.charts);
                    let link = |kind: &str| {
                        let file = chart_path(&report.path, number, kind);
                        file.file_name()
                            .unwrap_or_default()
                            .to_string_lossy()
                            .into_owned()
                    };
                    charts.map(|(kind, _)| (*kind, link(kind))).collect()
                };
                markdown::render(&summary, &links)
            }
            ReportKind::Html => page.clone().unwrap_or_default(),
        };
        whole_file::write(&report.path, |out| out.write_all(text.as_bytes()))
            .map_err(|error| Error::new(whole_file::failure("the report", &report.path, &error)))?;
    }
    Ok(())
}

/// `report.md` has the charts of its first query in `report-1-sequence.svg` and `report-1-gantt.svg`.
fn chart_path(report: &Path, number: usize, kind: &str) -> PathBuf {
    trace_file::named(&report.with_extension("svg"), &format!("{number}-{kind}"))
}

fn write_charts(report: &Path, entry: &ReportEntry) -> Result<(), Error> {
    for (kind, svg) in &entry.charts {
        let path = chart_path(report, entry.number, kind);
        whole_file::write(&path, |out| out.write_all(svg.as_bytes()))
            .map_err(|error| Error::new(whole_file::failure("the chart", &path, &error)))?;
    }
    Ok(())
}
