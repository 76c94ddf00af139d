//! No estimate at all: A* is then breadth-first search, which others are compared with.

use crate::estimate::{Counters, Estimate, Estimator, Heuristic};
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// Every state is as good as any other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind {
    counters: Counters,
}

impl Estimator for Blind {
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

impl<W: Word> Heuristic<W> for Blind {
    fn estimate(&mut self, _: &ZoneState<W>) -> Estimate {
        self.counters.evaluations += 1;
        Estimate::ZERO
    }
}
