//! `zonewalk refine`

mod queries;
pub(crate) mod replay;
mod result;
mod save;

use crate::args::Format;
use crate::args::value::ReportFile;
use crate::chart::{self, TraceFormat};
use crate::check::{writable, write_document};
use crate::config::RefineConfig;
use crate::document;
use crate::input;
use crate::interrupt::Interruption;
use crate::load::Malformed;
use crate::output::Output;
use crate::progress::{self, QueryProgress};
use crate::reports::{self, ReportEntry};
use crate::status::{Error, Status};
use crate::trace_file::{self, Origin, RunDocument};
use crate::whole_file;
use queries::NumberedQuery;
use result::RefineOutcome;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use zonewalk_checker::refine::{decide, kind};
use zonewalk_checker::resources;
use zonewalk_page::{Evidence, pair};
use zonewalk_report::diagnostic::json;
use zonewalk_report::palette::Palette;
use zonewalk_report::refinement::{RefineResult, text};
use zonewalk_report::verdict::QueryResult;
use zonewalk_report::verdict::text::count;
use zonewalk_syntax::diagnostic::{Code, Diagnostic, Diagnostics};
use zonewalk_tioa::read::UNUSED_IO;
use zonewalk_tioa::{AlphabetOf, LoadError, Loaded, Query};

/// Decides the queries of a project one after the other.
pub(crate) fn run(config: &RefineConfig, output: &mut Output) -> Result<Status, Error> {
    let start = Instant::now();
    let name = input::name(&config.project);
    let mut loaded = match load_all(&config.project, &config.define, &config.with)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            let errors = reports::errors(&malformed.diagnostics);
            let (_, reports, _) = writable(None, &config.reports, output);
            reports::write(&reports, &name, errors, &[], output)?;
            return Ok(Status::Failure);
        }
    };
    let mut diagnostics = Diagnostics::new();
    let mut warnings = std::mem::take(&mut loaded.warnings);
    if config.options.alphabet.or(loaded.project.alphabet) == Some(AlphabetOf::Declared) {
        // That an action is declared and has no edge is what such lines are for.
        warnings.retain(|warning| warning.code != UNUSED_IO);
    }
    warnings.into_iter().for_each(|warning| diagnostics.push(warning));
    let (asked, warnings) = match queries::read(config, &name, &loaded.project, &mut loaded.sources) {
        Ok(read) => read,
        Err(error) => {
            if !config.quiet {
                output.diagnostics(&diagnostics, &loaded.sources);
            }
            return Err(error);
        }
    };
    warnings.into_iter().for_each(|warning| diagnostics.push(warning));
    if !config.quiet {
        output.diagnostics(&diagnostics, &loaded.sources);
        let typed: Vec<&Query> = asked.iter().filter_map(NumberedQuery::query).collect();
        config.notes(&typed).iter().for_each(|note| output.note(note));
    }
    let (trace_file, reports, status) = writable(config.trace_file.as_deref(), &config.reports, output);
    let mut session = Session {
        config,
        name: &name,
        is_alone: asked.len() == 1,
        load: start.elapsed(),
        loaded,
        output,
        diagnostics,
        reported_broken: Vec::new(),
        trace_file,
        reports,
        results: Vec::new(),
        report_entries: Vec::new(),
        status,
    };
    let interruption = Interruption::listen();
    for (place, one) in asked.iter().enumerate() {
        let position = QueryProgress {
            place: place + 1,
            of: asked.len(),
        };
        let outcome = session.make(one, position, &interruption);
        session.handle(one.number, outcome)?;
    }
    session.note_unneeded_components();
    session.finish(interruption.is_asked())
}

/// Loads a project. The outer error is about files, the inner one about what they hold.
pub(crate) fn load(path: &Path) -> Result<Result<Loaded, Malformed>, Error> {
    load_with(path, &[])
}

