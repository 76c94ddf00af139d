//! Cycles that leave a clock alone while time passes, so that it grows without bound.

use super::expand::{Ends, Expander};
use super::{Fault, Found, nested};
use crate::goal::Goal;
use crate::graph::ZoneGraph;
use crate::state::ZoneState;
use crate::stop::Stop;
use zonewalk_search::{Limits, Meter, Statistics};
use zonewalk_zones::Bound;

/// A search for such cycles, with what it has learnt.
pub(crate) struct Growing<'n, 'l> {
    expander: Expander<'n>,
    memory: nested::Memory,
    meter: Meter<'l>,
}

fn failed(stop: Stop) -> Fault {
    Fault {
        stop,
        path: Vec::new(),
    }
}

impl<'n, 'l> Growing<'n, 'l> {
    /// Requires: the graph is a ticking one.
    pub(crate) fn new(graph: ZoneGraph<'n>, clock: u32, limits: &Limits<'l>) -> Growing<'n, 'l> {
        Growing {
            memory: nested::Memory::new(graph.plan().network),
            expander: Expander {
                graph,
                ends: Ends::None,
                held: 0,
                untouched: Some(clock),
            },
            meter: Meter::new(limits),
        }
    }

    /// A state on a cycle that some points of a state lead to; `None` when there is no such cycle or a limit was reached.
    pub(crate) fn cycle(&mut self, state: &ZoneState, part: &[Bound]) -> Result<Option<ZoneState>, Fault> {
        let roots = self.expander.restart(state, part).map_err(failed)?;
        let found = nested::search(&mut self.expander, &mut self.memory, &mut self.meter, roots)?;
        Ok(match found {
            Found::Lasso(_, start) => Some(*start),
            Found::Nothing | Found::Limit(_) => None,
        })
    }

    /// Points that some points of a state lead to after any delay that is long enough, if time can pass for ever.
    pub(crate) fn in_the_end(
        &mut self,
        state: &ZoneState,
        part: &[Bound],
    ) -> Result<Option<ZoneState>, Fault> {
        for root in self.expander.restart(state, part).map_err(failed)? {
            let last = self.expander.graph.in_the_end(&root.state).map_err(failed)?;
            if last.is_some() {
                return Ok(last);
            }
        }
        Ok(None)
    }

    /// The successors of a state by transitions that leave the clock alone.
    pub(crate) fn successors(&mut self, state: &ZoneState) -> Result<Vec<ZoneState>, Fault> {
        let list = self.expander.successors(state).map_err(failed)?;
        Ok(list.into_iter().map(|successor| successor.state).collect())
    }

    /// Whether some point of a state fulfils a goal.
    pub(crate) fn meets(&mut self, goal: &Goal, state: &ZoneState) -> Result<bool, Fault> {
        self.expander.graph.meets(goal, state).map_err(failed)
    }

    /// What was done.
    pub(crate) fn statistics(&self) -> Statistics {
        self.meter.statistics
    }
}
