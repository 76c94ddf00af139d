//! Building a network: the model first, then what queries observe of it.

mod assemble;
mod compile;
mod instance_limit;
mod link;
mod lower;
mod make;
mod storage;
mod types;
pub(crate) mod unsupported;
mod variants;

use crate::build::compile::compile;
use crate::build::link::lay_out;
use crate::build::lower::{Activation, Builder, Unit, View};
use crate::build::variants::TemplateVariant;
use crate::code::cell::{Cell, Context, Extent};
use crate::code::constraint::{Condition, Term};
use crate::code::footprint::{Footprint, Lookup};
use crate::code::instr::{Entry, Instr, Program};
use crate::code::sets::SetId;
use crate::error::{CompileError, Result};
use crate::network::Network;
use crate::network::predicate::{Measure, Node, Predicate};
use make::PredicateCompiler;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, Model};
use zonewalk_model::types::Type;
use zonewalk_syntax::stack;

/// A network that still takes predicates and measures in.
///
/// Each of them adds code and constants, and may need more temporaries, so that memory has no final size before
/// [`NetworkBuilder::finish`]. What the builder returns is for the network that it becomes.
///
/// One that cannot be compiled is an error and leaves no trace.
pub struct NetworkBuilder<'m> {
    model: &'m Model,
    system: &'m System,
    variants: Vec<TemplateVariant>,
    network: Network,
}

impl Network {
    /// Compiles a model of which nothing is observed.
    ///
    /// # Errors
    /// Errors of [`NetworkBuilder::new`].
    pub fn compile(model: &Model, system: &System) -> std::result::Result<Network, Vec<CompileError>> {
        NetworkBuilder::new(model, system).map(NetworkBuilder::finish)
    }

    /// A builder for a larger network, which begins as a copy of this one: what was made for this one fits it too.
    /// Requires: the model and the system that this one was made from.
    pub fn to_builder<'m>(&self, model: &'m Model, system: &'m System) -> NetworkBuilder<'m> {
        NetworkBuilder {
            model,
            system,
            variants: variants::of(model, system),
            network: self.clone(),
        }
    }
}

impl<'m> NetworkBuilder<'m> {
    /// Compiles a model.
    ///
    /// # Errors
    /// Every construct that code cannot express, with its place, and sizes beyond the limits.
    pub fn new(
        model: &'m Model,
        system: &'m System,
    ) -> std::result::Result<NetworkBuilder<'m>, Vec<CompileError>> {
        // Expressions nest a thousand deep, and lowering recurses.
        stack::with_room(|| {
            let variants = variants::of(model, system);
            let network = compile(model, system, &variants)?;
            Ok(NetworkBuilder {
                model,
                system,
                variants,
                network,
            })
        })
    }

    /// Compiles a predicate of a query that has been typed against the same model and system. `slots` is the number of
    /// frame slots that the query needs.
    ///
    /// # Errors
    /// A construct that cannot be compiled, with its place.
    pub fn predicate(&mut self, slots: usize, expr: &Expr) -> std::result::Result<Predicate, CompileError> {
        let made = self.extend(slots, expr, |unit| PredicateCompiler::new(unit).predicate(expr));
        let (mut nodes, root) = made.map_err(|e| *e)?;
        for node in &mut nodes {
            self.complete(node);
        }
        Ok(Predicate { nodes, root })
    }

    /// Compiles an expression whose extremes a query asks for.
    ///
    /// # Errors
    /// A construct that cannot be compiled, with its place.
    pub fn measure(&mut self, slots: usize, expr: &Expr) -> std::result::Result<Measure, CompileError> {
        let is_clock = matches!(expr.ty, Type::Clock { .. });
        let made = self.extend(slots, expr, |unit| {
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
        footprint.pointed(&self.network.program, setup, cell);
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

    /// The network, which nothing changes any more.
    #[must_use]
    pub fn finish(self) -> Network {
        let mut network = self.network;
        let program = &mut network.program;
        program.blocks.sort_unstable();
        program.blocks.dedup();
        program.wraps = program.wraps.grown(program.code.len());
        network
    }

    /// Adds code; takes everything back when that fails.
    fn extend<T: Send>(
        &mut self,
        slots: usize,
        expr: &Expr,
        make: impl FnOnce(&mut Unit<'_, '_>) -> Result<T> + Send,
    ) -> Result<T> {
        let mut builder = Builder::new(self.model, self.system, &self.variants)?;
        let before = Mark::of(&self.network.program);
        builder.resume(std::mem::take(&mut self.network.program));
        let made = stack::with_room(|| {
            let mut unit = Unit::new(&mut builder, View::Global, Activation::new(slots), [expr])?;
            make(&mut unit)
        });
        self.network.program = builder.program;
        let made = made.and_then(|made| lay_out(&mut self.network).map(|()| made));
        if made.is_err() {
            before.take_back(&mut self.network.program);
        }
        made
    }

    /// Fills in what a leaf reads.
    fn complete(&mut self, node: &mut Node) {
        let program = &self.network.program;
        match node {
            Node::Data {
                condition,
                reads,
                may_fail,
            } => {
                let mut footprint = Footprint::default();
                footprint.condition(program, condition);
                *may_fail = match condition {
                    Condition::Compare { .. } => false,
                    Condition::Code(entry) => may_stop(program, *entry),
                };
                *reads = self.reads(&footprint);
            }
            Node::Clock { bound, reads, clocks } => {
                let mut footprint = Footprint::default();
                footprint.term(program, &Term::Clock(*bound));
                *reads = self.reads(&footprint);
                let mut found = Vec::new();
                let view = Global::of(&self.network);
                footprint
                    .clock_reads
                    .iter()
                    .for_each(|r| r.resolve(&view, &mut found));
                *clocks = self.network.sets.intern(found);
            }
            _ => {}
        }
    }

    fn reads(&mut self, footprint: &Footprint) -> SetId {
        let mut found = Vec::new();
        let view = Global::of(&self.network);
        footprint.reads.iter().for_each(|r| r.resolve(&view, &mut found));
        let end = self.network.layout.meta;
        found.iter_mut().for_each(|e| e.end = e.end.min(end));
        found.retain(|e: &Extent| e.start < e.end);
        if footprint.anything {
            found = vec![Extent::new(0, end)];
        }
        self.network.sets.intern(found)
    }
}

/// Whether code may stop early.
fn may_stop(program: &Program, entry: Entry) -> bool {
    let code = program.code.get(entry.0 as usize..).unwrap_or_default();
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
                if program.site(Entry(at), |_| true).is_some() {
                    return true;
                }
            }
        }
    }
    true
}

