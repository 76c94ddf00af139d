//! `zonewalk check`

mod decide;
mod sweep;

pub(crate) use crate::outcome::QueryOutcome;
pub(crate) use decide::{OutcomeHandler, Start, decide_all};

use crate::args::Format;
use crate::args::value::ReportFile;
use crate::certificate_file::CertificateFiles;
use crate::chart;
use crate::config::CheckConfig;
use crate::document::{self, Header};
use crate::load::{Loaded, LoadedQuery, load, without_queries};
use crate::output::Output;
use crate::plot;
use crate::progress::StatusLine;
use crate::reports::{self, ReportEntry};
use crate::skipped;
use crate::status::{Error, Status};
use crate::trace_file::{self, Origin};
use crate::whole_file;
use serde::Serialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use zonewalk_checker::Control;
use zonewalk_page::Evidence;
use zonewalk_report::diagnostic::json::{self, DiagnosticsJson};
use zonewalk_report::palette::Palette;
use zonewalk_report::statistics;
use zonewalk_report::trace::{Time, Trace};
use zonewalk_report::verdict::{Expectation, QueryResult, TraceSummary, Warning, text};
use zonewalk_searches::Question;
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};

/// Decides the queries of a model one after the other.
pub(crate) fn run(config: &CheckConfig, output: &mut Output) -> Result<Status, Error> {
    if let Some(table) = &config.sweep {
        return sweep::run(config, table, output);
    }
    let start = Start::of_process();
    let loaded = match load(&config.request)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            let errors = reports::errors(&malformed.diagnostics);
            let (_, reports, _) = writable(config.trace_file.as_deref(), &config.reports, output);
            reports::write(&reports, &malformed.name, errors, &[], output)?;
            return Ok(Status::Failure);
        }
    };
    if !config.quiet {
        output.diagnostics(&loaded.diagnostics, &loaded.model.sources);
    }
    let selected = select(config, &loaded)?;
    if !config.quiet {
        let typed = selected.iter().filter_map(|(_, query)| query.typed.as_ref().ok());
        let asked: Vec<_> = typed.filter_map(|query| Question::of(&query.kind)).collect();
        let notes = config.search.notes(&asked);
        notes.iter().for_each(|note| output.note(note));
    }
    if !config.quiet && config.query_index.is_none() && !loaded.skipped.is_empty() {
        let skipped = skipped::list(&loaded.skipped);
        output.note(&format!("skipped queries: {skipped}"));
    }
    let (trace_file, reports, written) = writable(config.trace_file.as_deref(), &config.reports, output);
    let (certificates, unwritable) =
        CertificateFiles::new(config.certificate.as_deref(), selected.len() > 1, output);
    let written = written.max(unwritable);
    let control = Arc::new(Control::default());
    let wants_evidence = reports::want_evidence(&reports);
    let mut session = Session {
        config,
        loaded: &loaded,
        output,
        is_alone: selected.len() == 1,
        diagnostics: loaded.diagnostics.clone(),
        warned: HashSet::new(),
        results: Vec::new(),
        report_entries: Vec::new(),
        evidence: wants_evidence.then(|| Evidence::of_model(&loaded)),
        refusals: Vec::new(),
        trace_file,
        certificates,
        reports,
        status: Status::Success,
        written,
    };
    if let Err(refusals) = decide_all(&config.search, &loaded, &selected, start, &control, &mut session)? {
        session.status = Status::Failure;
        for refusal in refusals {
            session.refusals.push(refusal.message.clone());
            session.add_diagnostic(refusal)?;
        }
    }
    session.finish(&control)
}

/// The files that can be written. Those that cannot are reported before a long run rather than after it; the answers are
/// given all the same, and a trace that has no file is shown.
pub(crate) fn writable<'c>(
    trace_file: Option<&'c Path>,
    reports: &'c [ReportFile],
    output: &mut Output,
) -> (Option<&'c Path>, Vec<&'c ReportFile>, Status) {
    let mut status = Status::Success;
    let mut is_writable = |what: &str, path: &Path| match whole_file::expect_writable(what, path) {
        Ok(()) => true,
        Err(error) => {
            status = error.report(output);
            false
        }
    };
    let trace_file = trace_file.filter(|path| is_writable("the trace", path));
    let reports = reports
        .iter()
        .filter(|report| is_writable("the report", &report.path))
        .collect();
    (trace_file, reports, status)
}

