//! Where transitions exist: for priorities, which a transition that exists gives and takes, and for deadlocks.

use crate::goal::Deadlocks;
use crate::graph::ZoneGraph;
use crate::graph::scratch::Scratch;
use crate::sown::Bug;
use crate::state::ZoneState;
use crate::stop::Stop;
use zonewalk_product::{Delay, Level, sift};
use zonewalk_zones::{Bound, Federation, Word, dbm, minimal};

impl ZoneGraph<'_> {
    /// The points of a state in which one of its listed transitions exists: guards hold, and so does the invariant of the
    /// target. One convex set for each choice of select values.
    fn existence<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        number: usize,
    ) -> Result<Vec<Vec<Bound<W>>>, Stop> {
        let mut found = Vec::new();
        if !self.guard(scratch, state, number) {
            return Ok(found);
        }
        let guarded = scratch.guarded.clone();
        self.plan.first_selects(&scratch.edges, &mut scratch.selects);
        loop {
            self.update(scratch, state)?;
            if self.list_invariants(scratch)? {
                let mut zone = guarded.clone();
                let asked = std::mem::take(&mut scratch.invariant);
                let exists = asked.iter().all(|constraint| match scratch.before(constraint) {
                    Ok(before) => scratch.source.constrain(&mut zone, &[before]),
                    Err(truth) => truth,
                });
                scratch.invariant = asked;
                if exists && !found.contains(&zone) {
                    found.push(zone);
                }
            }
            if scratch.is_to_leave_off() {
                return Err(scratch.leave_off());
            }
            if !self.plan.next_selects(&scratch.edges, &mut scratch.selects) {
                return Ok(found);
            }
        }
    }

    /// Confines every listed transition to the points in which no higher one exists (`semantics.md` 15).
    pub(crate) fn cut_by_priority<W: Word>(&self, scratch: &mut Scratch<W>, state: &ZoneState<W>) {
        let moves = &scratch.moves;
        let mut levels: Vec<(Level, usize)> = Vec::with_capacity(moves.list.len());
        for (number, of) in moves.list.iter().enumerate() {
            let [initiator, others @ ..] = moves.parts(of) else {
                continue;
            };
            let channel = moves.about(*initiator).channel;
            let level = self.plan.level(*initiator, channel, others.iter().copied());
            levels.push((level, number));
        }
        if levels.windows(2).all(|pair| pair[0].0 == pair[1].0) {
            return;
        }
        // By transition: where it is not blocked.
        let mut left = vec![Federation::new(state.dim()); moves.list.len()];
        let room = (&mut Vec::new(), &mut Vec::new());
        sift(&mut levels, room, |(_, number), above, here| {
            if scratch.failed != Some(Stop::Alarm) && self.guard(scratch, state, number) {
                let left = &mut left[number];
                left.push(&scratch.guarded);
                above.iter().for_each(|zone: &Vec<Bound<W>>| left.subtract(zone));
                if !left.is_empty() {
                    // Where something higher exists the transition does not matter, so it may be taken to exist there too.
                    match self.existence(scratch, state, number) {
                        Ok(_) if Bug::Blocking.is_sown() => here.push(scratch.guarded.clone()),
                        Ok(zones) if zones.is_empty() => left.clear(),
                        Ok(mut zones) => here.append(&mut zones),
                        // Whether it exists is not known, so that nothing is known of those below it. The others do not depend
                        // on it (`semantics.md` 17).
                        Err(stop) => {
                            scratch.fail_now(stop);
                            here.push(scratch.guarded.clone());
                        }
                    }
                }
            }
        });
        scratch.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        let moves = std::mem::take(&mut scratch.moves.list);
        for (of, left) in moves.iter().zip(&left) {
            scratch.moves.confine(of, left.iter().map(<[Bound<W>]>::to_vec));
        }
    }

    /// The points of a state from which no transition is possible, now or after a delay.
    ///
    /// # Errors
    /// When the model fails, unless another transition is possible everywhere.
    pub fn deadlocks<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
    ) -> Result<Federation<W>, Stop> {
        let dead = self.deadlocks_beside_failures(scratch, state)?;
        dead.failure.map_or(Ok(dead.possible), Err)
    }

    /// The points of a state from which no transition is possible, from both sides: what fails is no transition, but whether it
    /// would be one is not known (`semantics.md` 28a).
    ///
    /// # Errors
    /// When the model fails in what all transitions depend on.
    pub(crate) fn deadlocks_beside_failures<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
    ) -> Result<Deadlocks<W>, Stop> {
        let dim = state.dim();
        let Some(state) = &self.within_invariant(scratch, state)? else {
            return Ok(Deadlocks::none(dim));
        };
        let passage = self.passage(scratch, state)?;
        let whole = self.future(scratch, state, &passage)?;
        self.begin_moves(scratch, &whole)?;
        let mut dead = Federation::from_zone(&state.zone, dim);
        // A guard that fails may belong to a transition anywhere.
        let mut doubtful = match scratch.failed {
            Some(_) => dead.clone(),
            None => Federation::new(dim),
        };
        // One transition that is always possible is enough, and most states have one.
        let mut numbers = 0..0;
        loop {
            let Some(number) = numbers.next() else {
                if !self.next_moves(scratch, &whole)? {
                    break;
                }
                numbers = 0..scratch.moves.list.len();
                continue;
            };
            // What lies behind a stop must not be run: it could fail.
            if passage.delay == Delay::Until {
                let mut before = Federation::new(dim);
                if self.guard(scratch, &whole, number) {
                    before = passage.before(&scratch.guarded, dim);
                    before.intersect(&state.zone);
                }
                if before.is_empty() {
                    continue;
                }
            }
            match self.existence(scratch, &whole, number) {
                Ok(zones) => {
                    for zone in zones {
                        dead.subtract_federation(&passage.before(&zone, dim));
                    }
                }
                Err(Stop::Alarm) => return Err(Stop::Alarm),
                Err(stop) => {
                    scratch.fail_now(stop);
                    if passage.stopped.is_some() {
                        // What comes before is known from below alone.
                        doubtful = dead.clone();
                    } else if self.guard(scratch, &whole, number) {
                        for zone in &passage.before(&scratch.guarded, dim) {
                            doubtful.push(zone);
                        }
                    }
                }
            }
            if dead.is_empty() {
                return Ok(Deadlocks::none(dim));
            }
        }
        let mut certain = dead.clone();
        certain.subtract_federation(&doubtful);
        Ok(Deadlocks {
            possible: dead,
            certain,
            failure: scratch.failed.take(),
        })
    }

    /// The points of a state that fulfil the invariant, beyond which abstractions may add some; `None` without any. It is loaded
    /// then.
    pub(crate) fn within_invariant<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
    ) -> Result<Option<ZoneState<W>>, Stop> {
        self.load(scratch, state);
        if !self.list_invariants(scratch)? {
            return Ok(None);
        }
        let mut inside = state.clone();
        let is_inside = scratch.source.constrain(&mut inside.zone, &scratch.invariant);
        Ok(is_inside.then_some(inside))
    }

    /// A state with all the points that time leads to. Where zones are split, what follows a point of one piece may be in
    /// another. Requires: memory holds the state, which is loaded as the source.
    pub(crate) fn future<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
        passage: &Passage<W>,
    ) -> Result<ZoneState<W>, Stop> {
        let mut whole = state.clone();
        if passage.delay != Delay::None && self.list_invariants(scratch)? {
            let dim = state.dim();
            match &passage.stopped {
                None => dbm::up(&mut whole.zone, dim),
                Some(running) => dbm::up_some(&mut whole.zone, dim, running),
            }
            scratch.source.constrain(&mut whole.zone, &scratch.invariant);
        }
        Ok(whole)
    }

    /// How time passes in the discrete state that memory holds and that is loaded as the source.
    pub(crate) fn passage<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
    ) -> Result<Passage<W>, Stop> {
        let dim = state.dim();
        let delay = self.delay(scratch);
        let mut stops = Vec::new();
        if delay == Delay::Until {
            for set in &scratch.stops {
                let mut stop = vec![Bound::INFINITY; dim * dim];
                dbm::set_universal(&mut stop, dim);
                if scratch.source.constrain(&mut stop, set) {
                    stops.push(stop);
                }
            }
        }
        scratch.target.clone_from(&scratch.source);
        // Where clocks that stand still have stamps, everything in a zone goes on.
        let stopped = if self.stamps.is_some() || self.list_running(scratch)? {
            None
        } else {
            Some(scratch.running.clone())
        };
        Ok(Passage {
            delay,
            stops,
            stopped,
        })
    }
}