/// State of a program under construction, to which it can be reset.
struct Mark {
    code: usize,
    arrays: usize,
    ranges: usize,
    sites: usize,
    amounts: usize,
    constants: usize,
    frame: u32,
    blocks: usize,
}

impl Mark {
    fn of(program: &Program) -> Mark {
        Mark {
            code: program.code.len(),
            arrays: program.arrays.len(),
            ranges: program.ranges.len(),
            sites: program.sites.len(),
            amounts: program.amounts.len(),
            constants: program.constants.len(),
            frame: program.frame,
            blocks: program.blocks.len(),
        }
    }

    /// Removes what has been added since.
    fn take_back(self, program: &mut Program) {
        program.code.truncate(self.code);
        program.arrays.truncate(self.arrays);
        program.ranges.truncate(self.ranges);
        program.sites.truncate(self.sites);
        program.amounts.truncate(self.amounts);
        program.constants.truncate(self.constants);
        program.frame = self.frame;
        program.blocks.truncate(self.blocks);
    }
}

/// Constants as code of no process sees them.
struct Global<'n> {
    network: &'n Network,
    context: Context,
}

impl<'n> Global<'n> {
    fn of(network: &'n Network) -> Global<'n> {
        Global {
            network,
            context: network.global_context(),
        }
    }
}

impl Lookup for Global<'_> {
    fn constant(&self, cell: Cell) -> Option<i32> {
        self.network.constant(cell, &self.context)
    }

    fn context(&self) -> &Context {
        &self.context
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test that cannot go on fails.

    use super::*;
    use crate::code::cell::MAX_CELLS;
    use crate::error::ErrorKind;
    use zonewalk_model::{check, instance, tree::QueryKind};
    use zonewalk_syntax::read::{self, Format};
    use zonewalk_syntax::source::SourceMap;
    use zonewalk_syntax::span::Span;

    /// A query that fits by itself but not beside the model is refused without a trace.
    #[test]
    fn a_query_without_room_in_memory_leaves_no_trace() {
        let text = b"int v; process P() { state A; init A; } system P;";
        let mut sources = SourceMap::new();
        let (document, _) = read::read_model("model", text, Some(Format::Xta), &mut sources);
        let entry = read::read_formula("query", "E<> v == 1234", &mut sources);
        let model = check::check(sources, &document.unwrap(), &[]).0.unwrap();
        let system = instance::instantiate(&model).unwrap();
        let query = check::queries(&model, &[entry]).remove(0).unwrap();
        let QueryKind::Reachable(expr) = &query.kind else {
            panic!("not a reachability query")
        };
        let mut builder = NetworkBuilder::new(&model, &system).unwrap();
        let before = format!("{:?}", builder.network);
        let refused = builder.extend(0, expr, |unit| unit.alloc(MAX_CELLS - 1, Span::NONE));
        assert_eq!(refused.unwrap_err().kind, ErrorKind::TooLarge);
        assert_eq!(format!("{:?}", builder.network), before);
        builder.predicate(query.slots, expr).unwrap();
        assert!(builder.finish().memory().contains(&1234));
    }
}
