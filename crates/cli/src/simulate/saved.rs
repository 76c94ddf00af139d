//! Simulations that begin with a run from a file, end in one, or are steered by the user.

use super::interactive::{self, RunContext};
use super::{print, stop};
use crate::args::Format;
use crate::chart;
use crate::config::{SimulateConfig, SimulateMode};
use crate::input;
use crate::interrupt;
use crate::load::Loaded;
use crate::output::Output;
use crate::status::{Error, Status};
use crate::trace_file;
use crate::whole_file;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use zonewalk_reference::Interpreter;
use zonewalk_report::trace::End;
use zonewalk_session::Session;

/// Loads, continues, saves.
pub(super) fn run(
    config: &SimulateConfig,
    loaded: &Loaded,
    interpreter: &Interpreter<'_>,
    output: &mut Output,
) -> Result<Status, Error> {
    if let Some(file) = &config.save {
        whole_file::expect_writable("the run", file)?;
    }
    let mut session = match Session::new(interpreter) {
        Ok(session) => session,
        Err(error) => return stop(config.format, loaded, &error.to_diagnostic(), output),
    };
    if let Some(file) = &config.from {
        load(&mut session, file)?;
    }
    let context = RunContext {
        model: &loaded.name,
        overrides: &config.request.overrides,
    };
    match config.mode {
        SimulateMode::Interactive => {
            if !session.is_empty() {
                session.jump(0).map_err(|error| Error::new(error.to_string()))?;
            }
            interactive::run(session, &context, config.save.as_deref(), output)
        }
        SimulateMode::Random { seed, steps } => {
            // What was played until Ctrl-C is shown and saved.
            let interrupted = Arc::new(AtomicBool::new(false));
            interrupt::set_on_first(&interrupted);
            let is_over = || interrupted.load(Ordering::Relaxed);
            let played = session.play(seed, steps, &is_over);
            let mut trace = session.trace().map_err(|error| Error::new(error.to_string()))?;
            let fault = played.error.map(|error| error.to_diagnostic());
            if let Some(found) = &fault {
                trace.end = End::Error {
                    message: found.message.clone(),
                    attempt: None,
                };
            } else if played.is_deadlock {
                let time_stops = session.recorder().time_stops(session.state());
                trace.end = End::Deadlock { time_stops };
            } else if played.steps > 0 {
                trace.end = End::Steps;
            }
            let mut diagnostics = loaded.diagnostics.clone();
            fault.iter().for_each(|found| diagnostics.push(found.clone()));
            match config.format {
                Format::Text => chart::print(&trace, Some(loaded), config.trace_format, output)?,
                Format::Json => print(loaded, Some(seed), Some(&trace), &diagnostics, output)?,
            }
            output.flush()?;
            if let Some(file) = &config.save {
                context.write(&session, &trace, file)?;
            }
            if let Some(found) = &fault {
                output.diagnostic(found, &loaded.model.sources);
                return Ok(Status::Failure);
            }
            Ok(if is_over() && played.steps < steps && !played.is_deadlock {
                Status::Interrupted
            } else {
                Status::Success
            })
        }
    }
}

/// Takes the run of a file, if it is one of the model.
fn load(session: &mut Session<'_, '_>, file: &std::path::Path) -> Result<(), Error> {
    let name = input::name(file);
    let bytes = input::read_trace(file)?;
    if trace_file::parse_run(&bytes).is_some() {
        return Err(Error::new(format_args!(
            "{name} is a run of timed I/O automata, which simulate does not support"
        )));
    }
    let document = trace_file::parse(&bytes)
        .map_err(|error| Error::new(format_args!("{name} is not a trace: {error}")))?;
    drop(bytes);
    session
        .load(&document.trace, document.query.as_deref(), None)
        .map_err(|invalid| Error::new(format_args!("{name} is not a run of the model: {invalid}")))
}
