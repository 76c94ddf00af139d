//! `zonewalk replay`

use crate::args::Format;
use crate::config::ReplayConfig;
use crate::document::{self, Header};
use crate::input;
use crate::load::{QuerySource, Request, load};
use crate::output::Output;
use crate::refine;
use crate::simulate::refusal;
use crate::status::{Error, Status};
use crate::trace_file::{self, TraceDocument};
use serde::Serialize;
use zonewalk_checker::load::Wrapped;
use zonewalk_checker::{Invalid, Purpose, replay};
use zonewalk_reference::Interpreter;
use zonewalk_report::trace::{End, Time};
use zonewalk_report::verdict::text::count;

/// Checks a trace on the reference interpreter.
pub(crate) fn run(config: &ReplayConfig, output: &mut Output) -> Result<Status, Error> {
    let name = input::name(&config.trace);
    let bytes = input::read_trace(&config.trace)?;
    if let Some(run) = trace_file::parse_run(&bytes) {
        let run = run.map_err(|error| Error::new(format_args!("{name} is not a trace: {error}")))?;
        return refine::replay::run(config, &run, output);
    }
    let document = trace_file::parse(&bytes)
        .map_err(|error| Error::new(format_args!("{name} is not a trace: {error}")))?;
    drop(bytes);
    let loaded = match load(&request(config, &document))? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    if !config.quiet {
        output.diagnostics(&loaded.diagnostics, &loaded.model.sources);
    }
    let query = match loaded.queries.first().map(|query| &query.typed) {
        Some(Ok(query)) => Some(query),
        Some(Err(errors)) => {
            for error in errors {
                output.diagnostic(error, &loaded.model.sources);
            }
            return Ok(Status::Failure);
        }
        None => None,
    };
    let interpreter = match Interpreter::new(&loaded.model, &loaded.system) {
        Ok(interpreter) => interpreter,
        Err(unsupported) => {
            output.diagnostic(&refusal(&unsupported), &loaded.model.sources);
            return Ok(Status::Failure);
        }
    };
    let purpose = query.and_then(|query| Purpose::of(&query.kind));
    let outcome = replay(&interpreter, &document.trace, purpose);
    print(config, &name, &document, purpose.is_some(), &outcome, output)?;
    if !config.quiet {
        for warning in Wrapped::known(&loaded.diagnostics).warnings(interpreter.wraps()) {
            output.diagnostic(&warning, &loaded.model.sources);
        }
    }
    Ok(if outcome.is_ok() {
        Status::Success
    } else {
        Status::No
    })
}

/// The model as it was when the trace was made: with the same constants, unless told otherwise.
pub(crate) fn request(config: &ReplayConfig, document: &TraceDocument) -> Request {
    let mut overrides = config.request.overrides.clone();
    for (name, value) in &document.defines {
        if overrides.iter().all(|(given, _)| given != name) {
            overrides.push((name.clone(), value.text()));
        }
    }
    Request {
        model: config.request.model.clone(),
        queries: match &document.query {
            Some(query) => QuerySource::Formulas(vec![query.clone()]),
            None => QuerySource::Nothing,
        },
        overrides,
    }
}

/// The document about a trace, whatever it is a trace of.
#[derive(Serialize)]
pub(crate) struct Replayed<'a> {
    #[serde(flatten)]
    pub(crate) header: Header,
    pub(crate) model: &'a str,
    pub(crate) trace: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) trace_valid: bool,
    pub(crate) steps: usize,
    pub(crate) duration: String,
    /// The step that is wrong, counted from 1.
    pub(crate) step: Option<usize>,
    pub(crate) reason: Option<&'a str>,
}

fn print(
    config: &ReplayConfig,
    name: &str,
    document: &TraceDocument,
    has_purpose: bool,
    outcome: &Result<(), Invalid>,
    output: &mut Output,
) -> Result<(), Error> {
    let trace = &document.trace;
    let last = trace.steps.last().map_or(Time::ZERO, |step| step.time);
    let duration = last.plus(trace.last_delay).unwrap_or(last);
    // Of runs without end the steps and the way back are judged, not what holds on the way.
    let is_judged = has_purpose && matches!(trace.end, End::Goal | End::Value { .. });
    match config.format {
        Format::Text => {
            let extent = format!("{}, time {duration}", count(trace.steps.len() as u64, "step"));
            let text = match outcome {
                Ok(()) => match (&trace.end, document.query.as_deref()) {
                    (End::Goal, Some(query)) if is_judged => format!("valid: {extent}; it decides {query}\n"),
                    (
                        End::Error {
                            message,
                            attempt: Some(_),
                        },
                        _,
                    ) => {
                        format!("valid: {extent}; it ends with the error: {message}\n")
                    }
                    (_, Some(query)) if !is_judged => {
                        format!("valid: {extent}; whether it decides {query} was not checked\n")
                    }
                    _ => format!("valid: {extent}\n"),
                },
                Err(invalid) => format!("invalid: {invalid}\n"),
            };
            output.text(&text)?;
        }
        Format::Json => {
            let model = input::name(&config.request.model);
            let invalid = outcome.as_ref().err();
            output.result(&document::render(&Replayed {
                header: Header::new(true),
                model: &model,
                trace: name,
                query: document.query.as_deref(),
                trace_valid: outcome.is_ok(),
                steps: trace.steps.len(),
                duration: duration.to_string(),
                step: invalid.and_then(|invalid| invalid.step),
                reason: invalid.map(|invalid| invalid.message.as_str()),
            }))?;
        }
    }
    Ok(output.flush()?)
}
