//! States of the zone graph: a discrete part, and a zone over the clocks that matter there.

pub mod constraint;
pub(crate) mod standing;

use crate::state::constraint::{ClockRef, Constraint, widened};
use crate::state::standing::Pairs;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_network::ids::{ClockId, LocationId, ProcessId};
use zonewalk_zones::{Bound, Word, dbm};

/// A state of the zone graph.
///
/// The zone is over the clocks that matter in the state (active-clock reduction): which these are depends on the
/// locations alone, so that states with equal discrete parts have zones over the same clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneState<W = i32> {
    /// Locations, variables and `meta` variables.
    pub discrete: Vec<i32>,
    /// The clocks that matter, in increasing order, and then the [stamps](crate::graph::stamps) of those that stand still.
    pub clocks: Vec<ClockId>,
    /// A closed, non-empty zone; clock `clocks[i]` is its clock `i + 1`.
    pub zone: Vec<Bound<W>>,
}

impl<W> Default for ZoneState<W> {
    fn default() -> ZoneState<W> {
        ZoneState {
            discrete: Vec::new(),
            clocks: Vec::new(),
            zone: Vec::new(),
        }
    }
}

impl<W: Word> ZoneState<W> {
    /// The dimension of the zone.
    pub fn dim(&self) -> usize {
        self.clocks.len() + 1
    }
}

/// The index of a clock that does not matter.
pub(crate) const ABSENT: u32 = u32::MAX;

/// Where the clocks of a state are in its zone, and the largest constants that they are compared with.
#[derive(Clone, Debug)]
pub(crate) struct Frame<W> {
    /// The clocks that matter, in increasing order.
    pub(crate) clocks: Vec<ClockId>,
    /// By [`ClockRef`]: its index in the zone; [`ABSENT`] for what does not matter.
    index: Vec<u32>,
    /// By index in the zone.
    pub(crate) lower: Vec<W>,
    /// By index in the zone.
    pub(crate) upper: Vec<W>,
    lower_of: Vec<W>,
    upper_of: Vec<W>,
    /// By clock: whether both limits are to be the same.
    symmetric: Vec<bool>,
    /// By clock: the limits that hold in every location.
    everywhere: Vec<(W, W)>,
    /// The limit of a clock whose constants are not bounded.
    endless: W,
    /// Clocks that stand still, where they are kept with stamps.
    pub(crate) pairs: Pairs<W>,
}

impl<W: Word> Frame<W> {
    /// A frame for clocks with these limits in every location; `symmetric` says which of the first ones need the same limits
    /// on both sides. `endless`: the limit of clocks whose constants are not bounded.
    pub(crate) fn new(everywhere: &[(i64, i64)], symmetric: &[bool], endless: i64) -> Frame<W> {
        let clocks = everywhere.len();
        // A graph is explored in words that hold its limits.
        let limit = |limit| match limit {
            <i64 as Word>::NO_BOUND => W::NO_BOUND,
            limit => W::from_i64(limit).unwrap_or(W::MAX_CONSTANT),
        };
        Frame {
            symmetric: symmetric.to_vec(),
            index: vec![ABSENT; clocks + 1],
            lower_of: vec![W::NO_BOUND; clocks],
            upper_of: vec![W::NO_BOUND; clocks],
            everywhere: everywhere.iter().map(|&(l, u)| (limit(l), limit(u))).collect(),
            endless: limit(endless),
            clocks: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            pairs: Pairs::default(),
        }
    }

