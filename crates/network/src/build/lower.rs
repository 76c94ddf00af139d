//! Lowers the typed tree to register code.
//!
//! A [`Builder`] holds what the whole network shares; a [`Unit`] makes one piece of code: a label of an edge, an
//! invariant, a function that is called rather than inlined.

mod access;
mod assign;
mod branch;
mod call;
mod choice;
mod clock;
mod double;
mod emit;
mod expr;
mod hoist;
mod lvalue;
mod statement;
mod terms;

pub(crate) use hoist::Data;
pub(crate) use lvalue::Lvalue;

use crate::build::storage::{GLOBAL, Storage, fit, variant_scope};
use crate::build::types::{TypeId, Types};
use crate::build::variants::TemplateVariant;
use crate::code::cell::{Base, Cell, Extent};
use crate::code::instr::{Array, ArrayId, Entry, Program, Range, RangeId};
use crate::error::{CompileError, Result};
use crate::expressions::constants::{Scope, Slots};
use crate::expressions::facts::{self, Facts};
use crate::expressions::interval::{ExprContext, interval};
use call::Routine;
use rustc_hash::FxHashMap;
use zonewalk_model::ids::{FunctionId, ProcessId, ProcessSetId, SlotId};
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, Model};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// Scope whose names code uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum View {
    /// No process: global functions, queries.
    Global,
    /// All the processes of a variant: names relative to the bases of the process.
    Variant(u32),
    /// One process: names at absolute addresses, for queries about it.
    Process(ProcessId),
}

/// State shared by all the code of a network while it is compiled.
pub(crate) struct Builder<'a> {
    pub(crate) model: &'a Model,
    pub(crate) system: &'a System,
    pub(crate) variants: &'a [TemplateVariant],
    pub(crate) types: Types,
    pub(crate) storage: Storage,
    pub(crate) program: Program,
    pub(crate) facts: Vec<Facts>,
    /// By variant: what is constant for a process.
    pub(crate) data: Vec<Data>,
    constants: FxHashMap<i32, u32>,
    tables: FxHashMap<Vec<i32>, u32>,
    arrays: FxHashMap<Array, ArrayId>,
    ranges: FxHashMap<Range, RangeId>,
    routines: FxHashMap<(FunctionId, View), Routine>,
    /// How what queries name lies in the processes of a set.
    rows: FxHashMap<(ProcessSetId, choice::Member), Option<choice::Row>>,
}

impl<'a> Builder<'a> {
    /// Lays out the variables. Nothing is compiled yet.
    pub(crate) fn new(
        model: &'a Model,
        system: &'a System,
        variants: &'a [TemplateVariant],
    ) -> Result<Builder<'a>> {
        let mut types = Types::default();
        let storage = Storage::new(model, system, variants, &mut types)?;
        Ok(Builder {
            model,
            system,
            variants,
            types,
            storage,
            program: Program::default(),
            facts: facts::facts(model),
            data: variants.iter().map(|p| Data::new(p.processes.len())).collect(),
            constants: FxHashMap::default(),
            tables: FxHashMap::default(),
            arrays: FxHashMap::default(),
            ranges: FxHashMap::default(),
            routines: FxHashMap::default(),
            rows: FxHashMap::default(),
        })
    }

    /// Goes on with a program that has been made before.
    pub(crate) fn resume(&mut self, program: Program) {
        // Later duplicates are as good as the first.
        self.constants = program.constants.iter().copied().zip(0..).collect();
        self.arrays = program
            .arrays
            .iter()
            .zip(0..)
            .map(|(&a, n)| (a, ArrayId(n)))
            .collect();
        self.ranges = program
            .ranges
            .iter()
            .zip(0..)
            .map(|(&r, n)| (r, RangeId(n)))
            .collect();
        self.program = program;
    }

    /// Constants and parameters as code of this view may use them.
    pub(crate) fn scope(&self, view: View) -> Scope<'a> {
        match view {
            View::Variant(number) => match self.variants.get(number as usize) {
                Some(variant) => variant_scope(self.model, self.system, variant),
                None => Scope::global(self.model, self.system),
            },
            View::Process(process) => Scope::process(self.model, self.system, process),
            View::Global => Scope::global(self.model, self.system),
        }
    }

    /// The cell of a constant.
    pub(crate) fn constant(&mut self, value: i32) -> Cell {
        let constants = &mut self.program.constants;
        let offset = *self.constants.entry(value).or_insert_with(|| {
            constants.push(value);
            constants.len() as u32 - 1
        });
        Cell::new(Base::Constant, offset)
    }

    /// The first of the cells of a table of constants.
    pub(crate) fn table(&mut self, values: Vec<i32>) -> Result<Cell> {
        let constants = &mut self.program.constants;
        fit(constants.len() as u64 + values.len() as u64)?;
        let offset = *self.tables.entry(values).or_insert_with_key(|values| {
            constants.extend_from_slice(values);
            (constants.len() - values.len()) as u32
        });
        Ok(Cell::new(Base::Constant, offset))
    }

    fn array(&mut self, array: Array) -> ArrayId {
        let arrays = &mut self.program.arrays;
        *self.arrays.entry(array).or_insert_with(|| {
            arrays.push(array);
            ArrayId(arrays.len() as u32 - 1)
        })
    }

    fn range(&mut self, range: Range) -> RangeId {
        let ranges = &mut self.program.ranges;
        *self.ranges.entry(range).or_insert_with(|| {
            ranges.push(range);
            RangeId(ranges.len() as u32 - 1)
        })
    }
}