/// The queries to decide, with their numbers.
fn select<'l>(config: &CheckConfig, loaded: &'l Loaded) -> Result<Vec<(usize, &'l LoadedQuery)>, Error> {
    if loaded.queries.is_empty() {
        return Err(without_queries(
            loaded,
            "give one with -q, such as -q 'A[] not deadlock', or a query file after the model",
        ));
    }
    let all = loaded.numbered_queries();
    let Some(index) = config.query_index else {
        return Ok(all);
    };
    let selected: Vec<_> = all.into_iter().filter(|(number, _)| *number == index).collect();
    if !selected.is_empty() {
        return Ok(selected);
    }
    let count = loaded.queries.len() + loaded.skipped.len();
    let skipped = loaded.skipped.iter().find(|query| query.number == index);
    Err(Error::new(match skipped {
        Some(query) => {
            let what = skipped::in_words(query.kind, 1);
            format!("--query-index {index}: query {index} is {what}")
        }
        None => {
            let are = if count == 1 { "is" } else { "are" };
            format!("--query-index {index}: there {are} only {count}")
        }
    }))
}

/// The answers so far, reported as they come.
struct Session<'a> {
    config: &'a CheckConfig,
    loaded: &'a Loaded,
    output: &'a mut Output,
    /// There is one query only.
    is_alone: bool,
    diagnostics: Diagnostics,
    /// The warnings shown with an answer so far.
    warned: HashSet<Warning>,
    /// Where the trace goes, if it can go there.
    trace_file: Option<&'a Path>,
    /// Where certificates go, if they can go there.
    certificates: Option<CertificateFiles<'a>>,
    reports: Vec<&'a ReportFile>,
    results: Vec<QueryResult>,
    /// For reports.
    report_entries: Vec<ReportEntry>,
    /// For pages.
    evidence: Option<Evidence>,
    /// Why the model cannot be used.
    refusals: Vec<String>,
    status: Status,
    /// The status if nothing else is wrong: what could not be written changes no verdict.
    written: Status,
}

impl OutcomeHandler for Session<'_> {
    fn warn_early(&mut self, warning: Diagnostic) -> Option<Diagnostic> {
        self.warn(warning);
        None
    }

    fn improved(&mut self, status_line: &StatusLine, after: Duration, steps: usize, time: Time) {
        if !self.config.quiet {
            let after = text::seconds(after.as_secs_f64());
            status_line.message(&format!("better trace after {after}: {steps} steps, time {time}"));
        }
    }

    fn handle(&mut self, number: usize, query: &LoadedQuery, mut outcome: QueryOutcome) -> Result<(), Error> {
        self.expect(query, &mut outcome.result);
        let unwritten = self
            .write_traces(number, &mut outcome)
            .or_else(|| self.write_certificate(number, &mut outcome))
            .or_else(|| self.write_plot(number, &outcome));
        self.print(number, &outcome)?;
        if let Some(evidence) = &mut self.evidence {
            let query = outcome.result.query.clone().unwrap_or_default();
            let traces = [outcome.trace.as_ref(), outcome.fault_trace.as_ref()];
            evidence.add(number, &query, self.loaded, traces);
        }
        if !self.reports.is_empty() {
            self.report_entries.push(self.entry(number, &outcome));
        }
        for warning in std::mem::take(&mut outcome.warnings) {
            self.warn(warning);
        }
        for warning in std::mem::take(&mut outcome.sanity) {
            // Their lines are shown with the answer; those about the whole model are the same for every query.
            if self.diagnostics.iter().all(|known| *known != warning) {
                self.diagnostics.push(warning);
            }
        }
        for diagnostic in std::mem::take(&mut outcome.diagnostics) {
            if diagnostic.is_error() || !self.config.quiet {
                self.output.diagnostic(&diagnostic, &self.loaded.model.sources);
            }
            self.diagnostics.push(diagnostic);
        }
        if let Some(bug) = &outcome.bug {
            self.output
                .error(&format!("internal error, please report: {bug}"));
        }
        if let Some(error) = unwritten {
            self.written = Error::new(error).report(self.output);
        }
        self.status = self.status.max(outcome.status(self.config.demands));
        self.results.push(outcome.result);
        Ok(())
    }
}

