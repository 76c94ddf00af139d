//! Clocks that stand still in the frame of a state: each is the difference of a clock that goes on and its stamp.

use crate::state::constraint::{ClockRef, Constraint};
use crate::state::{ABSENT, Frame};
use zonewalk_network::ids::ClockId;
use zonewalk_zones::Word;

/// A clock that stands still: its value is that of row `clock` less that of row `stamp`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<W> {
    pub(crate) clock: usize,
    pub(crate) stamp: usize,
    /// The largest constants that the value is compared with.
    pub(crate) lower: W,
    pub(crate) upper: W,
}

/// The clocks of a state that stand still.
#[derive(Clone, Debug)]
pub(crate) struct Pairs<W> {
    pub(crate) list: Vec<Pair<W>>,
    /// By index in the zone: the index of the stamp; 0 for what goes on. Empty while the list is.
    stamp_of: Vec<usize>,
}

impl<W> Default for Pairs<W> {
    fn default() -> Self {
        Pairs {
            list: Vec::new(),
            stamp_of: Vec::new(),
        }
    }
}

impl<W> Pairs<W> {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.stamp_of.clear();
    }
}

impl<W: Word> Frame<W> {
    /// Adds stamps for clocks that stand still, as far as they matter. `stamps` is the number of the stamp of clock 0. Requires: the
    /// clocks in increasing order, and no stamps yet.
    pub(crate) fn add_stamps(&mut self, stamps: u32, standing: impl Iterator<Item = ClockId>) {
        for clock in standing {
            let index = self.index[ClockRef::of(clock).index()];
            if index == ABSENT {
                continue;
            }
            let index = index as usize;
            self.clocks.push(ClockId(stamps + clock.0));
            let stamp = self.clocks.len();
            self.pairs.list.push(Pair {
                clock: index,
                stamp,
                lower: self.lower[index],
                upper: self.upper[index],
            });
            // The value is bounded by differences of both, so each of them matters without end.
            (self.lower[index], self.upper[index]) = (W::MAX_CONSTANT, W::MAX_CONSTANT);
            self.lower.push(W::MAX_CONSTANT);
            self.upper.push(W::MAX_CONSTANT);
        }
        if !self.pairs.list.is_empty() {
            self.pairs.stamp_of.resize(self.clocks.len() + 1, 0);
            for pair in &self.pairs.list {
                self.pairs.stamp_of[pair.clock] = pair.stamp;
            }
        }
    }

    /// Where the value of a clock is: its index, and that of its stamp, or 0 while it runs.
    pub(crate) fn place(&self, clock: ClockRef) -> Option<(usize, usize)> {
        let index = self.index(clock)?;
        Some((index, self.stamp_of(index)))
    }

    fn stamp_of(&self, index: usize) -> usize {
        self.pairs.stamp_of.get(index).copied().unwrap_or(0)
    }

    /// Both ends of a constraint where clocks stand still; `None` where it compares such a clock with another one, which is no bound
    /// of one difference. A graph has no stamps where a model does that.
    pub(crate) fn ends_of_pairs(
        &self,
        constraint: &Constraint,
        (left, right): (usize, usize),
    ) -> Option<(usize, usize)> {
        let (of_left, of_right) = (self.stamp_of(left), self.stamp_of(right));
        match (of_left, of_right) {
            (0, 0) => Some((left, right)),
            (stamp, _) if constraint.right == ClockRef::ZERO => Some((left, stamp)),
            (_, stamp) if constraint.left == ClockRef::ZERO => Some((stamp, right)),
            (one, other) if one == other => Some((left, right)),
            _ => None,
        }
    }
}
