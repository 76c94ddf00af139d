//! Processes and edges that must be examined again after a change.

use crate::plan::NONE;
use crate::plan::condition::Question;
use crate::plan::gate::Gate;
use crate::plan::rates::RateCell;
use std::ops::Range;
use zonewalk_network::ids::{InstanceId, LocationId, ProcessId};
use zonewalk_network::{Extent, Network};

/// The edge instances of one process that read something, in [`Dependents::readers`].
#[derive(Clone, Debug)]
pub(crate) struct ProcessReaders {
    pub(crate) process: ProcessId,
    pub(crate) edges: Range<u32>,
}

/// Readers of a clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClockReaders {
    /// Guards and channels, by process.
    pub(crate) guards: Vec<ProcessReaders>,
    /// Processes with invariants or rates.
    pub(crate) invariants: Vec<ProcessId>,
}

/// The guards that need one value of a cell.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    value: i32,
    /// The gate that many of them stand behind; `NONE` if there is none.
    pub(crate) gate: u32,
    /// Readers that stand behind no gate.
    pub(crate) guards: Vec<ProcessReaders>,
}

/// The guards and channels that read an extent of cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guards {
    /// Guards that need one value of the only cell of the extent, by that value, sorted: a change from one value to another
    /// is about no more than two of these lists, however many processes wait for their own value.
    keys: Vec<Key>,
    /// All the others.
    others: Vec<ProcessReaders>,
}

impl Guards {
    /// The guards that do not ask for one value.
    #[inline]
    pub(crate) fn others(&self) -> &[ProcessReaders] {
        &self.others
    }

    /// The guards that need a value.
    #[inline(always)]
    pub(crate) fn waiting_for(&self, value: i32) -> Option<&Key> {
        // Keys are often neighbours: the numbers of processes, say.
        let guess = value.wrapping_sub(self.keys.first()?.value) as u32 as usize;
        match self.keys.get(guess) {
            Some(key) if key.value == value => Some(key),
            _ => self.search(value),
        }
    }

    /// The only process among them; `NONE` if there is none, `MANY` if there are several or a gate.
    fn only_process(&self) -> u32 {
        let keyed = self.keys.iter().flat_map(|key| &key.guards);
        let mut processes = keyed.chain(&self.others).map(|touched| touched.process.0);
        match processes.next() {
            _ if self.keys.iter().any(|key| key.gate != NONE) => MANY,
            None => NONE,
            Some(first) if processes.all(|process| process == first) => first,
            Some(_) => MANY,
        }
    }

    fn add_gate(&mut self, value: i32, gate: u32) {
        match self.keys.binary_search_by_key(&value, |k| k.value) {
            Ok(at) => self.keys[at].gate = gate,
            Err(at) => {
                let guards = Vec::new();
                self.keys.insert(at, Key { value, gate, guards });
            }
        }
    }

    fn search(&self, value: i32) -> Option<&Key> {
        let found = self.keys.binary_search_by_key(&value, |k| k.value);
        found.ok().map(|at| &self.keys[at])
    }
}

/// Dependencies of guards, channels, invariants and rates on variables and clocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dependents {
    /// By number of an extent of `Network::guard_readers`.
    pub(crate) guards: Vec<Guards>,
    /// By number of an extent of `Network::invariant_readers`.
    pub(crate) invariants: Vec<Vec<ProcessId>>,
    pub(crate) by_clock: Vec<ClockReaders>,
    /// By cell.
    pub(crate) watchers: Vec<Watcher>,
    /// The lists that `ProcessReaders` refers to.
    pub(crate) readers: Vec<Reader>,
}

/// Readers of a cell. Most variables are read only by the process that writes them, and when that process moves,
/// all its edges are examined anyway.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watcher {
    /// The only process whose guards and channels read it; `NONE` if no process does, `MANY` if there are several.
    pub(crate) process: u32,
    /// The only extent of `Network::guard_readers` that it is part of; `MANY` if there are several.
    pub(crate) extent: u32,
    /// The first of [`crate::plan::WalkPlan::rate_cells`] that is about it; `NONE` if there is none.
    pub(crate) rates: u32,
    /// Invariants or rates read it.
    pub(crate) is_bounding: bool,
}

/// More than one.
pub(crate) const MANY: u32 = NONE - 1;

/// An edge that reads something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    pub(crate) edge: InstanceId,
    /// The location that it leaves, here for speed.
    pub(crate) source: LocationId,
    /// Question that it asks of the cell it reads.
    pub(crate) question: Question,
}

