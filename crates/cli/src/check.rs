//! `zonewalk check`

mod result;

pub(crate) use result::{Made, counts};

use crate::args::Format;
use crate::config::CheckConfig;
use crate::document::{self, Header};
use crate::explicit;
use crate::input::is_explicit;
use crate::interrupt;
use crate::load::{Loaded, LoadedQuery, load};
use crate::output::Output;
use crate::progress;
use crate::resources;
use crate::status::{Error, Status};
use crate::trace_file::{self, Origin};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zonewalk::{Checker, Control, Task, deciders};
use zonewalk_model::tree::Query;
use zonewalk_report::diagnostic::json::{self, DiagnosticsJson};
use zonewalk_report::trace::{Trace, text as trace_text};
use zonewalk_report::verdict::{Answer, Expectation, QueryResult, text};
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};

/// Decides the queries of a model one after the other.
pub(crate) fn run(config: &CheckConfig, output: &mut Output) -> Result<Status, Error> {
    if is_explicit(&config.request.model) {
        return explicit::check(config, output);
    }
    let start = Instant::now();
    let loaded = match load(&config.request)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    if !config.quiet {
        output.diagnostics(&loaded.diagnostics, &loaded.model.sources)?;
    }
    let selected = select(config, &loaded)?;
    let typed: Vec<&Query> = selected
        .iter()
        .filter_map(|(_, query)| query.typed.as_ref().ok())
        .collect();
    let mut session = Session {
        config,
        loaded: &loaded,
        is_alone: selected.len() == 1,
        load: Duration::ZERO,
        control: Arc::new(Control::default()),
        diagnostics: loaded.diagnostics.clone(),
        results: Vec::new(),
        status: Status::Success,
    };
    let task = Task::new(&loaded.model, &loaded.system, &typed)
        .and_then(|task| task.fit_for(config.search.options().search));
    match task {
        Ok(task) => {
            let checker = task.checker();
            session.load = start.elapsed();
            interrupt::listen(&session.control);
            let mut index = 0;
            for (number, query) in &selected {
                session.answer(*number, query, &checker, index, output)?;
                index += usize::from(query.typed.is_ok());
            }
        }
        Err(refusals) => {
            session.status = Status::Failure;
            for refusal in refusals {
                session.tell(refusal, output)?;
            }
        }
    }
    session.finish(output)
}

/// The queries to decide, with their numbers.
fn select<'l>(config: &CheckConfig, loaded: &'l Loaded) -> Result<Vec<(usize, &'l LoadedQuery)>, Error> {
    let count = loaded.queries.len();
    if count == 0 {
        return Err(Error::new(format_args!(
            "{} has no queries; give one with -q, such as -q 'E<> P.error'",
            loaded.name
        )));
    }
    let all = (1..).zip(&loaded.queries);
    match config.query_index {
        None => Ok(all.collect()),
        Some(index) if index > count => Err(Error::new(format_args!(
            "--query-index {index}: there {} only {count}",
            if count == 1 { "is" } else { "are" }
        ))),
        Some(index) => Ok(all.filter(|(number, _)| *number == index).collect()),
    }
}

/// The answers so far.
struct Session<'a> {
    config: &'a CheckConfig,
    loaded: &'a Loaded,
    /// There is one query only.
    is_alone: bool,
    load: Duration,
    control: Arc<Control>,
    diagnostics: Diagnostics,
    results: Vec<QueryResult>,
    status: Status,
}

