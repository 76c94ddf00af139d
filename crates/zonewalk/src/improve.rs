//! Better traces: what was found is shrunk, and compared with what later walks under its bound find (RET-S and RET-F of
//! the paper).

use crate::hunt::{Caught, Hunt};
use crate::options::TraceWish;
use crate::outcome::Times;
use crate::witness::ticks;
use std::time::Instant;
use zonewalk_report::trace::Time;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::search::Found;
use zonewalk_walk::shrink::{Objective, shrink};
use zonewalk_walk::trace::Trace as Run;

/// How much more effort goes into a trace when the best one is asked for.
const ASKED_FOR: u64 = 10;

/// The part of the effort that goes into shorter walks when any trace will do. They find the short ways into a small
/// model that shrinking a long one misses.
const SHORTER_WALKS: u64 = 4;

/// A run that shows what it should, and what the first one was like.
pub(crate) struct Best {
    pub(crate) run: Run,
    pub(crate) found_steps: usize,
    pub(crate) found_duration: Time,
    pub(crate) walk: u64,
}

/// Makes a found run as good as the options ask for. `improved` hears of every better one when the best is wanted.
pub(crate) fn improve(
    (found, heuristic): (Found, Heuristic),
    hunt: &mut Hunt<'_>,
    times: &mut Times,
    improved: &mut dyn FnMut(usize, Time),
) -> Best {
    let (found_steps, walk) = (found.trace.steps.len(), found.walk);
    let found_duration = ticks(found.trace.duration(), found.trace.unit);
    let start = Instant::now();
    let mut budget = match hunt.options.trace {
        TraceWish::Shortest | TraceWish::Fastest => hunt.options.shrink_budget.saturating_mul(ASKED_FOR),
        TraceWish::None | TraceWish::Some => hunt.options.shrink_budget,
    };
    let mut run = shorten(found, hunt, &mut budget);
    hunt.control.set_best(run.steps.len());
    match hunt.options.trace {
        TraceWish::None => {}
        TraceWish::Some => {
            shorter_walks(&mut run, hunt, heuristic);
            times.shrink = start.elapsed();
        }
        TraceWish::Shortest | TraceWish::Fastest => {
            times.shrink = start.elapsed();
            until_the_end(&mut run, hunt, improved);
            times.improve = start.elapsed() - times.shrink;
        }
    }
    Best {
        run,
        found_steps,
        found_duration,
        walk,
    }
}

/// Walks that are shorter than the best run, as many as their part of the effort allows. Their number depends on nothing
/// but the run, and no clock is looked at: the same seed gives the same trace.
fn shorter_walks(best: &mut Run, hunt: &mut Hunt<'_>, heuristic: Heuristic) {
    let mut budget = hunt.options.shrink_budget / SHORTER_WALKS;
    hunt.go_on_with(heuristic);
    while best.steps.len() > 1 {
        let bound = best.steps.len() as u64 - 1;
        let first = hunt.next_walk();
        let Ok(depth) = u32::try_from(bound) else { return };
        let Caught::Found(found, _) = hunt.run(Some(depth), Some(budget / bound)) else {
            return;
        };
        budget = budget.saturating_sub((found.walk + 1 - first) * bound);
        let next = shorten(*found, hunt, &mut budget);
        if next.steps.len() < best.steps.len() {
            *best = next;
            hunt.control.set_best(best.steps.len());
        }
    }
}

/// Walks under the best bound until the time is over.
fn until_the_end(best: &mut Run, hunt: &mut Hunt<'_>, improved: &mut dyn FnMut(usize, Time)) {
    let is_time = hunt.options.trace == TraceWish::Fastest;
    // All walks begin in the same state: had it been the goal, the first one would have had no steps.
    while if is_time {
        best.duration() > 0
    } else {
        best.steps.len() > 1
    } {
        let bound = if is_time {
            hunt.options.depth()
        } else {
            Some(u32::try_from(best.steps.len() - 1).unwrap_or(u32::MAX))
        };
        // A run-time error that turns up now does not change the answer.
        let Caught::Found(found, _) = hunt.run(bound, None) else {
            return;
        };
        let mut budget = hunt.options.shrink_budget.saturating_mul(ASKED_FOR);
        let next = shorten(*found, hunt, &mut budget);
        let is_better = if is_time {
            next.duration() < best.duration()
        } else {
            next.steps.len() < best.steps.len()
        };
        if is_better {
            *best = next;
            hunt.control.set_best(best.steps.len());
            improved(best.steps.len(), ticks(best.duration(), best.unit));
        }
    }
}

/// A found run made shorter or faster; what that costs is taken from the budget.
fn shorten(found: Found, hunt: &Hunt<'_>, budget: &mut u64) -> Run {
    let objective = match hunt.options.trace {
        TraceWish::None => return found.trace,
        TraceWish::Some | TraceWish::Shortest => Objective::Steps,
        TraceWish::Fastest => Objective::Time,
    };
    hunt.control.set_shrinking(true);
    let shrunk = shrink(hunt.plan, hunt.goal, &found, *budget, objective);
    hunt.control.set_shrinking(false);
    *budget = budget.saturating_sub(shrunk.tried_steps);
    shrunk.trace
}
