//! The updates of edges, and what each of them sees of the others in one transition.

use super::build::Builder;
use super::problem::{Conjunct, Problem, Purpose};
use super::split::split;
use rustc_hash::{FxHashMap, FxHashSet};
use zonewalk_model::tree::Direction;
use zonewalk_network::cell::Extent;
use zonewalk_network::ids::{ChannelId, InstanceId};
use zonewalk_network::instr::Entry;
use zonewalk_network::vm::{Code, NoClocks, run};
use zonewalk_network::{Network, SetId};

impl Builder<'_> {
    /// Adds the updates that change something that matters, and finds out who sees what of the others in one transition.
    pub(super) fn add_updates(&mut self) {
        let network = self.network;
        let heard = EarlierWrites::new(&self.problem);
        let before: FxHashSet<u32> = network
            .before_update
            .iter()
            .flat_map(|routine| network.sets.members(routine.writes))
            .collect();
        let mut speakers: FxHashSet<(u32, u32)> = FxHashSet::default();
        for id in (0..self.problem.edges.len() as u32).map(InstanceId) {
            let instance = network.instance(id);
            let edge = network.edge(instance);
            let Some(entry) = edge.update else { continue };
            if self.problem.edges[id.index()].needs == u16::MAX || !self.writes_relevant(instance.writes) {
                continue;
            }
            let context = network.instance_context(instance);
            let reads: Vec<u32> = network.sets.members(instance.update_needs).collect();
            if self.add_effects(id, entry, &reads) {
                continue;
            }
            let mut is_passed = vec![false; reads.len()];
            for (flag, &cell) in is_passed.iter_mut().zip(&reads) {
                if before.contains(&cell) {
                    *flag = true;
                    self.problem.before_listeners.entry(cell).or_default().push(id);
                }
                for channel in heard.channels(&self.problem, id) {
                    if heard.is_written(channel, cell, instance.process.0) {
                        *flag = true;
                        self.problem
                            .listeners
                            .entry((channel.0, cell))
                            .or_default()
                            .push(id);
                        speakers.insert((channel.0, cell));
                    }
                }
            }
            let purpose = Purpose::Update {
                owner: id,
                entry,
                writes: instance.writes,
            };
            let free = edge.selects.iter().filter(|s| !s.expanded);
            let selects: Vec<_> = free
                .map(|s| (context.address(s.cell) as u32, s.lo, s.hi))
                .collect();
            let first = self.problem.units.len() as u32;
            for group in split(network, entry, &context, &reads) {
                let own: Vec<u32> = group.iter().map(|&i| reads[i as usize]).collect();
                let number = self.add_unit(purpose, context, &own);
                let passed: Vec<bool> = group.iter().map(|&i| is_passed[i as usize]).collect();
                self.narrow(id, number, &own, &passed);
                let unit = &mut self.problem.units[number as usize];
                unit.is_passed = passed;
                unit.selects.clone_from(&selects);
            }
            self.problem.edges[id.index()].updates = (first, self.problem.units.len() as u32);
        }
        for id in (0..self.problem.edges.len() as u32).map(InstanceId) {
            let edge = self.problem.edges[id.index()];
            let is_mute = edge.updates.0 == edge.updates.1 && edge.effects.0 == edge.effects.1;
            if speakers.is_empty() || is_mute {
                continue;
            }
            let Some((_, on)) = self.problem.channels.of(network, id) else {
                continue;
            };
            let writes: Vec<u32> = network.sets.members(network.instance(id).writes).collect();
            let on: Vec<ChannelId> = on.collect();
            let is_heard = |cell: &u32| on.iter().any(|c| speakers.contains(&(c.0, *cell)));
            self.problem.edges[id.index()].speaks = writes.iter().any(is_heard);
        }
    }

    /// Runs an update that always does the same, once and for all; false if it is not such an update. Most of them only set constants.
    fn add_effects(&mut self, id: InstanceId, entry: Entry, reads: &[u32]) -> bool {
        let network = self.network;
        let instance = network.instance(id);
        let writes = network.sets.get(instance.writes);
        let has_selects = network.edge(instance).selects.iter().any(|s| !s.expanded);
        if !reads.is_empty() || has_selects || writes != network.sets.get(instance.overwrites) {
            return false;
        }
        let context = network.instance_context(instance);
        let code = Code::new(&network.program, entry, &context);
        let start = self.problem.effects.len() as u32;
        // Whatever stood in these cells is overwritten. What fails does nothing.
        if run(code, &mut self.memory, &mut NoClocks, &mut ()).is_ok() {
            for cell in network.sets.members(instance.writes) {
                if self.problem.is_relevant[cell as usize] {
                    self.problem.effects.push((cell, self.memory[cell as usize]));
                }
            }
        }
        self.problem.edges[id.index()].effects = (start, self.problem.effects.len() as u32);
        true
    }

    /// Values that the guard does not accept are not those that the update sees, unless another update writes in between.
    fn narrow(&mut self, id: InstanceId, unit: u32, reads: &[u32], is_passed: &[bool]) {
        let kept = |cell: u32| reads.iter().position(|&r| r == cell).filter(|&i| !is_passed[i]);
        let mut filters = Vec::new();
        let mut checks = Vec::new();
        for &conjunct in self.problem.conjuncts_of.get(id.0) {
            match self.problem.conjuncts[conjunct as usize] {
                Conjunct::Constant {
                    cell,
                    relation,
                    number,
                } => {
                    filters.extend(kept(cell).map(|i| (i as u32, relation, number)));
                }
                Conjunct::Unit(of) => {
                    let guard = self.problem.reads(&self.problem.units[of as usize]);
                    if guard.iter().all(|&cell| kept(cell).is_some()) {
                        checks.push(of);
                    }
                }
            }
        }
        let unit = &mut self.problem.units[unit as usize];
        (unit.filters, unit.checks) = (filters, checks);
    }
}

