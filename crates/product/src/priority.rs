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

/// Transitions that block each other, with the part of the state in which those above exist.
pub trait Contest {
    /// Why it stops.
    type Stop;

    /// Takes from a transition the part in which a higher one exists; false when nothing is left of it.
    fn block(&mut self, transition: usize) -> bool;

    /// Finds the part in which a transition exists: its guards hold, and so do the invariants of its target.
    ///
    /// # Errors
    /// When the model fails.
    fn exist(&mut self, transition: usize) -> Result<(), Self::Stop>;

    /// All transitions of a level are known: where they exist, lower ones are blocked.
    fn descend(&mut self);
}

/// Confines every transition to the part in which no higher one exists. From the highest level down: what is blocked itself
/// blocks nothing, and its update is never run.
///
/// # Errors
/// When the model fails.
pub fn sift<C: Contest>(levels: &mut [(Level, usize)], contest: &mut C) -> Result<(), C::Stop> {
    levels.sort_unstable_by_key(|&(level, transition)| (Reverse(level), transition));
    for group in levels.chunk_by(|a, b| a.0 == b.0) {
        for &(_, transition) in group {
            if contest.block(transition) {
                contest.exist(transition)?;
            }
        }
        contest.descend();
    }
    Ok(())
}
