//! Who must be looked at again after a change.

use std::ops::Range;
use zonewalk_network::cell::overlap;
use zonewalk_network::{Network, Readers, SetId};

/// The edge instances of one process that read something, in [`Dependents::edges`].
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    pub(crate) process: u32,
    pub(crate) edges: Range<u32>,
}

/// What depends on a set of variables or on a clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Affected {
    /// Guards and channels, by process.
    pub(crate) guards: Vec<Touched>,
    /// Processes with invariants or rates.
    pub(crate) invariants: Vec<u32>,
}

/// Dependencies of guards, channels, invariants and rates on variables and clocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dependents {
    /// By set of variables that some update writes; empty for other sets.
    pub(crate) by_set: Vec<Affected>,
    pub(crate) by_clock: Vec<Affected>,
    /// The lists that `Touched` refers to.
    pub(crate) edges: Vec<u32>,
}

impl Dependents {
    pub(crate) fn new(network: &Network) -> Self {
        let mut dependents = Dependents::default();
        dependents.find_clock_readers(network);
        dependents.find_readers(network);
        dependents
    }

    fn find_clock_readers(&mut self, network: &Network) {
        let mut guards: Vec<Vec<u32>> = vec![Vec::new(); network.clocks.len()];
        for (number, instance) in (0..).zip(&network.instances) {
            for clock in network.sets.members(instance.clock_reads) {
                guards[clock as usize].push(number);
            }
        }
        let mut invariants: Vec<Vec<u32>> = vec![Vec::new(); network.clocks.len()];
        for invariant in &network.invariants {
            for clock in network.sets.members(invariant.clock_reads) {
                invariants[clock as usize].push(invariant.process);
            }
        }
        for (edges, mut processes) in guards.into_iter().zip(invariants) {
            processes.sort_unstable();
            processes.dedup();
            let guards = self.group(network, &edges);
            self.by_clock.push(Affected {
                guards,
                invariants: processes,
            });
        }
    }

    fn find_readers(&mut self, network: &Network) {
        let mut is_written = vec![false; network.sets.len()];
        let routines = [network.before_update, network.after_update];
        let updates = network.instances.iter().map(|i| i.writes);
        for set in updates.chain(routines.iter().flatten().map(|r| r.writes)) {
            is_written[set.0 as usize] = true;
        }
        for (set, is_written) in (0..).zip(is_written) {
            let affected = if is_written {
                let edges = readers(network, &network.guard_readers, SetId(set));
                let invariants = readers(network, &network.invariant_readers, SetId(set));
                let mut invariants: Vec<u32> = invariants
                    .iter()
                    .map(|&i| network.invariants[i as usize].process)
                    .collect();
                invariants.dedup();
                Affected {
                    guards: self.group(network, &edges),
                    invariants,
                }
            } else {
                Affected::default()
            };
            self.by_set.push(affected);
        }
    }

    /// Groups edge instances, which are in order, by process.
    fn group(&mut self, network: &Network, edges: &[u32]) -> Vec<Touched> {
        let process = |edge: &u32| network.instances[*edge as usize].process;
        edges
            .chunk_by(|a, b| process(a) == process(b))
            .map(|group| {
                let start = self.edges.len() as u32;
                self.edges.extend_from_slice(group);
                Touched {
                    process: process(&group[0]),
                    edges: start..self.edges.len() as u32,
                }
            })
            .collect()
    }
}

/// Who reads a variable of a set, in increasing order.
fn readers(network: &Network, readers: &Readers, set: SetId) -> Vec<u32> {
    let written = network.sets.get(set);
    let extents = (0..).zip(readers.extents());
    let touched = extents.filter(|(_, extent)| overlap(std::slice::from_ref(*extent), written));
    let mut list: Vec<u32> = touched
        .flat_map(|(number, _)| readers.of_extent(number))
        .copied()
        .collect();
    list.sort_unstable();
    list.dedup();
    list
}
