//! Which transitions the data of a state allow, and in which part of its zone.

use crate::condition::Collected;
use crate::graph::ZoneGraph;
use crate::graph::scratch::Scratch;
use crate::plan::effort;
use crate::state::constraint::Constraint;
use crate::state::{Frame, ZoneState};
use crate::stop::Stop;
use std::ops::Range;
use zonewalk_product::{Regions, Splitter};
use zonewalk_zones::{Bound, Federation, Word};

/// Time for each edge of a transition that is listed, in nanoseconds or so.
const PART: u64 = 16;

/// Transitions of one state that are put in the order of their priorities, which needs all of them at once.
const MOST_WITH_PRIORITIES: usize = 1 << 18;

impl ZoneGraph<'_> {
    /// Begins to list the transitions of a state: its ready edges.
    pub(crate) fn begin_moves<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
    ) -> Result<(), Stop> {
        self.load(scratch, state);
        scratch.failed = None;
        scratch.attempt = None;
        scratch.constraints.clear();
        let mut source: Collected<'_, W> = Collected {
            network: self.plan.network,
            memory: &mut scratch.memory,
            loops: &mut scratch.loops,
            alarm: &mut scratch.alarm,
            into: &mut scratch.constraints,
            zone: Some((&scratch.source, &state.zone)),
        };
        let mut first = None;
        let fail = |edge, stop| _ = first.get_or_insert((edge, stop));
        let listed = self.plan.list_ready(&mut source, &mut scratch.moves, fail);
        if let Some((edge, stop)) = first {
            scratch.fail(stop, &[edge], &[]);
        }
        scratch.effort += effort::of_listing(self.plan.network.processes.len(), listed?);
        if let Some(long) = &self.plan.long_code {
            scratch.effort += long.of_guards(self.plan, &scratch.memory);
        }
        Ok(())
    }

    /// Lists the next transitions: those that the committed rule and priorities leave. False when there are no more.
    ///
    /// # Errors
    /// When the alarm rings, or with priorities when there are too many.
    pub(crate) fn next_moves<W: Word>(
        &self,
        scratch: &mut Scratch<W>,
        state: &ZoneState<W>,
    ) -> Result<bool, Stop> {
        scratch.moves.forget();
        loop {
            let pieces = Pieces {
                frame: &scratch.source,
                zone: &state.zone,
                constraints: &scratch.constraints,
            };
            let is_more = self.plan.combine(&pieces, &mut scratch.moves);
            let listed = scratch.moves.list.len();
            scratch.loops.0 += PART * scratch.moves.parts.len() as u64;
            if !self.plan.has_priorities {
                // Many may have been tried where few are listed.
                if is_more && listed == 0 && scratch.is_to_leave_off() {
                    return Err(scratch.leave_off());
                }
                return Ok(is_more);
            }
            if !is_more {
                self.cut_by_priority(scratch, state);
                return match scratch.failed {
                    Some(Stop::Alarm) => Err(Stop::Alarm),
                    _ => Ok(listed > 0),
                };
            }
            if scratch.is_to_leave_off() {
                return Err(scratch.leave_off());
            }
            if listed > MOST_WITH_PRIORITIES {
                scratch.fail(Stop::TooManyTransitions, &[], &[]);
                return Err(Stop::TooManyTransitions);
            }
        }
    }
}

/// A zone that guards divide.
struct Pieces<'a, W> {
    frame: &'a Frame<W>,
    zone: &'a [Bound<W>],
    constraints: &'a [Constraint],
}

impl<W: Word> Regions for Pieces<'_, W> {
    type Region = Vec<Bound<W>>;
    type Guard = [Constraint];

    fn within(&self, zone: &Vec<Bound<W>>, guard: &[Constraint]) -> Option<Vec<Bound<W>>> {
        let mut part = zone.clone();
        self.frame.constrain(&mut part, guard).then_some(part)
    }

    fn without<'a>(
        &self,
        zone: &Vec<Bound<W>>,
        parts: impl Iterator<Item = &'a Vec<Bound<W>>>,
        rest: &mut Vec<Vec<Bound<W>>>,
    ) {
        let mut left = Federation::from_zone(zone, self.frame.dim());
        parts.for_each(|part| left.subtract(part));
        rest.extend(left.iter().map(<[Bound<W>]>::to_vec));
    }
}

impl<W: Word> Splitter for Pieces<'_, W> {
    fn part(&self, guard: &Range<u32>) -> Option<Vec<Bound<W>>> {
        let mut part = self.zone.to_vec();
        self.frame.constrain(&mut part, self.guard(guard)).then_some(part)
    }

    fn guard(&self, guard: &Range<u32>) -> &[Constraint] {
        &self.constraints[guard.start as usize..guard.end as usize]
    }
}
