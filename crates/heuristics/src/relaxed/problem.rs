//! What the relaxation of a network toward a goal is made of, laid out once: conditions, updates, and who must be looked at
//! again when a cell gets a new value.

use super::relevance::Relevant;
use crate::alive::{Channels, alive};
use crate::goal::{Goal, Locations, Part, PartId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use zonewalk_model::tree::Direction;
use zonewalk_network::cell::{Cell, Context};
use zonewalk_network::constraint::{Condition, Relation, Term};
use zonewalk_network::ids::{ChannelId, InstanceId};
use zonewalk_network::instr::Entry;
use zonewalk_network::{Network, Routine, SetId};

/// "None" among numbers.
pub(super) const NONE: u32 = u32::MAX;
/// No partner in particular: who begins a broadcast, or a synchronisation without `!` and `?`.
pub(super) const NOBODY: u32 = u32::MAX - 1;

/// A condition on data that is looked at on its own, shared by all who ask for it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conjunct {
    /// A cell against a constant.
    Constant {
        cell: u32,
        relation: Relation,
        number: i32,
    },
    /// Anything else, by the unit that evaluates it.
    Unit(u32),
}

/// Code with the cells that it reads: it is run for every combination of their values.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) task: Task,
    pub(super) context: Context,
    /// The cells that it reads, in [`Problem::reads`].
    pub(super) reads: Range<u32>,
    /// How many combinations are run at most.
    pub(super) most: usize,
    /// By read: its values are narrowed to those that the guard of the edge accepts.
    pub(super) filters: Vec<(u32, Relation, i32)>,
    /// Conditions of the guard on several of the cells, as units.
    pub(super) checks: Vec<u32>,
    /// By read: whether another participant of the same transition, or `before_update`, may have written it.
    pub(super) is_passed: Vec<bool>,
    /// Values that are chosen freely: address, smallest, largest.
    pub(super) selects: Vec<(u32, i32, i32)>,
}

/// What a unit is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    /// Whether a condition is as it should be.
    Guard {
        conjunct: u32,
        condition: Condition,
        is: bool,
    },
    /// The update of an edge instance.
    Update {
        owner: InstanceId,
        entry: Entry,
        writes: SetId,
    },
    /// The channel of an edge instance.
    Channel {
        owner: InstanceId,
        setup: Option<Entry>,
        cell: Cell,
    },
    /// `before_update`.
    Before { entry: Entry, writes: SetId },
    /// `after_update`.
    After { entry: Entry, writes: SetId },
}

/// Whom a new value of a cell concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Watcher {
    Conjunct(u32),
    Unit(u32),
    /// A set of locations of the goal.
    Place(u32),
}

/// An edge instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) process: u32,
    pub(super) target: i32,
    /// Its source, its conditions. What takes no part at all needs more than there is.
    pub(super) needs: u16,
    pub(super) role: Role,
    /// The unit of its update; [`NONE`] if that changes nothing that matters.
    pub(super) update: u32,
    /// Somebody else may see what it writes in the same transition.
    pub(super) speaks: bool,
}

/// How an edge takes part in transitions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    Internal,
    On(Direction, ChannelId),
    /// The unit says on which channel.
    Dynamic(Direction, u32),
}

impl Role {
    pub(super) fn direction(self) -> Option<Direction> {
        match self {
            Role::Internal => None,
            Role::On(direction, _) | Role::Dynamic(direction, _) => Some(direction),
        }
    }
}

/// A goal whose leaves are conditions and sets of locations.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    Constant(bool),
    And(Vec<Wanted>),
    Or(Vec<Wanted>),
    Place(u32),
    Conjunct(u32),
}

/// Lists of numbers, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lists<V> {
    starts: Vec<u32>,
    values: Vec<V>,
}

