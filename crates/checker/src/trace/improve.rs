//! Better traces: what was found is shrunk, and compared with what later walks under its bound find (RET-S and RET-F of
//! the paper).

use crate::options::TraceKind;
use crate::outcome::Times;
use crate::trace::confirm::ticks;
use crate::walks::search::{WalkEnd, WalkSearch};
use std::time::Instant;
use zonewalk_report::trace::Time;
use zonewalk_run::Run;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::search::Found;
use zonewalk_walk::shrink::{Objective, shrink};

/// How much more effort goes into a trace when the best one is asked for.
const ASKED_FOR: u64 = 10;

/// How many times the least effort goes into a trace after a long search: some ten seconds.
const MOST: u64 = 16;

/// The part of the effort that goes into shorter walks when any trace will do. They find the short ways into a small
/// model that shrinking a long one misses.
const SHORTER_WALKS: u64 = 2;

/// A run, and perhaps a simpler one: the same transitions at times that were computed and not walked.
pub(crate) struct Candidate {
    pub(crate) run: Run,
    /// It counts only when it replays.
    pub(crate) retimed: Option<Run>,
}

impl Candidate {
    /// The simpler one if it replays. Its time decides what is better, so it must be known for sure.
    fn settled(self, judge: Judge<'_>) -> Candidate {
        let retimed = self.retimed.filter(|retimed| judge(retimed));
        Candidate {
            run: retimed.unwrap_or(self.run),
            retimed: None,
        }
    }

    fn steps(&self) -> usize {
        self.run.steps.len()
    }

    fn is_faster_than(&self, other: &Candidate) -> bool {
        // Ticks of different lengths: compare `a / unit` and `b / unit`.
        let (a, b) = (&self.run, &other.run);
        i128::from(a.duration()) * i128::from(b.unit) < i128::from(b.duration()) * i128::from(a.unit)
    }
}

/// Tells whether a run replays on the reference interpreter and shows what it should.
pub(crate) type Judge<'a> = &'a dyn Fn(&Run) -> bool;

/// A run that shows what it should, and what the first one was like.
pub(crate) struct Best {
    pub(crate) candidate: Candidate,
    pub(crate) found_steps: usize,
    pub(crate) found_duration: Time,
    pub(crate) walk: u64,
}

/// Makes a found run as good as the options ask for. `improved` hears of every better one when the best is wanted.
pub(crate) fn improve(
    (found, heuristic): (Found, Heuristic),
    search: &mut WalkSearch<'_>,
    judge: Judge<'_>,
    times: &mut Times,
    improved: &mut dyn FnMut(usize, Time),
) -> Best {
    let (found_steps, walk) = (found.trace.steps.len(), found.walk);
    let found_duration = ticks(found.trace.duration(), found.trace.unit);
    let start = Instant::now();
    let allowed = allowance(
        search.options.trace.kind,
        search.options.trace.shrink_budget,
        search.effort.saturating_add(search.options.walks.effort_before),
    );
    let (mut best, walk_effort) = shorten(found, search, judge, &mut { allowed });
    let mut best_found = (found_steps, found_duration);
    search.control.set_best(best.steps());
    match search.options.trace.kind {
        TraceKind::None => {}
        TraceKind::Some if !search.options.shrinks() => {}
        TraceKind::Some => {
            let budget = allowed / SHORTER_WALKS;
            shorter_walks((&mut best, walk_effort), budget, search, heuristic, judge);
            times.shrink = start.elapsed();
        }
        TraceKind::Shortest | TraceKind::Fastest => {
            times.shrink = start.elapsed();
            until_the_end(&mut best, search, judge, improved);
            times.improve = start.elapsed() - times.shrink;
            if !search.options.shrinks() {
                // Some walk found it as it is.
                best_found = (best.steps(), ticks(best.run.duration(), best.run.unit));
            }
        }
    }
    let (found_steps, found_duration) = best_found;
    Best {
        candidate: best,
        found_steps,
        found_duration,
        walk,
    }
}

/// What may go into shrinking a run that was found now. With shorter walks it is about as much again as the search has cost:
/// shortening takes at most as long as the search did.
fn allowance(wish: TraceKind, least: u64, searched: u64) -> u64 {
    match wish {
        TraceKind::Shortest | TraceKind::Fastest => least.saturating_mul(ASKED_FOR),
        TraceKind::None | TraceKind::Some => {
            let as_much_again = searched / (SHORTER_WALKS + 1) * SHORTER_WALKS;
            as_much_again.clamp(least, least.saturating_mul(MOST))
        }
    }
}

