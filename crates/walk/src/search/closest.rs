//! Progress of walks that did not reach the goal.

use zonewalk_network::ids::{ClockId, ProcessId};

/// How close walks got to a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closest {
    /// The least distance by locations and data; `None` where the goal has none.
    pub distance: Option<u64>,
    /// The largest part of a lower bound that a clock has reached, in a guard of an edge that may make the goal true.
    pub margin: Option<Margin>,
}

/// Progress of a clock towards a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The process that has the edge.
    pub process: ProcessId,
    /// The clock.
    pub clock: ClockId,
    /// Its value, in ticks.
    pub value: i64,
    /// The bound, in ticks.
    pub bound: i64,
    /// Ticks per unit of time.
    pub unit: i64,
}

impl Closest {
    /// Adds the best of other walks.
    pub fn join(&mut self, other: &Closest) {
        self.distance = self.distance.into_iter().chain(other.distance).min();
        let is_larger = |a: &Margin, b: &Margin| {
            i128::from(a.value) * i128::from(b.bound) > i128::from(b.value) * i128::from(a.bound)
        };
        self.margin = match (self.margin, other.margin) {
            (Some(own), Some(theirs)) if is_larger(&theirs, &own) => Some(theirs),
            (own, theirs) => own.or(theirs),
        };
    }
}
