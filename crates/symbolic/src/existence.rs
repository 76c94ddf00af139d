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
        let mut existing = Vec::with_capacity(levels.len());
        for number in 0..levels.len() {
            existing.push(self.existence(state, number)?);
        }
        self.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        let moves = std::mem::take(&mut self.work.moves);
        for (number, chosen) in moves.into_iter().enumerate() {
            if existing[number].is_empty() {
                continue;
            }
            let zone = match chosen.piece {
                Some(piece) => self.work.pieces[piece as usize].clone(),
                None => state.zone.clone(),
            };
            let mut left = Self::federation(state.dim(), &zone);
            for (other, zones) in existing.iter().enumerate() {
                if levels[other] > levels[number] {
                    zones.iter().for_each(|z| left.subtract(z));
                }
            }
            for piece in &left {
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
        self.list_moves(state)?;
        let mut dead = Self::federation(dim, &state.zone);
        // Most states have a transition that is possible from everywhere, and then the others need no look.
        for number in 0..self.work.moves.len() {
            for mut zone in self.existence(state, number)? {
                match delay {
                    Delay::None => dead.subtract(&zone),
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
