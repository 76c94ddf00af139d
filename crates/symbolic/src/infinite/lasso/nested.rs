//! Nested depth-first search for a cycle on which time passes.
//!
//! After Laarman and others (see [`super`]): a first search visits every state and, when it leaves one that was entered with
//! a tick, a second search looks from there for a way back to the stack. States are equal for the first search; the second
//! one prunes by inclusion. Whether a state was entered with a tick tells nothing about what follows, so that both forms of
//! a state are one to the second search, and one on the stack.
//!
//! Why inclusion in `red` may prune although zones are split: let `w` be the first point in a state that becomes red with a
//! run that ticks forever, in the second search from `s`. On this run `w` stays in states that became red then. Take a
//! step with a tick to `t` on it. No state between `s` and `t`, nor `t`, is on the stack, or a cycle would have been
//! reported (only `s` without a tick is passed over, which is another state to the first search). So the first search left
//! all of them before `s`, `t` among them, and then made `t` red before.

use super::LassoSearchEnd;
use super::expand::{Expander, Frame, Stack, Successor};
use crate::state::ZoneState;
use crate::store::{Covering, ZoneStore};
use std::ops::ControlFlow;
use zonewalk_network::Network;
use zonewalk_network::Transition;
use zonewalk_search::{Limit, Meter, Store};
use zonewalk_zones::Word;

/// Facts that are known already.
pub(super) struct Memory<W> {
    /// States that the first search has left, entered without and with a tick.
    blue: [ZoneStore<W>; 2],
    /// States without a run that ticks forever.
    red: ZoneStore<W>,
    compared: usize,
}

impl<W: Word> Memory<W> {
    pub(super) fn new(network: &Network) -> Memory<W> {
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

    fn is_visited(&self, next: &Successor<W>) -> bool {
        let blue = &self.blue[usize::from(next.is_tick)];
        blue.covering(&next.state).is_some() || self.red.covering(&next.state).is_some()
    }
}

/// Looks for a witness from these states on.
pub(super) fn search<W: Word>(
    expander: &mut Expander<'_, W>,
    memory: &mut Memory<W>,
    meter: &mut Meter<'_>,
    roots: Vec<Successor<W>>,
) -> LassoSearchEnd<W> {
    let mut stack = Stack::new(memory.compared);
    let mut roots = roots.into_iter();
    loop {
        let Some(next) = stack.next(&mut roots) else {
            let Some(top) = stack.frames.last() else {
                return LassoSearchEnd::Nothing;
            };
            if top.is_tick {
                let seed = top.state.clone();
                match second(expander, memory, meter, &stack, seed) {
                    LassoSearchEnd::Nothing => {}
                    found => return found,
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
        let known = (memory.stored(), memory.bytes());
        let mut successors = match expander.visit(next, &mut stack, known, meter) {
            ControlFlow::Continue(successors) => successors,
            ControlFlow::Break(found) => return found,
        };
        // Most cycles with a tick are seen as soon as they are closed.
        let last_tick = stack.last_tick();
        let ticks = |by: &Successor<W>, start| by.is_tick || last_tick.is_some_and(|tick| start < tick);
        if let Some(found) = stack.closed_by(&successors, ticks) {
            return found;
        }
        successors.retain(|s| !memory.is_visited(s));
        stack.go_on_with(successors);
    }
}

/// Looks for a way from the highest state of the stack, which was entered with a tick, to a state that includes one of the
/// stack.
fn second<W: Word>(
    expander: &mut Expander<'_, W>,
    memory: &mut Memory<W>,
    meter: &mut Meter<'_>,
    stack: &Stack<W>,
    seed: ZoneState<W>,
) -> LassoSearchEnd<W> {
    let mut inner = Stack::new(memory.compared);
    let mut first = std::iter::once(Successor {
        state: seed,
        by: None,
        is_tick: false,
    });
    loop {
        let Some(next) = inner.next(&mut first) else {
            if inner.pop().is_none() {
                return LassoSearchEnd::Nothing;
            }
            continue;
        };
        if memory.red.covering(&next.state).is_some() {
            continue;
        }
        memory.red.insert(&next.state);
        if let Some(limit) = charge(meter, memory, stack.bytes() + inner.bytes() + expander.held) {
            return LassoSearchEnd::Limit(limit);
        }
        let steps = |inner: &Stack<W>| -> Vec<(Transition, bool)> {
            inner.frames.iter().filter_map(Frame::step).collect()
        };
        let successors = expander.successors(&next.state, || {
            let mut path = stack.path(None);
            path.extend(inner.path(Some(&next)));
            path
        });
        meter.statistics.states_explored += 1;
        meter.statistics.transitions += successors.len() as u64;
        inner.push(next);
        let top = stack.frames.len() - 1;
        let has_ticked = inner.last_tick().is_some();
        for successor in &successors {
            // The state on top was entered with a tick, but a cycle that begins there does not use that step.
            let ticks = |start: usize| start < top || has_ticked || successor.is_tick;
            if let Some(start) = stack.included_in(&successor.state, ticks) {
                let mut beyond = steps(&inner);
                beyond.extend(successor.step());
                return stack.cycle_by(start, beyond);
            }
        }
        inner.go_on_with(successors);
    }
}

fn charge<W: Word>(meter: &mut Meter<'_>, memory: &Memory<W>, bytes: usize) -> Option<Limit> {
    let waiting = meter.statistics.waiting;
    meter.hold(memory.stored(), waiting, memory.bytes() + bytes);
    meter.forbids_expansion()
}