/// Loads the project of a run that was saved, as it was then: with the same constants and files, unless other constants are given.
pub(crate) fn load_of_run(
    path: &Path,
    overrides: &[(String, String)],
    document: &RunDocument,
) -> Result<Result<Loaded, Malformed>, Error> {
    let mut constants = overrides.to_vec();
    for (name, value) in &document.defines {
        if constants.iter().all(|(given, _)| given != name) {
            constants.push((name.clone(), value.text()));
        }
    }
    load_all(path, &constants, &document.with)
}

/// Loads a project with new values of constants.
fn load_with(path: &Path, constants: &[(String, String)]) -> Result<Result<Loaded, Malformed>, Error> {
    let name = input::name(path);
    let loaded = if input::is_stdin(path) {
        zonewalk_tioa::read::load_file_with(&name, &input::read(path)?, constants)
    } else {
        exists(path)?;
        zonewalk_tioa::load_with(path, constants)
    };
    Ok(loaded.map_err(|error| malformed(name, *error)))
}

/// Loads a project with all of its files.
fn load_all(
    path: &Path,
    constants: &[(String, String)],
    with: &[PathBuf],
) -> Result<Result<Loaded, Malformed>, Error> {
    let mut loaded = match load_with(path, constants)? {
        Ok(loaded) => loaded,
        Err(why) => return Ok(Err(why)),
    };
    for path in with {
        exists(path)?;
        loaded = match zonewalk_tioa::load_beside(loaded, path) {
            Ok(loaded) => loaded,
            Err(error) => return Ok(Err(malformed(input::name(path), *error))),
        };
    }
    Ok(Ok(loaded))
}

fn exists(path: &Path) -> Result<(), Error> {
    if path.exists() {
        return Ok(());
    }
    let name = input::name(path);
    Err(Error::new(format_args!(
        "cannot read {name}: there is no such file or folder"
    )))
}

fn malformed(name: String, error: LoadError) -> Malformed {
    let mut diagnostics = Diagnostics::new();
    error.diagnostics.into_iter().for_each(|d| diagnostics.push(d));
    Malformed {
        name,
        sources: error.sources,
        diagnostics,
    }
}

/// The answers so far, reported as they come.
struct Session<'a> {
    config: &'a RefineConfig,
    name: &'a str,
    /// There is one query only.
    is_alone: bool,
    load: Duration,
    loaded: Loaded,
    output: &'a mut Output,
    diagnostics: Diagnostics,
    /// Components whose errors have been told.
    reported_broken: Vec<String>,
    /// Where runs go, if they can go there.
    trace_file: Option<&'a Path>,
    reports: Vec<&'a ReportFile>,
    results: Vec<RefineResult>,
    /// For reports.
    report_entries: Vec<(ReportEntry, QueryResult)>,
    status: Status,
}

