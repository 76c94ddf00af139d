//! Times for a path, the criterion by which they are chosen, and why there are none.

use crate::schedule::Schedule;

/// Criterion by which one schedule is better than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Whole numbers where possible and coarse parts of a unit otherwise; each transition as early as that allows.
    Simple,
    /// The least time in all; then as above.
    Fastest,
}

/// Times for a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The delays. [`check`](crate::check()) has judged them.
    pub schedule: Schedule,
    /// Bound that no schedule of the path is faster than, where that is known: with [`Objective::Fastest`], on a path without
    /// clocks that stop.
    pub infimum: Option<Infimum>,
}

/// The greatest lower bound of the time that a path takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infimum {
    /// In units: whole, because all conditions have whole limits.
    pub time: i64,
    /// Whether some schedule takes just that long. Behind a strict limit none does; the one that is given then takes less
    /// than one unit more.
    pub is_attained: bool,
}

/// Why there are no times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// There are none: the conditions contradict each other.
    Infeasible,
    /// They were not found within the budget, or, with clocks that stop, not as exact numbers. There may be some.
    Spent,
    /// A number or the path itself is too large.
    TooLarge,
    /// A condition names a clock that does not exist.
    NoClock(u32),
}

impl std::fmt::Display for Unsolved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unsolved::Infeasible => f.write_str("no times satisfy the conditions of the path"),
            Unsolved::Spent => f.write_str("no times were found within the budget"),
            Unsolved::TooLarge => f.write_str("the path or one of its numbers is too large"),
            Unsolved::NoClock(clock) => write!(f, "the path has no clock {clock}"),
        }
    }
}

impl std::error::Error for Unsolved {}
