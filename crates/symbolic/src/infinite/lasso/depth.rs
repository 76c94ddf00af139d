//! Depth-first search for any cycle, or for the end of a run.

use super::LassoSearchEnd;
use super::expand::{Expander, Stack, Successor};
use crate::store::{Covering, ZoneStore};
use std::ops::ControlFlow;
use zonewalk_network::Network;
use zonewalk_search::{Meter, Store};
use zonewalk_zones::Word;

/// States known to have no witness.
///
/// A state is added when all its successors are there or are covered by what is there, so by induction no point of it has a
/// maximal run; then neither has a point of any state that it includes.
pub(super) struct Memory<W> {
    dead: ZoneStore<W>,
    compared: usize,
}

impl<W: Word> Memory<W> {
    pub(super) fn new(network: &Network, covering: Covering) -> Memory<W> {
        Memory {
            dead: ZoneStore::new(network, covering),
            compared: network.layout.state as usize,
        }
    }

    /// The states, in the order in which they were added.
    pub(super) fn into_dead(self) -> ZoneStore<W> {
        self.dead
    }

    pub(super) fn bytes(&self) -> usize {
        self.dead.bytes()
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
            let Some(frame) = stack.pop() else {
                return LassoSearchEnd::Nothing;
            };
            memory.dead.insert(&frame.state);
            continue;
        };
        if memory.dead.covering(&next.state).is_some() {
            continue;
        }
        let known = (memory.dead.stored(), memory.bytes());
        let mut successors = match expander.visit(next, &mut stack, known, meter) {
            ControlFlow::Continue(successors) => successors,
            ControlFlow::Break(found) => return found,
        };
        if let Some(found) = stack.closed_by(&successors, |_, _| true) {
            return found;
        }
        successors.retain(|s| memory.dead.covering(&s.state).is_none());
        stack.go_on_with(successors);
    }
}
