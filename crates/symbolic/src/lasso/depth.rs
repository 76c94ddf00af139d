//! Depth-first search for any cycle, or for the end of a run.

use super::expand::{Expander, Stack, Successor};
use super::{Fault, Found};
use crate::store::{Covering, ZoneStore};
use zonewalk_network::Network;
use zonewalk_search::{Meter, Store};

/// What is known already: states from which there is no witness.
///
/// A state is added when all its successors are there or are covered by what is there, so by induction no point of it has a
/// maximal run; then neither has a point of any state that it includes.
pub(super) struct Memory {
    dead: ZoneStore,
    compared: usize,
}

impl Memory {
    pub(super) fn new(network: &Network) -> Memory {
        Memory {
            dead: ZoneStore::new(network, Covering::Inclusion),
            compared: network.layout.state as usize,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.dead.bytes()
    }
}

/// Looks for a witness from these states on.
pub(super) fn search(
    expander: &mut Expander<'_>,
    memory: &mut Memory,
    meter: &mut Meter<'_>,
    roots: Vec<Successor>,
) -> Result<Found, Fault> {
    let mut stack = Stack::new(memory.compared);
    let mut roots = roots.into_iter();
    loop {
        let next = match stack.frames.last_mut() {
            Some(frame) => frame.next.next(),
            None => roots.next(),
        };
        let Some(next) = next else {
            let Some(frame) = stack.pop() else {
                return Ok(Found::Nothing);
            };
            memory.dead.insert(&frame.state);
            continue;
        };
        if memory.dead.covering(&next.state).is_some() {
            continue;
        }
        meter.hold(
            memory.dead.stored(),
            stack.frames.len(),
            memory.bytes() + stack.bytes() + expander.held,
        );
        if let Some(limit) = meter.forbids_expansion() {
            return Ok(Found::Limit(limit));
        }
        let end = expander.end(&next.state);
        if let Some(end) = end.map_err(|stop| stack.fault(stop, Some(&next)))? {
            let last = Box::new(next.state.clone());
            stack.push(next, Vec::new());
            return Ok(Found::Lasso(stack.run(end), last));
        }
        let successors = expander.successors(&next.state);
        let mut successors = successors.map_err(|stop| stack.fault(stop, Some(&next)))?;
        meter.statistics.states_explored += 1;
        meter.statistics.transitions += successors.len() as u64;
        stack.push(next, Vec::new());
        let depth = stack.frames.len() as u32 - 1;
        meter.statistics.max_depth = meter.statistics.max_depth.max(depth);
        for successor in &mut successors {
            if let Some(start) = stack.included_in(&successor.state, |_| true) {
                let last = successor.by.take().map(|by| (by, successor.is_tick));
                let first = Box::new(stack.frames[start].state.clone());
                return Ok(Found::Lasso(
                    stack.cycle(start, last.into_iter().collect()),
                    first,
                ));
            }
        }
        successors.retain(|s| memory.dead.covering(&s.state).is_none());
        if let Some(frame) = stack.frames.last_mut() {
            frame.next = successors.into_iter();
        }
    }
}
