//! What others may see of a search, and how they stop it.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::schedule::{Delays, depth};
use zonewalk_walk::search;

use crate::search::{HEURISTICS, heuristic_name};

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
}

impl Default for Control {
    fn default() -> Self {
        Control {
            walks: search::Control::default(),
            heuristic: AtomicUsize::new(0),
            offset: AtomicU64::new(0),
            depth: AtomicU32::new(0),
            best_steps: AtomicU64::new(u64::MAX),
            is_shrinking: AtomicBool::new(false),
        }
    }
}

impl Control {
    /// Asks the search to stop; it ends with what it has. Returns whether somebody had asked before.
    pub fn interrupt(&self) -> bool {
        self.walks.interrupted.swap(true, Ordering::Relaxed)
    }

    /// Whether somebody asked to stop.
    pub fn is_interrupted(&self) -> bool {
        self.walks.interrupted.load(Ordering::Relaxed)
    }

    /// Where the search stands. `delays` and `fixed_depth` are those of its options.
    pub fn progress(&self, delays: Delays, fixed_depth: Option<u32>) -> Progress {
        let walks = self.walks.walks.load(Ordering::Relaxed);
        let number = walks.wrapping_add(self.offset.load(Ordering::Relaxed));
        let best = self.best_steps.load(Ordering::Relaxed);
        let turn_depth = Some(self.depth.load(Ordering::Relaxed)).filter(|&d| d > 0);
        let heuristic = HEURISTICS[self.heuristic.load(Ordering::Relaxed) % HEURISTICS.len()];
        Progress {
            walks,
            steps: self.walks.steps.load(Ordering::Relaxed),
            search: heuristic_name(heuristic),
            depth: depth(number.saturating_sub(1), turn_depth.or(fixed_depth)),
            // SEM chooses the delay first, uniformly; SMC has distributions of its own.
            distribution: delays
                .distribution(number.saturating_sub(1))
                .filter(|_| !matches!(heuristic, Heuristic::Sem | Heuristic::Smc))
                .map(|d| (d.lower, d.upper)),
            best_steps: (best != u64::MAX).then_some(best),
            is_shrinking: self.is_shrinking.load(Ordering::Relaxed),
        }
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
    }

    pub(crate) fn set_best(&self, steps: usize) {
        self.best_steps.store(steps as u64, Ordering::Relaxed);
    }

    pub(crate) fn set_shrinking(&self, is_shrinking: bool) {
        self.is_shrinking.store(is_shrinking, Ordering::Relaxed);
    }
}
