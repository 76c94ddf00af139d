//! Better traces: what was found is shrunk, and compared with what later walks under its bound find (RET-S and RET-F of
//! the paper).

use crate::options::TraceKind;
use crate::outcome::Times;
use crate::outcome::ticks;
use crate::search_end::SearchEnd;
use crate::walks::WalkSearch;
use std::time::Instant;
use zonewalk_report::trace::Time;
use zonewalk_run::Run;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::search::FoundWalk;
use zonewalk_walk::shrink::{Objective, shrink};

/// The part of the effort that is kept for shorter walks when any trace will do. They find the short ways into a small
/// model that shrinking a long run misses.
const SHORTER_WALKS: u64 = 3;

/// The part of the least effort that shorter walks may have even if they find nothing.
const PATIENCE: u64 = 4;

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

/// Makes a found run as good as the options ask for. `improved` is called for every better one when the best is wanted.
pub(crate) fn improve(
    (found, heuristic): (FoundWalk, Heuristic),
    search: &mut WalkSearch<'_>,
    judge: Judge<'_>,
    times: &mut Times,
    improved: &mut dyn FnMut(usize, Time),
) -> Best {
    let (found_steps, walk) = (found.run.steps.len(), found.walk);
    let found_duration = ticks(found.run.duration(), found.run.unit);
    let start = Instant::now();
    let searched = search.effort.saturating_add(search.options.walks.effort_before);
    let allowed = search.options.trace.allowance(searched);
    let mut left = match search.options.trace.kind {
        TraceKind::Shortest | TraceKind::Fastest => allowed,
        TraceKind::None | TraceKind::Some | TraceKind::Short => allowed - allowed / SHORTER_WALKS,
    };
    let before = left;
    let (mut best, cost) = shorten(found, search, judge, &mut left);
    let mut best_found = (found_steps, found_duration);
    search.control.set_best(best.steps());
    match search.options.trace.kind {
        TraceKind::None => {}
        TraceKind::Some | TraceKind::Short if !search.options.shrinks() => {}
        TraceKind::Some | TraceKind::Short => {
            let patience = match search.options.trace.kind {
                TraceKind::Short => allowed,
                _ => searched
                    .saturating_add(before - left)
                    .max(search.options.trace.shrink_budget / PATIENCE),
            };
            let means = WalkMeans {
                budget: allowed / SHORTER_WALKS,
                patience,
            };
            shorter_walks((&mut best, cost), means, search, heuristic, judge);
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

/// Cost of a shorter walk, and the least length of a run.
#[derive(Clone, Copy)]
struct Cost {
    walk_effort: u64,
    fewest_steps: u64,
}

/// Means for shorter walks.
#[derive(Clone, Copy)]
struct WalkMeans {
    budget: u64,
    /// Effort in vain since the last success after which nothing more will come of it.
    patience: u64,
}

/// Walks that are shorter than the best run, as many as their means allow. Their number depends on nothing
/// but the search and the run, unless a time limit ends them: the same seed gives the same trace.
fn shorter_walks(
    (best, mut cost): (&mut Candidate, Cost),
    means: WalkMeans,
    search: &mut WalkSearch<'_>,
    heuristic: Heuristic,
    judge: Judge<'_>,
) {
    let mut budget = means.budget;
    search.continue_with(heuristic);
    while best.steps() as u64 > cost.fewest_steps.max(1) {
        let bound = best.steps() as u64 - 1;
        let first = search.next_walk();
        let Ok(depth) = u32::try_from(bound) else { return };
        let walks = budget.min(means.patience) / cost.walk_effort.max(1);
        let SearchEnd::Found((found, _)) = search.run(Some(depth), Some(walks)) else {
            return;
        };
        budget = budget.saturating_sub((found.walk + 1 - first) * cost.walk_effort);
        let next;
        (next, cost) = shorten(*found, search, judge, &mut budget);
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
        let SearchEnd::Found((found, _)) = search.run(bound, None) else {
            return;
        };
        let mut budget = search.options.trace.allowance(0);
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
fn shorten(
    found: FoundWalk,
    search: &WalkSearch<'_>,
    judge: Judge<'_>,
    budget: &mut u64,
) -> (Candidate, Cost) {
    let objective = match search.options.trace.kind {
        TraceKind::Some | TraceKind::Short | TraceKind::Shortest if search.options.shrinks() => {
            Objective::Steps
        }
        TraceKind::Fastest if search.options.shrinks() => Objective::Time,
        _ => {
            let cost = Cost {
                walk_effort: found.run.steps.len() as u64,
                fewest_steps: 0,
            };
            let candidate = Candidate {
                run: found.run,
                retimed: None,
            };
            return (candidate, cost);
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
        run: shrunk.run,
        retimed: shrunk.retimed,
    };
    let candidate = match objective {
        Objective::Steps => candidate,
        Objective::Time => candidate.settled(judge),
    };
    let cost = Cost {
        walk_effort: shrunk.walk_effort,
        fewest_steps: shrunk.fewest_steps,
    };
    (candidate, cost)
}
