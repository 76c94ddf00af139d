//! Repeats runs on the reference interpreter, the judge of all engines.

use crate::judge::record::Recorder;
use crate::outcome::{Fault, Origin, ticks};
use crate::premise::mentions_deadlock;
use zonewalk_model::tree::Expr;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::{Error, Interpreter, State};
use zonewalk_report::trace::{End, Trace};
use zonewalk_run::Run;

/// Repeats a run. It must be one of the model, and end where `goal` has its truth value. The trace is made when it is
/// wanted.
///
/// # Errors
/// The first thing that is wrong with the run, in words.
pub(crate) fn confirm(
    interpreter: &Interpreter<'_>,
    run: &Run,
    goal: Option<(&Expr, bool)>,
    end: End,
    is_wanted: bool,
) -> Result<Option<Trace>, String> {
    repeat(interpreter, run, goal, end, is_wanted).map(|(trace, _)| trace)
}

/// A run-time error in the last state of a run, for a goal about deadlocks (`semantics.md` 28a). Requires: the run was confirmed.
pub(crate) fn failing_at_the_end(
    interpreter: &Interpreter<'_>,
    run: &Run,
    goal: &Expr,
    is_wanted: bool,
) -> Option<Box<Fault>> {
    if !mentions_deadlock(goal) {
        return None;
    }
    let (mut trace, last) = repeat(interpreter, run, None, End::Steps, is_wanted).ok()?;
    let diagnostic = interpreter.failing_transition(&last)?.to_diagnostic();
    if let Some(trace) = &mut trace {
        trace.end = End::Error {
            message: diagnostic.message.clone(),
            attempt: None,
        };
    }
    Some(Box::new(Fault {
        diagnostic: Box::new(diagnostic),
        trace: trace.map(Box::new),
        origin: Origin::Model,
    }))
}

/// Repeats a run at whose end a condition must hold, and looks at the value that an expression has there. The trace is made
/// when there is something to say at its end.
///
/// # Errors
/// The first thing that is wrong with the run, in words.
pub(crate) fn measure(
    interpreter: &Interpreter<'_>,
    run: &Run,
    condition: Option<&Expr>,
    expr: &Expr,
    end: Option<&dyn Fn(Rational) -> End>,
) -> Result<(Rational, Option<Trace>), String> {
    let goal = condition.map(|condition| (condition, true));
    let (mut trace, last) = repeat(interpreter, run, goal, End::Steps, end.is_some())?;
    let value = interpreter
        .value(&last, expr)
        .map_err(|error| error.to_string())?;
    if let (Some(trace), Some(end)) = (&mut trace, end) {
        trace.end = end(value);
    }
    Ok((value, trace))
}

/// Repeats a run; its trace and its last state.
///
/// # Errors
/// The first thing that is wrong with the run, in words.
pub(crate) fn repeat(
    interpreter: &Interpreter<'_>,
    run: &Run,
    goal: Option<(&Expr, bool)>,
    end: End,
    is_wanted: bool,
) -> Result<(Option<Trace>, State), String> {
    let recorder = Recorder::new(interpreter);
    let mut state = interpreter.initial().map_err(|error| error.to_string())?;
    let mut trace = is_wanted.then(|| Trace {
        initial: recorder.state(&state),
        steps: Vec::with_capacity(run.steps.len()),
        last_delay: ticks(run.last_delay, run.unit),
        end,
    });
    for (index, step) in run.steps.iter().enumerate() {
        let replayed = step
            .in_units(run.unit)
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
        return Err(format!("after {} steps the goal does not hold", run.steps.len()));
    }
    Ok((trace, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewalk_model::ids::{EdgeId, ProcessId};
    use zonewalk_model::tree::{Query, QueryKind};
    use zonewalk_model::{check, instance};
    use zonewalk_run::{Part, Step};
    use zonewalk_syntax::read::{read_formula, read_model};
    use zonewalk_syntax::source::SourceMap;

    const MODEL: &str = "clock x; int i; process P() { state a { x <= 3 }, b; init a;
        trans a -> b { guard x >= 2; assign i = 1; }; } system P;";

    /// A run of one step, and a delay after it, in halves of a unit.
    fn run(delay: i64, edge: u32, last_delay: i64) -> Run {
        let part = Part {
            process: ProcessId(0),
            edge: EdgeId(edge),
            selects: Vec::new(),
        };
        let steps = vec![Step {
            delay,
            parts: vec![part],
        }];
        Run {
            unit: 2,
            steps,
            last_delay,
        }
    }

    #[test]
    fn a_run_that_is_none_is_found_out() {
        let mut sources = SourceMap::new();
        let (document, _) = read_model("m.xta", MODEL.as_bytes(), None, &mut sources);
        let entry = read_formula("q", "E<> P.b && x > 4", &mut sources);
        let (model, _) = check::check(sources, &document.expect("it parses"), &[]);
        let model = model.expect("it is well-formed");
        let system = instance::instantiate(&model).expect("it has one process");
        let queries: Vec<Query> = check::queries(&model, &[entry]).into_iter().flatten().collect();
        let QueryKind::Reachable(expr) = &queries[0].kind else {
            panic!("a query about states");
        };
        let interpreter = Interpreter::new(&model, &system).expect("nothing unusual is in it");
        let confirm =
            |run: &Run, wanted: bool| confirm(&interpreter, run, Some((expr, wanted)), End::Goal, true);

        let trace = confirm(&run(5, 0, 4), true)
            .expect("a run of the model")
            .expect("it is wanted");
        assert_eq!(
            (trace.steps.len(), trace.last_delay.to_string().as_str()),
            (1, "2")
        );
        assert_eq!(trace.steps[0].time.to_string(), "5/2");
        let wrong = |run: Run, wanted| confirm(&run, wanted).expect_err("it is wrong");
        assert_eq!(wrong(run(5, 0, 4), false), "after 1 steps the goal does not hold");
        assert_eq!(wrong(run(5, 0, 3), true), "after 1 steps the goal does not hold");
        assert!(wrong(run(3, 0, 4), true).starts_with("step 1 of 1: the guard"));
        assert!(wrong(run(7, 0, 4), true).starts_with("step 1 of 1: the invariant"));
        assert!(wrong(run(5, 9, 4), true).starts_with("step 1 of 1: there is no edge"));
        assert!(wrong(run(5, 0, -1), true).starts_with("after 1 steps: the delay -1/2 is negative"));
    }
}
