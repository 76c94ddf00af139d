//! Where transitions exist: for priorities, which a transition that exists gives and takes, and for dead ends.

use crate::enter::Delay;
use crate::graph::ZoneGraph;
use crate::moves::Move;
use crate::plan::Role;
use crate::state::ZoneState;
use crate::stop::Stop;
use zonewalk_zones::{Bound, Federation, dbm};

/// Channel priority first, then the highest priority among the processes.
type Level = (u32, u32);

impl ZoneGraph<'_> {
    /// The points of a state in which one of its listed transitions exists: guards hold, and so does the invariant of the
    /// target. One convex set for each choice of select values.
    fn existence(&mut self, state: &ZoneState, number: usize) -> Result<Vec<Vec<Bound>>, Stop> {
        let mut found = Vec::new();
        if !self.guard(state, number) {
            return Ok(found);
        }
        let guarded = self.work.guarded.clone();
        self.first_selects();
        loop {
            self.update(state)?;
            if self.list_invariants()? {
                let mut zone = guarded.clone();
                let asked = std::mem::take(&mut self.work.invariant);
                let exists = asked.iter().all(|constraint| match self.before(constraint) {
                    Ok(before) => self.source.constrain(&mut zone, &[before]),
                    Err(truth) => truth,
                });
                self.work.invariant = asked;
                if exists && !found.contains(&zone) {
                    found.push(zone);
                }
            }
            if !self.next_selects() {
                return Ok(found);
            }
        }
    }

    fn level(&self, chosen: &Move) -> Level {
        let network = self.plan.network;
        let parts = &self.work.parts[chosen.parts.start as usize..chosen.parts.end as usize];
        let ready = |&part: &u32| &self.work.ready[part as usize];
        let processes = parts
            .iter()
            .map(|part| network.processes[ready(part).process as usize].priority);
        let initiator = ready(&parts[0]);
        let channel = if initiator.role == Role::Internal {
            network.default_priority
        } else {
            network.channels[initiator.channel as usize].priority
        };
        (channel, processes.max().unwrap_or(0))
    }

    /// Confines every listed transition to the points in which no higher one exists (`semantics.md` 15).
    pub(crate) fn cut_by_priority(&mut self, state: &ZoneState) -> Result<(), Stop> {
        let levels: Vec<Level> = self.work.moves.iter().map(|m| self.level(m)).collect();
        if levels.windows(2).all(|pair| pair[0] == pair[1]) {
            return Ok(());
        }
        // From the highest priority down, so that an update that is blocked everywhere is never run.
        let mut order: Vec<usize> = (0..levels.len()).collect();
        order.sort_by_key(|&number| std::cmp::Reverse(levels[number]));
        let mut left: Vec<Federation> = vec![Federation::new(state.dim()); levels.len()];
        let mut existing: Vec<(Level, Vec<Bound>)> = Vec::new();
        for number in order {
            if !self.guard(state, number) {
                continue;
            }
            left[number] = Self::federation(state.dim(), &self.work.guarded);
            for (level, zone) in &existing {
                if *level > levels[number] {
                    left[number].subtract(zone);
                }
            }
            if left[number].is_empty() {
                continue;
            }
            // Where something higher exists the transition does not matter, so it may be taken to exist there too.
            let zones = self.existence(state, number)?;
            if zones.is_empty() {
                left[number].clear();
            }
            existing.extend(zones.into_iter().map(|zone| (levels[number], zone)));
        }
        self.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        let moves = std::mem::take(&mut self.work.moves);
        for (chosen, left) in moves.into_iter().zip(&left) {
            for piece in left {
                self.work.pieces.push(piece.to_vec());
                let piece = Some(self.work.pieces.len() as u32 - 1);
                self.work.moves.push(Move {
                    parts: chosen.parts.clone(),
                    piece,
                });
            }
        }
        Ok(())
    }

    /// The points of a state from which no transition is possible, now or after a delay.
    ///
    /// # Errors
    /// When the model fails.
    pub fn dead_ends(&mut self, state: &ZoneState) -> Result<Federation, Stop> {
        let dim = state.dim();
        self.load(state);
        let count = self.plan.network.layout.locations as usize;
        self.target
            .set(&self.bounds, &self.everywhere, &state.discrete[..count]);
        let is_running = self.list_running()?;
        let delay = self.delay()?;
        let mut stops = Vec::new();
        if delay == Delay::Until {
            for set in &self.work.urgent {
                let mut stop = vec![Bound::INFINITY; dim * dim];
                dbm::set_universal(&mut stop, dim);
                if self.source.constrain(&mut stop, set) {
                    stops.push(stop);
                }
            }
        }
        // Where something stops time in the middle, a state has several zones, and time leads from one to another.
        let mut ahead = state.clone();
        if delay != Delay::None && self.list_invariants()? {
            self.up(&mut ahead.zone, is_running);
            self.source.constrain(&mut ahead.zone, &self.work.invariant);
        }
        self.list_moves(&ahead)?;
        let mut dead = Self::federation(dim, &state.zone);
        // Most states have a transition that is possible from everywhere, and then the others need no look.
        for number in 0..self.work.moves.len() {
            if delay == Delay::Until && !self.is_ahead(state, &ahead, number, &stops) {
                continue;
            }
            for mut zone in self.existence(&ahead, number)? {
                match delay {
                    Delay::None => dead.subtract(&zone),
                    // With clocks that stand still a dead end is a "maybe": only points that certainly are none go.
                    Delay::Until if !is_running => dead.subtract(&zone),
                    Delay::Free if !is_running => dead.subtract(&before_some(&zone, dim, &self.work.running)),
                    Delay::Free => {
                        dbm::down(&mut zone, dim);
                        dead.subtract(&zone);
                    }
                    Delay::Until => dead.subtract_federation(&before_stops(&zone, &stops, dim)),
                }
            }
            if dead.is_empty() {
                break;
            }
        }
        Ok(dead)
    }

    /// Whether time leads from some point of a state to one in which a transition is possible by its guards. What is not
    /// must not be run: it could fail.
    fn is_ahead(
        &mut self,
        state: &ZoneState,
        ahead: &ZoneState,
        number: usize,
        stops: &[Vec<Bound>],
    ) -> bool {
        if !self.guard(ahead, number) {
            return false;
        }
        let mut before = before_stops(&self.work.guarded, stops, state.dim());
        before.intersect(&state.zone);
        !before.is_empty()
    }
}

