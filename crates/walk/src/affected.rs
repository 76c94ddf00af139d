//! Who must be looked at again after a change.

use crate::condition::Question;
use std::ops::Range;
use zonewalk_network::Network;

/// The edge instances of one process that read something, in [`Dependents::readers`].
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    pub(crate) process: u32,
    pub(crate) edges: Range<u32>,
}

/// What depends on a clock.
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
    /// By number of an extent of `Network::guard_readers`.
    pub(crate) guards: Vec<Vec<Touched>>,
    /// By number of an extent of `Network::invariant_readers`.
    pub(crate) invariants: Vec<Vec<u32>>,
    pub(crate) by_clock: Vec<Affected>,
    /// The lists that `Touched` refers to.
    pub(crate) readers: Vec<Reader>,
}

/// An edge that reads something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    pub(crate) edge: u32,
    /// The location that it leaves, here for speed.
    pub(crate) source: u32,
    /// What it asks of the cell that it reads.
    pub(crate) question: Question,
}

impl Dependents {
    /// `question` says what the guard and the channel of an edge ask of a cell.
    pub(crate) fn new(network: &Network, question: &dyn Fn(u32, u32) -> Question) -> Self {
        let mut dependents = Dependents::default();
        dependents.find_clock_readers(network);
        for (number, extent) in (0..).zip(network.guard_readers.extents()) {
            let asked = |edge| {
                if extent.len() == 1 {
                    question(edge, extent.start)
                } else {
                    Question::ANY
                }
            };
            let touched = dependents.group(network, network.guard_readers.of_extent(number), &asked);
            dependents.guards.push(touched);
        }
        for extent in 0..network.invariant_readers.extents().len() as u32 {
            let readers = network.invariant_readers.of_extent(extent).iter();
            let mut processes: Vec<u32> = readers.map(|&i| network.invariants[i as usize].process).collect();
            processes.dedup();
            dependents.invariants.push(processes);
        }
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
            let guards = self.group(network, &edges, &|_| Question::ANY);
            self.by_clock.push(Affected {
                guards,
                invariants: processes,
            });
        }
    }

    /// Groups edge instances, which are in order, by process.
    fn group(&mut self, network: &Network, edges: &[u32], asked: &dyn Fn(u32) -> Question) -> Vec<Touched> {
        let process = |edge: &u32| network.instances[*edge as usize].process;
        edges
            .chunk_by(|a, b| process(a) == process(b))
            .map(|group| {
                let start = self.readers.len() as u32;
                self.readers.extend(group.iter().map(|&edge| {
                    let source = network.edge(&network.instances[edge as usize]).source;
                    Reader {
                        edge,
                        source,
                        question: asked(edge),
                    }
                }));
                Touched {
                    process: process(&group[0]),
                    edges: start..self.readers.len() as u32,
                }
            })
            .collect()
    }
}
