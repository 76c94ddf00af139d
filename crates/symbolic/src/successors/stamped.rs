//! Entering a discrete state where clocks that stand still have [stamps](crate::graph::stamps).

use crate::graph::scratch::{Scratch, Source};
use crate::graph::stamps::Stamps;
use crate::graph::{Step, ZoneGraph};
use crate::state::ZoneState;
use crate::state::constraint::ClockRef;
use crate::stop::Stop;
use std::ops::ControlFlow;
use zonewalk_network::ids::ClockId;
use zonewalk_product::Delay;
use zonewalk_search::Flow;
use zonewalk_zones::dbm::between;
use zonewalk_zones::{Bound, Word};

impl ZoneGraph<'_> {
    /// Enters the discrete state that memory holds, whose clocks without stamps are those of the target.
    pub(crate) fn emit_stamped<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        stamps: &Stamps,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        if !self.list_invariants(scratch)? {
            return Ok(ControlFlow::Continue(()));
        }
        self.list_running(scratch)?;
        let rate_of = &scratch.rate_of;
        let standing = (0u32..).zip(rate_of).filter(|(_, rate)| **rate == Some(false));
        stamps.stop(&mut scratch.target, standing.map(|(clock, _)| ClockId(clock)));
        let mut zone = std::mem::take(&mut scratch.zone);
        let flow = self.emit_in_stamped(scratch, &mut zone, emit);
        scratch.zone = zone;
        flow
    }

    fn emit_in_stamped<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        zone: &mut Vec<Bound<W>>,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        scratch.list_sources();
        scratch.enter_from_sources(zone)?;
        if !scratch.target.constrain(zone, &scratch.invariant) {
            return Ok(ControlFlow::Continue(()));
        }
        let delay = self.delay(scratch);
        if self.is_recording {
            self.start_record(scratch, delay);
        }
        if delay == Delay::Until || self.avoided.is_some() {
            return self.split(scratch, zone, delay, true, emit);
        }
        if delay == Delay::Free {
            scratch.up(zone, true);
            scratch.target.constrain(zone, &scratch.invariant);
        }
        self.abstracted(scratch, zone, emit)
    }
}

impl<W: Word> Scratch<W> {
    /// Finds out which rows of the source the rows of the target come from.
    fn list_sources(&mut self) {
        let target = &self.target;
        let clocks = target.dim() - target.pairs.list.len();
        self.sources.clear();
        self.sources.push(Some(Source {
            rows: (0, 0),
            plus: 0,
        }));
        for &clock in &target.clocks[..clocks - 1] {
            let (origin, plus) = self.assignments.value(clock);
            let rows = match origin {
                ClockRef::ZERO => Some((0, 0)),
                origin => self.source.place(origin),
            };
            debug_assert!(
                rows.is_some(),
                "a clock that begins to matter has been assigned to"
            );
            self.sources.push(rows.map(|rows| Source { rows, plus }));
        }
        for pair in &target.pairs.list {
            // A clock that goes on standing keeps its stamp; one that stops has a new one.
            let stamp = self.sources[pair.clock].as_mut().map(|source| {
                let stamp = source.rows.1;
                source.rows.1 = 0;
                Source {
                    rows: (stamp, 0),
                    plus: 0,
                }
            });
            self.sources.push(stamp);
        }
    }

    /// The zone after the assignments, over the rows of the target.
    fn enter_from_sources(&self, zone: &mut Vec<Bound<W>>) -> Result<(), Stop> {
        let (dim, before) = (self.target.dim(), self.source.dim());
        zone.clear();
        zone.resize(dim * dim, Bound::INFINITY);
        for (i, left) in self.sources.iter().enumerate() {
            let row = &mut zone[i * dim..(i + 1) * dim];
            for (j, (entry, right)) in row.iter_mut().zip(&self.sources).enumerate() {
                let (Some(left), Some(right)) = (left, right) else {
                    if i == 0 || i == j {
                        *entry = Bound::LE_ZERO;
                    }
                    continue;
                };
                let bound = between(&self.guarded, before, left.rows, right.rows);
                *entry = if bound.is_infinite() || left.plus == right.plus {
                    bound
                } else {
                    let sum = bound.constant().into() + i64::from(left.plus) - i64::from(right.plus);
                    match Bound::<i64>::new(sum, bound.is_strict()).to_width() {
                        Some(sum) => sum,
                        None => return Err(Stop::Constant(left.plus.max(right.plus))),
                    }
                };
            }
        }
        Ok(())
    }
}
