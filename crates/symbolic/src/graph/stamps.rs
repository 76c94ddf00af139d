//! Stamps of clocks that stand still.
//!
//! Letting time pass while some clocks stand is not exact on zones: what is known of a running clock less a standing one is lost from one
//! side, and two preempted jobs that have used up a known amount of time together cannot be told from two that have not. Here a clock that
//! stands is kept as two that go on: the clock as if it had not stopped, and its *stamp*, a clock that was 0 when it stopped. The value is
//! their difference, so guards stay bounds of differences, and delays are exact. When the clock runs again its value is taken from both
//! ([`zonewalk_zones::dbm::between`]), and only there something can be lost, namely relations among four clocks.
//!
//! Extra-LU+ by bounds without end for both clocks is exact: it is the LU-simulation on points over all clocks (Behrmann, Bouyer, Larsen,
//! Pelánek, STTT 2006), and points with equal clocks and stamps have equal values. In addition:
//!
//! - A stamp stands for *some* instant that led here; where the value is known without it, any other one will do. So where the value is a
//!   number, or beyond all constants, the stamp begins anew, and nothing of the past remains.
//! - For termination, what lies beyond the largest constant of the model is forgotten about stamps, as by Extra-M. This makes zones
//!   larger and can make a search find what is not there, never the other way round.

use crate::goal::ZoneGoal;
use crate::graph::ZoneGraph;
use crate::state::standing::{Pair, Pairs};
use crate::state::{Frame, ZoneState};
use zonewalk_network::ids::{ClockId, LocationId, ProcessId};
use zonewalk_zones::{Bound, Word, dbm};

/// How clocks that stand still are numbered, and how far their stamps are told apart.
#[derive(Clone, Debug)]
pub(crate) struct Stamps {
    /// The number of the stamp of clock 0.
    first: u32,
    /// Stamps are told apart up to here.
    most: i64,
}

impl ZoneGraph<'_> {
    /// Keeps clocks that stand still with stamps, so that delays are exact. Where differences of clocks are compared, by the model or by
    /// one of these goals, they stay as they are: the value of such a clock less another clock is no difference of two clocks.
    #[must_use]
    pub fn with_stamps(mut self, goals: &[&ZoneGoal]) -> Self {
        let compares =
            !self.diagonals.constraints.is_empty() || self.unbounded.is_some() || self.bounds.diagonals;
        let asks = || goals.iter().any(|goal| goal.compares_clocks());
        if self.plan.has_rates && !compares && !asks() {
            self.stamps = Some(Stamps {
                first: self.everywhere.len() as u32,
                most: self.largest_limit(),
            });
        }
        self
    }

    /// The largest constant that a clock is compared with.
    fn largest_limit(&self) -> i64 {
        let network = self.plan.network;
        let processes = (0..).map(ProcessId).zip(&network.processes);
        let entries = processes.flat_map(|(number, process)| {
            let locations = network.variants[process.variant as usize].locations.len() as u32;
            (0..locations).flat_map(move |location| self.bounds.at(number, LocationId(location)))
        });
        let limits = entries.flat_map(|entry| [entry.limits.lower(), entry.limits.upper()]);
        let everywhere = self.everywhere.iter().flat_map(|&(lower, upper)| [lower, upper]);
        let all = limits.flatten().map(i64::from).chain(everywhere);
        all.filter(|&limit| limit < i64::from(i32::MAX))
            .max()
            .unwrap_or(0)
            .max(0)
    }

    /// Whether clocks that stand still are kept with stamps.
    pub fn has_stamps(&self) -> bool {
        self.stamps.is_some()
    }
}

impl Stamps {
    /// A number that nothing exceeds which stamps are compared with.
    pub(crate) fn largest(&self) -> i64 {
        2 * self.most
    }

