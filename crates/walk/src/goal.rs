//! Goals: state predicates, looked at over the whole delay that a state allows (`semantics.md` 5).
//!
//! A predicate is turned into negation normal form once. Its conjuncts are watched one at a time, as SAT solvers watch
//! literals: while the watched conjunct is false nothing else is evaluated, so that a `forall` over two thousand processes
//! costs a step no more than one comparison.

use crate::atom::Atom;
use crate::plan::Plan;
use crate::refresh::Stop;
use crate::state::{State, Window};
use zonewalk_network::constraint::{ClockBound, Condition, Relation};
use zonewalk_network::vm::{NoClocks, run};
use zonewalk_network::{Context, Node, NodeId, Predicate};

/// A goal.
#[derive(Clone, Debug)]
pub struct Goal {
    parts: Vec<Part>,
    /// Conjuncts of the whole, in the order of evaluation.
    conjuncts: Vec<u32>,
    /// So many of the first conjuncts may be evaluated in any order, because none of them can fail.
    safe: usize,
    context: Context,
    mentions_deadlock: bool,
}

/// A part in negation normal form; children are numbers of parts.
#[derive(Clone, Debug)]
enum Part {
    Constant(bool),
    And(Vec<u32>),
    Or(Vec<u32>),
    At {
        process: u32,
        location: i32,
        is: bool,
    },
    Data {
        condition: Condition,
        is: bool,
        may_fail: bool,
    },
    Clock {
        bound: ClockBound,
        relation: Relation,
    },
    Deadlock(bool),
}

impl Goal {
    /// The states in which `predicate` holds, or those in which it does not (for `A[] p`).
    pub fn new(plan: &Plan<'_>, predicate: &Predicate, holds: bool) -> Goal {
        let mut goal = Goal {
            parts: Vec::new(),
            conjuncts: Vec::new(),
            safe: 0,
            context: plan.network.global_context(),
            mentions_deadlock: predicate.nodes.iter().any(|n| matches!(n, Node::Deadlock)),
        };
        let root = goal.normal_form(predicate, predicate.root, holds);
        goal.flatten(root);
        goal.safe = goal.conjuncts.iter().take_while(|&&c| !goal.may_fail(c)).count();
        goal
    }

    /// Whether dead ends matter to it.
    pub fn mentions_deadlock(&self) -> bool {
        self.mentions_deadlock
    }

    fn normal_form(&mut self, predicate: &Predicate, id: NodeId, is: bool) -> u32 {
        let children = |goal: &mut Self, list: &[NodeId]| {
            list.iter()
                .map(|&n| goal.normal_form(predicate, n, is))
                .collect::<Vec<_>>()
        };
        let part = match &predicate.nodes[id.0 as usize] {
            Node::Constant(truth) => Part::Constant(*truth == is),
            Node::Not(inner) => return self.normal_form(predicate, *inner, !is),
            Node::And(list) if is => Part::And(children(self, list)),
            Node::And(list) => Part::Or(children(self, list)),
            Node::Or(list) if is => Part::Or(children(self, list)),
            Node::Or(list) => Part::And(children(self, list)),
            Node::At { process, location } => Part::At {
                process: *process,
                location: *location as i32,
                is,
            },
            Node::Data {
                condition, may_fail, ..
            } => Part::Data {
                condition: *condition,
                is,
                may_fail: *may_fail,
            },
            Node::Clock { bound, .. } => {
                let relation = if is {
                    bound.relation
                } else {
                    bound.relation.negated()
                };
                Part::Clock {
                    bound: *bound,
                    relation,
                }
            }
            Node::Deadlock => Part::Deadlock(is),
        };
        self.parts.push(part);
        self.parts.len() as u32 - 1
    }

    fn flatten(&mut self, id: u32) {
        if let Part::And(list) = &self.parts[id as usize] {
            for child in list.clone() {
                self.flatten(child);
            }
        } else {
            self.conjuncts.push(id);
        }
    }

