//! Progress of a search as others see it, and the way to stop it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use zonewalk_search::{Breadth, Goal, Outcome, Progress, Store, TransitionSystem, Worker, search};

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The time is over.
    Time,
    /// The memory is used up.
    Memory,
    /// Another search has the answer, or the user has interrupted.
    Stopped,
    /// All walks that were asked for have been made.
    Walks,
    /// No walk can take a step: nothing is enabled at the start, or only inputs that nothing sends.
    Stuck,
    /// A guard has too many alternatives.
    TooLarge,
    /// A bound of a component that is built does not fit into 32 bits.
    Number,
}

/// Shared between a search and its watchers.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    /// Pairs of locations in the relation so far.
    pub pairs: AtomicU64,
    /// Zones that were explored so far.
    pub zones: AtomicU64,
    /// Walks that ended.
    pub walks: AtomicU64,
    /// Transitions that walks took.
    pub steps: AtomicU64,
    found: OnceLock<Instant>,
}

impl Control {
    /// Ends the search soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Notes that a violation was found. What follows is not a search any more: a run is made of it.
    pub(crate) fn finds(&self) {
        self.found.get_or_init(Instant::now);
    }

    /// When a violation was found.
    pub fn found_at(&self) -> Option<Instant> {
        self.found.get().copied()
    }

    /// Shows the counts of walks and of a complete search that run in parallel.
    pub fn follow(&self, walks: &Control, zones: &Control) {
        let copy =
            |to: &AtomicU64, from: &AtomicU64| to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        copy(&self.walks, &walks.walks);
        copy(&self.steps, &walks.steps);
        copy(&self.pairs, &zones.pairs);
        copy(&self.zones, &zones.zones);
        if let Some(instant) = walks.found_at().or(zones.found_at()) {
            self.found.get_or_init(|| instant);
        }
    }

    /// Whether the search has to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The ordinals of the steps to a goal, and the goal.
pub(crate) type GoalPath<S> = (Vec<u32>, S);

/// Limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Bytes.
    pub memory: Option<usize>,
    /// Until when.
    pub deadline: Option<Instant>,
}

impl Limits {
    /// Whether a search that holds this number of bytes has to end.
    pub fn exceeded(&self, control: &Control, bytes: usize) -> Option<Limit> {
        if control.is_stopped() {
            Some(Limit::Stopped)
        } else if self.memory.is_some_and(|most| bytes > most) {
            Some(Limit::Memory)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Limit::Time)
        } else {
            None
        }
    }

    /// Searches breadth first until a goal is met: the path there, and the goal. The first error of the system ends the search, too.
    pub(crate) fn search<T, S>(
        &self,
        worker: &mut Worker<'_, T>,
        store: &mut S,
        goal: Goal<'_, T::State>,
        control: &Control,
        see: &dyn Fn(&Progress),
    ) -> Result<Option<GoalPath<T::State>>, T::Fault>
    where
        T: TransitionSystem,
        T::Fault: From<Limit>,
        S: Store<State = T::State>,
    {
        let stop = |progress: &Progress| {
            see(progress);
            self.exceeded(control, 0).is_some()
        };
        let limits = zonewalk_search::Limits {
            memory: self.memory,
            stop: Some(&stop),
            ends_at_fault: true,
            ..zonewalk_search::Limits::default()
        };
        let report = search(worker, store, &mut Breadth::new(), goal, &limits);
        see(&report.statistics);
        if let Some(fault) = report.fault {
            return Err(fault.fault);
        }
        match report.outcome {
            Outcome::Found { path, state } => Ok(Some((path, state))),
            Outcome::Exhausted => Ok(None),
            Outcome::LimitReached(zonewalk_search::Limit::Memory) => Err(Limit::Memory.into()),
            Outcome::LimitReached(_) => Err(self.exceeded(control, 0).unwrap_or(Limit::Stopped).into()),
        }
    }
}
