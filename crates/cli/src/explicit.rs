//! `zonewalk check` and `zonewalk explore` on explicit systems (`.aut`).

use crate::advice;
use crate::args::Format;
use crate::check::{report_lost_answers, writable, write_document};
use crate::config::{CheckConfig, ExploreConfig};
use crate::document;
use crate::explore::LEFT_OUT;
use crate::input;
use crate::interrupt;
use crate::load::Malformed;
use crate::outcome::{Demands, QueryOutcome};
use crate::output::Output;
use crate::progress::{self, QueryProgress};
use crate::reports::{self, ReportEntry};
use crate::status::{Error, Status};
use crate::trace_file::{self, Origin};
use crate::whole_file;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zonewalk_checker::resources;
use zonewalk_checker::{
    Aut, AutError, Control, ExplicitGoal, ExplicitOutcome, ExplicitReport, Limit, Options, TraceKind,
    search_explicit,
};
use zonewalk_report::diagnostic::json;
use zonewalk_report::palette::Palette;
use zonewalk_report::trace::text as trace_text;
use zonewalk_report::verdict::{Answer, TraceSummary, coverage, text};
use zonewalk_searches::Question;
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};
use zonewalk_syntax::source::SourceMap;
use zonewalk_syntax::span::Span;

/// Looks for an action or a deadlock.
pub(crate) fn check(config: &CheckConfig, output: &mut Output) -> Result<Status, Error> {
    let start = Instant::now();
    let name = input::name(&config.request.model);
    let aut = match read(&config.request.model)? {
        Ok(aut) => aut,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    let load = start.elapsed();
    let (trace_file, reports, of_files) = writable(config.trace_file.as_deref(), &config.reports, output);
    let sought = config
        .action
        .as_deref()
        .map_or(ExplicitGoal::Deadlock, ExplicitGoal::Action);
    let diagnostics = warnings(&aut, sought);
    if !config.quiet {
        output.diagnostics(&diagnostics, &SourceMap::new());
        let notes = config.search.notes(&[Question::States]);
        notes.iter().for_each(|note| output.note(note));
    }
    let control = Arc::new(Control::default());
    interrupt::listen(&control);
    let options = config.search.options();
    let report = progress::watch(
        config.search.progress,
        QueryProgress::ALONE,
        &options,
        &control,
        |_| search_explicit(&aut, sought, &options, &control),
    );
    let report = report.ok_or_else(|| no_such_search(&options))?;
    let (mut outcome, labels) = answer(report, &options);
    outcome.result.query = Some(match sought {
        ExplicitGoal::Action(action) => format!("action {action}"),
        _ => "deadlock".to_owned(),
    });
    note_costs(&mut outcome, &options, load, start);
    let mut unwritten = None;
    if let (Some(path), Some(labels), Some(summary)) = (trace_file, &labels, &mut outcome.result.trace) {
        let origin = Origin::new(&name, outcome.result.query.as_deref(), &[]);
        match trace_file::write_labels(path, &origin, labels) {
            Ok(()) => summary.file = Some(path.display().to_string()),
            Err(error) => unwritten = Some(whole_file::failure("the trace", path, &error)),
        }
    }
    match config.format {
        Format::Json => print_json(&name, &outcome, &diagnostics, output)?,
        Format::Text => {
            output.text(&text::render(&outcome.result, None, Palette::Ansi))?;
            if let Some(labels) = labels.filter(|_| trace_file.is_none()) {
                output.result("\n")?;
                output.text(&trace_text::labels(&labels))?;
            }
            output.flush()?;
        }
    }
    let entry = ReportEntry::of_query(1, &outcome, Demands::default());
    reports::write(&reports, &name, Vec::new(), &[(&entry, &outcome.result)], output)?;
    let lost = report_lost_answers(std::slice::from_ref(&outcome.result), output);
    let mut status = finish(&outcome, &control, outcome.status(Demands::default()), output)?
        .max(of_files)
        .max(lost);
    if let Some(error) = unwritten {
        status = status.max(Error::new(error).report(output));
    }
    Ok(status)
}

/// Visits states without a goal.
pub(crate) fn explore(config: &ExploreConfig, output: &mut Output) -> Result<Status, Error> {
    let start = Instant::now();
    let name = input::name(&config.request.model);
    let aut = match read(&config.request.model)? {
        Ok(aut) => aut,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    let load = start.elapsed();
    if !config.quiet {
        let notes = config.search.notes(&[Question::States]);
        notes.iter().for_each(|note| output.note(note));
    }
    let control = Arc::new(Control::default());
    interrupt::listen(&control);
    let options = config.search.options();
    let report = progress::watch(
        config.search.progress,
        QueryProgress::ALONE,
        &options,
        &control,
        |_| search_explicit(&aut, ExplicitGoal::Nothing, &options, &control),
    );
    let report = report.ok_or_else(|| no_such_search(&options))?;
    let (status, reason) = match &report.outcome {
        ExplicitOutcome::Undecided(reason) if reason.limit == Limit::Incomplete => {
            (Status::Success, Some(LEFT_OUT.to_owned()))
        }
        ExplicitOutcome::Undecided(reason) => (Status::Undecided, Some(reason.to_string())),
        _ => (Status::Success, None),
    };
    let (mut outcome, _) = answer(report, &options);
    outcome.result.verdict = None;
    outcome.result.reason = reason;
    note_costs(&mut outcome, &options, load, start);
    match config.format {
        Format::Json => print_json(&name, &outcome, &Diagnostics::new(), output)?,
        Format::Text => {
            let (states, transitions) = (aut.states(), aut.transitions());
            output.text(&coverage::summary(&outcome.result, output.width()))?;
            output.result(&format!(
                "{:<14}{states} states, {transitions} transitions\n",
                "in the file"
            ))?;
            output.flush()?;
        }
    }
    finish(&outcome, &control, status, output)
}

/// Reads a file. The outer error is about the file, the inner one about what it holds.
fn read(path: &Path) -> Result<Result<Aut, Box<Malformed>>, Error> {
    let bytes = input::read_explicit(path)?;
    Ok(Aut::read(&bytes).map_err(|error| Box::new(malformed(path, &bytes, &error))))
}

/// Shows an error at its place, as those of models are.
fn malformed(path: &Path, bytes: &[u8], error: &AutError) -> Malformed {
    let name = input::name(path);
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).into_owned();
    let before: usize = text
        .split_inclusive('\n')
        .take(error.line.saturating_sub(1))
        .map(str::len)
        .sum();
    let line = text[before..].lines().next().unwrap_or_default();
    let mut column = error.column.saturating_sub(1).min(line.len());
    while !line.is_char_boundary(column) {
        column -= 1;
    }
    let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    diagnostics.push(match sources.add(&name, text) {
        Ok(base) => {
            let at = base + (before + column) as u32;
            Diagnostic::error("aut", Span::new(at, at), error.message.clone())
        }
        // What does not fit is not shown, but named.
        Err(_) => Diagnostic::error("aut", Span::NONE, format!("{name}: {error}")),
    });
    Malformed {
        name,
        sources,
        diagnostics,
    }
}

fn warnings(aut: &Aut, sought: ExplicitGoal<'_>) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    if let ExplicitGoal::Action(action) = sought
        && !aut.labels_of_action(action).contains(&true)
    {
        let message = format!("no label in the file names the action `{action}`");
        diagnostics.push(Diagnostic::warning("unknown-action", Span::NONE, message));
    }
    diagnostics
}

fn no_such_search(options: &Options) -> Error {
    let name = options.search.name();
    Error::new(format_args!("{name} does not apply to explicit systems (.aut)"))
}

/// Outcome of a report, with the labels of the trace if it is wanted.
fn answer(report: ExplicitReport, options: &Options) -> (QueryOutcome, Option<Vec<String>>) {
    let mut labels = None;
    let mut outcome = match report.outcome {
        ExplicitOutcome::Found(found) => {
            let mut outcome = QueryOutcome::new(Answer::Satisfied, None);
            if options.trace.kind != TraceKind::None {
                outcome.result.trace = Some(TraceSummary {
                    steps: found.len(),
                    found_steps: found.len(),
                    // Other searches refuse the wish.
                    shortest: (options.trace.kind == TraceKind::Shortest).then_some(true),
                    labels: Some(found.clone()),
                    ..TraceSummary::default()
                });
                labels = Some(found);
            }
            outcome.result.proof = true;
            outcome.result.by_run = true;
            outcome
        }
        ExplicitOutcome::Exhausted => {
            let mut outcome = QueryOutcome::new(Answer::NotSatisfied, None);
            outcome.result.proof = true;
            outcome
        }
        ExplicitOutcome::Undecided(reason) => {
            let mut outcome = QueryOutcome::undecided(&reason.to_string());
            outcome.result.advice = advice::of_limit(&reason, options.search.name()).map(str::to_owned);
            outcome
        }
        ExplicitOutcome::Bug(message) => {
            let mut outcome = QueryOutcome::undecided(&format!("bug in zonewalk: {message}"));
            outcome.bug = Some(message);
            outcome
        }
    };
    outcome.result.search = report.search.to_owned();
    outcome.result.cost.search_s = report.times.search.as_secs_f64();
    outcome.result.stats = report.stats;
    (outcome, labels)
}

fn note_costs(outcome: &mut QueryOutcome, options: &Options, load: Duration, start: Instant) {
    let result = &mut outcome.result;
    result.seed = options.seed;
    result.threads = 1;
    result.cost.load_s = load.as_secs_f64();
    result.cost.time_s = start.elapsed().as_secs_f64();
    result.cost.cpu_s = resources::cpu_time().as_secs_f64();
    result.cost.peak_memory_bytes = resources::peak_memory();
}

fn print_json(
    name: &str,
    outcome: &QueryOutcome,
    diagnostics: &Diagnostics,
    output: &mut Output,
) -> Result<(), Error> {
    write_document(
        name,
        &[&outcome.result],
        json::all(diagnostics, &SourceMap::new()),
        output,
    )
}

fn finish(
    outcome: &QueryOutcome,
    control: &Control,
    status: Status,
    output: &mut Output,
) -> Result<Status, Error> {
    if let Some(bug) = &outcome.bug {
        output.error(&format!("internal error, please report: {bug}"));
        return Ok(Status::Bug);
    }
    Ok(if control.is_interrupted() {
        status.max(Status::Interrupted)
    } else {
        status
    })
}
