//! Other times for a run: simple ones, or the earliest.

use crate::goal::WalkGoal;
use crate::plan::WalkPlan;
use crate::run::timeline::timeline;
use crate::search::FoundWalk;
use crate::walker::Record;
use zonewalk_run::Run;
use zonewalk_timing::{DEFAULT_BUDGET, Objective as Timing, solve_from};

/// Criterion by which a trace is better than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Fewer transitions.
    Steps,
    /// Less time.
    Time,
}

/// The run of a record, which reaches the goal at `end`, at simpler or earlier times; `None` when none were found.
pub(crate) fn retime(
    plan: &WalkPlan<'_>,
    goal: &WalkGoal,
    record: &Record,
    end: i64,
    objective: Objective,
) -> Option<Run> {
    let objective = match objective {
        Objective::Steps => Timing::Simple,
        Objective::Time => Timing::Fastest,
    };
    solve(plan, Some(goal), record, end, objective)
}

/// The run of a walk that met a run-time error, at simpler times; `None` when none were found. What fails there is possible
/// at the end of the new run too: every clock is between the same whole numbers.
pub fn retime_fault(plan: &WalkPlan<'_>, walk: &FoundWalk) -> Option<Run> {
    solve(plan, None, &walk.record, walk.run.duration(), Timing::Simple)
}

fn solve(
    plan: &WalkPlan<'_>,
    goal: Option<&WalkGoal>,
    record: &Record,
    end: i64,
    objective: Timing,
) -> Option<Run> {
    let timeline = timeline(plan, goal, record, end)?;
    let solution = solve_from(&timeline.path, objective, DEFAULT_BUDGET, Some(&timeline.known)).ok()?;
    let mut trace = record.run(plan, record.steps.len(), end);
    let (last, delays) = solution.schedule.delays.split_last()?;
    trace.unit = solution.schedule.unit;
    trace.last_delay = *last;
    for (step, delay) in trace.steps.iter_mut().zip(delays) {
        step.delay = *delay;
    }
    Some(trace)
}
