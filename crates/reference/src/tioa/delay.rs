//! How long time may pass.

use std::cmp::Ordering;

use zonewalk_tioa::Formula;

use super::formula::Instant;

/// How long a state may last, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Not even now: an invariant is broken.
    Never,
    /// Any time below this.
    Below(i128),
    /// Up to this time, and exactly so long, too.
    UpTo(i128),
    /// Without an end.
    Forever,
}

impl Wait {
    /// Whether a delay of this number of ticks is allowed.
    pub fn allows(self, delay: i128) -> bool {
        match self {
            Wait::Never => false,
            Wait::Below(end) => delay < end,
            Wait::UpTo(end) => delay <= end,
            Wait::Forever => true,
        }
    }

    fn key(self) -> (u8, i128, bool) {
        match self {
            Wait::Never => (0, 0, false),
            Wait::Below(end) => (1, end, false),
            Wait::UpTo(end) => (1, end, true),
            Wait::Forever => (2, 0, false),
        }
    }
}

impl PartialOrd for Wait {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wait {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// How long an invariant holds without a break.
pub(super) fn while_holding(invariant: &Formula, clocks: &[i128], scale: i128) -> Wait {
    let holds = |later| Instant { clocks, scale, later }.satisfies(invariant);
    if !holds(0) {
        return Wait::Never;
    }
    // Between these instants no comparison changes its value. Differences of clocks never do.
    let mut changes = vec![0];
    invariant.comparisons(&mut |comparison| {
        if comparison.minus.is_none() {
            let at = i128::from(comparison.bound) * scale - clocks[comparison.clock.index()];
            if at > 0 {
                changes.push(at);
            }
        }
    });
    changes.sort_unstable();
    for (i, &from) in changes.iter().enumerate() {
        if !holds(2 * from) {
            return Wait::Below(from);
        }
        let inside = changes.get(i + 1).map_or(2 * from + 1, |to| from + to);
        if !holds(inside) {
            return Wait::UpTo(from);
        }
    }
    Wait::Forever
}
