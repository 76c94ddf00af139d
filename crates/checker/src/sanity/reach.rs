//! Locations that processes reach, derived from the edges that are taken.

use zonewalk_network::Network;
use zonewalk_network::ids::{InstanceId, Instances, LocationId, ProcessId};

/// The locations and edges that some run reaches.
pub(super) struct Reach<'a> {
    pub(super) network: &'a Network,
    taken: &'a [bool],
    /// By process and location.
    reached: Vec<Vec<bool>>,
}

impl<'a> Reach<'a> {
    /// By the edge instances that are taken in all reachable states.
    pub(super) fn new(network: &'a Network, taken: &'a [bool]) -> Reach<'a> {
        let locations = |variant: u32| network.variants[variant as usize].locations.len();
        let mut reached: Vec<Vec<bool>> = network
            .processes
            .iter()
            .map(|process| vec![false; locations(process.variant)])
            .collect();
        for (process, reached) in network.processes.iter().zip(&mut reached) {
            reached[process.initial.index()] = true;
        }
        for (instance, _) in network.instances.iter().zip(taken).filter(|(_, taken)| **taken) {
            reached[instance.process.index()][network.edge(instance).target.index()] = true;
        }
        Reach {
            network,
            taken,
            reached,
        }
    }

    /// Whether no transition happens.
    pub(super) fn is_trivial(&self) -> bool {
        !self.taken.contains(&true)
    }

    /// Whether a process reaches a location.
    pub(super) fn is_reached(&self, process: ProcessId, location: LocationId) -> bool {
        self.reached[process.index()][location.index()]
    }

    /// Whether a process reaches a location that it has edges out of, and takes none of them.
    pub(super) fn is_never_left(&self, process: ProcessId, location: LocationId) -> bool {
        let leads_away = |&edge: &InstanceId| self.target(edge) != location;
        let mut ways = self
            .network
            .outgoing(process, location)
            .filter(leads_away)
            .peekable();
        self.is_reached(process, location) && ways.peek().is_some() && !ways.any(|edge| self.is_taken(edge))
    }

    /// The edge instances of a process, and whether each is taken.
    fn edges(&self, process: ProcessId) -> Instances {
        self.network.processes[process.index()].instances
    }

    fn is_taken(&self, edge: InstanceId) -> bool {
        self.taken.get(edge.index()).copied().unwrap_or(true)
    }

    fn target(&self, edge: InstanceId) -> LocationId {
        self.network.edge(self.network.instance(edge)).target
    }

    /// Whether some process reaches a location that it has no edge out of: a run that ends there is meant to end.
    pub(super) fn has_final_location(&self) -> bool {
        let mut taken = (0..).map(InstanceId).zip(&self.network.instances);
        taken.any(|(number, instance)| {
            let target = self.target(number);
            self.is_taken(number) && self.network.outgoing(instance.process, target).next().is_none()
        })
    }

    /// Whether no process can come back to a location, so that every run ends. Others may end, too.
    pub(super) fn has_no_cycle(&self) -> bool {
        let mut processes = (0..self.network.processes.len() as u32).map(ProcessId);
        processes.all(|process| !self.has_cycle_of(process))
    }

    /// Takes away locations that no taken edge enters, again and again: those on cycles are left.
    fn has_cycle_of(&self, process: ProcessId) -> bool {
        let locations = self.reached[process.index()].len();
        let taken = || self.edges(process).filter(|&edge| self.is_taken(edge));
        let mut entered = vec![0usize; locations];
        taken().for_each(|edge| entered[self.target(edge).index()] += 1);
        let mut free: Vec<usize> = (0..locations).filter(|&at| entered[at] == 0).collect();
        let mut removed = 0;
        while let Some(at) = free.pop() {
            removed += 1;
            let at = LocationId(at as u32);
            for edge in self
                .network
                .outgoing(process, at)
                .filter(|&edge| self.is_taken(edge))
            {
                let target = self.target(edge).index();
                entered[target] -= 1;
                if entered[target] == 0 {
                    free.push(target);
                }
            }
        }
        removed < locations
    }
}