impl Session<'_> {
    /// Decides a query.
    fn make(
        &mut self,
        asked: &NumberedQuery,
        position: QueryProgress,
        interruption: &Interruption,
    ) -> RefineOutcome {
        let (start, cpu) = (Instant::now(), resources::cpu_time());
        let mut outcome = match asked.usable(&self.loaded.project) {
            Err((errors, broken)) => self.refuse(errors, &broken),
            Ok(_) if interruption.is_asked() => RefineOutcome::interrupted(self.config),
            Ok(query) => self.decide(asked, query, position, interruption),
        };
        let result = &mut outcome.result;
        result.expected = asked.compared(result.verdict);
        result.query.clone_from(&asked.text);
        result.kind = asked.query().map(kind);
        result.load_s = self.load.as_secs_f64();
        result.time_s = (self.load + start.elapsed()).as_secs_f64();
        // Of the first query on its own: the whole process so far. Of later ones: loading is not counted twice.
        let cpu_now = resources::cpu_time();
        let cpu = if position.place == 1 {
            cpu_now
        } else {
            cpu_now.saturating_sub(cpu)
        };
        result.cpu_s = cpu.as_secs_f64();
        result.peak_memory_bytes = resources::peak_memory();
        outcome
    }

    fn decide(
        &mut self,
        asked: &NumberedQuery,
        query: &Query,
        position: QueryProgress,
        interruption: &Interruption,
    ) -> RefineOutcome {
        let config = self.config;
        let project = &mut self.loaded.project;
        let destination = match save::name(query) {
            None => None,
            Some(name) => match save::destination(config.output.as_deref(), project, name, config.force) {
                Ok(path) => Some(path),
                Err(why) => return RefineOutcome::refused(config, vec![asked.error("save-as", why)]),
            },
        };
        let control = interruption.next();
        let answer =
            progress::watch_refinement(config.progress, position, config.deadline(), &control, || {
                decide(project, query, &config.options, &control)
            });
        let answer = match answer {
            Ok(answer) => answer,
            Err(why) => return RefineOutcome::refused(config, vec![asked.error("system", why.to_string())]),
        };
        let mut outcome = RefineOutcome::answered(config, project, query, answer);
        if let Some((path, built)) = destination.zip(outcome.built.as_ref()) {
            match save::save(path.as_deref(), built, project) {
                Ok(()) => {
                    let file = path.map(|path| path.display().to_string());
                    outcome
                        .result
                        .component
                        .iter_mut()
                        .for_each(|outcome| outcome.file.clone_from(&file));
                }
                Err(error) => outcome.errors.push(error),
            }
        }
        outcome
    }

    /// Refuses a query; what is wrong with the components that it needs is reported once.
    fn refuse(&mut self, mut errors: Vec<Diagnostic>, components: &[String]) -> RefineOutcome {
        let mut of_components = Vec::new();
        let project = &self.loaded.project;
        for broken in project.broken.iter().chain(&project.broken_systems) {
            if components.contains(&broken.name) && !self.reported_broken.contains(&broken.name) {
                of_components.extend(broken.errors.iter().cloned());
            }
        }
        for error in &mut errors {
            if error.code == Code::BROKEN_COMPONENT {
                // What is wrong with it follows, or has been reported for an earlier query.
                error.related.clear();
                if of_components.is_empty() {
                    error.help = Some("see the errors above".to_owned());
                }
            }
        }
        errors.append(&mut of_components);
        self.reported_broken.extend(components.iter().cloned());
        RefineOutcome::refused(self.config, errors)
    }

    fn handle(&mut self, number: usize, mut outcome: RefineOutcome) -> Result<(), Error> {
        if !self.config.shows_runs {
            outcome.result.trace = None;
        }
        if let Some(error) = self.write_run(number, &mut outcome.result) {
            outcome.errors.push(error);
        }
        self.print(number, &outcome)?;
        if !self.reports.is_empty() {
            let with_charts = reports::want_charts(&self.reports);
            self.report_entries
                .push(outcome.report_entry(number, self.config, with_charts));
        }
        for diagnostic in std::mem::take(&mut outcome.diagnostics) {
            self.output.diagnostic(&diagnostic, &self.loaded.sources);
            self.diagnostics.push(diagnostic);
            // What it contributes to the status was known by now.
            self.status = self.status.max(Status::Failure);
        }
        outcome.errors.iter().for_each(|error| self.output.error(error));
        if let Some(bug) = &outcome.bug {
            self.output
                .error(&format!("internal error, please report: {bug}"));
        }
        self.status = self.status.max(outcome.status(self.config.expect));
        self.results.push(outcome.result);
        Ok(())
    }

    /// Writes the run to its file, if it has any; returns what went wrong.
    fn write_run(&self, number: usize, result: &mut RefineResult) -> Option<String> {
        let (path, trace) = self.trace_file.zip(result.trace.as_mut())?;
        let path = if self.is_alone {
            path.to_owned()
        } else {
            trace_file::numbered(path, number)
        };
        let origin = Origin::new(self.name, Some(&result.query), &self.config.define);
        match trace_file::write_run(&path, &origin, &self.config.with, &trace.run) {
            Ok(()) => {
                trace.file = Some(path.display().to_string());
                None
            }
            Err(error) => Some(whole_file::failure("the trace", &path, &error)),
        }
    }

    fn print(&mut self, number: usize, outcome: &RefineOutcome) -> Result<(), Error> {
        if self.config.format == Format::Json {
            return Ok(());
        }
        let output = &mut *self.output;
        if !self.results.is_empty() {
            output.result("\n")?;
        }
        let number = (!self.is_alone).then_some(number);
        output.text(&text::render(&outcome.beside_errors(), number, Palette::Ansi))?;
        if let Some(trace) = outcome.result.trace.as_ref().filter(|trace| trace.file.is_none()) {
            output.result("\n")?;
            if self.config.trace_format == TraceFormat::Table {
                let width = output.width();
                output.text(&text::run(&trace.run, width, Palette::Ansi))?;
            } else {
                let run = zonewalk_charts::pair::trace_of(&trace.run);
                chart::print(&run, None, self.config.trace_format, output)?;
            }
        }
        Ok(output.flush()?)
    }

    /// Components with errors that no query has asked for.
    fn note_unneeded_components(&mut self) {
        if self.config.quiet {
            return;
        }
        for broken in &self.loaded.project.broken {
            if !self.reported_broken.contains(&broken.name) {
                let errors = count(broken.errors.len() as u64, "error");
                let (name, first) = (&broken.name, broken.errors.first());
                let first = first
                    .map(|error| format!(": {}", error.message))
                    .unwrap_or_default();
                self.output.note(&format!(
                    "component `{name}` has {errors}{first}; no query needs it"
                ));
            }
        }
    }

    fn finish(self, is_interrupted: bool) -> Result<Status, Error> {
        let output = self.output;
        if self.config.format == Format::Json {
            let diagnostics = json::all(&self.diagnostics, &self.loaded.sources);
            write_document(self.name, &self.results, diagnostics, output)?;
        }
        let cases: Vec<_> = self
            .report_entries
            .iter()
            .map(|(entry, result)| (entry, result))
            .collect();
        let evidence = if reports::want_evidence(&self.reports) {
            evidence(
                &self.loaded,
                &self.report_entries,
                &self.results,
                &self.diagnostics,
            )
        } else {
            Evidence::default()
        };
        reports::write_with(&self.reports, self.name, Vec::new(), &cases, evidence, output)?;
        let mut status = self.status;
        if self.config.expect && self.results.iter().all(|result| result.expected.is_none()) {
            output.error("--expect: the project records no outcomes");
            status = status.max(Status::Failure);
        }
        // Answers that could not be written where they belong are shown among the messages.
        if let Some(loss) = output.take_loss() {
            output.error(&loss);
            for result in &self.results {
                output.message(&result.line());
            }
            status = status.max(Status::Failure);
        }
        Ok(if is_interrupted {
            status.max(Status::Interrupted)
        } else {
            status
        })
    }
}

/// The runs of the answers, side by side.
fn evidence(
    loaded: &Loaded,
    entries: &[(ReportEntry, QueryResult)],
    results: &[RefineResult],
    diagnostics: &Diagnostics,
) -> Evidence {
    let mut evidence = Evidence::default();
    for ((entry, _), result) in entries.iter().zip(results) {
        if let Some(trace) = &result.trace {
            let run = &trace.run;
            let why = result.reason.as_ref();
            let why = why
                .map(|reason| format!("{}: {}", reason.rule, reason.text))
                .or_else(|| run.end.words());
            let run = pair::run(&loaded.project, run, &result.query, why);
            evidence.add_run(entry.number(), run);
        }
    }
    evidence.notices(diagnostics, &loaded.sources);
    evidence
}
