//! What the user may ask for.

use crate::search::Search;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Instant;
use zonewalk_walk::schedule::Delays;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// By which method.
    pub search: Search,
    /// How delays are chosen.
    pub delays: Delays,
    /// The same seed and number of threads give the same answer and trace everywhere.
    pub seed: u64,
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// The depth of every walk, in place of the growing one.
    pub max_steps: Option<NonZeroU32>,
    /// The model's time after which stochastic walks end; other walks do not look at it.
    pub time_bound: Option<u64>,
    /// Walks to make at most.
    pub max_walks: Option<u64>,
    /// When to stop searching.
    pub deadline: Option<Instant>,
    /// Which trace is wanted.
    pub trace: TraceWish,
    /// Steps that may be simulated again to make a found trace shorter. It shapes the result, so it is a number of steps
    /// and not of seconds.
    pub shrink_budget: u64,
}

/// Which trace is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceWish {
    /// None; what is found is checked all the same.
    None,
    /// The first one, made shorter.
    Some,
    /// The one with the fewest steps that the time limit allows to find.
    Shortest,
    /// The one with the least time.
    Fastest,
}

impl Options {
    /// About a second's worth of steps on a model of middling size.
    pub const SHRINK_BUDGET: u64 = 600_000;

    /// Steps of a walk that ends by its time bound, if it ends: a zeno run never gets there.
    const TIMED_STEPS: u32 = 1 << 20;

    /// The depth of every walk; `None` where it grows. A time bound takes the place of the growing depth.
    pub fn depth(&self) -> Option<u32> {
        let timed = self.time_bound.map(|_| Self::TIMED_STEPS);
        self.max_steps.map(u32::from).or(timed)
    }
}
