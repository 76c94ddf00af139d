//! Predicates of queries.
//!
//! A predicate is a tree whose leaves can be watched one by one: a location, a condition on data with the variables
//! that it reads, a bound on clocks. Quantifiers are written out as far as that stays small.

mod make;
mod normal;

use crate::bounds::{ClockBounds, Limits, analyse};
use crate::cell::{Cell, Context, Extent};
use crate::constraint::{ClockBound, Condition, Relation};
use crate::error::{CompileError, Result};
use crate::footprint::{Footprint, Lookup};
use crate::instr::{Entry, Instr};
use crate::lower::{Activation, Builder, Unit, View};
use crate::network::Network;
use crate::sets::SetId;
use crate::variants::plan;
use crate::vm::{NoClocks, Trap, run};
use make::Maker;
pub use normal::{NormalForm, Part, PartId};
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, Model};
use zonewalk_model::types::Type;
use zonewalk_syntax::stack;

/// Index into [`Predicate::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

/// A predicate of a query. Evaluate with [`Network::global_context`].
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its parts; children stand before their parents.
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
    /// Not that.
    Not(NodeId),
    /// A process is in a location.
    At {
        /// The process.
        process: u32,
        /// The location.
        location: u32,
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

/// What a predicate asks beyond data and locations.
pub trait Asked {
    /// Whether `left - right ~ bound`, or `left ~ bound`.
    fn clock(&mut self, left: u32, right: Option<u32>, relation: Relation, bound: i32) -> bool;

    /// Whether no transition is possible any more.
    fn deadlock(&mut self) -> bool;
}

impl Predicate {
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
        asked: &mut dyn Asked,
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
        asked: &mut dyn Asked,
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
                .get(*process as usize)
                .is_some_and(|&at| at == *location as i32),
            Node::Data { condition, .. } => condition.holds(&network.program, context, memory)?,
            Node::Clock { bound, .. } => {
                if let Some(setup) = bound.setup {
                    run(&network.program, setup, context, memory, &mut NoClocks)?;
                }
                let get = |cell: Cell| memory.get(context.address(cell)).copied().unwrap_or(0);
                let right = bound.right.map(|r| get(r) as u32);
                asked.clock(get(bound.left) as u32, right, bound.relation, get(bound.bound))
            }
            Node::Deadlock => asked.deadlock(),
        })
    }
}

impl Network {
    /// Compiles a predicate of a query that has been typed against the same model and system. `slots` is the number of
    /// frame slots that the query needs.
    ///
    /// Memories that were made before are too small afterwards.
    ///
    /// # Errors
    /// What cannot be compiled, with its place.
    pub fn add_predicate(
        &mut self,
        model: &Model,
        system: &System,
        slots: usize,
        expr: &Expr,
    ) -> std::result::Result<Predicate, CompileError> {
        let made = self.extend(model, system, slots, expr, |unit| {
            Maker::new(unit).predicate(expr)
        });
        let (mut nodes, root) = made.map_err(|e| *e)?;
        for node in &mut nodes {
            self.footprint(node);
        }
        Ok(Predicate { nodes, root })
    }

    /// Compiles an expression whose extremes a query asks for.
    ///
    /// # Errors
    /// What cannot be compiled, with its place.
    pub fn add_measure(
        &mut self,
        model: &Model,
        system: &System,
        slots: usize,
        expr: &Expr,
    ) -> std::result::Result<Measure, CompileError> {
        let is_clock = matches!(expr.ty, Type::Clock { .. });
        let made = self.extend(model, system, slots, expr, |unit| {
            let start = unit.here();
            let cell = if is_clock {
                unit.clock(expr)?
            } else {
                unit.value(expr, None)?
            };
            Ok((unit.setup(start), cell))
        });
        let (setup, cell) = made.map_err(|e| *e)?;
        let mut footprint = Footprint::default();
        footprint.pointed(&self.program, setup, cell);
        if !is_clock {
            footprint.read(cell);
        }
        let reads = self.reads(&footprint);
        Ok(if is_clock {
            Measure::Clock {
                setup,
                clock: cell,
                reads,
            }
        } else {
            Measure::Integer {
                setup,
                value: cell,
                reads,
            }
        })
    }

    /// The bounds of clocks when these predicates are looked at in every state as well.
    pub fn bounds_for(&self, predicates: &[&Predicate]) -> ClockBounds {
        self.bounds_beyond(predicates, &[])
    }