/// Walks that are shorter than the best run, as many as the budget allows. Their number depends on nothing
/// but the search and the run, unless a time limit ends them: the same seed gives the same trace.
fn shorter_walks(
    (best, mut walk_effort): (&mut Candidate, u64),
    mut budget: u64,
    search: &mut WalkSearch<'_>,
    heuristic: Heuristic,
    judge: Judge<'_>,
) {
    search.continue_with(heuristic);
    while best.steps() > 1 {
        let bound = best.steps() as u64 - 1;
        let first = search.next_walk();
        let Ok(depth) = u32::try_from(bound) else { return };
        let WalkEnd::Found(found, _) = search.run(Some(depth), Some(budget / walk_effort.max(1))) else {
            return;
        };
        budget = budget.saturating_sub((found.walk + 1 - first) * walk_effort);
        let next;
        (next, walk_effort) = shorten(*found, search, judge, &mut budget);
        if next.steps() < best.steps() {
            *best = next;
            search.control.set_best(best.steps());
        }
    }
}

/// Walks under the best bound until the time is over.
fn until_the_end(
    best: &mut Candidate,
    search: &mut WalkSearch<'_>,
    judge: Judge<'_>,
    improved: &mut dyn FnMut(usize, Time),
) {
    let is_time = search.options.trace.kind == TraceKind::Fastest;
    // All walks begin in the same state: had it been the goal, the first one would have had no steps.
    while if is_time {
        best.run.duration() > 0
    } else {
        best.steps() > 1
    } {
        let bound = if is_time {
            search.stop_before(&best.run);
            search.options.depth()
        } else {
            Some(u32::try_from(best.steps() - 1).unwrap_or(u32::MAX))
        };
        // A run-time error that turns up now does not change the answer.
        let WalkEnd::Found(found, _) = search.run(bound, None) else {
            return;
        };
        let mut budget = search.options.trace.shrink_budget.saturating_mul(ASKED_FOR);
        let (next, _) = shorten(*found, search, judge, &mut budget);
        let is_better = if is_time {
            next.is_faster_than(best)
        } else {
            next.steps() < best.steps()
        };
        if is_better {
            *best = next;
            search.control.set_best(best.steps());
            improved(best.steps(), ticks(best.run.duration(), best.run.unit));
        }
    }
}

/// A found run made shorter or faster; what that costs is taken from the budget. Also what another walk, shorter by a step,
/// would cost.
fn shorten(found: Found, search: &WalkSearch<'_>, judge: Judge<'_>, budget: &mut u64) -> (Candidate, u64) {
    let objective = match search.options.trace.kind {
        TraceKind::Some | TraceKind::Shortest if search.options.shrinks() => Objective::Steps,
        TraceKind::Fastest if search.options.shrinks() => Objective::Time,
        _ => {
            let walk_effort = found.trace.steps.len() as u64;
            let candidate = Candidate {
                run: found.trace,
                retimed: None,
            };
            return (candidate, walk_effort);
        }
    };
    search.control.set_shrinking(true);
    let shrunk = shrink(
        search.plan,
        search.goal,
        &found,
        search.options.means(*budget),
        objective,
    );
    search.control.set_shrinking(false);
    *budget = budget.saturating_sub(shrunk.effort);
    let candidate = Candidate {
        run: shrunk.trace,
        retimed: shrunk.retimed,
    };
    let candidate = match objective {
        Objective::Steps => candidate,
        Objective::Time => candidate.settled(judge),
    };
    (candidate, shrunk.walk_effort)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_takes_about_as_long_as_the_search() {
        let allowed = |searched| allowance(TraceKind::Some, 1000, searched);
        // Shorter walks have half as much.
        let all = |searched| allowed(searched) + allowed(searched) / SHORTER_WALKS;
        assert_eq!((allowed(0), allowed(1200)), (1000, 1000));
        assert_eq!((all(6000), all(9000)), (6000, 9000));
        assert_eq!(allowed(u64::MAX), 1000 * MOST);
        // The best of all is worth more, and without a budget nothing is shrunk.
        assert_eq!(allowance(TraceKind::Shortest, 1000, 0), 1000 * ASKED_FOR);
        assert_eq!(allowance(TraceKind::Some, 0, u64::MAX), 0);
    }
}
