//! The abstraction of a zone: the last step of computing a successor.

use crate::graph::abstraction::Abstraction;
use crate::graph::scratch::Scratch;
use crate::graph::{Step, ZoneGraph};
use crate::state::ZoneState;
use crate::state::constraint::Constraint;
use crate::stop::Stop;
use std::ops::ControlFlow;
use zonewalk_search::Flow;
use zonewalk_zones::extrapolation::{extra_lu, extra_lu_plus, extra_m};
use zonewalk_zones::{Bound, Word, dbm};

impl ZoneGraph<'_> {
    /// Abstracts a zone of the target and emits it.
    pub(crate) fn abstracted<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        zone: &mut Vec<Bound<W>>,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        let dim = scratch.target.dim();
        let (lower, upper) = (&scratch.target.lower, &scratch.target.upper);
        match self.abstraction {
            Abstraction::None => {}
            Abstraction::M => {
                scratch.extra_m(zone, |_| 0);
            }
            Abstraction::Lu => {
                extra_lu(zone, dim, lower, upper);
            }
            Abstraction::LuPlus => {
                extra_lu_plus(zone, dim, lower, upper);
            }
            Abstraction::Split => {
                for mut piece in self.split_along_diagonals(scratch, zone) {
                    if self.emit(scratch, &mut piece, emit).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                return Ok(ControlFlow::Continue(()));
            }
        }
        if let Some(stamps) = &self.stamps {
            stamps.settle(
                &scratch.target.pairs,
                zone,
                dim,
                self.abstraction != Abstraction::None,
            );
        }
        Ok(self.emit(scratch, zone, emit))
    }

    /// Splits a zone so that each piece lies on one side of every difference that matters, extrapolates each, and keeps the
    /// sides.
    fn split_along_diagonals<W: Word>(&self, scratch: &Scratch<W>, zone: &[Bound<W>]) -> Vec<Vec<Bound<W>>> {
        let frame = &scratch.target;
        let mut pieces: Vec<(Vec<Bound<W>>, Vec<Constraint>)> = vec![(zone.to_vec(), Vec::new())];
        for diagonal in &self.diagonals.constraints {
            if frame.ends(diagonal).is_none() {
                continue;
            }
            let complement = diagonal.complement();
            let mut behind = Vec::new();
            for (piece, kept) in &mut pieces {
                match (frame.allows(piece, diagonal), frame.allows(piece, &complement)) {
                    (true, true) => {
                        let mut part = (piece.clone(), kept.clone());
                        frame.constrain(&mut part.0, &[complement]);
                        part.1.push(complement);
                        behind.push(part);
                        frame.constrain(piece, &[*diagonal]);
                        kept.push(*diagonal);
                    }
                    (is_inside, _) => kept.push(if is_inside { *diagonal } else { complement }),
                }
            }
            pieces.append(&mut behind);
        }
        let room = |index: usize| {
            let clock = index.checked_sub(1).map(|index| frame.clocks[index]);
            clock.map_or(0, |clock| self.diagonals.room(clock))
        };
        for (piece, kept) in &mut pieces {
            scratch.extra_m(piece, room);
            frame.constrain(piece, kept);
            debug_assert!(!dbm::is_empty(piece));
        }
        pieces.into_iter().map(|(piece, _)| piece).collect()
    }

    fn emit<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        zone: &mut Vec<Bound<W>>,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Flow {
        let length = self.plan.network.layout.meta as usize;
        scratch.out.discrete.clear();
        scratch.out.discrete.extend_from_slice(&scratch.memory[..length]);
        scratch.out.clocks.clear();
        scratch.out.clocks.extend_from_slice(&scratch.target.clocks);
        std::mem::swap(&mut scratch.out.zone, zone);
        let step = Step {
            parts: &scratch.edges,
            selects: &scratch.selects,
            is_tick: scratch.is_tick,
            record: self.is_recording.then_some(&scratch.record),
        };
        let flow = emit(&scratch.out, step);
        std::mem::swap(&mut scratch.out.zone, zone);
        flow
    }
}

impl<W: Word> Scratch<W> {
    /// Extra-M, with bounds that are at least these by index in the zone.
    fn extra_m(&self, zone: &mut [Bound<W>], least: impl Fn(usize) -> i64) {
        let both = self.target.lower.iter().zip(&self.target.upper);
        let word = |number: i64| W::from_i64(number).unwrap_or(W::MAX_CONSTANT);
        let most = both.enumerate().map(|(index, (l, u))| match *l.max(u) {
            most if most == W::NO_BOUND => most,
            most => most.max(word(least(index))),
        });
        let mut most: Vec<W> = most.collect();
        most[0] = W::ZERO;
        extra_m(zone, self.target.dim(), &most);
    }
}
