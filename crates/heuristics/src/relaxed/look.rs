//! Consequences of a layer's new facts: locations entered, conditions that hold, edges whose needs are all met.

use super::layers::Layers;
use super::problem::{Conjunct, NONE, Problem, Watcher};
use zonewalk_network::ids::{InstanceId, LocationId, ProcessId};

impl Layers {
    /// Finds out what has become possible by the facts that are new in this layer.
    pub(super) fn look(&mut self, p: &Problem<'_>) {
        for number in self.facts.advance() {
            let fact = self.facts.all[number];
            let is_any = self.facts.cells[fact.cell as usize].any == number as u32;
            if fact.cell < p.network.layout.locations {
                self.reach_location(p, fact.cell, fact.value, fact.layer, is_any);
            }
            for &watcher in p.watchers.get(fact.cell) {
                match watcher {
                    Watcher::Conjunct(conjunct) => {
                        let Conjunct::Constant {
                            relation,
                            number: with,
                            ..
                        } = p.conjuncts[conjunct as usize]
                        else {
                            continue;
                        };
                        if self.witnesses[conjunct as usize].0 == NONE
                            && (is_any || relation.holds(fact.value, with))
                        {
                            self.witness_facts.push(number as u32);
                            self.satisfy(p, conjunct, self.witness_facts.len() - 1);
                        }
                    }
                    Watcher::Unit(unit) => self.queue(p, unit),
                    Watcher::Locations(place) => {
                        if self.location_sets[place as usize] == NONE
                            && (is_any || p.location_sets[place as usize].contains(fact.value))
                        {
                            self.location_sets[place as usize] = number as u32;
                            self.is_nearer = true;
                        }
                    }
                }
            }
        }
        // Edges that become ready may have to ask for their channels, in this layer still.
        self.get_ready(p);
        let mut at = 0;
        while let Some(&unit) = self.asking.get(at) {
            at += 1;
            self.is_queued[unit as usize] = false;
            self.run_new(p, unit);
            self.get_ready(p);
        }
        self.asking.clear();
    }

    /// A process may be in a location.
    fn reach_location(&mut self, p: &Problem<'_>, process: u32, location: i32, layer: u32, is_any: bool) {
        let network = p.network;
        if is_any {
            let home = &network.processes[process as usize];
            home.instances.for_each(|id| self.meet(id, layer));
            return;
        }
        let Ok(location) = u32::try_from(location) else {
            return;
        };
        for id in network.outgoing(ProcessId(process), LocationId(location)) {
            self.meet(id, layer);
        }
    }

    /// One of the needs of an edge is met.
    fn meet(&mut self, id: InstanceId, layer: u32) {
        let open = &mut self.open[id.index()];
        // Edges that take no part need more than they ever get.
        *open = open.saturating_sub(1);
        self.costs[id.index()] += layer;
        if *open == 0 {
            self.ready.push(id);
        }
    }

    /// A condition can hold, with the witnesses from `start` on.
    pub(super) fn satisfy(&mut self, p: &Problem<'_>, conjunct: u32, start: usize) {
        self.witnesses[conjunct as usize] = (start as u32, self.witness_facts.len() as u32);
        self.is_nearer = true;
        let layer = self.facts.layer;
        for &edge in p.edges_of.get(conjunct) {
            self.meet(InstanceId(edge), layer);
        }
    }
}