impl Session<'_> {
    fn expect(&self, query: &LoadedQuery, result: &mut QueryResult) {
        let Some(recorded) = query
            .entry
            .outcome
            .as_ref()
            .filter(|_| self.config.demands.expect)
        else {
            return;
        };
        // An estimate is compared by its interval; what cannot be compared so, by the verdict.
        let by_value = result
            .statistics
            .as_ref()
            .zip(recorded.value.as_ref())
            .and_then(|(estimate, value)| statistics::agrees(estimate, value));
        let agrees = by_value.unwrap_or_else(|| {
            result
                .verdict
                .is_some_and(|verdict| verdict.agrees_with(&recorded.outcome))
        });
        result.expected = Some(Expectation {
            outcome: recorded.outcome.clone(),
            agrees,
        });
    }

    fn entry(&self, number: usize, outcome: &QueryOutcome) -> ReportEntry {
        let entry = ReportEntry::of_query(number, outcome, self.config.demands);
        if !reports::want_charts(&self.reports) {
            return entry;
        }
        entry.illustrated(outcome.trace.as_ref(), Some(self.loaded))
    }

    /// Writes the traces to their files, if they have any; returns what went wrong.
    fn write_traces(&self, number: usize, outcome: &mut QueryOutcome) -> Option<String> {
        let path = self.trace_file?;
        let path: PathBuf = if self.is_alone {
            path.to_owned()
        } else {
            trace_file::numbered(path, number)
        };
        write_traces(&path, &self.loaded.name, &self.config.request.overrides, outcome)
    }

    /// Writes the certificate to its file, if there is one; returns what went wrong.
    fn write_certificate(&mut self, number: usize, outcome: &mut QueryOutcome) -> Option<String> {
        let (files, kept) = (self.certificates.as_mut()?, outcome.certificate.take()?);
        let of = (&*self.loaded.name, &*self.config.request.overrides);
        files.write(number, &kept, of, &mut outcome.result)
    }

    /// Draws what there is to draw; returns what went wrong.
    fn write_plot(&self, number: usize, outcome: &QueryOutcome) -> Option<String> {
        let (path, estimate) = (self.config.plot.as_ref()?, outcome.result.statistics.as_ref()?);
        let number = (!self.is_alone).then_some(number);
        let title = outcome.result.query.as_deref().unwrap_or_default();
        plot::write(path, number, title, estimate).err()
    }

    fn print(&mut self, number: usize, outcome: &QueryOutcome) -> Result<(), Error> {
        if self.config.format == Format::Json {
            return Ok(());
        }
        let output = &mut *self.output;
        if !self.results.is_empty() {
            output.result("\n")?;
        }
        let number = (!self.is_alone).then_some(number);
        let mut shown = outcome.beside_errors();
        if !shown.warnings.is_empty() {
            let is_quiet = self.config.quiet && !self.config.demands.strict;
            let shown = shown.to_mut();
            shown
                .warnings
                .retain(|warning| !is_quiet && self.warned.insert(warning.clone()));
        }
        output.text(&text::render(&shown, number, Palette::Ansi))?;
        // One run of many is shown only where a file is asked for.
        let is_shown = self.trace_file.is_none() && outcome.result.statistics.is_none();
        if let Some(trace) = outcome.trace.as_ref().filter(|_| is_shown) {
            output.result("\n")?;
            chart::print(trace, Some(self.loaded), self.config.trace_format, output)?;
        }
        Ok(output.flush()?)
    }

    /// Prints a diagnostic and adds it to the JSON document.
    fn add_diagnostic(&mut self, diagnostic: Diagnostic) -> Result<(), Error> {
        self.output.diagnostic(&diagnostic, &self.loaded.model.sources);
        self.diagnostics.push(diagnostic);
        Ok(())
    }

    /// Prints a warning, which a quiet run does not show, and keeps it for the document.
    fn warn(&mut self, warning: Diagnostic) {
        if !self.config.quiet {
            self.output.diagnostic(&warning, &self.loaded.model.sources);
        }
        self.diagnostics.push(warning);
    }

    fn finish(mut self, control: &Control) -> Result<Status, Error> {
        let output = self.output;
        if self.config.format == Format::Json {
            let results: Vec<_> = self.results.iter().collect();
            let diagnostics = json::all(&self.diagnostics, &self.loaded.model.sources);
            write_document(&self.loaded.name, &results, diagnostics, output)?;
        }
        let cases: Vec<_> = self.report_entries.iter().zip(&self.results).collect();
        let mut evidence = self.evidence.take().unwrap_or_default();
        // What is shown with an answer is not repeated above all of them.
        let mut notices = Diagnostics::new();
        let said = |found: &Diagnostic| {
            let is_same =
                |warning: &Warning| found.code.as_str() == warning.code && found.message == warning.message;
            self.results
                .iter()
                .flat_map(|result| &result.warnings)
                .any(is_same)
        };
        for found in self.diagnostics.iter().filter(|found| !said(found)) {
            notices.push(found.clone());
        }
        evidence.notices(&notices, &self.loaded.model.sources);
        let name = &self.loaded.name;
        let written = reports::write_with(&self.reports, name, self.refusals, &cases, evidence, output);
        if let Err(error) = written {
            self.written = self.written.max(error.report(output));
        }
        if self.config.demands.expect && self.results.iter().all(|result| result.expected.is_none()) {
            output.error("--expect: the model records no outcomes");
            return Ok(Status::Failure);
        }
        if self.config.plot.is_some() && self.results.iter().all(|result| result.statistics.is_none()) {
            output.note(
                "--plot draws the answers to statistical queries, and there are none: nothing was written",
            );
        }
        if self
            .certificates
            .as_ref()
            .is_some_and(|files| !files.has_written())
        {
            output.note("--certificate writes proofs, and there are none: nothing was written");
        }
        let interrupted = control.is_interrupted().then_some(Status::Interrupted);
        let lost = report_lost_answers(&self.results, output);
        let status = self.status.max(lost).max(interrupted.unwrap_or(Status::Success));
        Ok(match status {
            Status::Success => self.written,
            status => status,
        })
    }
}

