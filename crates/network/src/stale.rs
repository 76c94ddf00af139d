//! `meta` variables that may be read before the transition that reads them has written them.
//!
//! States are not told apart by `meta` variables, so a value that a transition finds in one depends on the way on which the state
//! was met first (`semantics.md` 18). Answers that depend on such a value differ from search to search.

use crate::ids::InstanceId;
use crate::network::{ChannelUse, Instance, Network};
use crate::sets::SetId;
use zonewalk_model::tree::Direction;

impl Network {
    /// The cells of `meta` variables that hold what an earlier transition wrote when something reads them that states are told
    /// apart by: a guard, a channel, an invariant, an update of other variables, or one of the sets that are `observed`.
    pub fn stale_cells(&self, observed: &[SetId]) -> Vec<u32> {
        let cells = self.layout.state..self.layout.meta;
        if cells.is_empty() {
            return Vec::new();
        }
        let is_meta = |cell: &u32| cells.contains(cell);
        let mut found: Vec<u32> = Vec::new();
        let states = self.invariants.iter().map(|invariant| invariant.reads);
        for set in states.chain(observed.iter().copied()) {
            found.extend(self.sets.members(set).filter(is_meta));
        }
        for instance in &self.instances {
            found.extend(self.sets.members(instance.reads).filter(is_meta));
            let is_counted = self.sets.members(instance.writes).any(|cell| !is_meta(&cell));
            if is_counted || self.sets.members(instance.clock_writes).next().is_some() {
                let needs = self.sets.members(instance.update_needs).filter(is_meta);
                found.extend(needs.filter(|&cell| !self.is_passed(instance, cell)));
            }
        }
        found.sort_unstable();
        found.dedup();
        // What nobody writes has its initial value for ever.
        let routines = [self.before_update, self.after_update];
        let routines = routines.into_iter().flatten().map(|routine| routine.writes);
        let mut written: Vec<u32> = Vec::new();
        for set in self
            .instances
            .iter()
            .map(|instance| instance.writes)
            .chain(routines)
        {
            written.extend(self.sets.members(set).filter(is_meta));
        }
        written.sort_unstable();
        found.retain(|cell| written.binary_search(cell).is_ok());
        found
    }

    /// Whether something has been written for certain when the update of an edge begins: by the routine before all updates, or by
    /// everybody who sends to it. A receiver on a channel that depends on the state is taken to be sent what it needs.
    fn is_passed(&self, instance: &Instance, cell: u32) -> bool {
        let writes = |set: SetId| self.sets.members(set).any(|written| written == cell);
        if self.before_update.is_some_and(|routine| writes(routine.writes)) {
            return true;
        }
        let sync = self.edge(instance).sync;
        if sync.is_none_or(|sync| sync.direction != Direction::Receive) {
            return false;
        }
        let sends = |&sender: &InstanceId| writes(self.instance(sender).overwrites);
        match instance.channel {
            ChannelUse::Fixed(channel) => self.channels[channel.index()].senders.iter().all(sends),
            _ => true,
        }
    }
}