/// Meaning of a slot of an activation.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    /// No meaning yet.
    Unset,
    /// A constant.
    Value(i32),
    /// Cells with a value in them, or with values.
    Cells {
        /// The first one.
        cell: Cell,
        ty: TypeId,
        /// Between which values an integer lies.
        range: Range,
        /// Whether it is declared constant.
        constant: bool,
    },
    /// Another name for a place.
    Reference(Lvalue),
}

/// The slots of a label or of an inlined function, and where its `return` goes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activation {
    pub(crate) slots: Vec<Slot>,
    exit: Option<call::Exit>,
}

impl Activation {
    /// An activation without a value in any slot.
    pub(crate) fn new(slots: usize) -> Activation {
        Activation {
            slots: vec![Slot::Unset; slots],
            exit: None,
        }
    }

    fn slot(&self, slot: SlotId) -> &Slot {
        self.slots.get(slot.index()).unwrap_or(&Slot::Unset)
    }

    /// Current meaning of a slot.
    pub(crate) fn slot_of(&self, slot: SlotId) -> Slot {
        self.slot(slot).clone()
    }

    /// Gives a slot a meaning.
    pub(crate) fn set(&mut self, slot: SlotId, meaning: Slot) {
        if slot.index() >= self.slots.len() {
            self.slots.resize(slot.index() + 1, Slot::Unset);
        }
        self.slots[slot.index()] = meaning;
    }
}

impl Slots for Activation {
    fn value(&self, slot: SlotId) -> Option<i32> {
        match self.slot(slot) {
            Slot::Value(value) => Some(*value),
            _ => None,
        }
    }
}

/// One edge instance, for data that is constant for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Position of its process among those of the variant.
    pub(crate) process: u32,
}

/// The edge instances that the code under construction is for.
pub(crate) struct Instances<'b> {
    pub(crate) rows: &'b [Row],
    /// The first columns are the values of the expanded selects.
    pub(crate) data: &'b mut Data,
}

/// Code under construction.
pub(crate) struct Unit<'b, 'a> {
    pub(crate) builder: &'b mut Builder<'a>,
    pub(crate) view: View,
    instances: Option<Instances<'b>>,
    activations: Vec<Activation>,
    labels: Vec<emit::LabelState>,
    /// The last position that jumps have been sent to.
    fixed: Option<Entry>,
    /// The next free cell of the frame.
    frame: u32,
}

