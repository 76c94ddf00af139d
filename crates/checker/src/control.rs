//! Progress of a search as others see it, and the way to stop it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::search;

use crate::engine::{HEURISTICS, heuristic_name};
use crate::options::Options;
use crate::order::Order;
use zonewalk_search::{Alarm, Statistics};
use zonewalk_searches::Search;

/// Shared between a search and its watchers.
#[derive(Debug)]
pub struct Control {
    pub(crate) walks: search::Control,
    /// In [`HEURISTICS`].
    heuristic: AtomicUsize,
    /// The number of the current search's first walk, less the number of walks made before it began.
    offset: AtomicU64,
    /// The depth of the current turn; 0 where it grows.
    depth: AtomicU32,
    best_steps: AtomicU64,
    is_shrinking: AtomicBool,
    /// In [`Search::ALL`]: the search of states that is under way, if one is.
    states_by: AtomicUsize,
    states_explored: AtomicU64,
    states_stored: AtomicU64,
    states_waiting: AtomicU64,
    state_bytes: AtomicU64,
    is_preparing: AtomicBool,
    /// Runs of the statistical query that is under way.
    runs: AtomicU64,
    satisfied: AtomicU64,
}

/// A moment of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Walks so far, of all searches under this control.
    pub walks: u64,
    /// Steps so far.
    pub steps: u64,
    /// The current heuristic.
    pub search: &'static str,
    /// How deep walks go now.
    pub depth: u32,
    /// The shares of lower and upper bounds among the current delays, in percent; `None` where they are uniform.
    pub distribution: Option<(u8, u8)>,
    /// Steps of the best trace so far.
    pub best_steps: Option<u64>,
    /// A trace has been found and is being made shorter.
    pub is_shrinking: bool,
    /// The search of states, if there is one.
    pub states: Option<States>,
    /// The runs of a statistical query, if it is one.
    pub runs: Option<RunCounts>,
}

/// A moment of a statistical query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunCounts {
    /// Runs so far.
    pub made: u64,
    /// How many of them satisfy what is asked about, where that is counted.
    pub satisfied: Option<u64>,
}

/// A moment of a search of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct States {
    /// Its name.
    pub search: &'static str,
    /// States whose successors were computed.
    pub explored: u64,
    /// States in the store.
    pub stored: u64,
    /// States that wait.
    pub waiting: u64,
    /// Memory for them.
    pub bytes: u64,
    /// They are states of abstractions, which prepare the search.
    pub are_abstract: bool,
}

/// No search of states.
const NO_SEARCH: usize = usize::MAX;

/// No runs, or none that are counted.
const NO_RUNS: u64 = u64::MAX;

impl Default for Control {
    fn default() -> Self {
        Control {
            walks: search::Control::default(),
            heuristic: AtomicUsize::new(0),
            offset: AtomicU64::new(0),
            depth: AtomicU32::new(0),
            best_steps: AtomicU64::new(u64::MAX),
            is_shrinking: AtomicBool::new(false),
            states_by: AtomicUsize::new(NO_SEARCH),
            states_explored: AtomicU64::new(0),
            states_stored: AtomicU64::new(0),
            states_waiting: AtomicU64::new(0),
            state_bytes: AtomicU64::new(0),
            is_preparing: AtomicBool::new(false),
            runs: AtomicU64::new(NO_RUNS),
            satisfied: AtomicU64::new(NO_RUNS),
        }
    }
}

impl Control {
    /// Asks the search to stop; it ends with what it has. Returns whether a stop had been requested before.
    pub fn interrupt(&self) -> bool {
        self.walks.interrupted.swap(true, Ordering::Relaxed)
    }

    /// Whether a stop was requested.
    pub fn is_interrupted(&self) -> bool {
        self.walks.interrupted.load(Ordering::Relaxed)
    }

    /// Alarm that ends a search with these options in the middle of a state.
    pub fn alarm(&self, deadline: Option<Instant>) -> Alarm {
        Alarm::new(deadline, Arc::clone(&self.walks.interrupted))
    }

    /// Where a search with these options stands.
    pub fn progress(&self, options: &Options) -> Progress {
        let walks = self.walks.walks.load(Ordering::Relaxed);
        let number = walks.wrapping_add(self.offset.load(Ordering::Relaxed));
        let best = self.best_steps.load(Ordering::Relaxed);
        let turn_depth = Some(self.depth.load(Ordering::Relaxed)).filter(|&d| d > 0);
        let heuristic = HEURISTICS[self.heuristic.load(Ordering::Relaxed) % HEURISTICS.len()];
        Progress {
            walks,
            steps: self.walks.steps.load(Ordering::Relaxed),
            search: heuristic_name(heuristic),
            depth: options
                .walks
                .schedule
                .depth(number.saturating_sub(1), turn_depth.or(options.depth())),
            // SEM chooses the delay first, uniformly; SMC has distributions of its own.
            distribution: options
                .walks
                .delays
                .distribution(number.saturating_sub(1))
                .filter(|_| heuristic.draws_from_windows())
                .map(|d| (d.lower, d.upper)),
            best_steps: (best != u64::MAX).then_some(best),
            is_shrinking: self.is_shrinking(),
            states: self.states(),
            runs: self.runs(),
        }
    }

