//! No estimate at all: A* is then breadth-first search, which others are compared with.

use crate::estimate::{Counters, Estimate, Heuristic};
use zonewalk_symbolic::state::ZoneState;

/// Every state is as good as any other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind {
    counters: Counters,
}

impl Heuristic for Blind {
    fn estimate(&mut self, _: &ZoneState) -> Estimate {
        self.counters.evaluations += 1;
        Estimate::ZERO
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn name(&self) -> &'static str {
        "blind"
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}