/// How time passes in a discrete state.
pub(crate) struct Passage<W> {
    pub(crate) delay: Delay,
    /// The points in which it stops.
    pub(crate) stops: Vec<Vec<Bound<W>>>,
    /// By index of a clock, whether it runs; `None` when all do.
    pub(crate) stopped: Option<Vec<bool>>,
}

impl<W: Word> Passage<W> {
    /// The points from which time leads into a zone, the zone itself included, whatever the invariant, which is convex.
    ///
    /// Where clocks stand still these are not a zone; then fewer points are given, so that what is left when they are taken
    /// away is too much and never too little: a false deadlock is a *maybe* (`semantics.md` 3).
    pub(crate) fn before(&self, zone: &[Bound<W>], dim: usize) -> Federation<W> {
        let mut found = Federation::from_zone(zone, dim);
        match (self.delay, &self.stopped) {
            (Delay::None, _) => {}
            (Delay::Until, Some(_)) => {}
            (Delay::Free, None) => found.down(),
            (Delay::Until, None) => found = before_stops(zone, &self.stops, dim),
            (Delay::Free, Some(running)) => {
                if let Some(before) = down_running(zone, dim, running) {
                    found.push(&before);
                }
            }
        }
        found
    }
}

/// The points from which time leads into a zone when some clocks stand still; `None` when they may be no zone, because a
/// clock that runs is compared with one that does not.
fn down_running<W: Word>(zone: &[Bound<W>], dim: usize, running: &[bool]) -> Option<Vec<Bound<W>>> {
    let is_mixed = |i: usize, j: usize| i != 0 && j != 0 && running[i] != running[j];
    let constraints = minimal::constraints(zone, dim);
    if constraints
        .iter()
        .any(|c| is_mixed(usize::from(c.left), usize::from(c.right)))
    {
        return None;
    }
    let mut before = vec![Bound::INFINITY; dim * dim];
    dbm::set_universal(&mut before, dim);
    for i in 0..dim {
        for j in 0..dim {
            let is_lower = i == 0 && running[j];
            if i != j && !is_mixed(i, j) && !is_lower {
                let bound = zone[i * dim + j];
                if !bound.is_infinite() && !dbm::constrain(&mut before, dim, i, j, bound) {
                    return None;
                }
            }
        }
    }
    Some(before)
}