impl Dependents {
    /// `question` says what an edge must be asked when an extent that it reads has changed; `None` if another part sees to
    /// that.
    pub(crate) fn new(
        network: &Network,
        gates: &[Gate],
        question: &dyn Fn(InstanceId, Extent) -> Option<Question>,
    ) -> Self {
        let mut dependents = Dependents::default();
        dependents.find_clock_readers(network);
        // The gates are in the order of the extents.
        let mut gates = (0..).zip(gates).peekable();
        for (number, extent) in (0..).zip(network.guard_readers.extents()) {
            let mut readers: Vec<Reader> = Vec::new();
            for &edge in network.guard_readers.of_extent(number) {
                readers.extend(question(edge, *extent).map(|q| reader(network, edge, q)));
            }
            let mut guards = dependents.by_key(network, readers);
            while let Some((gate, of)) = gates.next_if(|(_, g)| extent.len() == 1 && g.cell == extent.start) {
                guards.add_gate(of.value, gate);
            }
            dependents.guards.push(guards);
        }
        for extent in 0..network.invariant_readers.extents().len() as u32 {
            let readers = network.invariant_readers.of_extent(extent).iter();
            let mut processes: Vec<ProcessId> =
                readers.map(|&i| network.invariants[i.index()].process).collect();
            processes.dedup();
            dependents.invariants.push(processes);
        }
        dependents.find_watchers(network);
        dependents
    }

    fn find_watchers(&mut self, network: &Network) {
        let none = Watcher {
            process: NONE,
            extent: NONE,
            rates: NONE,
            is_bounding: false,
        };
        let cells = network.layout.meta as usize;
        self.watchers = vec![none; cells];
        let within = |extent: &Extent| (extent.start as usize).min(cells)..(extent.end as usize).min(cells);
        let extents = network.guard_readers.extents().iter();
        for (number, (extent, guards)) in (0..).zip(extents.zip(&self.guards)) {
            let process = guards.only_process();
            if process == NONE {
                continue;
            }
            for watcher in &mut self.watchers[within(extent)] {
                watcher.process = only(watcher.process, process);
                watcher.extent = only(watcher.extent, number);
            }
        }
        for extent in network.invariant_readers.extents() {
            for watcher in &mut self.watchers[within(extent)] {
                watcher.is_bounding = true;
            }
        }
    }

    /// Takes note of cells, which are sorted, that are rates.
    pub(crate) fn add_rates(&mut self, rates: &[RateCell]) {
        for (number, of) in (0..).zip(rates) {
            if let Some(watcher) = self.watchers.get_mut(of.cell as usize)
                && watcher.rates == NONE
            {
                watcher.rates = number;
            }
        }
    }

    fn by_key(&mut self, network: &Network, readers: Vec<Reader>) -> Guards {
        let (mut keyed, others): (Vec<_>, Vec<_>) =
            readers.into_iter().partition(|r| r.question.key().is_some());
        // Stable: within a key the edges stay in order.
        keyed.sort_by_key(|r| r.question.key());
        let keys = keyed
            .chunk_by(|a, b| a.question.key() == b.question.key())
            .map(|list| Key {
                value: list[0].question.key().unwrap_or_default(),
                gate: NONE,
                guards: self.group(network, list),
            })
            .collect();
        Guards {
            keys,
            others: self.group(network, &others),
        }
    }

    fn find_clock_readers(&mut self, network: &Network) {
        let mut guards: Vec<Vec<Reader>> = vec![Vec::new(); network.clocks.len()];
        for (number, instance) in (0..).map(InstanceId).zip(&network.instances) {
            for clock in network.sets.clocks(instance.clock_reads) {
                guards[clock.index()].push(reader(network, number, Question::ANY));
            }
        }
        let mut invariants: Vec<Vec<ProcessId>> = vec![Vec::new(); network.clocks.len()];
        for invariant in &network.invariants {
            for clock in network.sets.clocks(invariant.clock_reads) {
                invariants[clock.index()].push(invariant.process);
            }
        }
        for (readers, mut processes) in guards.into_iter().zip(invariants) {
            processes.sort_unstable();
            processes.dedup();
            let guards = self.group(network, &readers);
            self.by_clock.push(ClockReaders {
                guards,
                invariants: processes,
            });
        }
    }

    /// Groups readers, which are in the order of their edges, by process.
    fn group(&mut self, network: &Network, readers: &[Reader]) -> Vec<ProcessReaders> {
        let process = |reader: &Reader| network.instance(reader.edge).process;
        readers
            .chunk_by(|a, b| process(a) == process(b))
            .map(|group| {
                let start = self.readers.len() as u32;
                self.readers.extend_from_slice(group);
                ProcessReaders {
                    process: process(&group[0]),
                    edges: start..self.readers.len() as u32,
                }
            })
            .collect()
    }
}

/// The only one of two, where `NONE` does not count.
fn only(known: u32, other: u32) -> u32 {
    if known == NONE || known == other {
        other
    } else {
        MANY
    }
}

fn reader(network: &Network, edge: InstanceId, question: Question) -> Reader {
    Reader {
        edge,
        source: network.edge(network.instance(edge)).source,
        question,
    }
}
