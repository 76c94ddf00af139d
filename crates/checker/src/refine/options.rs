//! How queries about timed I/O automata are decided.

use std::num::NonZeroUsize;
use std::time::Duration;

use zonewalk_refine::walk::{Delays, Heuristic, WalkOptions};
use zonewalk_tioa::{AlphabetOf, Inputs};

/// Which search decides a refinement. Other queries are always decided completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefineSearch {
    /// Walks and the complete search in parallel; the first to know stops the other.
    Auto,
    /// The complete search.
    Symbolic,
    /// Random walks: a transition among all that are enabled at some time.
    Ret,
    /// Random walks: first a channel, then one of its transitions.
    Rcf,
    /// Random walks by the stochastic semantics, against the complement of the right side.
    Smc,
}

impl RefineSearch {
    /// As the command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            RefineSearch::Auto => "auto",
            RefineSearch::Symbolic => "symbolic",
            RefineSearch::Ret => "ret",
            RefineSearch::Rcf => "rcf",
            RefineSearch::Smc => "smc",
        }
    }

    /// Whether it finds violations by walks, and proves nothing.
    pub fn walks(self) -> bool {
        self.heuristic().is_some()
    }

    /// How its walks choose, if it makes nothing but walks.
    pub(super) fn heuristic(self) -> Option<Heuristic> {
        match self {
            RefineSearch::Auto | RefineSearch::Symbolic => None,
            RefineSearch::Ret => Some(Heuristic::Ret),
            RefineSearch::Rcf => Some(Heuristic::Rcf),
            RefineSearch::Smc => Some(Heuristic::Smc),
        }
    }
}

/// Everything that shapes an answer.
#[derive(Clone, Debug)]
pub struct RefineOptions {
    /// Which search decides a refinement.
    pub search: RefineSearch,
    /// How walks choose delays.
    pub delays: Delays,
    /// Meaning of an input that no edge allows.
    pub inputs: Inputs,
    /// Which actions a component knows; by default, what fits the kind of project.
    pub alphabet: Option<AlphabetOf>,
    /// Whether sides have to be deterministic and consistent, and to know each other's actions. What one sends the other never may
    /// receive.
    pub preconditions: bool,
    /// The seed of walks.
    pub seed: u64,
    /// Threads of walks.
    pub threads: NonZeroUsize,
    /// The length of walks; without it, walks grow longer.
    pub max_steps: Option<u32>,
    /// The number of walks.
    pub max_walks: Option<u64>,
    /// The time for one query.
    pub timeout: Option<Duration>,
    /// The memory, in bytes.
    pub memory: Option<usize>,
}

impl RefineOptions {
    /// The walks that they ask for.
    pub(super) fn walks(&self, heuristic: Heuristic) -> WalkOptions {
        WalkOptions {
            heuristic,
            delays: self.delays,
            seed: self.seed,
            threads: self.threads.get(),
            max_steps: self.max_steps,
            max_walks: self.max_walks,
        }
    }
}

impl Default for RefineOptions {
    fn default() -> Self {
        RefineOptions {
            search: RefineSearch::Auto,
            delays: Delays::Adaptive,
            inputs: Inputs::Complete,
            alphabet: None,
            preconditions: true,
            seed: 1,
            threads: NonZeroUsize::MIN,
            max_steps: None,
            max_walks: None,
            timeout: None,
            memory: None,
        }
    }
}