/// The points from which time leads into a convex set without being stopped on the way.
///
/// For one convex stop set: a point that leads to a part of the set that is not strictly later than the stop, a point of
/// the set itself, and a point that has the stop behind it. When the first point of the set on the way can be reached past
/// each of several stops, then past all of them.
pub(crate) fn before_stops<W: Word>(zone: &[Bound<W>], stops: &[Vec<Bound<W>>], dim: usize) -> Federation<W> {
    let mut all = Federation::from_zone(zone, dim);
    all.down();
    for stop in stops {
        let mut beyond = stop.clone();
        dbm::up(&mut beyond, dim);
        let is_real = (1..dim).all(|i| {
            let lowest = beyond[i];
            dbm::constrain(&mut beyond, dim, 0, i, Bound::lt(lowest.constant()))
        });
        let mut one = Federation::from_zone(zone, dim);
        let mut early = one.clone();
        if is_real {
            early.subtract(&beyond);
        }
        early.down();
        early.iter().for_each(|z| one.push(z));
        let mut late = zone.to_vec();
        if is_real && dbm::intersect(&mut late, &beyond, dim) {
            dbm::down(&mut late, dim);
            let mut behind = Federation::from_zone(&late, dim);
            let mut before = stop.clone();
            dbm::down(&mut before, dim);
            behind.subtract(&before);
            behind.iter().for_each(|z| one.push(z));
        }
        all.intersect_federation(&one);
    }
    all
}