    fn may_fail(&self, id: u32) -> bool {
        match &self.parts[id as usize] {
            Part::And(list) | Part::Or(list) => list.iter().any(|&c| self.may_fail(c)),
            Part::Data { may_fail, .. } => *may_fail,
            Part::Clock { bound, .. } => bound.setup.is_some(),
            _ => false,
        }
    }
}

impl Goal {
    /// Lists bounds on clocks that make the goal true, as it is at an instant: of an alternative the first part that holds
    /// then. False when the goal does not hold. What it says of dead ends is taken for true.
    pub(crate) fn atoms(
        &self,
        plan: &Plan<'_>,
        state: &mut State,
        at: i64,
        list: &mut Vec<Atom>,
    ) -> Result<bool, Stop> {
        for &conjunct in &self.conjuncts {
            if !self.part_atoms(conjunct, plan, state, at, list)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn part_atoms(
        &self,
        id: u32,
        plan: &Plan<'_>,
        state: &mut State,
        at: i64,
        list: &mut Vec<Atom>,
    ) -> Result<bool, Stop> {
        let start = list.len();
        Ok(match &self.parts[id as usize] {
            Part::Constant(truth) => *truth,
            Part::At {
                process,
                location,
                is,
            } => (state.memory[*process as usize] == *location) == *is,
            Part::Data { condition, is, .. } => {
                condition.holds(&plan.network.program, &self.context, &mut state.memory)? == *is
            }
            Part::Deadlock(_) => true,
            Part::Clock { bound, relation } => {
                let bound = ClockBound {
                    when: None,
                    relation: *relation,
                    ..*bound
                };
                let atom = state.atom(plan, &bound, &self.context)?;
                let holds = atom.is_none_or(|a| a.holds(plan, state, at));
                list.extend(atom);
                holds
            }
            Part::And(children) => {
                for &child in children {
                    if !self.part_atoms(child, plan, state, at, list)? {
                        return Ok(false);
                    }
                }
                true
            }
            Part::Or(children) => {
                for &child in children {
                    if self.part_atoms(child, plan, state, at, list)? {
                        return Ok(true);
                    }
                    list.truncate(start);
                }
                false
            }
        })
    }
}

/// A goal with the conjunct that is watched, and room to compute in.
pub(crate) struct Watch<'g> {
    goal: &'g Goal,
    watched: usize,
    windows: Vec<Window>,
    others: Vec<Window>,
}

impl<'g> Watch<'g> {
    pub(crate) fn new(goal: &'g Goal) -> Self {
        Watch {
            goal,
            watched: 0,
            windows: Vec::new(),
            others: Vec::new(),
        }
    }

    /// The first instant of the grid, from now to `horizon`, at which the goal holds.
    pub(crate) fn check(
        &mut self,
        plan: &Plan<'_>,
        state: &mut State,
        horizon: i64,
        is_stuck: bool,
    ) -> Result<Option<i64>, Stop> {
        let span = Window {
            lo: state.clocks.now,
            hi: horizon,
        };
        let count = self.goal.conjuncts.len();
        // Safe conjuncts first, beginning with the one that was false last time.
        for offset in 0..self.goal.safe {
            let at = (self.watched + offset) % self.goal.safe.max(1);
            if !self.possible(self.goal.conjuncts[at], plan, state, span, is_stuck)? {
                self.watched = at;
                return Ok(None);
            }
        }
        for at in self.goal.safe..count {
            if !self.possible(self.goal.conjuncts[at], plan, state, span, is_stuck)? {
                return Ok(None);
            }
        }
        // Each conjunct holds at some instant; now the instants at which all do.
        let mut all = vec![span];
        for at in 0..count {
            self.collect(self.goal.conjuncts[at], plan, state, span, is_stuck)?;
            intersect(&mut all, &self.windows, &mut self.others);
            if all.is_empty() {
                return Ok(None);
            }
        }
        Ok(all.iter().find(|w| !w.is_empty()).map(|w| w.lo + (w.lo & 1)))
    }

