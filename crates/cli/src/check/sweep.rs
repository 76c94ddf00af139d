//! `check --sweep`: the queries for every combination of some constants, as one table.

use super::{
    OutcomeHandler, QueryOutcome, Start, decide_all, select, writable, write_document, write_traces,
};
use crate::args::CheckFormat;
use crate::args::value::ReportFile;
use crate::config::{CheckConfig, SweepConfig};
use crate::document;
use crate::load::{Loaded, LoadedQuery, Malformed, Request, load_read, read};
use crate::output::Output;
use crate::plot;
use crate::reports::{self, ReportEntry};
use crate::status::{Error, Status};
use crate::trace_file::{self, Define};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zonewalk_checker::{Combination, Control, Sweep};
use zonewalk_report::diagnostic::json::{self, DiagnosticJson, DiagnosticsJson};
use zonewalk_report::palette::Palette;
use zonewalk_report::sweep::{Columns, Row, csv_header, csv_row};
use zonewalk_report::verdict::QueryResult;
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};
use zonewalk_syntax::source::SourceMap;

/// Decides the queries of a model for every combination.
pub(super) fn run(config: &CheckConfig, table: &SweepConfig, output: &mut Output) -> Result<Status, Error> {
    // Once: standard input cannot be read again, and a file may change meanwhile.
    let text = read(&config.request.model)?;
    let (trace_file, reports, status) = writable(config.trace_file.as_deref(), &config.reports, output);
    let mut session = Session {
        config,
        table,
        output,
        trace_file,
        reports,
        columns: None,
        is_alone: true,
        told_before: HashSet::new(),
        diagnostics: Vec::new(),
        rows: Vec::new(),
        report_entries: Vec::new(),
        name: String::new(),
        status,
    };
    let control = Arc::new(Control::default());
    let count = table.sweep.len();
    for (place, constants) in (1..).zip(table.sweep.combinations()) {
        if control.is_interrupted() {
            let left = count + 1 - place;
            session.output.note(&format!(
                "interrupted: {left} of {count} combinations were not checked"
            ));
            break;
        }
        let start = Start::of_model();
        let mut request = config.request.clone();
        request.overrides.extend(constants.iter().cloned());
        let loaded = match load_read(&request, text.clone(), start.clock())? {
            Ok(loaded) => loaded,
            Err(malformed) if place == 1 && is_hopeless(&malformed, &table.sweep) => {
                return session.give_up(&malformed);
            }
            Err(malformed) => {
                session.refuse(&constants, &malformed)?;
                continue;
            }
        };
        session.decide((place, &constants), &request, &loaded, start, &control)?;
    }
    session.finish(&control)
}

/// Whether no combination can do better: the errors have nothing to do with values.
fn is_hopeless(malformed: &Malformed, sweep: &Sweep) -> bool {
    let errors = || malformed.diagnostics.iter().filter(|error| error.is_error());
    sweep.is_empty() || errors().any(|error| error.code.as_str() == "override" || is_of_syntax(error))
}

fn is_of_syntax(error: &Diagnostic) -> bool {
    let code = error.code.as_str();
    code.starts_with("syntax") || code.starts_with("xml")
}

/// A result with the constants that it is for.
#[derive(Serialize)]
struct Swept {
    constants: BTreeMap<String, Define>,
    #[serde(flatten)]
    result: QueryResult,
}

/// The answers so far, reported as they come.
struct Session<'a> {
    config: &'a CheckConfig,
    table: &'a SweepConfig,
    output: &'a mut Output,
    trace_file: Option<&'a Path>,
    reports: Vec<&'a ReportFile>,
    /// Once the queries are known.
    columns: Option<Columns>,
    /// There is one query only.
    is_alone: bool,
    /// Messages so far: most are the same for every combination.
    told_before: HashSet<String>,
    diagnostics: Vec<DiagnosticJson>,
    rows: Vec<Swept>,
    report_entries: Vec<ReportEntry>,
    name: String,
    status: Status,
}

