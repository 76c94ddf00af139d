//! Repeats runs on the reference interpreter, the judge of all engines.

use crate::record::Recorder;
use zonewalk_model::tree::Expr;
use zonewalk_reference::rational::{Rational, TooLarge};
use zonewalk_reference::{Error, Interpreter, Part, Step};
use zonewalk_report::trace::{End, Time, Trace};
use zonewalk_walk::trace::{Trace as Run, TraceStep};

/// Repeats a run. It must be one of the model, and end where `goal` has its truth value. The trace is made when it is
/// wanted.
///
/// # Errors
/// What is wrong with the run, in words.
pub(crate) fn confirm(
    interpreter: &Interpreter<'_>,
    run: &Run,
    goal: Option<(&Expr, bool)>,
    end: End,
    is_wanted: bool,
) -> Result<Option<Trace>, String> {
    let recorder = Recorder::new(interpreter);
    let mut state = interpreter.initial().map_err(|error| error.to_string())?;
    let mut trace = is_wanted.then(|| Trace {
        initial: recorder.state(&state),
        steps: Vec::with_capacity(run.steps.len()),
        last_delay: ticks(run.last_delay, run.unit),
        end,
    });
    for (index, step) in run.steps.iter().enumerate() {
        let replayed = reference_step(step, run.unit)
            .map_err(Error::from)
            .and_then(|step| Ok((interpreter.replay(&state, &step)?, step)));
        let (replayed, step) =
            replayed.map_err(|error| format!("step {} of {}: {error}", index + 1, run.steps.len()))?;
        if let Some(trace) = &mut trace {
            let recorded = recorder.step(&replayed.delayed, &step, replayed.channel, &replayed.state);
            trace.steps.push(recorded);
        }
        state = replayed.state;
    }
    let at_the_end = |error: Error| format!("after {} steps: {error}", run.steps.len());
    let delay = Rational::new(run.last_delay.into(), run.unit.into()).map_err(|e| at_the_end(e.into()))?;
    let last = interpreter.delay(&state, delay).map_err(at_the_end)?;
    if let Some((expr, wanted)) = goal
        && interpreter.holds(&last, expr).map_err(at_the_end)? != wanted
    {
        return Err(format!("after {} steps the goal is not there", run.steps.len()));
    }
    Ok(trace)
}

/// A number of ticks as a time.
pub(crate) fn ticks(ticks: i64, unit: i64) -> Time {
    Time::new(ticks.into(), unit.into()).unwrap_or(Time::ZERO)
}

fn reference_step(step: &TraceStep, unit: i64) -> Result<Step, TooLarge> {
    let part = |part: &zonewalk_walk::trace::TracePart| Part {
        process: part.process,
        edge: part.edge,
        selects: part.selects.clone(),
    };
    Ok(Step {
        delay: Rational::new(step.delay.into(), unit.into())?,
        parts: step.parts.iter().map(part).collect(),
    })
}
