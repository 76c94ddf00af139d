//! Negation normal form: where a predicate holds, or where it does not, without any negation but at the leaves.

use super::{Node, NodeId, Predicate};
use crate::code::cell::Context;
use crate::code::constraint::{ClockBound, Condition};
use crate::code::ids::ProcessId;
use crate::code::instr::Program;
use crate::code::sets::SetId;
use crate::vm::Trap;

/// A predicate or its negation in negation normal form.
#[derive(Clone, Debug)]
pub struct NormalForm {
    parts: Vec<Part>,
    /// The whole.
    pub root: PartId,
    /// Whether deadlocks matter to it.
    pub mentions_deadlock: bool,
}

/// Index of a part, for [`NormalForm::part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartId(u32);

/// A part of a predicate in negation normal form.
#[derive(Clone, Debug)]
pub enum Part {
    /// True or false.
    Constant(bool),
    /// All of them, from left to right.
    And(Vec<PartId>),
    /// One of them, from left to right.
    Or(Vec<PartId>),
    /// Whether a process is in a location.
    At {
        /// The process.
        process: ProcessId,
        /// The location, as memory holds it.
        location: i32,
        /// Whether it should be there.
        is: bool,
    },
    /// A condition on data.
    Data {
        /// The condition.
        condition: Condition,
        /// Required truth value.
        is: bool,
        /// The cells that it reads, locations included.
        reads: SetId,
        /// Whether evaluating it may be a run-time error, so that it must not be evaluated before its turn.
        may_fail: bool,
    },
    /// A bound on clocks; its own relation is the one that should hold, and `when` is never given.
    Clock(ClockBound),
    /// Whether no transition is possible any more.
    Deadlock(bool),
}

impl Part {
    /// Whether a leaf without clocks and deadlocks holds; `None` for every other part.
    ///
    /// # Errors
    /// When the model fails.
    // Walks ask for several of these a step, and the result would be handed back in memory.
    #[inline(always)]
    pub fn by_data(
        &self,
        program: &Program,
        context: &Context,
        memory: &mut [i32],
    ) -> Result<Option<bool>, Trap> {
        Ok(match *self {
            Part::Constant(truth) => Some(truth),
            Part::At {
                process,
                location,
                is,
            } => Some((memory[process.index()] == location) == is),
            Part::Data { condition, is, .. } => Some(condition.holds(program, context, memory)? == is),
            _ => None,
        })
    }
}

impl Predicate {
    /// The states in which it holds, or those in which it does not (for `A[] p`).
    pub fn normal_form(&self, holds: bool) -> NormalForm {
        let mut form = NormalForm {
            parts: Vec::new(),
            root: PartId(0),
            mentions_deadlock: self.mentions_deadlock(),
        };
        form.root = form.add(self, self.root, holds);
        form
    }
}

impl NormalForm {
    /// A part of it.
    #[inline]
    pub fn part(&self, id: PartId) -> &Part {
        &self.parts[id.0 as usize]
    }

    /// All the parts, children before their parents.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The normal form with the leaves that are not kept replaced by true.
    #[must_use]
    pub fn retaining(mut self, mut is_kept: impl FnMut(&Part) -> bool) -> NormalForm {
        for part in &mut self.parts {
            if !matches!(part, Part::And(_) | Part::Or(_)) && !is_kept(part) {
                *part = Part::Constant(true);
            }
        }
        self.mentions_deadlock = self.parts.iter().any(|p| matches!(p, Part::Deadlock(_)));
        self
    }

    /// Where both hold, this one being examined first.
    #[must_use]
    pub fn and(mut self, other: &NormalForm) -> NormalForm {
        let shift = self.parts.len() as u32;
        let moved = |list: &[PartId]| list.iter().map(|c| PartId(c.0 + shift)).collect();
        self.parts.extend(other.parts.iter().map(|part| match part {
            Part::And(list) => Part::And(moved(list)),
            Part::Or(list) => Part::Or(moved(list)),
            leaf => leaf.clone(),
        }));
        let both = vec![self.root, PartId(other.root.0 + shift)];
        self.root = self.push(Part::And(both));
        self.mentions_deadlock |= other.mentions_deadlock;
        self
    }

    /// The parts of which all must hold, from left to right; none of them is a conjunction.
    pub fn conjuncts(&self) -> Vec<PartId> {
        let mut conjuncts = Vec::new();
        let mut open = vec![self.root];
        while let Some(id) = open.pop() {
            match self.part(id) {
                Part::And(list) => open.extend(list.iter().rev()),
                _ => conjuncts.push(id),
            }
        }
        conjuncts
    }

    /// Whether looking at a part may be a run-time error.
    pub fn may_fail(&self, id: PartId) -> bool {
        match self.part(id) {
            Part::And(list) | Part::Or(list) => list.iter().any(|&c| self.may_fail(c)),
            Part::Data { may_fail, .. } => *may_fail,
            Part::Clock(bound) => bound.setup.is_some(),
            _ => false,
        }
    }

    // Nodes nest as deeply as the expression did.
    fn add(&mut self, predicate: &Predicate, id: NodeId, is: bool) -> PartId {
        let children = |form: &mut Self, list: &[NodeId]| -> Vec<PartId> {
            list.iter().map(|&n| form.add(predicate, n, is)).collect()
        };
        let part = match &predicate.nodes[id.0 as usize] {
            Node::Constant(truth) => Part::Constant(*truth == is),
            Node::Not(inner) => return self.add(predicate, *inner, !is),
            Node::And(list) if is => Part::And(children(self, list)),
            Node::And(list) => Part::Or(children(self, list)),
            Node::Or(list) if is => Part::Or(children(self, list)),
            Node::Or(list) => Part::And(children(self, list)),
            Node::At { process, location } => Part::At {
                process: *process,
                location: location.0 as i32,
                is,
            },
            Node::Data {
                condition,
                reads,
                may_fail,
            } => Part::Data {
                condition: *condition,
                is,
                reads: *reads,
                may_fail: *may_fail,
            },
            Node::Clock { bound, .. } => Part::Clock(ClockBound {
                relation: if is {
                    bound.relation
                } else {
                    bound.relation.negated()
                },
                ..*bound
            }),
            Node::Deadlock => Part::Deadlock(is),
        };
        self.push(part)
    }

    fn push(&mut self, part: Part) -> PartId {
        self.parts.push(part);
        PartId(self.parts.len() as u32 - 1)
    }
}