    /// The same when some clocks are also compared with numbers up to these, from both sides.
    pub fn bounds_beyond(&self, predicates: &[&Predicate], clocks: &[(u32, i32)]) -> ClockBounds {
        let mut more = vec![Limits::INACTIVE; self.clocks.len()];
        for &(clock, most) in clocks {
            if let Some(limits) = more.get_mut(clock as usize) {
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
            for clock in self.sets.members(*clocks) {
                if let Some(limits) = more.get_mut(clock as usize) {
                    *limits = limits.max(Limits::new(Some(most), Some(most)));
                }
            }
        }
        let mut bounds = match &self.bound_sources {
            Some(sources) => analyse(sources, more),
            None => self.bounds.with_everywhere(&more),
        };
        bounds.diagonals = diagonals;
        bounds
    }

    /// Adds code; takes everything back when that fails.
    fn extend<T: Send>(
        &mut self,
        model: &Model,
        system: &System,
        slots: usize,
        expr: &Expr,
        make: impl FnOnce(&mut Unit<'_, '_>) -> Result<T> + Send,
    ) -> Result<T> {
        let plans = plan(model, system);
        let mut builder = Builder::new(model, system, &plans)?;
        builder.resume(std::mem::take(&mut self.program));
        let program = &builder.program;
        let before = (
            program.code.len(),
            program.sites.len(),
            program.constants.len(),
            program.frame,
        );
        let made = stack::with_room(|| {
            let mut unit = Unit::new(&mut builder, View::Global, Activation::new(slots), [expr])?;
            make(&mut unit)
        });
        self.program = builder.program;
        if made.is_err() {
            self.program.code.truncate(before.0);
            self.program.sites.truncate(before.1);
            self.program.constants.truncate(before.2);
            self.program.frame = before.3;
        }
        self.finish_layout()?;
        made
    }

    /// Fills in what a leaf reads.
    fn footprint(&mut self, node: &mut Node) {
        match node {
            Node::Data {
                condition,
                reads,
                may_fail,
            } => {
                let mut footprint = Footprint::default();
                footprint.condition(&self.program, condition);
                *reads = self.reads(&footprint);
                *may_fail = match condition {
                    Condition::Compare { .. } => false,
                    Condition::Code(entry) => self.may_fail(*entry),
                };
            }
            Node::Clock { bound, reads, clocks } => {
                let mut footprint = Footprint::default();
                footprint.term(&self.program, &crate::constraint::Term::Clock(*bound));
                *reads = self.reads(&footprint);
                let mut found = Vec::new();
                let view = Global {
                    network: self,
                    context: self.global_context(),
                };
                footprint
                    .clock_reads
                    .iter()
                    .for_each(|r| r.resolve(&view, &mut found));
                *clocks = self.sets.intern(found);
            }
            _ => {}
        }
    }

    fn reads(&mut self, footprint: &Footprint) -> SetId {
        let mut found = Vec::new();
        let view = Global {
            network: self,
            context: self.global_context(),
        };
        footprint.reads.iter().for_each(|r| r.resolve(&view, &mut found));
        let end = self.layout.meta;
        found.iter_mut().for_each(|e| e.end = e.end.min(end));
        found.retain(|e: &Extent| e.start < e.end);
        if footprint.anything {
            found = vec![Extent::new(0, end)];
        }
        self.sets.intern(found)
    }

    /// Whether code may stop early.
    fn may_fail(&self, entry: Entry) -> bool {
        let code = self.program.code.get(entry.0 as usize..).unwrap_or_default();
        let mut last = 0;
        for (offset, instr) in code.iter().enumerate() {
            let at = entry.0 + offset as u32;
            last = instr.jumps_to().map_or(last, |target| last.max(target.0));
            match *instr {
                Instr::Halt { .. } if at >= last => return false,
                Instr::Call { .. } => return true,
                // A loop over the values of a type ends.
                Instr::Loop { .. } => {}
                _ => {
                    if self.program.site(Entry(at), |_| true).is_some() {
                        return true;
                    }
                }
            }
        }
        true
    }
}

/// Constants as code of no process sees them.
struct Global<'n> {
    network: &'n Network,
    context: Context,
}

impl Lookup for Global<'_> {
    fn constant(&self, cell: Cell) -> Option<i32> {
        self.network.constant(cell, &self.context)
    }

    fn context(&self) -> &Context {
        &self.context
    }
}
