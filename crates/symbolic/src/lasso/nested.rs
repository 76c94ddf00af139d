//! Nested depth-first search for a cycle on which time passes.
//!
//! After Laarman and others (see [`super`]): a first search visits every state and, when it leaves one that was entered with
//! a tick, a second search looks from there for a way back to the stack. States are equal for the first search; the second
//! one prunes by inclusion. Whether a state was entered with a tick tells nothing about what follows, so that both forms of
//! a state are one to the second search, and one on the stack.
//!
//! Why inclusion in `red` may prune although zones are split: let `w` be the first point in a state that becomes red with a
//! run that ticks for ever, in the second search from `s`. On this run `w` stays in states that became red then. Take a
//! step with a tick to `t` on it. No state between `s` and `t`, nor `t`, is on the stack, or a cycle would have been
//! reported (only `s` without a tick is passed over, which is another state to the first search). So the first search left
//! all of them before `s`, `t` among them, and then made `t` red before.

use super::expand::{Expander, Frame, Stack, Successor};
use super::{Fault, Found};
use crate::path::Transition;
use crate::state::ZoneState;
use crate::store::{Covering, ZoneStore};
use zonewalk_network::Network;
use zonewalk_search::{Limit, Meter, Store};

/// What is known already.
pub(super) struct Memory {
    /// States that the first search has left, entered without and with a tick.
    blue: [ZoneStore; 2],
    /// States without a run that ticks for ever.
    red: ZoneStore,
    compared: usize,
}

impl Memory {
    pub(super) fn new(network: &Network) -> Memory {
        let exact = || ZoneStore::new(network, Covering::Equality);
        Memory {
            blue: [exact(), exact()],
            red: ZoneStore::new(network, Covering::Inclusion),
            compared: network.layout.state as usize,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.blue[0].bytes() + self.blue[1].bytes() + self.red.bytes()
    }

    fn stored(&self) -> usize {
        self.blue[0].stored() + self.blue[1].stored() + self.red.stored()
    }

    fn is_visited(&self, next: &Successor) -> bool {
        let blue = &self.blue[usize::from(next.is_tick)];
        blue.covering(&next.state).is_some() || self.red.covering(&next.state).is_some()
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
            let Some(top) = stack.frames.last() else {
                return Ok(Found::Nothing);
            };
            if top.is_tick {
                let seed = top.state.clone();
                match second(expander, memory, meter, &stack, seed)? {
                    Found::Nothing => {}
                    found => return Ok(found),
                }
            }
            if let Some(frame) = stack.pop() {
                memory.blue[usize::from(frame.is_tick)].insert(&frame.state);
            }
            continue;
        };
        if memory.is_visited(&next) || stack.position(&next.state, next.is_tick).is_some() {
            continue;
        }
        meter.hold(
            memory.stored(),
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
        let last_tick = stack.last_tick();
        for successor in &mut successors {
            // Most cycles with a tick are seen as soon as they are closed.
            let ticks = |start: usize| successor.is_tick || last_tick.is_some_and(|tick| start < tick);
            if let Some(start) = stack.included_in(&successor.state, ticks) {
                let last = successor.by.take().map(|by| (by, successor.is_tick));
                let first = Box::new(stack.frames[start].state.clone());
                return Ok(Found::Lasso(
                    stack.cycle(start, last.into_iter().collect()),
                    first,
                ));
            }
        }
        successors.retain(|s| !memory.is_visited(s));
        if let Some(frame) = stack.frames.last_mut() {
            frame.next = successors.into_iter();
        }
    }
}

/// Looks for a way from the highest state of the stack, which was entered with a tick, to a state that includes one of the
/// stack.
fn second(
    expander: &mut Expander<'_>,
    memory: &mut Memory,
    meter: &mut Meter<'_>,
    stack: &Stack,
    seed: ZoneState,
) -> Result<Found, Fault> {
    let mut inner = Stack::new(memory.compared);
    let mut first = Some(Successor {
        state: seed,
        by: None,
        is_tick: false,
    });
    loop {
        let next = match inner.frames.last_mut() {
            Some(frame) => frame.next.next(),
            None => first.take(),
        };
        let Some(next) = next else {
            if inner.pop().is_none() {
                return Ok(Found::Nothing);
            }
            continue;
        };
        if memory.red.covering(&next.state).is_some() {
            continue;
        }
        memory.red.insert(&next.state);
        if let Some(limit) = charge(meter, memory, stack.bytes() + inner.bytes() + expander.held) {
            return Ok(Found::Limit(limit));
        }
        let steps = |inner: &Stack| -> Vec<(Transition, bool)> {
            inner.frames.iter().filter_map(Frame::step).collect()
        };
        let successors = expander.successors(&next.state).map_err(|stop| {
            let mut fault = stack.fault(stop, None);
            fault.path.extend(steps(&inner).into_iter().map(|step| step.0));
            fault.path.extend(next.by.clone());
            fault
        })?;
        meter.statistics.states_explored += 1;
        meter.statistics.transitions += successors.len() as u64;
        inner.push(next, Vec::new());
        let top = stack.frames.len() - 1;
        let has_ticked = inner.last_tick().is_some();
        for successor in &successors {
            // The state on top was entered with a tick, but a cycle that begins there does not use that step.
            let ticks = |start: usize| start < top || has_ticked || successor.is_tick;
            if let Some(start) = stack.included_in(&successor.state, ticks) {
                let mut beyond = steps(&inner);
                beyond.extend(successor.by.clone().map(|by| (by, successor.is_tick)));
                let first = Box::new(stack.frames[start].state.clone());
                return Ok(Found::Lasso(stack.cycle(start, beyond), first));
            }
        }
        if let Some(frame) = inner.frames.last_mut() {
            frame.next = successors.into_iter();
        }
    }
}

fn charge(meter: &mut Meter<'_>, memory: &Memory, bytes: usize) -> Option<Limit> {
    let waiting = meter.statistics.waiting;
    meter.hold(memory.stored(), waiting, memory.bytes() + bytes);
    meter.forbids_expansion()
}