    fn runs(&self) -> Option<RunCounts> {
        let counted = |count: &AtomicU64| Some(count.load(Ordering::Relaxed)).filter(|&n| n != NO_RUNS);
        Some(RunCounts {
            made: counted(&self.runs)?,
            satisfied: counted(&self.satisfied),
        })
    }

    /// Where a statistical query stands.
    pub(crate) fn see_runs(&self, made: u64, satisfied: Option<u64>) {
        self.runs.store(made, Ordering::Relaxed);
        self.satisfied
            .store(satisfied.unwrap_or(NO_RUNS), Ordering::Relaxed);
    }

    fn states(&self) -> Option<States> {
        let search = Search::ALL.get(self.states_by.load(Ordering::Relaxed))?;
        Some(States {
            search: search.name(),
            explored: self.states_explored.load(Ordering::Relaxed),
            stored: self.states_stored.load(Ordering::Relaxed),
            waiting: self.states_waiting.load(Ordering::Relaxed),
            bytes: self.state_bytes.load(Ordering::Relaxed),
            are_abstract: self.is_preparing.load(Ordering::Relaxed),
        })
    }

    /// The states that are shown are those of abstractions, or are not any more.
    pub(crate) fn see_preparation(&self, is_preparing: bool) {
        self.is_preparing.store(is_preparing, Ordering::Relaxed);
    }

    /// Where a search of states stands.
    pub(crate) fn see_states(&self, by: Order, statistics: &Statistics) {
        let index = Search::ALL.iter().position(|&s| s == by.search());
        self.states_by
            .store(index.unwrap_or(NO_SEARCH), Ordering::Relaxed);
        self.states_explored
            .store(statistics.states_explored, Ordering::Relaxed);
        self.states_stored
            .store(statistics.states_stored as u64, Ordering::Relaxed);
        self.states_waiting
            .store(statistics.waiting as u64, Ordering::Relaxed);
        self.state_bytes.store(statistics.bytes as u64, Ordering::Relaxed);
    }

    /// Stop rule of a search of states: shows from time to time where it stands, and tells whether it is to stop.
    pub(crate) fn stop_rule(&self, by: Order, options: &Options) -> impl Fn(&Statistics) -> bool {
        move |statistics| {
            self.see_states(by, statistics);
            self.is_interrupted() || options.is_late()
        }
    }

    pub(crate) fn is_shrinking(&self) -> bool {
        self.is_shrinking.load(Ordering::Relaxed)
    }

    /// Ends walks because another search has the answer, or lets new ones begin.
    pub(crate) fn cancel_walks(&self, is_cancelled: bool) {
        self.walks.cancelled.store(is_cancelled, Ordering::Relaxed);
    }

    /// Whether walks have to end, for whatever reason.
    pub(crate) fn is_ending(&self) -> bool {
        self.is_interrupted() || self.walks.cancelled.load(Ordering::Relaxed)
    }

    /// A search with this heuristic begins with this walk; all of its walks have this depth, if any.
    pub(crate) fn begin(&self, heuristic: Heuristic, first_walk: u64, depth: Option<u32>) {
        self.depth.store(depth.unwrap_or(0), Ordering::Relaxed);
        let index = HEURISTICS.iter().position(|&h| h == heuristic).unwrap_or(0);
        self.heuristic.store(index, Ordering::Relaxed);
        let walks = self.walks.walks.load(Ordering::Relaxed);
        self.offset
            .store(first_walk.wrapping_sub(walks), Ordering::Relaxed);
    }

    /// Forgets the trace of an earlier query.
    pub(crate) fn forget_best(&self) {
        self.best_steps.store(u64::MAX, Ordering::Relaxed);
        self.states_by.store(NO_SEARCH, Ordering::Relaxed);
        self.runs.store(NO_RUNS, Ordering::Relaxed);
        self.see_preparation(false);
    }

    pub(crate) fn set_best(&self, steps: usize) {
        self.best_steps.store(steps as u64, Ordering::Relaxed);
    }

    pub(crate) fn set_shrinking(&self, is_shrinking: bool) {
        self.is_shrinking.store(is_shrinking, Ordering::Relaxed);
    }
}
