//! States to go on from: the best one of each niche, which is a combination of locations. Without niches the offspring of one
//! good state would soon be all that is left.

use crate::plan::WalkPlan;
use crate::state::State;
use crate::walker::{Record, Walker};
use zonewalk_network::ids::InstanceId;
use zonewalk_numbers::Random;

/// States in an archive.
const MOST: usize = 64;
/// Least number of states kept of a large model.
const FEWEST: usize = 8;
/// Cells of all its states together, about.
const MOST_CELLS: usize = 1 << 25;

/// States that are compared when one is to give way: the worst of them does.
const CONTEST: u32 = 4;
/// Others that are compared with the first when one is to be gone on from.
const RIVALS: u32 = 2;
/// Number of walks that began in a state after which it counts as one step farther from the goal.
const TRIES: u64 = 8;

/// How good a state is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Quality {
    /// The farthest that a goal can be away, less the distance to the goal.
    pub(crate) closeness: u64,
    /// How much of a bound clocks have reached, in parts of [`WHOLE`](super::robustness::WHOLE).
    pub(crate) share: u64,
}

/// Which combination of locations a state has; different ones hardly ever have the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Niche(u64);

impl Niche {
    pub(crate) fn of(state: &State, plan: &WalkPlan<'_>) -> Niche {
        let locations = state.memory.iter().take(plan.network.processes.len());
        let cells = locations
            .enumerate()
            .map(|(process, &at)| cell(process, at as u32));
        Niche(cells.fold(0, u64::wrapping_add))
    }

    /// After a step of these edges.
    #[inline]
    pub(crate) fn follow(&mut self, plan: &WalkPlan<'_>, parts: &[InstanceId]) {
        for &part in parts {
            let edge = plan.edge(part);
            let (left, entered) = (edge.source.0, edge.target.0);
            if left != entered {
                let process = edge.process.index();
                let without = self.0.wrapping_sub(cell(process, left));
                self.0 = without.wrapping_add(cell(process, entered));
            }
        }
    }
}

/// Contribution of the location of a process to a niche: a mixed number (SplitMix64).
#[inline]
fn cell(process: usize, location: u32) -> u64 {
    let mut mixed = (((process as u64) << 32) | u64::from(location)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// A state, and the walk that led there.
struct Slot {
    state: State,
    record: Record,
    /// Whether the state is one of the walk that is being made, and then after how many steps: its record is copied when that walk
    /// has ended, once for any number of improvements.
    unrecorded: Option<usize>,
    quality: Quality,
    /// Walks that began in it.
    tries: u64,
}

/// The states that walks go on from. Slots are kept when it is emptied, and used again.
pub(crate) struct Archive {
    slots: Vec<Slot>,
    /// By slot; only the first ones are in use.
    niches: Vec<Niche>,
    /// Slots without a record.
    unrecorded: Vec<usize>,
    most: usize,
    /// Records that were copied.
    #[cfg(test)]
    pub(crate) copies: u64,
}

impl Archive {
    pub(crate) fn new(plan: &WalkPlan<'_>) -> Archive {
        Archive {
            slots: Vec::new(),
            niches: Vec::new(),
            unrecorded: Vec::new(),
            #[cfg(test)]
            copies: 0,
            most: (MOST_CELLS / State::size(plan).max(1)).clamp(FEWEST, MOST),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.niches.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.niches.is_empty()
    }

    /// Puts a walker into a state of the archive: of a few that are drawn, the best that was not tried too often.
    pub(crate) fn resume(&mut self, walker: &mut Walker<'_>, random: &mut Random) -> Niche {
        let used = self.niches.len();
        let mut at = random.index(used);
        for _ in 0..RIVALS {
            let rival = random.index(used);
            if self.slots[rival].appeal() > self.slots[at].appeal() {
                at = rival;
            }
        }
        let slot = &mut self.slots[at];
        slot.tries += 1;
        walker.resume(&slot.state, &slot.record);
        self.niches[at]
    }

    /// Keeps a state if it is the best of its niche, or there is room for a niche, or it is better than one that gives way.
    /// Whether it is kept in place of a worse one.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        walker: &Walker<'_>,
        niche: Niche,
        quality: Quality,
        random: &mut Random,
    ) -> bool {
        let used = self.niches.len();
        let at = match self.niches.iter().position(|known| *known == niche) {
            Some(at) => at,
            None if used < self.most => {
                self.niches.push(niche);
                self.keep(used, walker, quality);
                return false;
            }
            None => self.worst(random),
        };
        let is_better = quality > self.slots[at].quality;
        if is_better {
            self.niches[at] = niche;
            self.keep(at, walker, quality);
        }
        is_better
    }

    fn worst(&self, random: &mut Random) -> usize {
        let used = self.niches.len();
        let mut at = random.index(used);
        for _ in 1..CONTEST {
            let other = random.index(used);
            if self.slots[other].quality < self.slots[at].quality {
                at = other;
            }
        }
        at
    }

    fn keep(&mut self, at: usize, walker: &Walker<'_>, quality: Quality) {
        let steps = walker.record.steps.len();
        let is_known = match self.slots.get_mut(at) {
            Some(slot) => {
                slot.state.restore(&walker.state);
                (slot.quality, slot.tries) = (quality, 0);
                slot.unrecorded.replace(steps).is_some()
            }
            None => {
                self.slots.push(Slot {
                    state: walker.state.clone(),
                    record: Record::default(),
                    unrecorded: Some(steps),
                    quality,
                    tries: 0,
                });
                false
            }
        };
        if !is_known {
            self.unrecorded.push(at);
        }
    }

    /// The walk has ended: what was kept of it gets its record, which is the beginning of the walk's. To copy it at every
    /// improvement would take time that grows with the square of the steps.
    pub(crate) fn end_walk(&mut self, record: &Record) {
        for at in self.unrecorded.drain(..) {
            let slot = &mut self.slots[at];
            if let Some(steps) = slot.unrecorded.take() {
                slot.record.copy_first(record, steps);
            }
            #[cfg(test)]
            {
                self.copies += 1;
            }
        }
    }
}

impl Slot {
    /// Reasons for going on from here, the strongest first.
    fn appeal(&self) -> (i64, u64) {
        let closeness = self.quality.closeness as i64 - (self.tries / TRIES) as i64;
        (closeness, self.quality.share / (TRIES + self.tries))
    }
}
