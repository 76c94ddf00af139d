//! How much effort may go into a better trace than the found one: a few times what the search has cost, unless more is asked for.
//!
//! Effort is counted in steps of a walk in a small model, some 250 ns each, and never measured: it shapes the trace, which is to be
//! the same on every machine.

use crate::options::{TraceKind, TraceOptions};
use zonewalk_report::verdict::Stats;

/// Factor by which a trace may cost more than the search that has found it ...
const TIMES_THE_SEARCH: u64 = 3;

/// ... up to this, in multiples of the least effort. Of a longer search as much again may go into its trace.
const SHORT: u64 = 112;

/// No trace gets more, in multiples of the least effort: some ten seconds.
const MOST: u64 = 1_800;

/// Effort for each found run while the best one is looked for, in multiples of the least effort: some four seconds.
const BEST: u64 = 750;

/// Steps that a state of the zone graph costs, about, where only the number of states is known.
const STEPS_PER_STATE: u64 = 16;

impl TraceOptions {
    /// Effort for a better trace, by that of the search.
    pub(crate) fn allowance(&self, searched: u64) -> u64 {
        let times = |times: u64| self.shrink_budget.saturating_mul(times);
        let short = times(SHORT);
        let in_proportion = searched
            .saturating_mul(TIMES_THE_SEARCH)
            .min(searched.max(short))
            .saturating_add(self.shrink_budget)
            .min(times(MOST));
        match self.kind {
            TraceKind::None | TraceKind::Some => in_proportion,
            TraceKind::Short => in_proportion.max(short),
            TraceKind::Shortest | TraceKind::Fastest => times(BEST),
        }
    }
}

/// About what a search has cost of which only the counts are known.
pub(crate) fn effort_of(stats: &Stats) -> u64 {
    let states = stats.states_explored.saturating_mul(STEPS_PER_STATE);
    stats.steps.saturating_add(states)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance(kind: TraceKind, shrink_budget: u64, searched: u64) -> u64 {
        TraceOptions { kind, shrink_budget }.allowance(searched)
    }

    #[test]
    fn a_trace_costs_in_proportion_to_the_search() {
        let some = |searched| allowance(TraceKind::Some, 1000, searched);
        assert_eq!((some(0), some(12), some(1200)), (1000, 1036, 4600));
        // A long search is not followed by one that is three times as long.
        assert_eq!((some(100_000), some(500_000)), (113_000, 501_000));
        assert_eq!(some(u64::MAX), 1000 * MOST);
    }

    #[test]
    fn more_effort_is_made_on_request() {
        assert_eq!(allowance(TraceKind::Short, 1000, 12), 1000 * SHORT);
        assert_eq!(allowance(TraceKind::Short, 1000, 500_000), 501_000);
        assert_eq!(allowance(TraceKind::Shortest, 1000, 0), 1000 * BEST);
    }

    #[test]
    fn nothing_is_shrunk_without_a_budget() {
        for kind in [TraceKind::Some, TraceKind::Short, TraceKind::Shortest] {
            assert_eq!(allowance(kind, 0, u64::MAX), 0);
        }
    }
}
