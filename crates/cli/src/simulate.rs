//! `zonewalk simulate`

mod interactive;
mod saved;

use crate::args::Format;
use crate::chart::{self, TraceFormat};
use crate::config::{SimulateConfig, SimulateMode};
use crate::document::{self, Header};
use crate::load::{Loaded, load};
use crate::output::Output;
use crate::status::{Error, Status};
use serde::Serialize;
use zonewalk_checker::load::Wrapped;
use zonewalk_checker::{NoRun, Recorder, run_in_doubles};
use zonewalk_reference::simulate::RandomRun;
use zonewalk_reference::{Interpreter, Unsupported};
use zonewalk_report::diagnostic::json::{self, DiagnosticsJson};
use zonewalk_report::palette::Palette;
use zonewalk_report::trace::{End, Time, Trace, text};
use zonewalk_syntax::diagnostic::{Code, Diagnostic, Diagnostics};

/// Runs a model on the reference interpreter.
pub(crate) fn run(config: &SimulateConfig, output: &mut Output) -> Result<Status, Error> {
    let loaded = match load(&config.request)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    if !config.quiet {
        output.diagnostics(&loaded.diagnostics, &loaded.model.sources);
    }
    let interpreter = match Interpreter::new(&loaded.model, &loaded.system) {
        Ok(interpreter) => interpreter,
        Err(unsupported) => {
            let refusal = refusal(&unsupported);
            return match config.mode {
                SimulateMode::Random { seed, steps } => {
                    in_doubles(config, &loaded, (steps, seed), &refusal, output)
                }
                SimulateMode::Interactive => stop(config.format, &loaded, &refusal, output),
            };
        }
    };
    output.need_reader();
    if config.from.is_some() || config.save.is_some() || matches!(config.mode, SimulateMode::Interactive) {
        return saved::run(config, &loaded, &interpreter, output);
    }
    match config.mode {
        SimulateMode::Interactive => Ok(Status::Success),
        SimulateMode::Random { seed, steps } => {
            let run = match RandomRun::new(&interpreter, seed) {
                Ok(run) => run,
                Err(error) => return stop(config.format, &loaded, &error.to_diagnostic(), output),
            };
            random(config, &loaded, &interpreter, run, (steps, seed), output)
        }
    }
}

/// The number of a step; negative ones count from the end.
pub(crate) fn counted(number: i64, steps: usize) -> Option<usize> {
    let last = i64::try_from(steps).ok()?;
    let found = if number < 0 { last + 1 + number } else { number };
    usize::try_from(found).ok().filter(|&found| found <= steps)
}

/// As a diagnostic at the place of the construct.
pub(crate) fn refusal(unsupported: &Unsupported) -> Diagnostic {
    Diagnostic::error(Code::UNSUPPORTED, unsupported.span, unsupported.to_string())
}

/// Says why there is no run at all.
fn stop(
    format: Format,
    loaded: &Loaded,
    diagnostic: &Diagnostic,
    output: &mut Output,
) -> Result<Status, Error> {
    output.diagnostic(diagnostic, &loaded.model.sources);
    if format == Format::Json {
        let mut diagnostics = loaded.diagnostics.clone();
        diagnostics.push(diagnostic.clone());
        print(loaded, None, None, &diagnostics, output)?;
    }
    Ok(Status::Failure)
}

