//! Results of a search.

use super::{Closest, Control};
use crate::Stop;
use crate::plan::WalkPlan;
use crate::search::explore::End;
use crate::walker::Record;
use zonewalk_network::Transition;
use zonewalk_run::{Run, WalkEndCounts};

/// Results of a search.
#[derive(Clone, Debug)]
pub struct WalkReport {
    /// The result.
    pub outcome: WalkOutcome,
    /// Walks that were begun.
    pub walks: u64,
    /// Transitions that were taken.
    pub steps: u64,
    /// Steps of the longest walk.
    pub max_depth: u64,
    /// How walks ended.
    pub ends: WalkEndCounts,
    /// Cost of all of it, in steps of a small model.
    pub effort: u64,
    /// How close guided walks got to the goal; `None` for others, and where nothing can be measured.
    pub closest: Option<Closest>,
    /// The first run-time error of the model or the goal that walks met, by the number of the walk. They have gone on without
    /// what failed. Walks after the one that found the goal do not count.
    pub fault: Option<Box<Failed>>,
}

/// A run-time error, and the walk that leads there.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The error.
    pub stop: Stop,
    /// The walk, up to the moment at which it fails.
    pub found: FoundWalk,
    /// The transition that was tried when something failed. Of an edge whose guard fails there is that edge alone, of a goal
    /// there is none.
    pub attempt: Transition,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub enum WalkOutcome {
    /// The goal was reached by this walk.
    Found(Box<FoundWalk>),
    /// A run-time error that leaves no initial state.
    Error(Stop, Box<FoundWalk>),
    /// A limit was reached.
    LimitReached,
    /// It was interrupted.
    Interrupted,
    /// There is no initial state (`semantics.md` 6a).
    NoInitialState,
}

/// A walk that found something.
#[derive(Clone, Debug)]
pub struct FoundWalk {
    /// Its number.
    pub walk: u64,
    /// The run, as it was found.
    pub run: Run,
    pub(crate) record: Record,
}

impl FoundWalk {
    pub(super) fn new(plan: &WalkPlan<'_>, walk: u64, record: &Record, end: i64) -> Self {
        FoundWalk {
            walk,
            run: record.run(plan, record.steps.len(), end),
            record: record.clone(),
        }
    }
}

/// Counts a walk that ended by itself or by a bound; errors of the model are no such end.
pub(super) fn count_end(ends: &mut WalkEndCounts, end: End, record: &Record) {
    let steps = record.steps.len() as u64;
    let mut is_stuck = true;
    match end {
        End::Depth => {
            ends.depth += 1;
            is_stuck = is_zeno(record);
            ends.zeno += u64::from(is_stuck);
        }
        End::TimeBound => {
            ends.depth += 1;
            ends.late += 1;
            return;
        }
        End::Deadlock => ends.deadlocks += 1,
        End::TimeLock => ends.time_locks += 1,
        End::OffGrid => ends.off_grid += 1,
        End::Error(_) => return,
    }
    let longest = if is_stuck {
        &mut ends.stuck_steps
    } else {
        &mut ends.cut_steps
    };
    *longest = steps.max(*longest);
}

/// Whether no time passes in the second half of a walk.
fn is_zeno(record: &Record) -> bool {
    let steps = &record.steps;
    steps.len() >= 16 && steps[steps.len() / 2].at == steps[steps.len() - 1].at
}

/// Result of one thread.
pub(crate) struct ThreadResult {
    /// The number of the walk that decided.
    pub(super) number: u64,
    pub(super) outcome: Option<WalkOutcome>,
    pub(crate) walks: u64,
    pub(super) steps: u64,
    pub(super) max_depth: u64,
    pub(super) ends: WalkEndCounts,
    pub(crate) effort: u64,
    pub(crate) closest: Option<Closest>,
    pub(super) fault: Option<Box<Failed>>,
    /// By edge instance.
    pub(super) taken: Vec<bool>,
}

impl ThreadResult {
    /// Nothing yet.
    pub(crate) fn new(plan: &WalkPlan<'_>) -> ThreadResult {
        ThreadResult {
            number: u64::MAX,
            outcome: None,
            walks: 0,
            steps: 0,
            max_depth: 0,
            ends: WalkEndCounts::default(),
            effort: 0,
            closest: None,
            fault: None,
            taken: vec![false; plan.edges.len()],
        }
    }
}

/// Puts the results of all threads together.
pub(super) fn gather(
    plan: &WalkPlan<'_>,
    mut results: Vec<ThreadResult>,
    control: &Control,
) -> (WalkReport, Vec<bool>) {
    let mut report = WalkReport {
        outcome: WalkOutcome::LimitReached,
        walks: results.iter().map(|r| r.walks).sum(),
        steps: results.iter().map(|r| r.steps).sum(),
        max_depth: results.iter().map(|r| r.max_depth).max().unwrap_or(0),
        ends: WalkEndCounts::default(),
        effort: results.iter().map(|r| r.effort).sum(),
        closest: None,
        fault: None,
    };
    for r in &results {
        report.ends.add(&r.ends);
        if let Some(closest) = &r.closest {
            report.closest.get_or_insert_default().join(closest);
        }
    }
    let last = results.iter().map(|r| r.number).min().unwrap_or(u64::MAX);
    let faults = results.iter_mut().filter_map(|r| r.fault.take());
    report.fault = faults
        .filter(|failed| failed.found.walk <= last)
        .min_by_key(|failed| failed.found.walk);
    let mut taken = vec![false; plan.edges.len()];
    for r in &results {
        for (all, own) in taken.iter_mut().zip(&r.taken) {
            *all |= own;
        }
    }
    results.sort_by_key(|r| r.number);
    if let Some(outcome) = results.into_iter().find_map(|r| r.outcome) {
        report.outcome = outcome;
    }
    if matches!(report.outcome, WalkOutcome::LimitReached) && control.is_ending() {
        report.outcome = WalkOutcome::Interrupted;
    }
    (report, taken)
}