impl<'b, 'a> Unit<'b, 'a> {
    /// Begins code for some expressions. Functions that are called rather than inlined get their code first, so
    /// that their frames end where this one begins.
    pub(crate) fn new<'e>(
        builder: &'b mut Builder<'a>,
        view: View,
        activation: Activation,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<Unit<'b, 'a>> {
        let mut frame = 0;
        for expr in exprs {
            frame = frame.max(builder.routines_for(expr, view)?);
        }
        Ok(Unit {
            builder,
            view,
            instances: None,
            activations: vec![activation],
            labels: Vec::new(),
            fixed: None,
            frame,
        })
    }

    /// Compiles for the instances of an edge.
    pub(crate) fn for_instances(mut self, instances: Instances<'b>) -> Unit<'b, 'a> {
        self.instances = Some(instances);
        self
    }

    /// The activation that names belong to now. There always is one.
    pub(crate) fn activation(&mut self) -> &mut Activation {
        if self.activations.is_empty() {
            self.activations.push(Activation::default());
        }
        let last = self.activations.len() - 1;
        &mut self.activations[last]
    }

    fn current(&self) -> Option<&Activation> {
        self.activations.last()
    }

    /// Constants known here.
    pub(crate) fn scope(&self) -> Scope<'_> {
        let scope = self.builder.scope(self.view);
        match self.current() {
            Some(activation) => scope.with_slots(activation),
            None => scope,
        }
    }

    /// The number that types of this view are known by.
    fn copy(&self) -> u32 {
        match self.view {
            View::Variant(number) => number,
            View::Process(process) => self
                .builder
                .storage
                .processes
                .get(process.index())
                .map_or(GLOBAL, |h| h.variant),
            View::Global => GLOBAL,
        }
    }

    /// A type with its bounds known.
    pub(crate) fn resolve(&mut self, ty: &Type, unranged: bool, span: Span) -> Result<TypeId> {
        let (scope, copy) = (self.builder.scope(self.view), self.copy());
        self.builder.types.resolve(ty, unranged, &scope, copy, span)
    }

    /// Between which values an expression lies.
    pub(crate) fn interval(&self, expr: &Expr) -> Range {
        interval(self, expr)
    }

    /// Cells for a temporary or a variable.
    pub(crate) fn alloc(&mut self, cells: u32, span: Span) -> Result<Cell> {
        let cell = Cell::new(Base::Frame, self.frame);
        let end = u64::from(self.frame) + u64::from(cells);
        self.frame =
            fit(end).map_err(|_| CompileError::too_large(span, "the variables here need too much memory"))?;
        self.builder.program.frame = self.builder.program.frame.max(self.frame);
        if cells > 1 {
            self.builder
                .program
                .blocks
                .push(Extent::new(cell.offset(), cells));
        }
        Ok(cell)
    }

    /// Size of the part of the frame that is in use.
    pub(crate) fn mark(&self) -> u32 {
        self.frame
    }

    /// Gives back what has been allocated since.
    pub(crate) fn release(&mut self, mark: u32) {
        self.frame = mark;
    }

    /// `to`, or a temporary.
    fn target(&mut self, to: Option<Cell>, span: Span) -> Result<Cell> {
        match to {
            Some(cell) => Ok(cell),
            None => self.alloc(1, span),
        }
    }

    fn has_effects(&self, expr: &Expr) -> bool {
        facts::has_effects(&self.builder.facts, expr)
    }
}

impl ExprContext for Unit<'_, '_> {
    fn scope(&self) -> Scope<'_> {
        Unit::scope(self)
    }

    fn slot(&self, slot: SlotId) -> Range {
        match self.current().map_or(&Slot::Unset, |a| a.slot(slot)) {
            Slot::Value(value) => Range::single(*value),
            Slot::Cells { range, .. } => *range,
            Slot::Reference(place) => self.builder.types.range(place.ty).unwrap_or(Range::ALL),
            Slot::Unset => Range::ALL,
        }
    }

    fn slot_is_constant(&self, slot: SlotId) -> bool {
        !matches!(
            self.current().map(|a| a.slot(slot)),
            Some(Slot::Cells { constant: false, .. })
        )
    }
}