/// A random run of a model that exact time does not reach: by the stochastic semantics, in doubles.
fn in_doubles(
    config: &SimulateConfig,
    loaded: &Loaded,
    (steps, seed): (usize, u64),
    refusal: &Diagnostic,
    output: &mut Output,
) -> Result<Status, Error> {
    let run = match run_in_doubles(&loaded.model, &loaded.system, seed, steps) {
        Ok(run) => run,
        Err(no_run) => {
            let diagnostic = match *no_run {
                NoRun::Unsupported(unsupported) => {
                    let why = format!("and there is no run in doubles either: {}", unsupported.construct);
                    refusal.clone().related(unsupported.span, why)
                }
                NoRun::NotConfirmed(objection) => {
                    let message = format!("the reference interpreter does not confirm the run: {objection}");
                    Diagnostic::error("not-confirmed", objection.span, message)
                }
            };
            return stop(config.format, loaded, &diagnostic, output);
        }
    };
    let error = run
        .error
        .map(|error| Diagnostic::error("run-time", error.span, error.to_string()));
    let mut diagnostics = loaded.diagnostics.clone();
    if let Some(found) = &error {
        diagnostics.push(found.clone());
    }
    output.need_reader();
    match config.format {
        Format::Text => {
            output.text(&text::state(&run.trace.initial, output.width()))?;
            let columns = text::Columns::of(&run.trace.steps).painted(Palette::Ansi);
            output.text(&columns.header())?;
            for (index, step) in run.trace.steps.iter().enumerate() {
                output.text(&columns.step(index + 1, step))?;
            }
            output.text(&text::end(&run.trace, Palette::Ansi))?;
        }
        Format::Json => print(loaded, Some(seed), Some(&run.trace), &diagnostics, output)?,
    }
    output.flush()?;
    if let Some(found) = &error {
        output.diagnostic(found, &loaded.model.sources);
        return Ok(Status::Failure);
    }
    Ok(Status::Success)
}

/// A random run. Text appears as the run goes on, a document at its end.
fn random(
    config: &SimulateConfig,
    loaded: &Loaded,
    interpreter: &Interpreter<'_>,
    mut run: RandomRun<'_, '_>,
    (steps, seed): (usize, u64),
    output: &mut Output,
) -> Result<Status, Error> {
    let (format, recorder) = (config.format, Recorder::new(interpreter));
    let mut trace = Trace {
        initial: recorder.state(run.state()),
        steps: Vec::new(),
        last_delay: Time::ZERO,
        end: End::Steps,
    };
    let columns = text::Columns::default().painted(Palette::Ansi);
    let is_table = format == Format::Text && config.trace_format == TraceFormat::Table;
    if is_table {
        output.text(&text::state(&trace.initial, output.width()))?;
        output.text(&columns.header())?;
    }
    let mut fault = None;
    while trace.steps.len() < steps {
        let before = run.state().clone();
        match run.step() {
            Ok(Some(taken)) => {
                let step = recorder.step_from(&before, &taken.step, taken.transition.channel, &taken.state);
                if is_table {
                    output.text(&columns.step(trace.steps.len() + 1, &step))?;
                }
                trace.steps.push(step);
            }
            Ok(None) => {
                trace.end = End::Deadlock {
                    time_stops: recorder.time_stops(run.state()),
                };
                break;
            }
            Err(error) => {
                trace.end = End::Error {
                    message: error.to_string(),
                    attempt: None,
                };
                fault = Some(error.to_diagnostic());
                break;
            }
        }
    }
    let mut diagnostics = loaded.diagnostics.clone();
    let warnings = Wrapped::known(&diagnostics).warnings(interpreter.wraps());
    for found in warnings.iter().chain(&fault) {
        diagnostics.push(found.clone());
    }
    match format {
        Format::Text if is_table => output.text(&text::end(&trace, Palette::Ansi))?,
        Format::Text => chart::print(&trace, Some(loaded), config.trace_format, output)?,
        Format::Json => print(loaded, Some(seed), Some(&trace), &diagnostics, output)?,
    }
    output.flush()?;
    for found in warnings.iter().filter(|_| !config.quiet).chain(&fault) {
        output.diagnostic(found, &loaded.model.sources);
    }
    Ok(match fault {
        Some(_) => Status::Failure,
        None => Status::Success,
    })
}

#[derive(Serialize)]
struct Run<'a> {
    #[serde(flatten)]
    header: Header,
    model: &'a str,
    seed: Option<u64>,
    trace: Option<&'a Trace>,
    #[serde(flatten)]
    diagnostics: DiagnosticsJson,
}

fn print(
    loaded: &Loaded,
    seed: Option<u64>,
    trace: Option<&Trace>,
    diagnostics: &Diagnostics,
    output: &mut Output,
) -> Result<(), Error> {
    let diagnostics = json::all(diagnostics, &loaded.model.sources);
    let run = Run {
        header: Header::new(true),
        model: &loaded.name,
        seed,
        trace,
        diagnostics,
    };
    output.result(&document::render(&run))?;
    Ok(output.flush()?)
}