    /// Whether a conjunct holds at some instant; quick for a single location or condition.
    #[inline]
    fn possible(
        &mut self,
        id: u32,
        plan: &Plan<'_>,
        state: &mut State,
        span: Window,
        is_stuck: bool,
    ) -> Result<bool, Stop> {
        match &self.goal.parts[id as usize] {
            Part::At {
                process,
                location,
                is,
            } => Ok((state.memory[*process as usize] == *location) == *is),
            Part::Data { condition, is, .. } => {
                let holds = condition.holds(&plan.network.program, &self.goal.context, &mut state.memory)?;
                Ok(holds == *is)
            }
            _ => {
                self.collect(id, plan, state, span, is_stuck)?;
                Ok(!self.windows.is_empty())
            }
        }
    }

    /// Leaves in `windows` the instants of `span` at which a part holds, disjoint and sorted.
    fn collect(
        &mut self,
        id: u32,
        plan: &Plan<'_>,
        state: &mut State,
        span: Window,
        is_stuck: bool,
    ) -> Result<(), Stop> {
        let goal = self.goal;
        let truth = match &goal.parts[id as usize] {
            Part::Constant(truth) => *truth,
            Part::At {
                process,
                location,
                is,
            } => (state.memory[*process as usize] == *location) == *is,
            Part::Data { condition, is, .. } => {
                condition.holds(&plan.network.program, &goal.context, &mut state.memory)? == *is
            }
            Part::Deadlock(is) => is_stuck == *is,
            Part::Clock { bound, relation } => {
                if let Some(setup) = bound.setup {
                    run(
                        &plan.network.program,
                        setup,
                        &goal.context,
                        &mut state.memory,
                        &mut NoClocks,
                    )?;
                }
                self.windows.clear();
                let bound = ClockBound {
                    setup: None,
                    when: None,
                    ..*bound
                };
                // `x != c` is two windows; everything else is one.
                let relations: &[Relation] = match relation {
                    Relation::NotEqual => &[Relation::Less, Relation::Greater],
                    other => std::slice::from_ref(other),
                };
                for &relation in relations {
                    let window = state
                        .general(plan, &ClockBound { relation, ..bound }, &goal.context)?
                        .and(span);
                    if window.lo <= window.hi {
                        self.windows.push(window);
                    }
                }
                return Ok(());
            }
            Part::And(list) => {
                let mut all = vec![span];
                for &child in list {
                    self.collect(child, plan, state, span, is_stuck)?;
                    intersect(&mut all, &self.windows, &mut self.others);
                    if all.is_empty() {
                        break;
                    }
                }
                self.windows = all;
                return Ok(());
            }
            Part::Or(list) => {
                let mut any: Vec<Window> = Vec::new();
                for &child in list {
                    self.collect(child, plan, state, span, is_stuck)?;
                    any.append(&mut self.windows);
                    // The whole span: the rest is not evaluated.
                    if any.first().is_some_and(|w| w.lo <= span.lo && w.hi >= span.hi) {
                        break;
                    }
                }
                any.sort_by_key(|w| w.lo);
                any.dedup_by(|next, kept| {
                    let touches = next.lo <= kept.hi.saturating_add(1);
                    if touches {
                        kept.hi = kept.hi.max(next.hi);
                    }
                    touches
                });
                self.windows = any;
                return Ok(());
            }
        };
        self.windows.clear();
        if truth {
            self.windows.push(span);
        }
        Ok(())
    }
}

/// Keeps in `all` what is in `windows` too; both are disjoint and sorted.
fn intersect(all: &mut Vec<Window>, windows: &[Window], room: &mut Vec<Window>) {
    room.clear();
    for a in all.iter() {
        room.extend(windows.iter().map(|b| a.and(*b)).filter(|w| w.lo <= w.hi));
    }
    std::mem::swap(all, room);
}
