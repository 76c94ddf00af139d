//! Predicates of queries.
//!
//! A predicate is a tree whose leaves can be watched one by one: a location, a condition on data with the variables
//! that it reads, a bound on clocks. Quantifiers are written out as far as that stays small.
//! [`crate::NetworkBuilder`] makes them.

mod normal;

use crate::clocks::bounds::{ClockBounds, Limits, analyse};
use crate::code::cell::{Cell, Context};
use crate::code::constraint::{ClockBound, Condition, Relation};
use crate::code::ids::{ClockId, LocationId, ProcessId};
use crate::code::instr::Entry;
use crate::code::sets::SetId;
use crate::network::Network;
use crate::network::refusals::Refusals;
use crate::vm::{Code, NoClocks, Trap, run};
pub use normal::{NormalForm, Part, PartId};

/// Index into [`Predicate::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

/// A predicate of a query. Evaluate with [`Network::global_context`].
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its parts; children come before their parents.
    pub nodes: Vec<Node>,
    /// The whole.
    pub root: NodeId,
}

/// A part of a predicate.
#[derive(Clone, Debug)]
pub enum Node {
    /// True or false.
    Constant(bool),
    /// All of them, evaluated from left to right until one is false.
    And(Vec<NodeId>),
    /// One of them, evaluated from left to right until one is true.
    Or(Vec<NodeId>),
    /// Negation.
    Not(NodeId),
    /// A process is in a location.
    At {
        /// The process.
        process: ProcessId,
        /// The location.
        location: LocationId,
    },
    /// A condition on data.
    Data {
        /// The condition.
        condition: Condition,
        /// The cells that it reads, locations included.
        reads: SetId,
        /// Whether evaluating it may be a run-time error, so that it must not be evaluated before its turn.
        may_fail: bool,
    },
    /// A bound on clocks.
    Clock {
        /// The bound; `when` is never given.
        bound: ClockBound,
        /// The cells that its setup and bound read.
        reads: SetId,
        /// The clocks that it may compare.
        clocks: SetId,
    },
    /// No transition is possible any more.
    Deadlock,
}

/// An expression whose extremes a query asks for.
#[derive(Clone, Copy, Debug)]
pub enum Measure {
    /// An integer: run `setup` if given, then look at the cell.
    Integer {
        /// Code that computes the cell.
        setup: Option<Entry>,
        /// The cell.
        value: Cell,
        /// The cells that it reads.
        reads: SetId,
    },
    /// A clock: run `setup` if given, then look at the cell for its number.
    Clock {
        /// Code that computes the cell.
        setup: Option<Entry>,
        /// The cell.
        clock: Cell,
        /// The cells that `setup` reads.
        reads: SetId,
    },
}

impl Measure {
    /// The cells that it reads.
    pub fn reads(&self) -> SetId {
        match self {
            Measure::Integer { reads, .. } | Measure::Clock { reads, .. } => *reads,
        }
    }
}

/// Parts of a predicate beyond data and locations.
pub trait ClocksAndDeadlock {
    /// Whether `left - right ~ bound`, or `left ~ bound`.
    fn clock(&mut self, left: ClockId, right: Option<ClockId>, relation: Relation, bound: i32) -> bool;

    /// Whether no transition is possible any more.
    fn deadlock(&mut self) -> bool;
}