    /// Finds the clocks that matter in a vector of locations. Clocks from the end of the network's on always do; their
    /// limits are given.
    pub(crate) fn set(&mut self, bounds: &ClockBounds, locations: &[i32]) {
        for ((lower, upper), all) in self
            .lower_of
            .iter_mut()
            .zip(&mut self.upper_of)
            .zip(&self.everywhere)
        {
            (*lower, *upper) = *all;
        }
        let endless = self.endless;
        let limit = |bound: i32| {
            if bound == i32::MAX {
                endless
            } else {
                W::from(bound)
            }
        };
        for (process, &location) in (0..).map(ProcessId).zip(locations) {
            for entry in bounds.at(process, LocationId(location as u32)) {
                let clock = entry.clock.index();
                if let Some(bound) = entry.limits.lower() {
                    self.lower_of[clock] = self.lower_of[clock].max(limit(bound));
                }
                if let Some(bound) = entry.limits.upper() {
                    self.upper_of[clock] = self.upper_of[clock].max(limit(bound));
                }
            }
        }
        for (clock, _) in self.symmetric.iter().enumerate().filter(|(_, flag)| **flag) {
            let most = self.lower_of[clock].max(self.upper_of[clock]);
            (self.lower_of[clock], self.upper_of[clock]) = (most, most);
        }
        self.clocks.clear();
        self.pairs.clear();
        self.lower.clear();
        self.upper.clear();
        self.lower.push(W::ZERO);
        self.upper.push(W::ZERO);
        self.index[ClockRef::ZERO.index()] = 0;
        for number in 0..self.lower_of.len() {
            let clock = ClockId(number as u32);
            let (lower, upper) = (self.lower_of[number], self.upper_of[number]);
            if lower == W::NO_BOUND && upper == W::NO_BOUND {
                self.index[ClockRef::of(clock).index()] = ABSENT;
            } else {
                self.clocks.push(clock);
                self.index[ClockRef::of(clock).index()] = self.clocks.len() as u32;
                self.lower.push(lower);
                self.upper.push(upper);
            }
        }
    }

    #[inline]
    pub(crate) fn dim(&self) -> usize {
        self.clocks.len() + 1
    }

    /// The index of a constraint's clock in the zone.
    #[inline]
    pub(crate) fn index(&self, clock: ClockRef) -> Option<usize> {
        let index = self.index[clock.index()];
        (index != ABSENT).then_some(index as usize)
    }

    /// Both ends of a constraint, if its clocks matter.
    #[inline]
    pub(crate) fn ends(&self, constraint: &Constraint) -> Option<(usize, usize)> {
        let ends = (self.index(constraint.left)?, self.index(constraint.right)?);
        if self.pairs.is_empty() {
            Some(ends)
        } else {
            self.ends_of_pairs(constraint, ends)
        }
    }

    /// Indices of a guard's or invariant's clocks: these are clocks that matter where it stands, so nothing is lost when there are none.
    #[inline]
    fn known_ends(&self, constraint: &Constraint) -> Option<(usize, usize)> {
        let ends = self.ends(constraint);
        debug_assert!(ends.is_some(), "{constraint:?} is about a clock that matters");
        ends
    }

    /// Whether some point of a closed zone fulfils a constraint.
    #[inline]
    pub(crate) fn allows(&self, zone: &[Bound<W>], constraint: &Constraint) -> bool {
        self.known_ends(constraint)
            .is_none_or(|(i, j)| dbm::satisfies(zone, self.dim(), i, j, constraint.in_words()))
    }

    /// Keeps the points of a closed zone that fulfil all constraints; false when none is left.
    #[inline]
    pub(crate) fn constrain(&self, zone: &mut [Bound<W>], constraints: &[Constraint]) -> bool {
        constraints.iter().all(|constraint| {
            self.known_ends(constraint)
                .is_none_or(|(i, j)| dbm::constrain(zone, self.dim(), i, j, constraint.in_words()))
        })
    }

    /// The constraints of a zone that say something.
    pub(crate) fn constraints_of(&self, zone: &[Bound<W>]) -> Vec<Constraint> {
        let dim = self.dim();
        let mut found = Vec::new();
        for i in 0..dim {
            for j in 0..dim {
                let bound = zone[i * dim + j];
                if i != j && !bound.is_infinite() {
                    found.push(Constraint {
                        left: ClockRef::at(i, &self.clocks),
                        right: ClockRef::at(j, &self.clocks),
                        bound: widened(bound),
                    });
                }
            }
        }
        found
    }
}
