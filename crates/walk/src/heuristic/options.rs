//! Options of walks.

use crate::heuristic::choose::Heuristic;
use crate::heuristic::commit;
use crate::heuristic::schedule::{Delays, Schedule, WalkParameters};

/// How to walk.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How depth, delays and counters go from walk to walk.
    pub schedule: Schedule,
    /// How transitions are chosen.
    pub heuristic: Heuristic,
    /// How delays are chosen.
    pub delays: Delays,
    /// The seed.
    pub seed: u64,
    /// The depth of every walk, in place of the growing one.
    pub max_steps: Option<u32>,
    /// The time after which walks by [`Heuristic::Smc`] end, in units of the model.
    pub time_bound: Option<u64>,
}

impl Options {
    /// The parameters of a walk.
    pub(crate) fn parameters(&self, walk: u64) -> WalkParameters {
        match self.heuristic {
            Heuristic::Com => commit::parameters(self.delays, walk),
            _ => self.schedule.parameters(self.delays, walk),
        }
    }

    /// Whether each walk depends on all walks before it, so that one thread makes them all.
    pub fn is_sequential(&self) -> bool {
        self.schedule == Schedule::Paper && self.heuristic == Heuristic::RlcA
    }
}
