//! How far a state is from the goal, by what the goal says of locations and data: steps in the graph of a process to a location that
//! it names, and by how much a comparison fails. Of parts of which all must hold distances add up, of alternatives the least counts.
//! Conditions on clocks and deadlocks in the goal have no distance: they are left out, of alternatives, too.
//!
//! Only what a step may have changed is evaluated again, and what depends on it: a goal about a thousand processes costs a step no
//! more than one about a few.

use super::readers::Readers;
use crate::plan::WalkPlan;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use zonewalk_network::constraint::{Condition, Relation};
use zonewalk_network::ids::InstanceId;
use zonewalk_network::predicate::{NormalForm, Part, PartId};
use zonewalk_network::{Context, SetId};

/// No part of a goal is farther away than this.
const FAR: u64 = 1 << 12;

/// No goal is farther away than this.
pub(crate) const FARTHEST: u64 = 1 << 24;

/// Nothing stands above the whole.
const NO_PARENT: u32 = u32::MAX;

#[derive(Debug)]
enum Term {
    /// A part without a distance.
    Nothing,
    /// A part with one distance everywhere.
    Fixed(u64),
    All(Range<u32>),
    One(Range<u32>),
    /// The distance of a process, by its location.
    At {
        process: usize,
        table: usize,
    },
    Number {
        relation: Relation,
        a: usize,
        b: usize,
    },
    /// Code whose value is true, or one away from that.
    Code(Part),
}

/// A goal, as far as there are distances to it.
#[derive(Debug)]
pub(crate) struct Distance {
    /// Children stand before their parents; the last is the whole.
    terms: Vec<Term>,
    parents: Vec<u32>,
    /// Parts of the terms that have any.
    children: Vec<u32>,
    /// By location.
    tables: Vec<Vec<u64>>,
    /// By process: the terms that depend on its location.
    by_process: Vec<Vec<u32>>,
    /// By the set of variables that an update writes: the terms that depend on one of them.
    by_writes: Vec<Vec<u32>>,
    /// Terms that depend on what code writes that runs before or after every update.
    always: Vec<u32>,
    context: Context,
}

/// The distances of a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distances(Vec<u64>);

impl Distance {
    /// `None` where the goal says nothing of locations and data.
    pub(crate) fn new(plan: &WalkPlan<'_>, form: &NormalForm) -> Option<Distance> {
        let network = plan.network;
        let mut builder = Builder {
            plan,
            form,
            known: BTreeMap::new(),
            readers: Readers::default(),
            made: Distance {
                terms: Vec::new(),
                parents: Vec::new(),
                children: Vec::new(),
                tables: Vec::new(),
                by_process: vec![Vec::new(); network.processes.len()],
                by_writes: vec![Vec::new(); network.sets.len()],
                always: Vec::new(),
                context: network.global_context(),
            },
        };
        builder.add(form.root);
        let mut made = builder.made;
        let is_leaf =
            |term: &Term| !matches!(term, Term::Nothing | Term::Fixed(_) | Term::All(_) | Term::One(_));
        if !made.terms.iter().any(is_leaf) {
            return None;
        }
        let readers = builder.readers;
        let sets: BTreeSet<SetId> = network.instances.iter().map(|edge| edge.writes).collect();
        for set in sets {
            made.by_writes[set.0 as usize] = readers.of(network, set);
        }
        for routine in [network.before_update, network.after_update]
            .into_iter()
            .flatten()
        {
            made.always.extend(readers.of(network, routine.writes));
        }
        Some(made)
    }

    /// The distance of a state of which nothing is known yet.
    pub(crate) fn begin(&self, plan: &WalkPlan<'_>, memory: &mut [i32], known: &mut Distances) -> u64 {
        known.0.clear();
        for term in &self.terms {
            let value = match term {
                Term::Nothing => 0,
                Term::All(range) => self.parts(range).map(|part| known.0[part]).sum(),
                Term::One(range) => self.least(range, known),
                leaf => self.leaf(leaf, plan, memory),
            };
            known.0.push(value);
        }
        self.whole(known)
    }

    /// The distance after a step of these edges from a state whose distances are known.
    pub(crate) fn follow(
        &self,
        plan: &WalkPlan<'_>,
        parts: &[InstanceId],
        memory: &mut [i32],
        known: &mut Distances,
    ) -> u64 {
        for &part in parts {
            let process = plan.edge(part).process;
            let written = &self.by_writes[plan.network.instance(part).writes.0 as usize];
            for &term in self.by_process[process.index()].iter().chain(written) {
                self.renew(term as usize, plan, memory, known);
            }
        }
        for &term in &self.always {
            self.renew(term as usize, plan, memory, known);
        }
        self.whole(known)
    }

    fn whole(&self, known: &Distances) -> u64 {
        known.0.last().copied().unwrap_or(0).min(FARTHEST)
    }

    fn parts(&self, range: &Range<u32>) -> impl Iterator<Item = usize> {
        let range = range.start as usize..range.end as usize;
        self.children[range].iter().map(|&child| child as usize)
    }

    fn least(&self, range: &Range<u32>, known: &Distances) -> u64 {
        self.parts(range).map(|part| known.0[part]).min().unwrap_or(FAR)
    }