impl<V: Copy + Ord> Lists<V> {
    fn new(keys: usize, mut pairs: Vec<(u32, V)>) -> Lists<V> {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; keys + 1];
        pairs.iter().for_each(|(key, _)| starts[*key as usize + 1] += 1);
        for i in 0..keys {
            starts[i + 1] += starts[i];
        }
        Lists {
            starts,
            values: pairs.into_iter().map(|pair| pair.1).collect(),
        }
    }

    #[inline]
    pub(super) fn get(&self, key: u32) -> &[V] {
        &self.values[self.starts[key as usize] as usize..self.starts[key as usize + 1] as usize]
    }

    fn bytes(&self) -> usize {
        4 * self.starts.len() + size_of_val(self.values.as_slice())
    }
}

/// The relaxation of a network toward a goal.
#[derive(Clone, Debug)]
pub(super) struct Problem<'n> {
    pub(super) network: &'n Network,
    pub(super) channels: Channels,
    /// The cells that matter, in order.
    pub(super) cells: Vec<u32>,
    /// By cell.
    pub(super) is_relevant: Vec<bool>,
    pub(super) conjuncts: Vec<Conjunct>,
    pub(super) units: Vec<Unit>,
    pub(super) reads: Vec<u32>,
    /// By edge instance.
    pub(super) edges: Vec<Edge>,
    /// By edge instance: its conditions.
    pub(super) conjuncts_of: Lists<u32>,
    /// By condition: the edge instances that ask for it.
    pub(super) edges_of: Lists<u32>,
    /// By cell.
    pub(super) watchers: Lists<Watcher>,
    /// By channel and cell: the edge instances that see it in the transition in which another participant writes it.
    pub(super) listeners: FxHashMap<(u32, u32), Vec<InstanceId>>,
    /// By cell: the edge instances that see what `before_update` writes there.
    pub(super) before_listeners: FxHashMap<u32, Vec<InstanceId>>,
    /// Units of `before_update` and `after_update`.
    pub(super) before: Option<u32>,
    pub(super) after: Option<u32>,
    pub(super) places: Vec<Locations>,
    pub(super) wanted: Wanted,
}

/// At most so many combinations of values are run through code that reads several cells.
const MOST_RUNS: usize = 256;
/// The same for code that reads one cell.
const MOST_RUNS_OF_ONE: usize = 1024;
/// Comparisons cost next to nothing.
const MOST_COMPARISONS: usize = 4096;