impl Predicate {
    /// Whether deadlocks matter to it.
    pub fn mentions_deadlock(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Deadlock))
    }

    /// The sets of cells that its parts read.
    pub fn reads(&self) -> impl Iterator<Item = SetId> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Data { reads, .. } | Node::Clock { reads, .. } => Some(*reads),
            _ => None,
        })
    }

    /// Whether it holds, evaluated from left to right.
    ///
    /// # Errors
    /// When the model fails.
    pub fn holds(
        &self,
        network: &Network,
        memory: &mut [i32],
        asked: &mut dyn ClocksAndDeadlock,
    ) -> std::result::Result<bool, Trap> {
        // Nodes nest as deeply as the expression did.
        let context = network.global_context();
        self.node(self.root, network, &context, memory, asked)
    }

    fn node(
        &self,
        id: NodeId,
        network: &Network,
        context: &Context,
        memory: &mut [i32],
        asked: &mut dyn ClocksAndDeadlock,
    ) -> std::result::Result<bool, Trap> {
        Ok(match &self.nodes[id.0 as usize] {
            Node::Constant(truth) => *truth,
            Node::And(parts) => {
                for &part in parts {
                    if !self.node(part, network, context, memory, asked)? {
                        return Ok(false);
                    }
                }
                true
            }
            Node::Or(parts) => {
                for &part in parts {
                    if self.node(part, network, context, memory, asked)? {
                        return Ok(true);
                    }
                }
                false
            }
            Node::Not(part) => !self.node(*part, network, context, memory, asked)?,
            Node::At { process, location } => memory
                .get(process.index())
                .is_some_and(|&at| at == location.0 as i32),
            Node::Data { condition, .. } => condition.holds(&network.program, context, memory)?,
            Node::Clock { bound, .. } => {
                if let Some(setup) = bound.setup {
                    run(
                        Code::new(&network.program, setup, context),
                        memory,
                        &mut NoClocks,
                        &mut (),
                    )?;
                }
                let get = |cell: Cell| memory.get(context.address(cell)).copied().unwrap_or(0);
                let right = bound.right.map(|r| ClockId(get(r) as u32));
                asked.clock(
                    ClockId(get(bound.left) as u32),
                    right,
                    bound.relation,
                    get(bound.bound),
                )
            }
            Node::Deadlock => asked.deadlock(),
        })
    }
}

impl Network {
    /// The bounds of clocks when these predicates are examined in every state as well. Where they ask for deadlocks, it
    /// matters everywhere what is not possible.
    pub fn bounds_for(&self, predicates: &[&Predicate]) -> ClockBounds {
        self.bounds_beyond(predicates, &[])
    }

    /// Bounds for predicates that also compare some clocks with numbers up to these, from both sides.
    pub fn bounds_beyond(&self, predicates: &[&Predicate], clocks: &[(ClockId, i32)]) -> ClockBounds {
        let asks_for_deadlocks = predicates.iter().any(|predicate| predicate.mentions_deadlock());
        let refusals = if asks_for_deadlocks {
            Refusals::everywhere(self)
        } else {
            Refusals::nowhere(self)
        };
        self.bounds_with(predicates, clocks, &refusals)
    }

    /// Bounds for predicates and clocks, as in [`bounds_beyond`](Network::bounds_beyond), when it matters only in some
    /// locations what is not possible. What predicates say of deadlocks in states elsewhere is then no more than a suspicion.
    pub fn bounds_with(
        &self,
        predicates: &[&Predicate],
        clocks: &[(ClockId, i32)],
        refusals: &Refusals,
    ) -> ClockBounds {
        let mut more = vec![Limits::INACTIVE; self.clocks.len()];
        for &(clock, most) in clocks {
            if let Some(limits) = more.get_mut(clock.index()) {
                *limits = limits.max(Limits::new(Some(most), Some(most)));
            }
        }
        let mut diagonals = self.bounds.diagonals;
        for node in predicates.iter().flat_map(|p| &p.nodes) {
            let Node::Clock { bound, clocks, .. } = node else {
                continue;
            };
            diagonals |= bound.right.is_some();
            // Whether a search looks for the predicate or its negation is not known here, so both sides count.
            let known = self.constant(bound.bound, &self.global_context());
            let (lo, hi) = known.map_or((bound.range.lo, bound.range.hi), |c| (c, c));
            let most = if bound.right.is_some() {
                hi.saturating_abs().max(lo.saturating_abs())
            } else {
                hi
            };
            for clock in self.sets.clocks(*clocks) {
                if let Some(limits) = more.get_mut(clock.index()) {
                    *limits = limits.max(Limits::new(Some(most), Some(most)));
                }
            }
        }
        // Bounds of queries spread where clocks are copied.
        let mut bounds = if self.bound_sources.has_copies() || !refusals.is_empty() {
            analyse(&self.bound_sources, more, refusals.marked())
        } else {
            self.bounds.with_everywhere(&more)
        };
        bounds.diagonals = diagonals;
        bounds
    }
}