impl Session<'_> {
    /// Decides the queries for a combination.
    fn decide(
        &mut self,
        (place, constants): (u64, &Combination),
        request: &Request,
        loaded: &Loaded,
        start: Start,
        control: &Arc<Control>,
    ) -> Result<(), Error> {
        let selected = select(self.config, loaded)?;
        self.name.clone_from(&loaded.name);
        self.begin(&selected)?;
        for warning in loaded.diagnostics.iter() {
            self.add_diagnostic(warning, &loaded.model.sources);
        }
        let mut handler = CombinationHandler {
            session: self,
            place,
            constants,
            request,
            loaded,
        };
        let fit = decide_all(
            &handler.session.config.search,
            loaded,
            &selected,
            start,
            control,
            &mut handler,
        )?;
        if let Err(refusals) = fit {
            let reason = refusals.first().map(|refusal| refusal.message.clone());
            for refusal in &refusals {
                self.add_diagnostic(refusal, &loaded.model.sources);
            }
            self.add_error(constants, reason)?;
        }
        Ok(())
    }

    /// Prints the heading above the rows, once.
    fn begin(&mut self, selected: &[(usize, &LoadedQuery)]) -> Result<(), Error> {
        if self.columns.is_some() {
            return Ok(());
        }
        self.is_alone = selected.len() == 1;
        let last = selected
            .last()
            .filter(|_| !self.is_alone)
            .map(|(number, _)| *number);
        let columns = self.make_columns(last);
        match self.table.format {
            CheckFormat::Json => {}
            CheckFormat::Csv => self.output.result(&csv_header(self.table.sweep.names()))?,
            CheckFormat::Text => {
                for (number, query) in selected {
                    let formula: String = query.entry.text.chars().filter(|c| !c.is_control()).collect();
                    let title = if self.is_alone {
                        String::new()
                    } else {
                        format!("{number}. ")
                    };
                    self.output.text(&format!("{title}{formula}\n"))?;
                }
                self.output.result("\n")?;
                self.output.result(&columns.header())?;
            }
        }
        self.columns = Some(columns);
        Ok(self.output.flush()?)
    }

    fn make_columns(&self, last: Option<usize>) -> Columns {
        let mut widths: Vec<(String, usize)> = self
            .table
            .sweep
            .names()
            .map(|name| (name.to_owned(), 0))
            .collect();
        for combination in self.table.sweep.combinations() {
            for ((_, width), (_, value)) in widths.iter_mut().zip(&combination) {
                *width = (*width).max(value.chars().count());
            }
        }
        Columns::new(widths, last)
    }

    /// Reports an error or a warning, unless another combination has had it.
    fn add_diagnostic(&mut self, diagnostic: &Diagnostic, sources: &SourceMap) {
        let diagnostic = renamed(diagnostic, &self.table.sweep);
        let described = json::one(&diagnostic, sources);
        let key = format!("{:?} {} {:?}", described.place, described.message, described.code);
        if !self.told_before.insert(key) {
            return;
        }
        if diagnostic.is_error() || !self.config.quiet {
            self.output.diagnostic(&diagnostic, sources);
        }
        self.diagnostics.push(described);
    }

    /// A combination for which there is no model.
    fn refuse(&mut self, constants: &Combination, malformed: &Malformed) -> Result<(), Error> {
        let errors = || malformed.diagnostics.iter().filter(|error| error.is_error());
        let reason = errors().next().map(|error| error.message.clone());
        self.name.clone_from(&malformed.name);
        for diagnostic in malformed.diagnostics.iter() {
            self.add_diagnostic(diagnostic, &malformed.sources);
        }
        self.add_error(constants, reason)
    }

    /// A row that says that there is no answer because of an error.
    fn add_error(&mut self, constants: &Combination, reason: Option<String>) -> Result<(), Error> {
        let mut outcome = QueryOutcome::refused(Vec::new());
        outcome.result.reason = reason;
        let options = self.config.search.options();
        outcome.result.search = options.search.name().to_owned();
        outcome.result.seed = options.seed;
        outcome.result.threads = options.threads.get();
        self.status = self.status.max(Status::Failure);
        self.add(constants, None, outcome)
    }

    /// Adds a row.
    fn add(
        &mut self,
        constants: &Combination,
        number: Option<usize>,
        outcome: QueryOutcome,
    ) -> Result<(), Error> {
        let row = Row {
            constants,
            number,
            result: &outcome.result,
            is_error: outcome.is_error,
        };
        match self.table.format {
            CheckFormat::Json => {}
            CheckFormat::Csv => self.output.result(&csv_row(&row))?,
            CheckFormat::Text => {
                if self.columns.is_none() {
                    let columns = self.make_columns(None);
                    self.output.result(&columns.header())?;
                    self.columns = Some(columns);
                }
                if let Some(columns) = &self.columns {
                    self.output.result(&columns.row(&row, Palette::Ansi))?;
                }
            }
        }
        self.output.flush()?;
        if !self.reports.is_empty() {
            let entry = ReportEntry::of_query(number.unwrap_or_default(), &outcome, self.config.demands);
            self.report_entries.push(entry);
        }
        let values = constants
            .iter()
            .map(|(name, value)| (name.clone(), Define::new(value)));
        self.rows.push(Swept {
            constants: values.collect(),
            result: outcome.result,
        });
        Ok(())
    }

    /// A model that no combination makes better.
    fn give_up(self, malformed: &Malformed) -> Result<Status, Error> {
        let mut diagnostics = Diagnostics::new();
        for diagnostic in malformed.diagnostics.iter() {
            diagnostics.push(renamed(diagnostic, &self.table.sweep));
        }
        let malformed = Malformed {
            name: malformed.name.clone(),
            sources: malformed.sources.clone(),
            diagnostics,
        };
        document::refuse(self.config.format, &malformed, self.output)?;
        let errors = reports::errors(&malformed.diagnostics);
        reports::write(&self.reports, &malformed.name, errors, &[], self.output)?;
        Ok(Status::Failure)
    }

    fn finish(self, control: &Control) -> Result<Status, Error> {
        let output = self.output;
        if self.table.format == CheckFormat::Json {
            let count = |severity| self.diagnostics.iter().filter(|d| d.severity == severity).count();
            let diagnostics = DiagnosticsJson {
                errors: count("error"),
                warnings: count("warning"),
                suppressed: 0,
                diagnostics: self.diagnostics,
            };
            write_document(&self.name, &self.rows, diagnostics, output)?;
        }
        // Others see the constants as a part of the question.
        let named: Vec<QueryResult> = self.rows.iter().map(with_constants).collect();
        let cases: Vec<_> = self.report_entries.iter().zip(&named).collect();
        reports::write(&self.reports, &self.name, Vec::new(), &cases, output)?;
        let interrupted = control.is_interrupted().then_some(Status::Interrupted);
        let lost = super::report_lost_answers(&named, output);
        Ok(self.status.max(lost).max(interrupted.unwrap_or(Status::Success)))
    }
}

