//! Walks repeated by the reference interpreter.

use zonewalk_reference::Interpreter;
use zonewalk_reference::rational::Rational;
use zonewalk_walk::Stop;
use zonewalk_walk::explore::{End, Options, walk};
use zonewalk_walk::plan::WalkPlan;

/// Makes a walk and repeats it: every step is one of the model's, and where the walk is stuck so is the model. The number of
/// steps.
pub(crate) fn replay(
    plan: &WalkPlan<'_>,
    options: &Options,
    number: u64,
    interpreter: &Interpreter<'_>,
) -> Result<usize, String> {
    let initial = interpreter.initial();
    let (trace, end) = match walk(plan, options, number) {
        Ok(Some(found)) => found,
        Ok(None) => return initial.map_or(Ok(0), |_| Err("the walk has no initial state".into())),
        // Guards of the initial state that fail, and rates that walks do not run.
        Err(Stop::Trap(_) | Stop::Rate { .. } | Stop::Weights { .. } | Stop::Exponential { .. }) => {
            return Ok(0);
        }
    };
    let mut state = initial.map_err(|e| format!("no initial state: {e}"))?;
    let time =
        |ticks: i64| Rational::new(i128::from(ticks), i128::from(trace.unit)).map_err(|e| format!("{e:?}"));
    for (index, step) in trace.steps.iter().enumerate() {
        let step = step.in_units(trace.unit).map_err(|e| e.to_string())?;
        state = interpreter
            .replay_step(&state, &step)
            .map_err(|e| format!("step {index} of {}: {e}; {step:?}", trace.steps.len()))?;
    }
    // A stochastic walk may let time pass, and miss what was possible before.
    if trace.last_delay > 0 {
        state = interpreter
            .delay(&state, time(trace.last_delay)?)
            .map_err(|e| format!("the delay after the last step: {e}"))?;
    }
    if matches!(end, End::Deadlock | End::TimeLock)
        && !interpreter.is_deadlock(&state).map_err(|e| e.to_string())?
    {
        return Err(format!(
            "the walk is stuck after {} steps, the interpreter is not",
            trace.steps.len()
        ));
    }
    Ok(trace.steps.len())
}
