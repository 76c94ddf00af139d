//! Repeats maximal runs on the reference interpreter.

use crate::judge::record::Recorder;
use crate::outcome::ticks;
use zonewalk_model::tree::Expr;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::window::Windows;
use zonewalk_reference::{Error, Interpreter, State};
use zonewalk_report::trace::{End, Trace};
use zonewalk_run::Run;

/// Claims about a maximal run.
pub(crate) struct MaximalRun<'a> {
    /// A state predicate.
    pub(crate) expr: &'a Expr,
    /// The truth value that it has all the time.
    pub(crate) always: bool,
    /// The number of transitions after which that begins, perhaps after a delay; from the beginning where none is given.
    pub(crate) from: Option<usize>,
}

/// Repeats a maximal run, or as much of it as is written down. It must be one of the model, have what is judged all the
/// time, and end as it says. The trace is made when it is wanted.
///
/// # Errors
/// The first thing that is wrong with the run, in words.
pub(crate) fn confirm_maximal(
    interpreter: &Interpreter<'_>,
    run: &Run,
    judged: &MaximalRun<'_>,
    end: &End,
    is_wanted: bool,
) -> Result<Option<Trace>, String> {
    let recorder = Recorder::new(interpreter);
    let words = |index: usize| move |error: Error| format!("after {index} steps: {error}");
    let mut state = interpreter.initial().map_err(words(0))?;
    let mut trace = is_wanted.then(|| Trace {
        initial: recorder.state(&state),
        steps: Vec::with_capacity(run.steps.len()),
        last_delay: ticks(run.last_delay, run.unit),
        end: end.clone(),
    });
    let cycle = match end {
        End::Cycle { start, length } => Some((*start, *length)),
        _ => None,
    };
    let mut knots = Vec::new();
    for (index, step) in run.steps.iter().enumerate() {
        if cycle.is_some_and(|(start, length)| index >= start && (index - start).is_multiple_of(length)) {
            knots.push(state.clone());
        }
        let step = step.in_units(run.unit).map_err(|e| words(index)(e.into()))?;
        judged.check(interpreter, &state, step.delay, index)?;
        let replayed = interpreter.replay(&state, &step).map_err(words(index))?;
        if let Some(trace) = &mut trace {
            let recorded = recorder.step(&replayed.delayed, &step, replayed.channel, &replayed.state);
            trace.steps.push(recorded);
        }
        state = replayed.state;
    }
    let steps = run.steps.len();
    let delay = Rational::new(run.last_delay.into(), run.unit.into()).map_err(|e| words(steps)(e.into()))?;
    judged.check(interpreter, &state, delay, steps)?;
    if cycle.is_some() {
        knots.push(state.clone());
    }
    if knots
        .windows(2)
        .any(|pair| pair[0].locations != pair[1].locations || pair[0].memory != pair[1].memory)
    {
        return Err("the cycle does not return to the same locations and variables".to_owned());
    }
    let last = interpreter.delay(&state, delay).map_err(words(steps))?;
    match end {
        End::Deadlock { .. } if !interpreter.is_deadlock(&last).map_err(words(steps))? => {
            Err("a transition is possible at its end".to_owned())
        }
        End::Endless => {
            let delays = interpreter.delays(&last).map_err(words(steps))?;
            if delays.iter().last().is_none_or(|window| window.upper().is_some()) {
                return Err("time cannot pass forever at its end".to_owned());
            }
            let holds = interpreter
                .holds_within(&last, &delays, judged.expr)
                .map_err(words(steps))?;
            let missing = if judged.always {
                delays.minus(&holds)
            } else {
                holds
            };
            if !missing.is_empty() {
                return Err("the property does not hold forever at its end".to_owned());
            }
            Ok(trace)
        }
        _ => Ok(trace),
    }
}

impl MaximalRun<'_> {
    /// Whether the predicate has its truth value during a delay after a number of steps.
    fn check(
        &self,
        interpreter: &Interpreter<'_>,
        state: &State,
        delay: Rational,
        steps: usize,
    ) -> Result<(), String> {
        let words = |error: Error| format!("after {steps} steps: {error}");
        let from = self.from.unwrap_or(0);
        if steps < from {
            return Ok(());
        }
        let is_so = if self.from == Some(steps) {
            // What comes first is a delay of unknown length without it: only the end of the stage is sure.
            let later = interpreter.delay(state, delay).map_err(words)?;
            interpreter.holds(&later, self.expr).map_err(words)? == self.always
        } else {
            let holds = interpreter.holds_during(state, delay, self.expr).map_err(words)?;
            if self.always {
                Windows::up_to(delay).minus(&holds).is_empty()
            } else {
                holds.is_empty()
            }
        };
        if is_so {
            Ok(())
        } else {
            Err(format!(
                "after {steps} steps the invariant property does not hold"
            ))
        }
    }
}