/// The points from which time leads into a convex set without being stopped on the way.
///
/// For one convex stop set: a point that leads to a part of the set that is not strictly later than the stop, a point of
/// the set itself, and a point that has the stop behind it. When the first point of the set on the way can be reached past
/// each of several stops, then past all of them.
fn before_stops(zone: &[Bound], stops: &[Vec<Bound>], dim: usize) -> Federation {
    let mut all = Federation::new(dim);
    let mut past = zone.to_vec();
    dbm::down(&mut past, dim);
    all.push(&past);
    for stop in stops {
        let mut beyond = stop.clone();
        dbm::up(&mut beyond, dim);
        let is_real = (1..dim).all(|i| {
            let lowest = beyond[i];
            dbm::constrain(&mut beyond, dim, 0, i, Bound::lt(lowest.constant()))
        });
        let mut one = Federation::new(dim);
        one.push(zone);
        let mut early = Federation::new(dim);
        early.push(zone);
        if is_real {
            early.subtract(&beyond);
        }
        early.down();
        early.iter().for_each(|z| one.push(z));
        let mut late = zone.to_vec();
        if is_real && dbm::intersect(&mut late, &beyond, dim) {
            dbm::down(&mut late, dim);
            let mut behind = Federation::new(dim);
            behind.push(&late);
            let mut before = stop.clone();
            dbm::down(&mut before, dim);
            behind.subtract(&before);
            behind.iter().for_each(|z| one.push(z));
        }
        all.intersect_federation(&one);
    }
    all
}

/// Points from which time certainly leads into a set while some clocks stand still: all such points when no constraint joins
/// a clock that runs with one that stands still, else the set itself.
fn before_some(zone: &[Bound], dim: usize, running: &[bool]) -> Vec<Bound> {
    let at = |i: usize, j: usize| zone[i * dim + j];
    let runs = |i: usize| i > 0 && running[i];
    let stands = |i: usize| i > 0 && !running[i];
    let is_implied = |i: usize, j: usize| at(i, j) >= at(i, 0).plus(at(0, j));
    let mut before = zone.to_vec();
    for i in (0..dim).filter(|&i| runs(i)) {
        for j in (0..dim).filter(|&j| stands(j)) {
            if !is_implied(i, j) || !is_implied(j, i) {
                return zone.to_vec();
            }
            before[i * dim + j] = Bound::INFINITY;
            before[j * dim + i] = Bound::INFINITY;
        }
        before[i] = Bound::LE_ZERO;
    }
    // Closing finds the lower bounds again that differences of running clocks imply.
    dbm::close(&mut before, dim);
    before
}
