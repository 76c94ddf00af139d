//! Lays the relaxation of a network toward a goal out.

use super::effort::{INSTRUCTIONS, RUN};
use super::problem::{Conjunct, Lists, Problem, Purpose, RelaxedEdge, RelaxedGoal, Role, Unit, Watcher};
use super::relevance::Relevant;
use crate::alive::{Channels, alive};
use crate::goal::{GoalFormula, Part, PartId};
use rustc_hash::FxHashMap;
use zonewalk_network::cell::{Cell, Context, Extent};
use zonewalk_network::constraint::{Condition, Relation, Term};
use zonewalk_network::effort::Efforts;
use zonewalk_network::ids::InstanceId;
use zonewalk_network::instr::Entry;
use zonewalk_network::{Network, Routine, SetId};

/// Limit on runs of code that reads several cells, one per combination of values.
const MOST_RUNS: usize = 256;
/// Limit on runs of code that reads one cell.
const MOST_RUNS_OF_ONE: usize = 1024;
/// Instructions that are spent, at most and about, on all combinations of one piece of code.
const MOST_EFFORT: u32 = 200_000;
/// Comparisons cost next to nothing.
const MOST_COMPARISONS: usize = 4096;

/// A problem while it is laid out.
pub(super) struct Builder<'n> {
    pub(super) network: &'n Network,
    pub(super) problem: Problem<'n>,
    efforts: Efforts,
    /// Comparisons that some edge has asked for.
    known: FxHashMap<(u32, u32, Relation), u32>,
    /// RelaxedEdge instances with their conditions.
    pairs: Vec<(u32, u32)>,
    /// For code that reads no variable.
    pub(super) memory: Vec<i32>,
}

impl<'n> Problem<'n> {
    pub(super) fn new(network: &'n Network, goal: &GoalFormula) -> Problem<'n> {
        let channels = Channels::new(network);
        let alive = alive(network, &channels);
        let relevant = Relevant::new(network, goal, &channels, &alive);
        let none = || Lists::new(0, Vec::new());
        let problem = Problem {
            network,
            channels,
            cells: relevant.cells(),
            conjuncts: Vec::new(),
            units: Vec::new(),
            reads: Vec::new(),
            effects: Vec::new(),
            edges: Vec::with_capacity(network.instances.len()),
            conjuncts_of: none(),
            edges_of: none(),
            watchers: Lists::new(0, Vec::new()),
            listeners: FxHashMap::default(),
            before_listeners: FxHashMap::default(),
            after: None,
            location_sets: Vec::new(),
            wanted: RelaxedGoal::Constant(true),
            is_relevant: relevant.is_cell,
        };
        let mut builder = Builder {
            network,
            problem,
            efforts: Efforts::default(),
            known: FxHashMap::default(),
            pairs: Vec::new(),
            memory: network.memory(),
        };
        for id in (0..network.instances.len() as u32).map(InstanceId) {
            let is_used = alive[id.index()] && relevant.is_edge[id.index()];
            builder.add_edge(id, is_used);
        }
        builder.problem.wanted = builder.want(goal, goal.root());
        builder.index();
        builder.add_updates();
        builder.add_routine(network.before_update, |entry, writes| Purpose::Before {
            entry,
            writes,
        });
        let after = |entry, writes| Purpose::After { entry, writes };
        builder.problem.after = builder.add_routine(network.after_update, after);
        builder.watch();
        builder.problem
    }
}

impl Builder<'_> {
    /// Which edges ask for which conditions, both ways.
    fn index(&mut self) {
        let pairs = std::mem::take(&mut self.pairs);
        let reversed = pairs.iter().map(|&(e, c)| (c, e)).collect();
        self.problem.edges_of = Lists::new(self.problem.conjuncts.len(), reversed);
        self.problem.conjuncts_of = Lists::new(self.problem.edges.len(), pairs);
    }

    fn is_cell(&self, address: usize) -> bool {
        address < self.network.layout.meta as usize
    }

    pub(super) fn add_unit(&mut self, purpose: Purpose, context: Context, reads: &[u32]) -> u32 {
        let start = self.problem.reads.len() as u32;
        self.problem.reads.extend_from_slice(reads);
        // Functions that take long are run less often.
        let effort = self.efforts.of(self.network, purpose.entry());
        let affordable = (MOST_EFFORT / effort.max(1)).max(1) as usize;
        let is_comparison = matches!(
            purpose,
            Purpose::Guard {
                condition: Condition::Compare { .. },
                ..
            }
        );
        self.problem.units.push(Unit {
            purpose,
            context,
            reads: start..self.problem.reads.len() as u32,
            most: match reads.len() {
                _ if is_comparison => MOST_COMPARISONS,
                1 => MOST_RUNS_OF_ONE.min(affordable),
                _ => MOST_RUNS.min(affordable),
            },
            effort: RUN + u64::from(effort) / INSTRUCTIONS,
            filters: Vec::new(),
            checks: Vec::new(),
            is_passed: vec![false; reads.len()],
            selects: Vec::new(),
        });
        self.problem.units.len() as u32 - 1
    }

