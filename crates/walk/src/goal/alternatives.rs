//! Goals with many alternatives: `exists (i : id_t) exists (j : id_t) i < j && P(i).cs && P(j).cs` over a hundred processes
//! has five thousand, and a step changes the location of one or two processes.
//!
//! Each alternative [counts](crate::plan::counts) what it still waits for of locations and variables; only those that wait for
//! nothing are examined. What has changed is found by comparison with what was seen last time, in chunks: the caller
//! need not know how the state has come about, and nothing is done for steps that are not asked about.

use crate::plan::condition::Question;
use crate::plan::counts::{Counts, WatchedCell};
use crate::plan::{NONE, WalkPlan};
use std::collections::HashSet;
use zonewalk_network::Context;
use zonewalk_network::constraint::Condition;
use zonewalk_network::predicate::{NormalForm, Part, PartId};

/// Number of alternatives up to which all are examined one by one.
const FEW: usize = 8;
/// Cells that are compared at once.
const CHUNK: usize = 32;

/// A disjunction, none of whose parts can fail.
#[derive(Clone, Debug)]
pub(crate) struct Alternatives {
    parts: Vec<PartId>,
    counts: Counts,
    /// Neighbouring cells that are counted: the first one, its number, and how many there are.
    stretches: Vec<(usize, usize, usize)>,
    /// In the initial state.
    initial: Open,
}

/// Which alternatives wait for nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open {
    /// The values of the counted cells.
    seen: Vec<i32>,
    unmet: Vec<u32>,
    list: Vec<u32>,
    /// By alternative its place in the list; `NONE` if it is not there.
    position: Vec<u32>,
    crossed: Vec<u32>,
}

impl Alternatives {
    /// `None` unless the part is a disjunction with many alternatives that may be examined in any order.
    pub(crate) fn new(
        plan: &WalkPlan<'_>,
        form: &NormalForm,
        id: PartId,
        context: &Context,
    ) -> Option<Alternatives> {
        let Part::Or(list) = form.part(id) else {
            return None;
        };
        if list.len() <= FEW || form.may_fail(id) {
            return None;
        }
        let mut asked: Vec<WatchedCell> = Vec::new();
        let mut parts = Vec::new();
        let mut known = HashSet::new();
        let mut literals = Vec::new();
        for &part in list {
            literals.clear();
            let Some(is_all) = collect(plan, form, part, context, &mut literals) else {
                continue;
            };
            literals.sort_unstable_by_key(|(cell, question): &(u32, Question)| (*cell, question.order()));
            literals.dedup_by_key(|(cell, question)| (*cell, question.order()));
            // The same for `i` and `j` as for `j` and `i`.
            let mut key = literals.iter().map(|(cell, question)| (*cell, question.order()));
            let key = [key.next(), key.next()];
            if is_all && literals.len() <= key.len() && !known.insert(key) {
                continue;
            }
            let who = parts.len() as u32;
            asked.extend(literals.iter().map(|&(cell, question)| (cell, question, who)));
            parts.push(part);
        }
        let counts = Counts::new(asked, plan.network.layout.meta);
        let memory = plan.network.memory();
        let seen: Vec<i32> = counts.cells().map(|cell| memory[cell as usize]).collect();
        let mut initial = Open {
            seen,
            unmet: vec![0; parts.len()],
            list: Vec::new(),
            position: vec![NONE; parts.len()],
            crossed: Vec::new(),
        };
        counts.count(&memory, initial.unmet.as_mut_slice());
        for who in 0..parts.len() as u32 {
            initial.sort_in(who);
        }
        Some(Alternatives {
            parts,
            stretches: stretches(&counts),
            counts,
            initial,
        })
    }

    /// As it is in the initial state.
    pub(crate) fn begin(&self) -> Open {
        self.initial.clone()
    }

    /// The part of an alternative.
    #[inline]
    pub(crate) fn part(&self, who: u32) -> PartId {
        self.parts[who as usize]
    }

    /// Brings up to date which alternatives wait for nothing.
    pub(crate) fn update(&self, memory: &[i32], open: &mut Open) {
        for &(cell, number, count) in &self.stretches {
            let new = &memory[cell..cell + count];
            for (chunk, start) in new.chunks(CHUNK).zip((number..).step_by(CHUNK)) {
                if chunk != &open.seen[start..start + chunk.len()] {
                    self.update_chunk(chunk, start, open);
                }
            }
        }
        while let Some(who) = open.crossed.pop() {
            open.sort_in(who);
        }
    }

    fn update_chunk(&self, new: &[i32], start: usize, open: &mut Open) {
        for (&new, number) in new.iter().zip(start..) {
            let old = std::mem::replace(&mut open.seen[number], new);
            if old != new {
                self.counts.change(
                    number as u32,
                    (old, new),
                    open.unmet.as_mut_slice(),
                    &mut open.crossed,
                );
            }
        }
    }
}

impl Open {
    /// The alternatives that wait for nothing.
    pub(crate) fn list(&self) -> &[u32] {
        &self.list
    }

    /// Puts an alternative on the list or takes it off.
    fn sort_in(&mut self, who: u32) {
        let position = self.position[who as usize];
        let is_open = self.unmet[who as usize] == 0;
        if is_open && position == NONE {
            self.position[who as usize] = self.list.len() as u32;
            self.list.push(who);
        } else if !is_open && position != NONE {
            self.position[who as usize] = NONE;
            self.list.swap_remove(position as usize);
            if let Some(&moved) = self.list.get(position as usize) {
                self.position[moved as usize] = position;
            }
        }
    }
}

/// Lists what a part asks of single cells; whether that is all that it asks. `None` if it never holds.
fn collect(
    plan: &WalkPlan<'_>,
    form: &NormalForm,
    id: PartId,
    context: &Context,
    literals: &mut Vec<(u32, Question)>,
) -> Option<bool> {
    let mut is_all = true;
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match form.part(id) {
            Part::Constant(true) => {}
            Part::Constant(false) => return None,
            Part::And(list) => open.extend(list),
            Part::At {
                process,
                location,
                is,
            } => literals.push((process.0, Question::about(*location, *is))),
            Part::Data {
                condition: Condition::Compare { relation, a, b },
                is,
                ..
            } => {
                let relation = if *is { *relation } else { relation.negated() };
                let address = |cell| context.address(cell) as u32;
                match plan.literal(relation, address(*a), address(*b)) {
                    Some(literal) => literals.push(literal),
                    None => is_all = false,
                }
            }
            _ => is_all = false,
        }
    }
    Some(is_all)
}

/// The counted cells as stretches of neighbours.
fn stretches(counts: &Counts) -> Vec<(usize, usize, usize)> {
    let mut stretches: Vec<(usize, usize, usize)> = Vec::new();
    for (number, cell) in counts.cells().enumerate() {
        let cell = cell as usize;
        match stretches.last_mut() {
            Some((first, _, count)) if *first + *count == cell => *count += 1,
            _ => stretches.push((cell, number, 1)),
        }
    }
    stretches
}
