//! Whether a clock grows without bound over ever longer runs.

use super::{Round, add, beyond};
use crate::explorer::Explorer;
use crate::graph::abstraction::Abstraction;
use crate::graph::{ExtraClock, ZoneGraph};
use crate::infinite::lasso::{Fault, Growing};
use crate::state::ZoneState;
use crate::store::{Covering, ZoneStore};
use zonewalk_network::ids::ClockId;
use zonewalk_search::{Limits, Statistics, Store, Stored};
use zonewalk_zones::{Bound, Word, dbm};

impl<W: Word> Round<'_, '_, W> {
    /// Whether time can pass forever with the clock of a measure beyond its ceiling, in one state or on a cycle that leaves
    /// the clock alone, and from there the condition can be reached in the same way. A limit that is reached is a no.
    pub(super) fn grows(
        &mut self,
        number: usize,
        limits: &Limits<'_>,
        total: &mut Statistics,
    ) -> Result<bool, Fault> {
        let ceiling = self.found[number].ceiling;
        let tick = ExtraClock {
            lower: Some(1),
            upper: Some(1),
        };
        let condition = self.layout.condition.clone();
        let goals: Vec<_> = condition.iter().collect();
        let states = std::mem::take(&mut self.beyond);
        let mut clocks: Vec<ClockId> = states
            .iter()
            .filter(|entry| entry.0 == number)
            .map(|entry| entry.1)
            .collect();
        clocks.sort_unstable();
        clocks.dedup();
        let mut result = false;
        let bounds = self.explorer.graph().bounds.clone();
        let mut graph = ZoneGraph::new(self.plan, bounds, &[tick], Abstraction::M, &goals).ticking();
        if let Some(ceiling) = self.layout.endless {
            graph = graph.with_ceiling(ceiling);
        }
        let explorer = Explorer::from(graph);
        for clock in clocks {
            let mut growing = Growing::new(explorer.another(), clock, limits);
            for (_, _, state) in states.iter().filter(|e| e.0 == number && e.1 == clock) {
                let Some(index) = state.clocks.iter().position(|&c| c == clock) else {
                    continue;
                };
                let Some(part) = beyond(&state.zone, state.dim(), index + 1, ceiling) else {
                    continue;
                };
                if self.leads_to_condition(&mut growing, state, &part)? {
                    result = true;
                    break;
                }
            }
            add(total, &growing.statistics());
        }
        self.beyond = states;
        Ok(result)
    }

    /// Looks for a delay without end or a cycle from some points of a state on, and for the condition after it.
    fn leads_to_condition(
        &mut self,
        growing: &mut Growing<'_, '_, W>,
        state: &ZoneState<W>,
        part: &[Bound<W>],
    ) -> Result<bool, Fault> {
        if let Some(last) = growing.in_the_end(state, part)?
            && self.reaches_condition(growing, last)?
        {
            return Ok(true);
        }
        match growing.cycle(state, part)? {
            Some(start) => self.reaches_condition(growing, start),
            None => Ok(false),
        }
    }

    fn reaches_condition(
        &self,
        growing: &mut Growing<'_, '_, W>,
        start: ZoneState<W>,
    ) -> Result<bool, Fault> {
        let Some(condition) = &self.layout.condition else {
            return Ok(true);
        };
        let mut store = ZoneStore::new(self.plan.network, Covering::Inclusion);
        let mut waiting = vec![start];
        while let Some(state) = waiting.pop() {
            // Nothing extrapolates zones whose clocks are copied again and again: before their sums leave the words, give up.
            if dbm::magnitude(&state.zone) > W::MAX_CONSTANT >> 2 {
                return Ok(false);
            }
            if let Stored::Covered(_) = store.insert(&state) {
                continue;
            }
            if growing.meets(condition, &state)? {
                return Ok(true);
            }
            waiting.extend(growing.successors(&state)?);
        }
        Ok(false)
    }
}
