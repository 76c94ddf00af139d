//! Relevance analysis: the cells that a goal reads, those that may influence their writers, and so on transitively.

use crate::alive::Channels;
use crate::goal::{GoalFormula, Part};
use rustc_hash::FxHashMap;
use zonewalk_model::tree::Direction;
use zonewalk_network::ids::{ChannelId, InstanceId, ProcessId};
use zonewalk_network::{Network, SetId};

/// Cells and edge instances that can have to do with a goal.
pub(super) struct Relevant {
    /// By cell.
    pub(super) is_cell: Vec<bool>,
    /// By edge instance.
    pub(super) is_edge: Vec<bool>,
}

impl Relevant {
    /// All cells that matter, in order.
    pub(super) fn cells(&self) -> Vec<u32> {
        (0..)
            .zip(&self.is_cell)
            .filter(|(_, is)| **is)
            .map(|(cell, _)| cell)
            .collect()
    }

    pub(super) fn new(
        network: &Network,
        goal: &GoalFormula,
        channels: &Channels,
        alive: &[bool],
    ) -> Relevant {
        let mut cone = Cone {
            network,
            channels,
            alive,
            found: Relevant {
                is_cell: vec![false; network.layout.meta as usize],
                is_edge: vec![false; network.instances.len()],
            },
            is_channel: vec![false; network.channels.len()],
            on_channel: vec![Vec::new(); network.channels.len()],
            writers: FxHashMap::default(),
            written: FxHashMap::default(),
            open: Vec::new(),
        };
        cone.index();
        for part in goal.parts() {
            match part {
                Part::At(at) => cone.cell(at.process.0),
                Part::Data { reads, .. } => reads.iter().for_each(|&cell| cone.cell(cell)),
                _ => {}
            }
        }
        cone.close();
        cone.found
    }
}

struct Cone<'a> {
    network: &'a Network,
    channels: &'a Channels,
    alive: &'a [bool],
    found: Relevant,
    is_channel: Vec<bool>,
    on_channel: Vec<Vec<InstanceId>>,
    /// RelaxedEdge instances by the set of cells that they write.
    writers: FxHashMap<SetId, Vec<InstanceId>>,
    /// By cell: the sets that it is in.
    written: FxHashMap<u32, Vec<SetId>>,
    /// Cells that have just been found.
    open: Vec<u32>,
}

impl Cone<'_> {
    fn index(&mut self) {
        let network = self.network;
        for id in (0..network.instances.len() as u32).map(InstanceId) {
            if !self.alive[id.index()] {
                continue;
            }
            if let Some((_, on)) = self.channels.of(network, id) {
                on.for_each(|c| self.on_channel[c.index()].push(id));
            }
            let writes = network.instance(id).writes;
            if network.sets.get(writes).is_empty() {
                continue;
            }
            let list = self.writers.entry(writes).or_default();
            if list.is_empty() {
                for cell in network.sets.members(writes) {
                    self.written.entry(cell).or_default().push(writes);
                }
            }
            list.push(id);
        }
    }

    fn cell(&mut self, cell: u32) {
        if let Some(is) = self.found.is_cell.get_mut(cell as usize)
            && !*is
        {
            *is = true;
            self.open.push(cell);
        }
    }

    fn set(&mut self, set: SetId) {
        let network = self.network;
        network.sets.members(set).for_each(|cell| self.cell(cell));
    }

    fn close(&mut self) {
        let network = self.network;
        while let Some(cell) = self.open.pop() {
            if cell < network.layout.locations
                && let Some(process) = network.processes.get(ProcessId(cell).index())
            {
                process.instances.for_each(|id| self.edge(id));
            }
            // A set of writers is done with when one of its cells has been found.
            for set in self.written.remove(&cell).unwrap_or_default() {
                for id in self.writers.remove(&set).unwrap_or_default() {
                    self.edge(id);
                    self.set(network.instance(id).update_needs);
                }
            }
            for routine in [network.before_update, network.after_update]
                .into_iter()
                .flatten()
            {
                if network
                    .sets
                    .members(routine.writes)
                    .any(|written| written == cell)
                {
                    self.set(routine.reads);
                }
            }
        }
    }

    fn edge(&mut self, id: InstanceId) {
        if !self.alive[id.index()] || std::mem::replace(&mut self.found.is_edge[id.index()], true) {
            return;
        }
        let network = self.network;
        let instance = network.instance(id);
        self.cell(instance.process.0);
        self.set(instance.reads);
        if let Some((direction, on)) = self.channels.of(network, id) {
            for channel in on {
                self.channel(direction, channel);
            }
        }
    }

    /// Marks what a synchronisation partner needs: the partner of a relevant edge must be able to move.
    fn channel(&mut self, direction: Direction, channel: ChannelId) {
        let is_alone = direction == Direction::Send && self.network.channels[channel.index()].broadcast;
        if is_alone || std::mem::replace(&mut self.is_channel[channel.index()], true) {
            return;
        }
        for id in std::mem::take(&mut self.on_channel[channel.index()]) {
            // The process is where all its edges are found from.
            self.cell(self.network.instance(id).process.0);
        }
    }
}