impl<'n> Problem<'n> {
    pub(super) fn new(network: &'n Network, goal: &Goal) -> Problem<'n> {
        let channels = Channels::new(network);
        let alive = alive(network, &channels);
        let relevant = Relevant::new(network, goal, &channels, &alive);
        let mut problem = Problem {
            network,
            channels,
            cells: relevant.cells(),
            conjuncts: Vec::new(),
            units: Vec::new(),
            reads: Vec::new(),
            edges: Vec::with_capacity(network.instances.len()),
            conjuncts_of: Lists::new(0, Vec::new()),
            edges_of: Lists::new(0, Vec::new()),
            watchers: Lists::new(0, Vec::new()),
            listeners: FxHashMap::default(),
            before_listeners: FxHashMap::default(),
            before: None,
            after: None,
            places: Vec::new(),
            wanted: Wanted::Constant(true),
            is_relevant: relevant.is_cell,
        };
        let mut known = FxHashMap::default();
        let mut pairs = Vec::new();
        for id in (0..network.instances.len() as u32).map(InstanceId) {
            let is_used = alive[id.index()] && relevant.is_edge[id.index()];
            problem.add_edge(id, is_used, &mut known, &mut pairs);
        }
        problem.wanted = problem.want(goal, goal.root(), &mut known);
        problem.edges_of = Lists::new(
            problem.conjuncts.len(),
            pairs.iter().map(|&(e, c)| (c, e)).collect(),
        );
        problem.conjuncts_of = Lists::new(problem.edges.len(), pairs);
        problem.add_updates();
        problem.before = problem.add_routine(network.before_update, |entry, writes| Task::Before {
            entry,
            writes,
        });
        problem.after = problem.add_routine(network.after_update, |entry, writes| Task::After {
            entry,
            writes,
        });
        problem.watch();
        problem
    }

    pub(super) fn reads(&self, unit: &Unit) -> &[u32] {
        &self.reads[unit.reads.start as usize..unit.reads.end as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.edges.as_slice())
            + size_of_val(self.units.as_slice())
            + size_of_val(self.conjuncts.as_slice())
            + 4 * self.reads.len()
            + self.is_relevant.len()
            + self.conjuncts_of.bytes()
            + self.edges_of.bytes()
            + self.watchers.bytes()
    }

    fn is_cell(&self, address: usize) -> bool {
        address < self.network.layout.meta as usize
    }

    fn add_unit(&mut self, task: Task, context: Context, reads: &[u32]) -> u32 {
        let start = self.reads.len() as u32;
        self.reads.extend_from_slice(reads);
        let is_comparison = matches!(
            task,
            Task::Guard {
                condition: Condition::Compare { .. },
                ..
            }
        );
        self.units.push(Unit {
            task,
            context,
            reads: start..self.reads.len() as u32,
            most: match reads.len() {
                _ if is_comparison => MOST_COMPARISONS,
                1 => MOST_RUNS_OF_ONE,
                _ => MOST_RUNS,
            },
            filters: Vec::new(),
            checks: Vec::new(),
            is_passed: vec![false; reads.len()],
            selects: Vec::new(),
        });
        self.units.len() as u32 - 1
    }

    fn add_edge(
        &mut self,
        id: InstanceId,
        is_used: bool,
        known: &mut FxHashMap<(u32, u32, Relation), u32>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let network = self.network;
        let instance = network.instance(id);
        let edge = network.edge(instance);
        let context = network.instance_context(instance);
        let mut own: Vec<u32> = Vec::new();
        let mut is_possible = is_used;
        for term in network.guard(instance).iter().filter(|_| is_used) {
            let Term::Data(condition) = term else { continue };
            let reads = match *condition {
                Condition::Compare { a, b, .. } => self.compared(&context, a, b),
                Condition::Code(entry) => Some(members(&network.code_reads(entry, &context))),
            };
            // What nobody can read off the state may hold.
            let Some(reads) = reads else { continue };
            match self.conjunct(*condition, true, &context, &reads, known) {
                Ok(conjunct) => own.push(conjunct),
                Err(holds) => is_possible &= holds,
            }
        }
        own.sort_unstable();
        own.dedup();
        let role = match (edge.sync, instance.channel.fixed()) {
            (None, _) => Role::Internal,
            (Some(sync), Some(channel)) => Role::On(sync.direction, channel),
            (Some(sync), None) => {
                let reads = match sync.setup {
                    Some(entry) => members(&network.code_reads(entry, &context)),
                    None => {
                        let address = context.address(sync.channel);
                        Vec::from_iter(self.is_cell(address).then_some(address as u32))
                    }
                };
                let task = Task::Channel {
                    owner: id,
                    setup: sync.setup,
                    cell: sync.channel,
                };
                Role::Dynamic(sync.direction, self.add_unit(task, context, &reads))
            }
        };
        pairs.extend(own.iter().map(|&conjunct| (id.0, conjunct)));
        self.edges.push(Edge {
            process: instance.process.0,
            target: edge.target.0 as i32,
            needs: if is_possible && own.len() < usize::from(u16::MAX) - 1 {
                own.len() as u16 + 1
            } else if is_possible {
                // More conditions than can be counted: as if there were none.
                1
            } else {
                u16::MAX
            },
            role,
            update: NONE,
            speaks: false,
        });
    }

    /// The variables among two cells; `None` if one of them is neither variable nor constant.
    fn compared(&self, context: &Context, a: Cell, b: Cell) -> Option<Vec<u32>> {
        let mut reads = Vec::new();
        for cell in [a, b] {
            let address = context.address(cell);
            if self.is_cell(address) {
                reads.push(address as u32);
            } else {
                self.network.constant(cell, context)?;
            }
        }
        reads.sort_unstable();
        reads.dedup();
        Some(reads)
    }

    /// The number of a condition; what it is, if it reads no variable.
    fn conjunct(
        &mut self,
        condition: Condition,
        is: bool,
        context: &Context,
        reads: &[u32],
        known: &mut FxHashMap<(u32, u32, Relation), u32>,
    ) -> Result<u32, bool> {
        let network = self.network;
        if reads.is_empty() {
            let holds = condition.holds(&network.program, context, &mut network.memory());
            return Err(holds.is_ok_and(|truth| truth == is));
        }
        let number = self.conjuncts.len() as u32;
        let Condition::Compare { relation, a, b } = condition else {
            let task = Task::Guard {
                conjunct: number,
                condition,
                is,
            };
            let unit = self.add_unit(task, *context, reads);
            self.conjuncts.push(Conjunct::Unit(unit));
            return Ok(number);
        };
        let relation = if is { relation } else { relation.negated() };
        let [left, right] = [a, b].map(|cell| context.address(cell) as u32);
        if let Some(&same) = known.get(&(left, right, relation)) {
            return Ok(same);
        }
        let constants = [a, b].map(|cell| network.constant(cell, context));
        let conjunct = match constants {
            [None, Some(number)] => Conjunct::Constant {
                cell: left,
                relation,
                number,
            },
            [Some(number), None] => Conjunct::Constant {
                cell: right,
                relation: relation.flipped(),
                number,
            },
            _ => {
                let task = Task::Guard {
                    conjunct: number,
                    condition: Condition::Compare { relation, a, b },
                    is: true,
                };
                Conjunct::Unit(self.add_unit(task, *context, reads))
            }
        };
        self.conjuncts.push(conjunct);
        known.insert((left, right, relation), number);
        Ok(number)
    }

    fn want(&mut self, goal: &Goal, id: PartId, known: &mut FxHashMap<(u32, u32, Relation), u32>) -> Wanted {
        match goal.part(id) {
            Part::Constant(truth) => Wanted::Constant(*truth),
            Part::And(list) => Wanted::And(list.iter().map(|&c| self.want(goal, c, known)).collect()),
            Part::Or(list) => Wanted::Or(list.iter().map(|&c| self.want(goal, c, known)).collect()),
            Part::At(at) => {
                self.places.push(at.clone());
                Wanted::Place(self.places.len() as u32 - 1)
            }
            Part::Data { condition, is, reads } => {
                let context = self.network.global_context();
                match self.conjunct(*condition, *is, &context, reads, known) {
                    Ok(conjunct) => Wanted::Conjunct(conjunct),
                    Err(holds) => Wanted::Constant(holds),
                }
            }
        }
    }

    fn add_routine(&mut self, routine: Option<Routine>, task: impl Fn(Entry, SetId) -> Task) -> Option<u32> {
        let routine = routine.filter(|r| self.writes_relevant(r.writes))?;
        let reads: Vec<u32> = self.network.sets.members(routine.reads).collect();
        let context = self.network.global_context();
        Some(self.add_unit(task(routine.entry, routine.writes), context, &reads))
    }

    fn writes_relevant(&self, writes: SetId) -> bool {
        let mut members = self.network.sets.members(writes);
        members.any(|cell| self.is_relevant.get(cell as usize).copied().unwrap_or(false))
    }

    /// Adds the updates that change something that matters, and finds out who sees what of the others in one transition.
    fn add_updates(&mut self) {
        let network = self.network;
        let heard = Heard::new(self);
        let before: FxHashSet<u32> = network
            .before_update
            .iter()
            .flat_map(|routine| network.sets.members(routine.writes))
            .collect();
        let mut speakers: FxHashSet<(u32, u32)> = FxHashSet::default();
        for id in (0..self.edges.len() as u32).map(InstanceId) {
            let instance = network.instance(id);
            let edge = network.edge(instance);
            let Some(entry) = edge.update else { continue };
            if self.edges[id.index()].needs == u16::MAX || !self.writes_relevant(instance.writes) {
                continue;
            }
            let context = network.instance_context(instance);
            let reads: Vec<u32> = network.sets.members(instance.update_needs).collect();
            let task = Task::Update {
                owner: id,
                entry,
                writes: instance.writes,
            };
            let number = self.add_unit(task, context, &reads);
            self.edges[id.index()].update = number;
            let mut is_passed = vec![false; reads.len()];
            for (flag, &cell) in is_passed.iter_mut().zip(&reads) {
                if before.contains(&cell) {
                    *flag = true;
                    self.before_listeners.entry(cell).or_default().push(id);
                }
                for channel in heard.channels(self, id) {
                    if heard.is_written(channel, cell, instance.process.0) {
                        *flag = true;
                        self.listeners.entry((channel.0, cell)).or_default().push(id);
                        speakers.insert((channel.0, cell));
                    }
                }
            }
            self.narrow(id, number, &reads, &is_passed);
            let unit = &mut self.units[number as usize];
            unit.is_passed = is_passed;
            let free = edge.selects.iter().filter(|s| !s.expanded);
            unit.selects = free
                .map(|s| (context.address(s.cell) as u32, s.lo, s.hi))
                .collect();
        }
        for id in (0..self.edges.len() as u32).map(InstanceId) {
            if speakers.is_empty() || self.edges[id.index()].update == NONE {
                continue;
            }
            let Some((_, on)) = self.channels.of(network, id) else {
                continue;
            };
            let writes: Vec<u32> = network.sets.members(network.instance(id).writes).collect();
            let on: Vec<ChannelId> = on.collect();
            let is_heard = |cell: &u32| on.iter().any(|c| speakers.contains(&(c.0, *cell)));
            self.edges[id.index()].speaks = writes.iter().any(is_heard);
        }
    }

    /// Values that the guard does not accept are not those that the update sees, unless somebody writes in between.
    fn narrow(&mut self, id: InstanceId, unit: u32, reads: &[u32], is_passed: &[bool]) {
        let kept = |cell: u32| reads.iter().position(|&r| r == cell).filter(|&i| !is_passed[i]);
        let mut filters = Vec::new();
        let mut checks = Vec::new();
        for &conjunct in self.conjuncts_of.get(id.0) {
            match self.conjuncts[conjunct as usize] {
                Conjunct::Constant {
                    cell,
                    relation,
                    number,
                } => {
                    filters.extend(kept(cell).map(|i| (i as u32, relation, number)));
                }
                Conjunct::Unit(of) => {
                    let guard = self.reads(&self.units[of as usize]);
                    if guard.iter().all(|&cell| kept(cell).is_some()) {
                        checks.push(of);
                    }
                }
            }
        }
        let unit = &mut self.units[unit as usize];
        (unit.filters, unit.checks) = (filters, checks);
    }

    fn watch(&mut self) {
        let mut pairs = Vec::new();
        for (number, conjunct) in (0..).zip(&self.conjuncts) {
            if let Conjunct::Constant { cell, .. } = *conjunct {
                pairs.push((cell, Watcher::Conjunct(number)));
            }
        }
        for (number, unit) in (0..).zip(&self.units) {
            pairs.extend(self.reads(unit).iter().map(|&cell| (cell, Watcher::Unit(number))));
        }
        for (number, place) in (0..).zip(&self.places) {
            pairs.push((place.process.0, Watcher::Place(number)));
        }
        self.watchers = Lists::new(self.is_relevant.len(), pairs);
    }
}

fn contains(extents: &[zonewalk_network::Extent], cell: u32) -> bool {
    let at = extents.partition_point(|e| e.end <= cell);
    extents.get(at).is_some_and(|e| e.contains(cell))
}

fn members(extents: &[zonewalk_network::Extent]) -> Vec<u32> {
    extents.iter().flat_map(|e| e.start..e.end).collect()
}

/// Which cells the participants on a channel write before others of them look: by channel and set of cells, one process
/// that has it, and whether there is another.
struct Heard<'n> {
    network: &'n Network,
    sets: FxHashMap<u32, Vec<(SetId, u32, bool)>>,
}

impl<'n> Heard<'n> {
    fn new(problem: &Problem<'n>) -> Heard<'n> {
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
        Heard { network, sets }
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
