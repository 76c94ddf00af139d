//! Walks that look for a goal, on several threads.

mod closest;
pub mod explore;
mod outcome;
mod thread;
mod walk;

pub use closest::{Closest, Margin};
pub(crate) use outcome::ThreadResult;
pub use outcome::{Failed, FoundWalk, WalkOutcome, WalkReport};
pub(crate) use thread::WalkThread;
pub(crate) use walk::{Observer, WalkEnd};

use crate::goal::WalkGoal;
use crate::heuristic::choose::Heuristic;
use crate::heuristic::coverage::Coverage;
use crate::plan::WalkPlan;
use crate::search::explore::Options;
use outcome::{count_end, gather};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// When to give up.
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// At this moment.
    pub deadline: Option<Instant>,
    /// Before the walk with this number, the first one being 0.
    pub max_walks: Option<u64>,
    /// The number of the first walk: where an earlier search left off.
    pub first_walk: u64,
    /// The last instant of every walk, in ticks of the plan: a goal that is reached later does not count.
    pub last_instant: Option<i64>,
    /// Hears again and again what the walks of a thread have cost since it heard of them last, in steps of a small model. They
    /// go on when it returns: a search that shares a processor with them may keep them waiting.
    pub spend: Option<&'a (dyn Fn(u64) + Sync)>,
}

/// Progress and interruption that other threads share with walks under way.
#[derive(Debug, Default)]
pub struct Control {
    /// Set it to stop the walks, and whatever else was given it.
    pub interrupted: Arc<AtomicBool>,
    /// Set to end the search because the answer is known.
    pub cancelled: AtomicBool,
    /// Walks so far.
    pub walks: AtomicU64,
    /// Steps so far.
    pub steps: AtomicU64,
}

impl Control {
    fn is_ending(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.cancelled.load(Ordering::Relaxed)
    }
}

/// Looks for a goal. Walk number `i` runs on thread `i mod threads`; of the walks that find it the one with the smallest
/// number wins, so that the answer depends on seed and number of threads alone.
pub fn search(
    plan: &WalkPlan<'_>,
    goal: &WalkGoal,
    options: &Options,
    threads: usize,
    limits: &Limits<'_>,
    control: &Control,
) -> WalkReport {
    run(plan, Some(goal), options, threads, limits, control).0
}

/// Searches, with a mark for each edge instance that a walk took: a scheduler of heuristics needs to know which of
/// them gets somewhere. As long as nothing is found the marks depend on nothing else than the answer does.
pub fn search_with_marks(
    plan: &WalkPlan<'_>,
    goal: &WalkGoal,
    options: &Options,
    threads: usize,
    limits: &Limits<'_>,
    control: &Control,
) -> (WalkReport, Vec<bool>) {
    run(plan, Some(goal), options, threads, limits, control)
}

/// Searches on one thread, beginning with what earlier walks have counted, which is then counted on: RLC-A never forgets by
/// [`Schedule::Paper`](crate::heuristic::schedule::Schedule::Paper), however many searches its walks are made in.
pub fn search_with_coverage(
    plan: &WalkPlan<'_>,
    goal: &WalkGoal,
    options: &Options,
    limits: &Limits,
    control: &Control,
    coverage: &mut Coverage,
) -> (WalkReport, Vec<bool>) {
    let best = AtomicU64::new(u64::MAX);
    let counted = std::mem::replace(coverage, Coverage::none());
    let seeker = WalkThread::new(plan, Some(goal), options, limits, control, &best);
    let (share, counted) = seeker.run(0, 1, counted);
    *coverage = counted;
    gather(plan, vec![share], control)
}

/// The walks of a search, or walks without a goal, with the edge instances that were taken.
pub(crate) fn run(
    plan: &WalkPlan<'_>,
    goal: Option<&WalkGoal>,
    options: &Options,
    threads: usize,
    limits: &Limits<'_>,
    control: &Control,
) -> (WalkReport, Vec<bool>) {
    let threads = if options.is_sequential() {
        1
    } else {
        threads.max(1)
    };
    // The smallest number of a walk that has something to show; walks beyond it need not be made.
    let best = AtomicU64::new(u64::MAX);
    let run = |thread: usize| {
        let seeker = WalkThread::new(plan, goal, options, limits, control, &best);
        match options.heuristic {
            Heuristic::Guided => seeker.run_guided(thread, threads),
            _ => seeker.run(thread, threads, Coverage::new(plan)).0,
        }
    };
    let results = if threads == 1 {
        vec![run(0)]
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|t| scope.spawn(move || run(t))).collect();
            handles
                .into_iter()
                .map(|h| h.join().unwrap_or_else(|p| std::panic::resume_unwind(p)))
                .collect()
        })
    };
    gather(plan, results, control)
}