/// Turns a diagnostic about `-D` into one about `--sweep`.
fn renamed(diagnostic: &Diagnostic, sweep: &Sweep) -> Diagnostic {
    let mut diagnostic = diagnostic.clone();
    for name in sweep.names() {
        if let Some(rest) = diagnostic.message.strip_prefix(&format!("-D {name}: ")) {
            diagnostic.message = format!("--sweep {name}: {rest}");
            break;
        }
    }
    diagnostic
}

fn with_constants(row: &Swept) -> QueryResult {
    let values = row
        .constants
        .iter()
        .map(|(name, value)| format!("{name} = {}", value.text()));
    let values = values.collect::<Vec<_>>().join(", ");
    let query = match row.result.query.as_deref() {
        Some(query) if values.is_empty() => query.to_owned(),
        Some(query) => format!("{query} for {values}"),
        None => values,
    };
    QueryResult {
        query: Some(query),
        ..row.result.clone()
    }
}

/// Handles the answers for one combination.
struct CombinationHandler<'h, 'a> {
    session: &'h mut Session<'a>,
    place: u64,
    constants: &'h Combination,
    request: &'h Request,
    loaded: &'h Loaded,
}

impl OutcomeHandler for CombinationHandler<'_, '_> {
    fn handle(&mut self, number: usize, _: &LoadedQuery, mut outcome: QueryOutcome) -> Result<(), Error> {
        let unwritten = self
            .write_traces(number, &mut outcome)
            .or_else(|| self.write_plot(number, &outcome));
        let session = &mut *self.session;
        let sources = &self.loaded.model.sources;
        let warnings = outcome.warnings.iter().chain(&outcome.sanity);
        for diagnostic in warnings.chain(&outcome.diagnostics) {
            session.add_diagnostic(diagnostic, sources);
        }
        if let Some(bug) = &outcome.bug {
            session
                .output
                .error(&format!("internal error, please report: {bug}"));
        }
        if let Some(error) = unwritten {
            session.status = session.status.max(Error::new(error).report(session.output));
        }
        session.status = session.status.max(outcome.status(session.config.demands));
        session.add(self.constants, Some(number), outcome)
    }
}

impl CombinationHandler<'_, '_> {
    /// A file of this name for this combination and query.
    fn path(&self, path: &Path, number: usize) -> PathBuf {
        let is_plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
        let path = if self.constants.is_empty() {
            path.to_owned()
        } else if self.constants.iter().all(|(_, value)| is_plain(value)) {
            let each = self
                .constants
                .iter()
                .map(|(name, value)| format!("{name}={value}"));
            trace_file::named(path, &each.collect::<Vec<_>>().join(","))
        } else {
            // Arrays make no names of files.
            trace_file::named(path, &format!("combination{}", self.place))
        };
        if self.session.is_alone {
            path
        } else {
            trace_file::numbered(&path, number)
        }
    }

    fn write_traces(&self, number: usize, outcome: &mut QueryOutcome) -> Option<String> {
        let path = self.path(self.session.trace_file?, number);
        write_traces(&path, &self.loaded.name, &self.request.overrides, outcome)
    }

    fn write_plot(&self, number: usize, outcome: &QueryOutcome) -> Option<String> {
        let plot = self.session.config.plot.as_ref()?;
        let estimate = outcome.result.statistics.as_ref()?;
        let title = outcome.result.query.as_deref().unwrap_or_default();
        plot::write(&self.path(plot, number), None, title, estimate).err()
    }
}