/// Which cells the participants on a channel write before others of them look: by channel and set of cells, one process
/// that has it, and whether there is another.
struct EarlierWrites<'n> {
    network: &'n Network,
    sets: FxHashMap<u32, Vec<(SetId, u32, bool)>>,
}

impl<'n> EarlierWrites<'n> {
    fn new(problem: &Problem<'n>) -> EarlierWrites<'n> {
        let network = problem.network;
        let mut sets: FxHashMap<u32, Vec<(SetId, u32, bool)>> = FxHashMap::default();
        let mut places: FxHashMap<(u32, SetId), usize> = FxHashMap::default();
        for id in (0..problem.edges.len() as u32).map(InstanceId) {
            let instance = network.instance(id);
            if problem.edges[id.index()].needs == u16::MAX || network.sets.get(instance.writes).is_empty() {
                continue;
            }
            let Some((direction, on)) = problem.channels.of(network, id) else {
                continue;
            };
            for channel in on {
                // The receiver of a handshake is the last one. Broadcasts have several receivers, one after the other.
                let is_broadcast = network.channels[channel.index()].broadcast;
                if direction == Direction::Receive && !is_broadcast {
                    continue;
                }
                let list = sets.entry(channel.0).or_default();
                let process = instance.process.0;
                match places.get(&(channel.0, instance.writes)) {
                    Some(&at) => list[at].2 |= list[at].1 != process,
                    None => {
                        places.insert((channel.0, instance.writes), list.len());
                        list.push((instance.writes, process, false));
                    }
                }
            }
        }
        EarlierWrites { network, sets }
    }

    /// The channels on which an edge instance comes after others.
    fn channels(&self, problem: &Problem<'_>, id: InstanceId) -> Vec<ChannelId> {
        match problem.channels.of(problem.network, id) {
            Some((Direction::Receive | Direction::Together, on)) => {
                on.filter(|c| self.sets.contains_key(&c.0)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn is_written(&self, channel: ChannelId, cell: u32, listener: u32) -> bool {
        self.sets.get(&channel.0).is_some_and(|list| {
            list.iter().any(|&(set, process, is_shared)| {
                (is_shared || process != listener) && contains(self.network.sets.get(set), cell)
            })
        })
    }
}

fn contains(extents: &[Extent], cell: u32) -> bool {
    let at = extents.partition_point(|e| e.end <= cell);
    extents.get(at).is_some_and(|e| e.contains(cell))
}
