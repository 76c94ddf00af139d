//! `zonewalk replay`

use crate::args::Format;
use crate::args::value::StateNumber;
use crate::chart;
use crate::config::ReplayConfig;
use crate::document::{self, Header};
use crate::input;
use crate::load::{Loaded, QuerySource, Request, load};
use crate::output::Output;
use crate::refine;
use crate::replayed::{Replayed, StateJson};
use crate::simulate::{counted, refusal};
use crate::status::{Error, Status};
use crate::trace_file::{self, TraceDocument};
use zonewalk_checker::load::Wrapped;
use zonewalk_checker::{Invalid, Purpose, QuerySet, Recorder, replay_each};
use zonewalk_reference::Interpreter;
use zonewalk_report::trace::{End, Time, Trace, text};
use zonewalk_report::verdict::text::count;

/// Checks a trace on the reference interpreter.
pub(crate) fn run(config: &ReplayConfig, output: &mut Output) -> Result<Status, Error> {
    let name = input::name(&config.trace);
    let bytes = input::read_trace(&config.trace)?;
    if let Some(run) = trace_file::parse_run(&bytes) {
        let run = run.map_err(|error| Error::new(format_args!("{name} is not a trace: {error}")))?;
        if config.state.is_some() || config.trace_format.is_some() {
            return Err(Error::new(format_args!(
                "{name} is a run of timed I/O automata: --state and --trace-format are for traces of models"
            )));
        }
        return refine::replay::run(config, &run, output);
    }
    let document = trace_file::parse(&bytes).map_err(|error| {
        let error = error.to_string();
        let more = if error.contains("floating point") {
            "; a run in doubles cannot be replayed, but the command that wrote it makes it again with the same --seed"
        } else {
            ""
        };
        Error::new(format_args!("{name} is not a trace: {error}{more}"))
    })?;
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
    // Searches ignore hybrid clocks, and so do their traces.
    let queries = QuerySet::new(&loaded.model, &loaded.system, query);
    let (model, system) = queries.judged();
    let interpreter = match Interpreter::new(model, system) {
        Ok(interpreter) => interpreter,
        Err(unsupported) => {
            output.diagnostic(&refusal(&unsupported), &loaded.model.sources);
            return Ok(Status::Failure);
        }
    };
    let purpose = query.and_then(|query| Purpose::of(&query.kind));
    let recorder = Recorder::new(&interpreter);
    let wanted = Wanted::new(config, &document.trace)?;
    let mut states = Vec::new();
    if wanted.has(0) {
        let initial = document.trace.initial.clone();
        states.push(StateJson {
            step: 0,
            time: Time::ZERO,
            state: initial,
        });
    }
    let outcome = replay_each(
        &interpreter,
        &document.trace,
        purpose,
        &mut |number, _, replayed| {
            if wanted.has(number) {
                states.push(StateJson {
                    step: number,
                    time: zonewalk_checker::time(replayed.state.time),
                    state: recorder.state(&replayed.state),
                });
            }
        },
    );
    print(
        config,
        &loaded,
        (&name, &document, purpose.is_some()),
        (&outcome, &states, &wanted),
        output,
    )?;
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

/// The model as it was when the trace was made: with the same constants, unless others are given.
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
        levels: None,
    }
}

/// The states that are shown.
enum Wanted {
    None,
    After(usize),
    All,
}

impl Wanted {
    /// Values of states that are printed unasked in a document, at most.
    const UNASKED: usize = 1_000_000;

    fn new(config: &ReplayConfig, trace: &Trace) -> Result<Self, Error> {
        let steps = trace.steps.len();
        Ok(match config.state {
            Some(StateNumber::All) => Wanted::All,
            Some(StateNumber::After(number)) => {
                let found = counted(number, steps).ok_or_else(|| {
                    Error::new(format_args!(
                        "there is no state after step {number}: the trace has {}, so it is one of 0 to {steps}, or -{} to -1",
                        count(steps as u64, "step"),
                        steps + 1
                    ))
                })?;
                Wanted::After(found)
            }
            None if config.format == Format::Json => {
                let initial = &trace.initial;
                let size = initial.locations.len() + initial.variables.len() + initial.clocks.len();
                if size.saturating_mul(steps + 1) <= Self::UNASKED {
                    Wanted::All
                } else {
                    Wanted::None
                }
            }
            None => Wanted::None,
        })
    }

    fn has(&self, step: usize) -> bool {
        match *self {
            Wanted::None => false,
            Wanted::After(number) => number == step,
            Wanted::All => true,
        }
    }
}

fn print(
    config: &ReplayConfig,
    loaded: &Loaded,
    (name, document, has_purpose): (&str, &TraceDocument, bool),
    (outcome, states, wanted): (&Result<(), Invalid>, &[StateJson], &Wanted),
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
            let verdict = match outcome {
                Ok(()) => match (&trace.end, document.query.as_deref()) {
                    // One run of many decides nothing.
                    (End::Goal, Some(query)) if is_judged && query.trim_start().starts_with("Pr") => {
                        format!("valid: {extent}; it ends in a state that {query} asks about\n")
                    }
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
            output.text(&verdict)?;
            // What lies behind a step that is wrong was not judged.
            for of in states.iter().filter(|_| outcome.is_ok()) {
                let place = match of.step {
                    0 => "initial state".to_owned(),
                    step => format!("after step {step}, time {}", of.time),
                };
                output.result(&format!("\n{place}\n"))?;
                output.text(&text::state(&of.state, output.width()))?;
            }
            if let Some(format) = config.trace_format {
                output.result("\n")?;
                chart::print(trace, Some(loaded), format, output)?;
            }
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
                states: (outcome.is_ok() && !matches!(wanted, Wanted::None)).then_some(states),
            }))?;
        }
    }
    Ok(output.flush()?)
}
