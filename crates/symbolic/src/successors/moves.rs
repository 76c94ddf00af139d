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

impl ZoneGraph<'_> {
    /// Lists the transitions of a state: all of them that the committed rule and priorities leave.
    pub(crate) fn list_moves<W: Word>(
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
        let pieces = Pieces {
            frame: &scratch.source,
            zone: &state.zone,
            constraints: &scratch.constraints,
        };
        self.plan.combine(&pieces, &mut scratch.moves);
        if self.plan.has_priorities {
            self.cut_by_priority(scratch, state);
        }
        Ok(())
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
