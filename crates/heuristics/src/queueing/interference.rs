//! Interference distance between transitions.
//!
//! Two edges interfere if one writes what the other reads or writes: a variable, a clock or the location of a process (Wehrle,
//! Kupferschmid: Context-enhanced directed model checking, SPIN 2010). Nothing is kept for pairs of edges: edges that touch the same
//! are one class, and a row of distances from a class is made by a breadth-first search over the sets that are touched, when it is
//! asked for.

use rustc_hash::FxHashMap;
use zonewalk_network::ids::{InstanceId, LocationId, ProcessId};
use zonewalk_network::{Network, SetId};

/// Longer ways count as this one; what is not connected at all comes last.
const FARTHEST: u8 = 15;
const APART: u8 = FARTHEST + 1;
/// Most bytes that rows may take.
const ROWS: usize = 64 << 20;
/// Limit on receivers of a broadcast that are examined; the remaining ones are ignored.
const MOST_PARTS: usize = 16;

/// Sets of variables and clocks that a class touches, by local numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Touched {
    process: ProcessId,
    reads: [u32; 6],
    writes: [u32; 2],
}

/// A set of variables or clocks, and who reads and writes it.
#[derive(Clone, Debug, Default)]
struct Set {
    members: Vec<u32>,
    readers: Vec<u32>,
    writers: Vec<u32>,
}

/// Distances of edge instances.
#[derive(Debug)]
pub(super) struct Interference {
    /// By edge instance.
    class_of: Vec<u32>,
    classes: Vec<Touched>,
    sets: Vec<Set>,
    /// By variable or clock: the sets that it is in.
    within: Vec<Vec<u32>>,
    /// By process: its classes.
    homes: Vec<Vec<u32>>,
    rows: FxHashMap<u32, (u64, Box<[u8]>)>,
    clock: u64,
    most: usize,
    bytes: usize,
    search: Search,
}

/// Scratch memory of the breadth-first search that computes a row.
#[derive(Debug, Default)]
struct Search {
    queue: Vec<u32>,
    /// By set: whether its members have been gone through as what was written, and as what was read.
    has_gone: Vec<[bool; 2]>,
    /// By member: the same.
    has_met: Vec<[bool; 2]>,
    /// By set: whether its writers have been reached, and its readers.
    is_reached: Vec<[bool; 2]>,
    has_home: Vec<bool>,
}

const WRITTEN: usize = 0;
const READ: usize = 1;

/// Collects the sets.
struct Builder<'n> {
    network: &'n Network,
    numbers: FxHashMap<(bool, SetId), u32>,
    sets: Vec<Set>,
}

impl Builder<'_> {
    fn set(&mut self, id: SetId, is_of_clocks: bool) -> u32 {
        let network = self.network;
        *self.numbers.entry((is_of_clocks, id)).or_insert_with(|| {
            let members = if is_of_clocks {
                let first = network.layout.meta;
                network.sets.clocks(id).map(|clock| first + clock.0).collect()
            } else {
                network.sets.members(id).collect()
            };
            self.sets.push(Set {
                members,
                ..Set::default()
            });
            self.sets.len() as u32 - 1
        })
    }
}

impl Interference {
    pub(super) fn new(network: &Network) -> Interference {
        let mut builder = Builder {
            network,
            numbers: FxHashMap::default(),
            sets: vec![Set::default()],
        };
        const NOTHING: u32 = 0;
        let invariants: FxHashMap<(ProcessId, LocationId), _> = network
            .invariants
            .iter()
            .map(|i| ((i.process, i.location), i))
            .collect();
        let mut numbers: FxHashMap<Touched, u32> = FxHashMap::default();
        let mut classes: Vec<Touched> = Vec::new();
        let mut homes = vec![Vec::new(); network.processes.len()];
        let mut class_of = Vec::with_capacity(network.instances.len());
        for instance in &network.instances {
            let target = network.edge(instance).target;
            let invariant = invariants.get(&(instance.process, target));
            let touched = Touched {
                process: instance.process,
                reads: [
                    builder.set(instance.reads, false),
                    builder.set(instance.update_reads, false),
                    builder.set(instance.clock_reads, true),
                    builder.set(instance.clock_sources, true),
                    invariant.map_or(NOTHING, |i| builder.set(i.reads, false)),
                    invariant.map_or(NOTHING, |i| builder.set(i.clock_reads, true)),
                ],
                writes: [
                    builder.set(instance.writes, false),
                    builder.set(instance.clock_writes, true),
                ],
            };
            let class = *numbers.entry(touched.clone()).or_insert_with(|| {
                let number = classes.len() as u32;
                touched
                    .reads
                    .iter()
                    .for_each(|&s| builder.sets[s as usize].readers.push(number));
                touched
                    .writes
                    .iter()
                    .for_each(|&s| builder.sets[s as usize].writers.push(number));
                homes[instance.process.index()].push(number);
                classes.push(touched);
                number
            });
            class_of.push(class);
        }
        let sets = builder.sets;
        let mut within = vec![Vec::new(); network.layout.meta as usize + network.clocks.len()];
        for (number, set) in (0..).zip(&sets) {
            for &member in &set.members {
                within[member as usize].push(number);
            }
        }
        let members: usize = sets.iter().map(|set| set.members.len()).sum();
        Interference {
            bytes: 8 * members + 80 * classes.len() + 4 * class_of.len() + 24 * within.len(),
            most: (ROWS / classes.len().max(1)).max(MOST_PARTS),
            class_of,
            classes,
            sets,
            within,
            homes,
            rows: FxHashMap::default(),
            clock: 0,
            search: Search::default(),
        }
    }

