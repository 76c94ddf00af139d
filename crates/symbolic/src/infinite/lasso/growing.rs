//! Cycles that leave a clock alone while time passes, so that it grows without bound.

use super::expand::{CountedEnds, Expander};
use super::{Fault, LassoSearchEnd, nested};
use crate::explorer::Explorer;
use crate::goal::ZoneGoal;
use crate::state::ZoneState;
use zonewalk_network::ids::ClockId;
use zonewalk_search::{Limits, Meter, Statistics};
use zonewalk_zones::{Bound, Word};

/// A search for such cycles, with what it has learnt.
pub(crate) struct Growing<'n, 'l, W> {
    expander: Expander<'n, W>,
    memory: nested::Memory<W>,
    meter: Meter<'l>,
}

impl<'n, 'l, W: Word> Growing<'n, 'l, W> {
    /// Requires: the graph is a ticking one.
    pub(crate) fn new(explorer: Explorer<'n, W>, clock: ClockId, limits: &Limits<'l>) -> Growing<'n, 'l, W> {
        Growing {
            memory: nested::Memory::new(explorer.graph().plan().network),
            expander: Expander {
                untouched: Some(clock),
                ..Expander::new(explorer, CountedEnds::None)
            },
            meter: Meter::new(limits),
        }
    }

    /// A state on a cycle that some points of a state lead to; `None` when there is no such cycle or a limit was reached.
    pub(crate) fn cycle(
        &mut self,
        state: &ZoneState<W>,
        part: &[Bound<W>],
    ) -> Result<Option<ZoneState<W>>, Fault> {
        let roots = self.expander.restart(state, part);
        let found = nested::search(&mut self.expander, &mut self.memory, &mut self.meter, roots);
        self.unless_failed(match found {
            LassoSearchEnd::Lasso(_, start) => Some(*start),
            LassoSearchEnd::Nothing | LassoSearchEnd::Limit(_) => None,
        })
    }

    /// Values without end are certain only where nothing has failed.
    fn unless_failed<T>(&mut self, value: T) -> Result<T, Fault> {
        self.expander.fault.take().map_or(Ok(value), Err)
    }

    /// Points that some points of a state lead to after any delay that is long enough, if time can pass forever.
    pub(crate) fn in_the_end(
        &mut self,
        state: &ZoneState<W>,
        part: &[Bound<W>],
    ) -> Result<Option<ZoneState<W>>, Fault> {
        let mut last = None;
        for root in self.expander.restart(state, part) {
            let (graph, scratch) = self.expander.explorer.parts();
            let found = graph.in_the_end(scratch, &root.state);
            last = last.or(self.expander.remember(found, Vec::new).flatten());
        }
        self.unless_failed(last)
    }

    /// The successors of a state by transitions that leave the clock alone.
    pub(crate) fn successors(&mut self, state: &ZoneState<W>) -> Result<Vec<ZoneState<W>>, Fault> {
        let list = self.expander.successors(state, Vec::new);
        self.unless_failed(list.into_iter().map(|successor| successor.state).collect())
    }

    /// Whether some point of a state fulfils a goal.
    pub(crate) fn meets(&mut self, goal: &ZoneGoal, state: &ZoneState<W>) -> Result<bool, Fault> {
        let met = self.expander.explorer.meets(goal, state);
        let met = self.expander.remember(met, Vec::new).unwrap_or(false);
        self.unless_failed(met)
    }

    /// Work done.
    pub(crate) fn statistics(&self) -> Statistics {
        self.meter.statistics
    }
}
