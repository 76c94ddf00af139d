//! How wide the words of zones must be.
//!
//! **Claim.** In 32 bits no sum of bounds overflows where [`Width::Narrow`] is the answer. All numbers that the clocks of a
//! state are compared with, set to or begin with are at most `M`. Every finite entry of a zone is the weight of a simple path
//! over constraints that are not implied by others. In an extrapolated zone these are at most `M` (`M` with the largest
//! reset where zones are split): larger ones were replaced. Guards, invariants, goals and stops add constraints that are at
//! most `M`, assignments shift entries by at most `2M` and set others to at most `M`; letting time pass only takes
//! constraints away. So all entries are at most `(dim + 2)·M`. Where zones are cut up, by subtraction, constraints that are
//! implied may become constraints of a piece, each at most that, and paths over them are again of at most `dim` steps. A
//! quarter of the largest constant of a word leaves room for the sums that are compared on the way.
//!
//! Without extrapolation entries grow along a path, and so they do where constants are not known. Then words have 64 bits,
//! in which a run of 2²⁷ steps by the largest number of the language has room; the store refuses zones beyond that.

use crate::graph::ZoneGraph;
use crate::graph::abstraction::Abstraction;
use crate::graph::stamps::Stamps;
use zonewalk_network::ids::{ClockId, LocationId, ProcessId};
use zonewalk_zones::Bound;

/// The width of the words that zones are computed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 32 bits.
    Narrow,
    /// 64 bits.
    Wide,
}

impl ZoneGraph<'_> {
    /// The narrowest words in which the zones of this graph can be computed.
    pub fn width(&self) -> Width {
        let room = i64::from(Bound::<i32>::MAX_CONSTANT) / 4;
        let stamps = self.stamps.as_ref().map_or(0, |_| self.plan.network.clocks.len());
        let dim = (self.everywhere.len() + stamps) as i64 + 2;
        let paths = if self.cuts_zones() {
            dim.saturating_mul(dim)
        } else {
            dim
        };
        match self.largest_number() {
            Some(number) if number.saturating_mul(paths) <= room => Width::Narrow,
            _ => Width::Wide,
        }
    }

    /// Whether zones may be cut into pieces by subtraction.
    fn cuts_zones(&self) -> bool {
        self.plan.symmetric.contains(&true)
            || self.avoided.is_some()
            || self.cuts_for_deadlocks
            || !self.diagonals.constraints.is_empty()
    }

    /// A number that nothing exceeds which zones are constrained by, set to or extrapolated with; `None` where zones grow
    /// without bound.
    fn largest_number(&self) -> Option<i64> {
        if self.abstraction == Abstraction::None {
            return None;
        }
        let plan = self.plan;
        let updates = &plan.network.clock_updates;
        if !updates.copies.is_empty() {
            return None;
        }
        let clocks = (0..plan.network.clocks.len()).map(ClockId::from_index);
        let resets = clocks.clone().filter_map(|clock| updates.largest_number(clock));
        let reset = i64::from(resets.max().unwrap_or(0).max(0));
        let room = clocks.map(|clock| self.diagonals.room(clock));
        let initial = plan.network.clocks.iter().map(|&clock| i64::from(clock));
        let everywhere = self.everywhere.iter().flat_map(|&(lower, upper)| [lower, upper]);
        let diagonals = self
            .diagonals
            .constraints
            .iter()
            .map(|d| d.bound.constant().saturating_abs());
        let processes = (0..).map(ProcessId).zip(&plan.network.processes);
        let local = processes.flat_map(|(number, process)| {
            let locations = plan.network.variants[process.variant as usize].locations.len() as u32;
            (0..locations).flat_map(move |location| self.bounds.at(number, LocationId(location)))
        });
        let local = local.flat_map(|entry| [entry.limits.lower(), entry.limits.upper()]);
        let local = local.flatten().map(i64::from);
        let largest = initial
            .chain(everywhere)
            .chain(diagonals)
            .chain(local)
            .chain(room)
            .max();
        let kept = self.stamps.as_ref().map_or(0, Stamps::largest);
        Some(largest.unwrap_or(0).max(kept).saturating_add(reset))
    }
}