    /// The number of transitions between two, at least 1: `t` and `t'` that interfere are as far as two with one between them,
    /// because every transition interferes with itself. Of transitions with several edges the nearest two count.
    pub(super) fn distance(&mut self, a: &[InstanceId], b: &[InstanceId]) -> u8 {
        let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        let mut least = APART;
        for &from in few.iter().take(MOST_PARTS) {
            let from = self.class_of[from.index()];
            self.make_row(from);
            let Some((_, row)) = self.rows.get(&from) else {
                continue;
            };
            for &to in many {
                least = least.min(row[self.class_of[to.index()] as usize]);
                if least == 1 {
                    return 1;
                }
            }
        }
        least
    }

    fn make_row(&mut self, from: u32) {
        self.clock += 1;
        if let Some((used, _)) = self.rows.get_mut(&from) {
            *used = self.clock;
            return;
        }
        if self.rows.len() >= self.most {
            let oldest = self
                .rows
                .iter()
                .min_by_key(|(_, (used, _))| *used)
                .map(|(&class, _)| class);
            oldest.and_then(|class| self.rows.remove(&class));
        }
        let row = self.row(from);
        self.rows.insert(from, (self.clock, row));
    }

    /// Distances from a class to all. Every set and every member is gone through once in each role.
    fn row(&mut self, from: u32) -> Box<[u8]> {
        let mut row = vec![APART; self.classes.len()].into_boxed_slice();
        let search = &mut self.search;
        search.queue.clear();
        for (list, count) in [
            (&mut search.has_gone, self.sets.len()),
            (&mut search.has_met, self.within.len()),
            (&mut search.is_reached, self.sets.len()),
        ] {
            list.clear();
            list.resize(count, [false; 2]);
        }
        search.has_home.clear();
        search.has_home.resize(self.homes.len(), false);
        // Hops are one more than what is between; a class is at none from itself.
        let mut hops = vec![u8::MAX; self.classes.len()];
        hops[from as usize] = 0;
        search.queue.push(from);
        let mut at = 0;
        while let Some(&class) = search.queue.get(at) {
            at += 1;
            let here = hops[class as usize];
            row[class as usize] = here.saturating_sub(1).clamp(1, FARTHEST);
            let next = here.saturating_add(1).min(FARTHEST + 1);
            let mut found = |queue: &mut Vec<u32>, list: &[u32]| {
                for &other in list {
                    if hops[other as usize] == u8::MAX {
                        hops[other as usize] = next;
                        queue.push(other);
                    }
                }
            };
            let touched = &self.classes[class as usize];
            let home = touched.process.index();
            if !std::mem::replace(&mut search.has_home[home], true) {
                found(&mut search.queue, &self.homes[home]);
            }
            let written = touched.writes.iter().map(|&set| (set, WRITTEN));
            let read = touched.reads.iter().map(|&set| (set, READ));
            for (set, role) in written.chain(read) {
                if std::mem::replace(&mut search.has_gone[set as usize][role], true) {
                    continue;
                }
                for &member in &self.sets[set as usize].members {
                    if std::mem::replace(&mut search.has_met[member as usize][role], true) {
                        continue;
                    }
                    for &other in &self.within[member as usize] {
                        let set = &self.sets[other as usize];
                        let reached = &mut search.is_reached[other as usize];
                        if !std::mem::replace(&mut reached[0], true) {
                            found(&mut search.queue, &set.writers);
                        }
                        if role == WRITTEN && !std::mem::replace(&mut reached[1], true) {
                            found(&mut search.queue, &set.readers);
                        }
                    }
                }
            }
        }
        row
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.rows.len() * (self.classes.len() + 32)
    }
}
