//! Facts that walks know about edges and locations beyond those of the product.

use super::NONE;
#[cfg(doc)]
use super::{MOST_WAYS, WalkPlan};
use std::ops::Range;
use zonewalk_network::ids::ClockId;

/// Facts that walks know about an edge instance.
#[derive(Clone, Debug)]
pub struct EdgeFacts {
    /// The number of the code of the update among all code that may be [specialised](crate::state::specialised).
    pub(crate) update_code: u32,
    /// Number of the code that computes the channel.
    pub(crate) channel_code: u32,
    /// The update in [`WalkPlan::assigns`], where it is nothing but plain assignments.
    pub(crate) assigns: Option<Range<u32>>,
    /// Processes, in [`WalkPlan::bounded`], whose invariants depend on the move or on clocks that the assignments set.
    pub(crate) bounded: Range<u32>,
    /// Guards of other processes, in [`WalkPlan::clock_readers`], that depend on clocks that the assignments set; of the same
    /// process, too, where it does not move.
    pub(crate) clock_readers: Range<u32>,
    /// Source and target differ, and one of them is urgent or committed.
    pub(crate) is_pressing: bool,
    /// How many transitions it is with one partner: as many as there are values for these selects, up to [`MOST_WAYS`].
    pub(crate) ways: u64,
    /// It is internal, and no selects are drawn: a transition by itself.
    pub(crate) is_alone: bool,
    /// The guard is nothing but comparisons of cells, and the channel is fixed: nothing about it depends on time.
    pub(crate) is_plain: bool,
    /// Bound that the guard sets to clocks; `Other` where the state decides the channel, too.
    pub(crate) limit: Limit,
    /// Cells that the rest of the guard reads, in [`WalkPlan::rest_reads`], where it is about data only: its last result is good until
    /// one of these changes.
    pub(crate) rest_reads: Option<Range<u32>>,
    /// The number of the last result of the guard, where that is nothing but code that many share; else `NONE`.
    pub(crate) memo: u32,
    /// The gate that it stands behind, in [`WalkPlan::gates`]; its guard is then without what the gate asks. `NONE` if there is
    /// none.
    pub(crate) gate: u32,
    /// The comparisons of its guard are [counted](crate::plan::counts).
    pub(crate) is_counted: bool,
    /// Its counter of coverage by [`Granularity`](crate::heuristic::coverage::Granularity).
    pub(crate) coverage: [u32; 3],
}

impl Default for EdgeFacts {
    fn default() -> EdgeFacts {
        EdgeFacts {
            update_code: NONE,
            channel_code: NONE,
            assigns: None,
            bounded: 0..0,
            clock_readers: 0..0,
            is_pressing: false,
            ways: 1,
            is_alone: false,
            is_plain: false,
            limit: Limit::Other,
            rest_reads: None,
            memo: NONE,
            gate: NONE,
            is_counted: false,
            coverage: [0; 3],
        }
    }
}

/// Bounds that the most common guards and invariants set to clocks. An odd number of ticks is strict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Limit {
    /// Nothing.
    None,
    /// One clock is at most this number of ticks.
    Upper { clock: ClockId, ticks: i64 },
    /// One clock is at least this number of ticks.
    Lower { clock: ClockId, ticks: i64 },
    #[default]
    Other,
}

/// Facts that walks know about a location of a process.
#[derive(Clone, Debug, Default)]
pub struct LocationFacts {
    /// Bound that the invariant sets to clocks.
    pub(crate) limit: Limit,
    /// In [`WalkPlan::rates`], where every rate of the location is the value of a cell for a fixed clock.
    pub(crate) plain_rates: Option<Range<u32>>,
}