impl Session<'_> {
    /// Decides a query and tells the answer. `index` is its number among those that fit the model.
    fn answer(
        &mut self,
        number: usize,
        query: &LoadedQuery,
        checker: &Checker<'_, '_>,
        index: usize,
        output: &mut Output,
    ) -> Result<(), Error> {
        let (start, cpu) = (Instant::now(), resources::cpu_time());
        let options = self.config.search.options();
        let mut made = match &query.typed {
            Err(errors) => Made::refused(errors.clone()),
            Ok(typed) => match self.obstacle(typed, checker, index) {
                Some(obstacle) => Made::refused(vec![obstacle]),
                None if self.control.is_interrupted() => Made::undecided("interrupted before it began"),
                None => {
                    let report =
                        progress::watch(self.config.search.progress, &options, &self.control, |voice| {
                            checker.check(index, &options, &self.control, &mut |steps, time| {
                                if !self.config.quiet {
                                    let after = text::seconds(start.elapsed().as_secs_f64());
                                    voice.say(&format!(
                                        "better trace after {after}: {steps} steps, time {time}"
                                    ));
                                }
                            })
                        });
                    report.map_or_else(|| Made::undecided("walks cannot decide it"), Made::from_report)
                }
            },
        };
        let result = &mut made.result;
        result.query = Some(query.entry.text.clone());
        if result.search.is_empty() {
            result.search = options.search.name().to_owned();
        }
        result.seed = options.seed;
        result.threads = options.threads.get();
        result.load_s = self.load.as_secs_f64();
        result.time_s = (self.load + start.elapsed()).as_secs_f64();
        // Of the first query on its own: the whole process so far. Of later ones: loading is not counted twice.
        let cpu_now = resources::cpu_time();
        result.cpu_s = if self.results.is_empty() {
            cpu_now
        } else {
            cpu_now.saturating_sub(cpu)
        }
        .as_secs_f64();
        result.peak_memory_bytes = resources::peak_memory();
        self.expect(query, result);
        let unwritten = self.write_trace(number, &mut made);
        self.print(number, &made, output)?;
        for diagnostic in std::mem::take(&mut made.diagnostics) {
            self.tell(diagnostic, output)?;
        }
        if let Some(bug) = &made.bug {
            output.error(&format!("internal error, please report: {bug}"))?;
        }
        if let Some(error) = unwritten {
            self.status = self.status.max(Error::new(error).report(output));
        }
        self.status = self.status.max(made.status(self.config.expect));
        self.results.push(made.result);
        Ok(())
    }

    /// Why the query cannot be decided by the chosen search.
    fn obstacle(&self, query: &Query, checker: &Checker<'_, '_>, index: usize) -> Option<Diagnostic> {
        let search = self.config.search.options().search;
        if search.decides(&query.kind) {
            return checker.obstacle(index).cloned();
        }
        let message = format!("{} cannot decide a query of this kind", search.name());
        let help = match deciders(&query.kind) {
            [] => "no search of zonewalk is made for it".to_owned(),
            names => format!("{} can", names.join(", ")),
        };
        Some(Diagnostic::error("undecidable", query.span, message).help(help))
    }

    fn expect(&self, query: &LoadedQuery, result: &mut QueryResult) {
        let Some(recorded) = query.entry.outcome.as_ref().filter(|_| self.config.expect) else {
            return;
        };
        let agrees = result
            .verdict
            .is_some_and(|verdict| verdict.agrees_with(&recorded.outcome));
        result.expected = Some(Expectation {
            outcome: recorded.outcome.clone(),
            agrees,
        });
    }

    /// Writes the trace to its file, if it has one; returns what went wrong.
    fn write_trace(&self, number: usize, made: &mut Made) -> Option<String> {
        let path = self.config.trace_file.as_ref()?;
        let (trace, summary) = (made.trace.as_ref()?, made.result.trace.as_mut()?);
        let path: PathBuf = if self.is_alone {
            path.clone()
        } else {
            trace_file::numbered(path, number)
        };
        let origin = Origin::new(
            &self.loaded.name,
            made.result.query.as_deref(),
            &self.config.request.overrides,
        );
        match trace_file::write(&path, &origin, trace) {
            Ok(()) => {
                summary.file = Some(path.display().to_string());
                None
            }
            Err(error) => Some(format!("cannot write the trace to {}: {error}", path.display())),
        }
    }

    fn print(&self, number: usize, made: &Made, output: &mut Output) -> Result<(), Error> {
        if self.config.format == Format::Json {
            return Ok(());
        }
        if !self.results.is_empty() {
            output.result("\n")?;
        }
        let number = (!self.is_alone).then_some(number);
        output.result(&text::render(&made.result, number, true))?;
        if let Some(trace) = made.trace.as_ref().filter(|_| self.config.trace_file.is_none()) {
            output.result("\n")?;
            print_trace(trace, output)?;
        }
        Ok(output.flush()?)
    }

    /// Tells of an error at a place, now and in the document.
    fn tell(&mut self, diagnostic: Diagnostic, output: &mut Output) -> Result<(), Error> {
        output.diagnostic(&diagnostic, &self.loaded.model.sources)?;
        self.diagnostics.push(diagnostic);
        Ok(())
    }

    fn finish(self, output: &mut Output) -> Result<Status, Error> {
        if self.config.format == Format::Json {
            let results: Vec<_> = self.results.iter().collect();
            let diagnostics = json::all(&self.diagnostics, &self.loaded.model.sources);
            write_document(&self.loaded.name, &results, diagnostics, output)?;
        }
        output.flush()?;
        if self.config.expect && self.results.iter().all(|result| result.expected.is_none()) {
            output.error("--expect: the model records no outcomes")?;
            return Ok(Status::Failure);
        }
        let interrupted = self.control.is_interrupted().then_some(Status::Interrupted);
        Ok(self.status.max(interrupted.unwrap_or(Status::Success)))
    }
}

/// Step by step, because a long trace is large as text.
pub(crate) fn print_trace(trace: &Trace, output: &mut Output) -> Result<(), Error> {
    output.result(&trace_text::state(&trace.initial))?;
    output.result(&trace_text::header())?;
    for (index, step) in trace.steps.iter().enumerate() {
        output.result(&trace_text::step(index + 1, step))?;
    }
    Ok(output.result(&trace_text::end(trace))?)
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    header: Header,
    model: &'a str,
    results: &'a [&'a QueryResult],
    #[serde(flatten)]
    diagnostics: DiagnosticsJson,
}

/// Everything as one document for programs.
pub(crate) fn write_document(
    model: &str,
    results: &[&QueryResult],
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

impl Made {
    /// What the answer contributes to the exit status.
    pub(crate) fn status(&self, expect: bool) -> Status {
        if self.bug.is_some() {
            return Status::Bug;
        }
        if self.is_error {
            return Status::Failure;
        }
        match (expect, &self.result.expected, self.result.verdict) {
            (true, Some(expected), _) if !expected.agrees => Status::No,
            (true, _, _) | (_, _, Some(Answer::Satisfied)) => Status::Success,
            (_, _, Some(Answer::NotSatisfied)) => Status::No,
            _ => Status::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::ExitCode;
    use zonewalk::{Outcome, Report, Stats, Times};

    #[test]
    fn a_trace_that_does_not_replay_ends_with_status_70() {
        let report = Report {
            outcome: Outcome::Bug("the trace that walk 7 found does not replay: step 1".to_owned()),
            search: "ret",
            stats: Stats::default(),
            times: Times::default(),
        };
        let made = Made::from_report(report);
        for expect in [false, true] {
            let status = made.status(expect);
            assert_eq!(status, Status::Bug);
            assert_eq!(ExitCode::from(status), ExitCode::from(70));
        }
        let reason = made.result.reason.as_deref().unwrap_or_default();
        assert!(
            reason.starts_with("a bug of zonewalk: the trace that walk 7 found"),
            "{reason}"
        );
    }
}