/// Writes the trace of an answer, and that of a run-time error beside it; returns what went wrong.
fn write_traces(
    path: &Path,
    model: &str,
    overrides: &[(String, String)],
    outcome: &mut QueryOutcome,
) -> Option<String> {
    let query = outcome.result.query.clone();
    let origin = Origin::new(model, query.as_deref(), overrides);
    let write = |path: &Path, trace: &Trace, summary: &mut TraceSummary| match trace_file::write(
        path, &origin, trace,
    ) {
        Ok(()) => {
            summary.file = Some(path.display().to_string());
            None
        }
        Err(error) => Some(whole_file::failure("the trace", path, &error)),
    };
    let answer = (outcome.trace.as_ref()).zip(outcome.result.trace.as_mut());
    let answer = answer.and_then(|(trace, summary)| write(path, trace, summary));
    let fault = outcome
        .result
        .fault
        .as_mut()
        .and_then(|fault| fault.trace.as_mut());
    let fault = (outcome.fault_trace.as_ref()).zip(fault);
    let path = trace_file::named(path, "error");
    answer.or(fault.and_then(|(trace, summary)| write(&path, trace, summary)))
}

/// Answers that could not be written where they belong are shown among the messages, in a line each.
pub(crate) fn report_lost_answers(results: &[QueryResult], output: &mut Output) -> Status {
    let Some(loss) = output.take_loss() else {
        return Status::Success;
    };
    output.error(&loss);
    for result in results {
        output.message(&text::line(result));
    }
    Status::Failure
}

/// As a table.
pub(crate) fn print_trace(trace: &Trace, output: &mut Output) -> Result<(), Error> {
    chart::table(trace, output)
}

#[derive(Serialize)]
struct Document<'a, R> {
    #[serde(flatten)]
    header: Header,
    model: &'a str,
    results: &'a [R],
    #[serde(flatten)]
    diagnostics: DiagnosticsJson,
}

/// Everything as one document for programs.
pub(crate) fn write_document(
    model: &str,
    results: &[impl Serialize],
    diagnostics: DiagnosticsJson,
    output: &mut Output,
) -> Result<(), Error> {
    output.result(&document::render(&Document {
        header: Header::new(true),
        model,
        results,
        diagnostics,
    }))?;
    Ok(output.flush()?)
}