    /// Evaluates a leaf again, and then what depends on it.
    fn renew(&self, leaf: usize, plan: &WalkPlan<'_>, memory: &mut [i32], known: &mut Distances) {
        let (mut at, mut value) = (leaf, self.leaf(&self.terms[leaf], plan, memory));
        loop {
            let before = std::mem::replace(&mut known.0[at], value);
            if before == value || self.parents[at] == NO_PARENT {
                return;
            }
            at = self.parents[at] as usize;
            value = match &self.terms[at] {
                Term::All(_) => known.0[at] - before + value,
                Term::One(range) => self.least(range, known),
                _ => return,
            };
        }
    }

    fn leaf(&self, term: &Term, plan: &WalkPlan<'_>, memory: &mut [i32]) -> u64 {
        match term {
            Term::At { process, table } => {
                let location = usize::try_from(memory[*process]).unwrap_or(usize::MAX);
                self.tables[*table].get(location).copied().unwrap_or(FAR)
            }
            Term::Number { relation, a, b } => {
                let (a, b) = (i64::from(memory[*a]), i64::from(memory[*b]));
                let gap = match relation {
                    Relation::Less => a - b + 1,
                    Relation::LessEqual => a - b,
                    Relation::Greater => b - a + 1,
                    Relation::GreaterEqual => b - a,
                    Relation::Equal => (a - b).abs(),
                    Relation::NotEqual => i64::from(a == b),
                };
                gap.clamp(0, FAR as i64) as u64
            }
            Term::Code(part) => {
                let truth = part.by_data(&plan.network.program, &self.context, memory);
                u64::from(truth != Ok(Some(true)))
            }
            Term::Fixed(away) => *away,
            Term::Nothing | Term::All(_) | Term::One(_) => 0,
        }
    }
}

struct Builder<'a> {
    plan: &'a WalkPlan<'a>,
    form: &'a NormalForm,
    /// Tables of distances, by the variant of the process, the location, and whether the process should be there.
    known: BTreeMap<(u32, i32, bool), usize>,
    readers: Readers,
    made: Distance,
}

impl Builder<'_> {
    // Parts nest as deeply as the expression did.
    fn add(&mut self, id: PartId) -> u32 {
        let network = self.plan.network;
        let (mut process, mut cells) = (None, None);
        let term = match self.form.part(id) {
            Part::And(list) => self.add_all(list).map_or(Term::Nothing, Term::All),
            Part::Or(list) => self.add_all(list).map_or(Term::Nothing, Term::One),
            Part::At {
                process: of,
                location,
                is,
            } => {
                process = Some(of.index());
                let variant = network.processes[of.index()].variant;
                Term::At {
                    process: of.index(),
                    table: self.table(variant, *location, *is),
                }
            }
            part @ Part::Data {
                condition, is, reads, ..
            } => {
                cells = Some(*reads);
                match condition {
                    Condition::Compare { relation, a, b } => Term::Number {
                        relation: if *is { *relation } else { relation.negated() },
                        a: self.made.context.address(*a),
                        b: self.made.context.address(*b),
                    },
                    Condition::Code(_) => Term::Code(part.clone()),
                }
            }
            Part::Constant(is_true) => Term::Fixed(if *is_true { 0 } else { FAR }),
            Part::Clock(_) | Part::Deadlock(_) => Term::Nothing,
        };
        let number = self.made.terms.len() as u32;
        if let Term::All(range) | Term::One(range) = &term {
            for &child in &self.made.children[range.start as usize..range.end as usize] {
                self.made.parents[child as usize] = number;
            }
        }
        self.made.terms.push(term);
        self.made.parents.push(NO_PARENT);
        if let Some(set) = cells {
            self.readers.add(network, set, number);
            // Locations are the first cells.
            for cell in network.sets.members(set) {
                if let Some(moved) = self.made.by_process.get_mut(cell as usize) {
                    moved.push(number);
                }
            }
        }
        if let Some(process) = process {
            self.made.by_process[process].push(number);
        }
        number
    }

    /// The parts that have a distance; `None` if none has one. An alternative without one would always be the least.
    fn add_all(&mut self, list: &[PartId]) -> Option<Range<u32>> {
        let mut children: Vec<u32> = list.iter().map(|&part| self.add(part)).collect();
        children.retain(|&child| !matches!(self.made.terms[child as usize], Term::Nothing));
        let start = self.made.children.len() as u32;
        self.made.children.extend(&children);
        (!children.is_empty()).then_some(start..self.made.children.len() as u32)
    }

    /// By location, the least number of edges to where a process should be.
    fn table(&mut self, variant: u32, location: i32, is: bool) -> usize {
        let (network, tables) = (self.plan.network, &mut self.made.tables);
        *self.known.entry((variant, location, is)).or_insert_with(|| {
            let variant = &network.variants[variant as usize];
            let there = |at: usize| (at as i32 == location) == is;
            let mut table: Vec<u64> = (0..variant.locations.len())
                .map(|at| if there(at) { 0 } else { FAR })
                .collect();
            let mut is_changing = true;
            while is_changing {
                is_changing = false;
                for edge in &variant.edges {
                    let through = table[edge.target.index()].saturating_add(1);
                    let from = &mut table[edge.source.index()];
                    if through < *from {
                        (*from, is_changing) = (through, true);
                    }
                }
            }
            tables.push(table);
            tables.len() - 1
        })
    }
}