    fn add_edge(&mut self, id: InstanceId, is_used: bool) {
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
            // What cannot be read off the state may hold.
            let Some(reads) = reads else { continue };
            match self.conjunct(*condition, true, &context, &reads) {
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
                let code = sync.setup.map(|entry| network.code_reads(entry, &context));
                let mut reads = members(&code.unwrap_or_default());
                let address = context.address(sync.channel);
                if self.is_cell(address) && !reads.contains(&(address as u32)) {
                    reads.push(address as u32);
                }
                let purpose = Purpose::Channel {
                    owner: id,
                    setup: sync.setup,
                    cell: sync.channel,
                };
                Role::Dynamic(sync.direction, self.add_unit(purpose, context, &reads))
            }
        };
        self.pairs.extend(own.iter().map(|&conjunct| (id.0, conjunct)));
        self.problem.edges.push(RelaxedEdge {
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
            updates: (0, 0),
            effects: (0, 0),
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
    ) -> Result<u32, bool> {
        let network = self.network;
        if reads.is_empty() {
            let holds = condition.holds(&network.program, context, &mut self.memory);
            return Err(holds.is_ok_and(|truth| truth == is));
        }
        let number = self.problem.conjuncts.len() as u32;
        let Condition::Compare { relation, a, b } = condition else {
            let purpose = Purpose::Guard {
                conjunct: number,
                condition,
                is,
            };
            let unit = self.add_unit(purpose, *context, reads);
            self.problem.conjuncts.push(Conjunct::Unit(unit));
            return Ok(number);
        };
        let relation = if is { relation } else { relation.negated() };
        let [left, right] = [a, b].map(|cell| context.address(cell) as u32);
        if let Some(&same) = self.known.get(&(left, right, relation)) {
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
                let purpose = Purpose::Guard {
                    conjunct: number,
                    condition: Condition::Compare { relation, a, b },
                    is: true,
                };
                Conjunct::Unit(self.add_unit(purpose, *context, reads))
            }
        };
        self.problem.conjuncts.push(conjunct);
        self.known.insert((left, right, relation), number);
        Ok(number)
    }

    fn want(&mut self, goal: &GoalFormula, id: PartId) -> RelaxedGoal {
        match goal.part(id) {
            Part::Constant(truth) => RelaxedGoal::Constant(*truth),
            Part::And(list) => RelaxedGoal::And(list.iter().map(|&c| self.want(goal, c)).collect()),
            Part::Or(list) => RelaxedGoal::Or(list.iter().map(|&c| self.want(goal, c)).collect()),
            Part::At(at) => {
                self.problem.location_sets.push(at.clone());
                RelaxedGoal::Locations(self.problem.location_sets.len() as u32 - 1)
            }
            Part::Data { condition, is, reads } => {
                let context = self.network.global_context();
                match self.conjunct(*condition, *is, &context, reads) {
                    Ok(conjunct) => RelaxedGoal::Conjunct(conjunct),
                    Err(holds) => RelaxedGoal::Constant(holds),
                }
            }
        }
    }

    fn add_routine(
        &mut self,
        routine: Option<Routine>,
        purpose: impl Fn(Entry, SetId) -> Purpose,
    ) -> Option<u32> {
        let routine = routine.filter(|r| self.writes_relevant(r.writes))?;
        let reads: Vec<u32> = self.network.sets.members(routine.reads).collect();
        let context = self.network.global_context();
        Some(self.add_unit(purpose(routine.entry, routine.writes), context, &reads))
    }

    pub(super) fn writes_relevant(&self, writes: SetId) -> bool {
        let mut members = self.network.sets.members(writes);
        members.any(|cell| {
            self.problem
                .is_relevant
                .get(cell as usize)
                .copied()
                .unwrap_or(false)
        })
    }

    fn watch(&mut self) {
        let mut pairs = Vec::new();
        for (number, conjunct) in (0..).zip(&self.problem.conjuncts) {
            if let Conjunct::Constant { cell, .. } = *conjunct {
                pairs.push((cell, Watcher::Conjunct(number)));
            }
        }
        for (number, unit) in (0..).zip(&self.problem.units) {
            pairs.extend(
                self.problem
                    .reads(unit)
                    .iter()
                    .map(|&cell| (cell, Watcher::Unit(number))),
            );
        }
        for (number, place) in (0..).zip(&self.problem.location_sets) {
            pairs.push((place.process.0, Watcher::Locations(number)));
        }
        self.problem.watchers = Lists::new(self.problem.is_relevant.len(), pairs);
    }
}

fn members(extents: &[Extent]) -> Vec<u32> {
    extents.iter().flat_map(|e| e.start..e.end).collect()
}