    /// The values of the clocks of a state, as far as differences of values tell.
    pub(crate) fn values<W: Word>(&self, state: &ZoneState<W>) -> ZoneState<W> {
        let kept = state.clocks.partition_point(|clock| clock.0 < self.first);
        let (clocks, stamps) = state.clocks.split_at(kept);
        let mut places: Vec<(usize, usize)> = (0..=kept).map(|row| (row, 0)).collect();
        for (row, stamp) in (kept + 1..).zip(stamps) {
            let clock = clocks.partition_point(|clock| clock.0 < stamp.0 - self.first);
            places[clock + 1].1 = row;
        }
        let rows = places.iter();
        let zone = rows.flat_map(|&left| {
            let entry = move |right| dbm::between(&state.zone, state.dim(), left, right);
            places.iter().map(move |&right| entry(right))
        });
        ZoneState {
            discrete: state.discrete.clone(),
            clocks: clocks.to_vec(),
            zone: zone.collect(),
        }
    }

    /// Adds the stamps of a state to its frame.
    pub(crate) fn load<W: Word>(&self, frame: &mut Frame<W>, state: &ZoneState<W>) {
        let first = state.clocks.partition_point(|clock| clock.0 < self.first);
        let standing = state.clocks[first..]
            .iter()
            .map(|stamp| ClockId(stamp.0 - self.first));
        frame.add_stamps(self.first, standing);
    }

    /// Adds stamps for these clocks to the frame of a state that is being entered.
    pub(crate) fn stop<W: Word>(&self, frame: &mut Frame<W>, standing: impl Iterator<Item = ClockId>) {
        frame.add_stamps(self.first, standing);
    }

    /// Forgets what does not matter about stamps, and what must be forgotten so that there are finitely many zones where `is_finite`.
    pub(crate) fn settle<W: Word>(
        &self,
        pairs: &Pairs<W>,
        zone: &mut [Bound<W>],
        dim: usize,
        is_finite: bool,
    ) {
        for pair in &pairs.list {
            begin_anew(pair, zone, dim, is_finite);
        }
        if is_finite && !pairs.is_empty() {
            self.forget_far(pairs, zone, dim);
        }
    }

    /// Extra-M on the rows and columns of clocks that stand and of their stamps.
    fn forget_far<W: Word>(&self, pairs: &Pairs<W>, zone: &mut [Bound<W>], dim: usize) {
        let mut is_wider = false;
        let rows = pairs.list.iter().flat_map(|pair| {
            [
                (pair.clock, pair.stamp, 2 * self.most),
                (pair.stamp, pair.clock, self.most),
            ]
        });
        for (row, partner, most) in rows {
            let Some(most) = W::from_i64(most) else { continue };
            for other in (0..dim).filter(|&other| other != row && other != partner) {
                let above = &mut zone[row * dim + other];
                if !above.is_infinite() && above.constant() > most {
                    *above = Bound::INFINITY;
                    is_wider = true;
                }
                let below = &mut zone[other * dim + row];
                let limit = Bound::lt(W::ZERO.minus(most));
                if *below < limit {
                    *below = limit;
                    is_wider = true;
                }
            }
        }
        if is_wider {
            dbm::close(zone, dim);
        }
    }
}

/// Lets a stamp begin now where the value of its clock is a number or, where `is_finite`, lies beyond all constants.
fn begin_anew<W: Word>(pair: &Pair<W>, zone: &mut [Bound<W>], dim: usize, is_finite: bool) {
    let Pair { clock, stamp, .. } = *pair;
    let (most, least) = (zone[clock * dim + stamp], zone[stamp * dim + clock]);
    let limit = pair.lower.max(pair.upper);
    let far = (is_finite && limit != W::NO_BOUND && limit < W::MAX_CONSTANT)
        .then(|| Bound::lt(W::ZERO.minus(limit)));
    if !most.is_infinite() && most.plus(least) == Bound::LE_ZERO {
        dbm::reset(zone, dim, stamp, W::ZERO);
        dbm::reset(zone, dim, clock, most.constant());
    } else if let Some(far) = far
        && least <= far
    {
        dbm::reset(zone, dim, stamp, W::ZERO);
        dbm::free(zone, dim, clock);
        dbm::constrain(zone, dim, 0, clock, far);
    }
}
