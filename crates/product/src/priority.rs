//! Priorities (`semantics.md` 15): a transition is blocked where one of a strictly higher priority exists.

use crate::condition::ClockForm;
use crate::tables::Product;
use std::cmp::Reverse;
use zonewalk_network::ids::{ChannelId, InstanceId};

/// Channel priority first, then the highest priority among the processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level {
    channel: u32,
    process: u32,
}

impl<F: ClockForm, X, Y> Product<'_, F, X, Y> {
    /// The level of a transition: its initiator, alone or on a channel, with the others that take part.
    pub fn level(
        &self,
        initiator: InstanceId,
        channel: Option<ChannelId>,
        others: impl Iterator<Item = InstanceId>,
    ) -> Level {
        let network = self.network;
        let process = |edge| network.processes[self.edge(edge).process.index()].priority;
        Level {
            channel: channel.map_or(network.default_priority, |channel| self.channel(channel).priority),
            process: others.map(process).fold(process(initiator), u32::max),
        }
    }
}

/// Looks at transitions from the highest level down: one is blocked where those above it exist. What is blocked itself blocks
/// nothing, and its update need not be run.
///
/// `exist` gets a transition with its level and the parts of the state in which those above exist, which it may put in order. It
/// adds the parts in which the transition exists, too: its guards hold, and so do the invariants of its target. Both lists of
/// parts are used again and again.
pub fn sift<R>(
    levels: &mut [(Level, usize)],
    (above, here): (&mut Vec<R>, &mut Vec<R>),
    mut exist: impl FnMut((Level, usize), &mut Vec<R>, &mut Vec<R>),
) {
    above.clear();
    here.clear();
    levels.sort_unstable_by_key(|&(level, transition)| (Reverse(level), transition));
    for group in levels.chunk_by(|a, b| a.0 == b.0) {
        for &transition in group {
            exist(transition, above, here);
        }
        above.append(here);
    }
}
