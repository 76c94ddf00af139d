//! Where a run may end and be maximal: where time can pass forever, and where nothing is possible any more.
//!
//! Both are questions about single points, and points of one region agree on them, so they are asked about the states as
//! they are: neither an abstraction by the largest constants nor the splitting of zones changes the answer. An abstraction by
//! lower and upper bounds may add points in which nothing is possible, and only those.

use crate::graph::ZoneGraph;
use crate::graph::scratch::Scratch;
use crate::state::ZoneState;
use crate::state::constraint::{ClockRef, Constraint};
use crate::stop::Stop;
use crate::successors::existence::Passage;
use zonewalk_product::Delay;
use zonewalk_zones::{Bound, Federation, Word, dbm};

impl ZoneGraph<'_> {
    /// The points of a state from which time can pass forever, with nothing avoided on the way.
    pub(crate) fn endless<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
    ) -> Result<Federation<W>, Stop> {
        let nothing = Federation::new(state.dim());
        self.load(scratch, state);
        let passage = self.passage(scratch, state)?;
        if passage.delay == Delay::None || !self.list_invariants(scratch)? {
            return Ok(nothing);
        }
        // Lower bounds stay true, and so do differences; with clocks that stand still that is not certain, and a point too
        // many is a *maybe*.
        let runs = |clock: ClockRef| {
            let index = scratch.source.index(clock);
            index.is_none_or(|i| passage.stopped.as_ref().is_none_or(|running| running[i]))
        };
        let is_upper = |c: &Constraint| c.right == ClockRef::ZERO && runs(c.left);
        if scratch.invariant.iter().any(is_upper) {
            return Ok(nothing);
        }
        let whole = self.future(scratch, state, &passage)?;
        let mut ending = self.avoided_points(scratch, &whole)?;
        for stop in &passage.stops {
            ending.push(stop);
        }
        // Nothing stops time on the way to what would end the run.
        let freely = Passage {
            delay: Delay::Free,
            stops: Vec::new(),
            stopped: passage.stopped,
        };
        let mut points = Federation::from_zone(&state.zone, state.dim());
        for zone in &ending {
            points.subtract_federation(&freely.before(zone, state.dim()));
        }
        Ok(points)
    }

    /// The points of a state after any delay that is long enough, of those from which time can pass forever: all clocks
    /// that run are beyond their constants.
    pub(crate) fn in_the_end<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
    ) -> Result<Option<ZoneState<W>>, Stop> {
        let points = self.endless(scratch, state)?;
        self.load(scratch, state);
        for zone in &points {
            let mut last = zone.to_vec();
            let is_there = (1..state.dim())
                .filter(|&index| self.runs(scratch, index))
                .all(|index| {
                    let most = scratch.source.lower[index]
                        .max(scratch.source.upper[index])
                        .max(W::ZERO);
                    dbm::constrain(&mut last, state.dim(), 0, index, Bound::lt(W::ZERO.minus(most)))
                });
            if is_there {
                return Ok(Some(ZoneState {
                    zone: last,
                    ..state.clone()
                }));
            }
        }
        Ok(None)
    }

    /// Whether a clock, by its index in the zone, runs in the state whose delays were examined last.
    pub(crate) fn runs<W: Word>(&self, scratch: &Scratch<W>, index: usize) -> bool {
        !self.plan.has_rates || scratch.running.get(index).copied().unwrap_or(true)
    }

    /// The points of a state from which no transition is possible, now or after a delay, and from which no delay leads to
    /// anything avoided: φ does not always hold on a run that has to leave φ in the end.
    pub(crate) fn stuck<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
    ) -> Result<Federation<W>, Stop> {
        let mut dead = self.deadlocks(scratch, state)?;
        if dead.is_empty() || self.avoided.is_none() {
            return Ok(dead);
        }
        self.load(scratch, state);
        let passage = self.passage(scratch, state)?;
        if passage.delay == Delay::None {
            return Ok(dead);
        }
        let whole = self.future(scratch, state, &passage)?;
        for zone in &self.avoided_points(scratch, &whole)? {
            dead.subtract_federation(&passage.before(zone, state.dim()));
        }
        Ok(dead)
    }

    /// The avoided points of a state. Requires: it is loaded.
    fn avoided_points<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        whole: &ZoneState<W>,
    ) -> Result<Federation<W>, Stop> {
        match &self.avoided {
            Some(goal) => self.points(scratch, goal, whole),
            None => Ok(Federation::new(whole.dim())),
        }
    }
}
