//! Expressions that are constant for a process or for an edge instance: they become data.
//!
//! `x <= D[id]`, `appr[e]?` or `id == 0` cost nothing at run time, although the code is shared by all the processes
//! and all the values of `e`.

use super::{Activation, Slot, Unit, View};
use crate::code::cell::{Base, Cell};
use crate::expressions::constants::{Scope, Slots};
use crate::expressions::facts::is_quick;
use rustc_hash::FxHashMap;
use zonewalk_model::builtin::Numeral;
use zonewalk_model::ids::SlotId;
use zonewalk_model::system::Value;
use zonewalk_model::tree::{Expr, ExprKind, VarRef};
use zonewalk_model::types::Type;

/// Columns of values: one row per process of a variant, or per instance of an edge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<Vec<i32>>,
    index: FxHashMap<Vec<i32>, u32>,
    pub(super) tables: FxHashMap<VarRef, u32>,
}

impl Data {
    pub(crate) fn new(rows: usize) -> Data {
        Data {
            rows,
            ..Data::default()
        }
    }

    /// Columns that stay in front of all others.
    pub(crate) fn with_columns(rows: usize, columns: Vec<Vec<i32>>) -> Data {
        let index = columns.iter().cloned().zip(0..).collect();
        Data {
            rows,
            columns,
            index,
            ..Data::default()
        }
    }

    /// The column with these values.
    pub(crate) fn column(&mut self, values: Vec<i32>) -> u32 {
        debug_assert_eq!(values.len(), self.rows);
        let columns = &mut self.columns;
        *self.index.entry(values).or_insert_with_key(|values| {
            columns.push(values.clone());
            columns.len() as u32 - 1
        })
    }

    /// Columns one after the other, for a variable.
    pub(super) fn table(&mut self, var: VarRef, columns: Vec<Vec<i32>>) -> u32 {
        let next = self.columns.len() as u32;
        self.columns.extend(columns);
        self.tables.insert(var, next);
        next
    }

    fn at(&self, column: u32, row: usize) -> Option<i32> {
        self.columns.get(column as usize)?.get(row).copied()
    }
}

/// For how long an expression keeps its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Constant,
    Process,
    Instance,
    State,
}

/// The slots of an activation, as one process and edge instance see them.
struct RowSlots<'x> {
    activation: &'x Activation,
    constants: &'x [i32],
    process: (&'x Data, usize),
    instance: Option<(&'x Data, usize)>,
}

impl Slots for RowSlots<'_> {
    fn value(&self, slot: SlotId) -> Option<i32> {
        match self.activation.slot(slot) {
            Slot::Value(value) => Some(*value),
            Slot::Cells { cell, .. } => match cell.base() {
                Base::Constant => self.constants.get(cell.offset() as usize).copied(),
                Base::Process => self.process.0.at(cell.offset(), self.process.1),
                Base::Instance => self.instance.and_then(|(data, row)| data.at(cell.offset(), row)),
                _ => None,
            },
            Slot::Unset | Slot::Reference(_) => None,
        }
    }
}

impl Unit<'_, '_> {
    /// For how long the expression keeps its value; [`Level::State`] when in doubt.
    pub(crate) fn level(&self, expr: &Expr) -> Level {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Double(_) => Level::Constant,
            ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Field(..) => {
                let (level, mutable) = self.place_level(expr);
                if mutable && !matches!(expr.ty, Type::Clock { .. } | Type::Chan(_)) {
                    Level::State
                } else {
                    level
                }
            }
            ExprKind::Negate(a) | ExprKind::Not(a) => self.level(a),
            ExprKind::Arithmetic(first, rest) => rest
                .iter()
                .fold(self.level(first), |level, (_, e)| self.and(level, e)),
            ExprKind::And(parts) | ExprKind::Or(parts) | ExprKind::Builtin(_, parts) => {
                parts.iter().fold(Level::Constant, |level, e| self.and(level, e))
            }
            ExprKind::Imply(a, b)
            | ExprKind::Xor(a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Same(_, a, b) => self.and(self.level(a), b),
            ExprKind::Conditional(c, a, b) => self.and(self.and(self.level(c), a), b),
            ExprKind::Call(function, args) => {
                let Some(called) = self.builder.model.functions.get(function.index()) else {
                    return Level::State;
                };
                if called.has_side_effects || called.reads_state || !is_quick(self.builder.model, *function) {
                    return Level::State;
                }
                // The body of a local function may use any parameter.
                let own = if called.template.is_some() && matches!(self.view, View::Variant(_)) {
                    Level::Process
                } else {
                    Level::Constant
                };
                args.iter().fold(own, |level, e| self.and(level, e))
            }
            // Folding knows how to bind; what it cannot fold becomes a loop.
            ExprKind::Forall(..) | ExprKind::Exists(..) | ExprKind::Sum(..) => {
                if self.scope().fold(expr).is_some() {
                    Level::Constant
                } else {
                    Level::State
                }
            }
            ExprKind::Member(..) | ExprKind::ParamMember(..) => {
                if self.scope().fold(expr).is_some() {
                    Level::Constant
                } else {
                    Level::State
                }
            }
            _ => Level::State,
        }
    }

    fn and(&self, level: Level, expr: &Expr) -> Level {
        if level == Level::State {
            Level::State
        } else {
            level.max(self.level(expr))
        }
    }

    /// For how long a place stays the same place, and whether its integers may change.
    fn place_level(&self, expr: &Expr) -> (Level, bool) {
        match &expr.kind {
            ExprKind::Var(var) => self.variable_level(*var),
            ExprKind::Index(base, index) => {
                let (level, mutable) = self.place_level(base);
                (self.and(level, index), mutable)
            }
            ExprKind::Field(base, _) => self.place_level(base),
            _ => (Level::State, true),
        }
    }

    fn variable_level(&self, var: VarRef) -> (Level, bool) {
        let model = self.builder.model;
        match var {
            VarRef::Global(id) => (
                Level::Constant,
                model.globals.get(id.index()).is_none_or(|v| !v.is_const),
            ),
            VarRef::Local(_) | VarRef::Param(_) => {
                let scope = self.builder.scope(self.view);
                let whole = match self.view {
                    View::Variant(_) => Scope {
                        known: crate::expressions::constants::KnownConstants::All,
                        ..scope
                    },
                    _ => scope,
                };
                // Of a variant, the representative tells what kind of thing it is, and for all.
                let expr = ExprKind::Var(var);
                let probe = Expr {
                    kind: expr,
                    ty: Type::Int,
                    span: zonewalk_syntax::span::Span::NONE,
                };
                match (scope.value(&probe), whole.value(&probe)) {
                    (Some((_, mutable)), _) => (Level::Constant, mutable),
                    (None, Some((_, mutable))) => (Level::Process, mutable),
                    (None, None) => (Level::State, true),
                }
            }
            VarRef::Slot(slot) => match self.current().map_or(&Slot::Unset, |a| a.slot(slot)) {
                Slot::Value(_) => (Level::Constant, false),
                Slot::Cells { cell, .. } => match cell.base() {
                    Base::Constant => (Level::Constant, false),
                    Base::Process => (Level::Process, false),
                    Base::Instance => (Level::Instance, false),
                    _ => (Level::State, true),
                },
                Slot::Unset | Slot::Reference(_) => (Level::State, true),
            },
        }
    }

    /// The cell of an integer expression that keeps its value, if it has one for every process and instance.
    pub(crate) fn fixed_value(&mut self, expr: &Expr) -> Option<Cell> {
        self.fixed(expr, |scope: &Scope<'_>, expr| scope.fold(expr))
    }

    /// The cell with the number of a clock, if it is known for every process and instance.
    pub(crate) fn fixed_clock(&mut self, expr: &Expr) -> Option<Cell> {
        self.fixed(expr, |scope: &Scope<'_>, expr| scope.clock(expr))
    }

    /// The cell with the number of a channel, if it is known for every process and instance.
    pub(crate) fn fixed_channel(&mut self, expr: &Expr) -> Option<Cell> {
        self.fixed(expr, |scope: &Scope<'_>, expr| scope.channel(expr))
    }

    fn fixed<T: Fixed>(
        &mut self,
        expr: &Expr,
        find: impl Fn(&Scope<'_>, &Expr) -> Option<T>,
    ) -> Option<Cell> {
        let level = self.level(expr);
        match level {
            Level::State => None,
            Level::Constant => {
                let value = find(&self.scope(), expr)?.cell();
                Some(self.builder.constant(value))
            }
            Level::Process => {
                let values = self.process_values(|scope| find(scope, expr).map(Fixed::cell))?;
                self.process_column(values)
            }
            Level::Instance => self.instance_column(|scope| find(scope, expr).map(Fixed::cell)),
        }
    }

    /// The value of a number that is the same for all processes and instances.
    pub(super) fn constant_number(&self, expr: &Expr) -> Option<Numeral> {
        if self.level(expr) != Level::Constant {
            return None;
        }
        self.scope().number(expr)
    }

    fn process_column(&mut self, values: Vec<i32>) -> Option<Cell> {
        let View::Variant(number) = self.view else {
            return None;
        };
        let offset = self.builder.data.get_mut(number as usize)?.column(values);
        Some(Cell::new(Base::Process, offset))
    }

    /// Applies `find` to each process of the variant.
    fn process_values<T>(&self, find: impl Fn(&Scope<'_>) -> Option<T>) -> Option<Vec<T>> {
        let View::Variant(number) = self.view else {
            return None;
        };
        let variant = self.builder.variants.get(number as usize)?;
        let data = self.builder.data.get(number as usize)?;
        let activation = self.current()?;
        let constants = &self.builder.program.constants;
        let row = |(row, &process)| {
            let slots = RowSlots {
                activation,
                constants,
                process: (data, row),
                instance: None,
            };
            find(&Scope::process(self.builder.model, self.builder.system, process).with_slots(&slots))
        };
        variant.processes.iter().enumerate().map(row).collect()
    }

    fn instance_column(&mut self, find: impl Fn(&Scope<'_>) -> Option<i32>) -> Option<Cell> {
        let View::Variant(number) = self.view else {
            return None;
        };
        let instances = self.instances.as_ref()?;
        let variant = self.builder.variants.get(number as usize)?;
        let data = self.builder.data.get(number as usize)?;
        let activation = self.current()?;
        let constants = &self.builder.program.constants;
        let mut values = Vec::with_capacity(instances.rows.len());
        for (number, row) in instances.rows.iter().enumerate() {
            let process_row = row.process as usize;
            let slots = RowSlots {
                activation,
                constants,
                process: (data, process_row),
                instance: Some((&*instances.data, number)),
            };
            let process = *variant.processes.get(process_row)?;
            let scope = Scope::process(self.builder.model, self.builder.system, process);
            values.push(find(&scope.with_slots(&slots))?);
        }
        let offset = self.instances.as_mut()?.data.column(values);
        Some(Cell::new(Base::Instance, offset))
    }

    /// A cell with a number that each process has its own of: an address, or the number of a clock or channel.
    pub(super) fn per_process(&mut self, find: impl Fn(&Scope<'_>) -> Option<i32>) -> Option<Cell> {
        let values = self.process_values(find)?;
        match values.split_first() {
            Some((&first, others)) if others.iter().all(|&v| v == first) => {
                Some(self.builder.constant(first))
            }
            _ => self.process_column(values),
        }
    }

    /// The first of the cells that hold a constant or parameter of each process.
    pub(super) fn per_process_table(
        &mut self,
        var: VarRef,
        find: impl for<'s> Fn(&Scope<'s>) -> Option<&'s Value>,
    ) -> Option<Cell> {
        let View::Variant(number) = self.view else {
            return None;
        };
        if let Some(&offset) = self.builder.data.get(number as usize)?.tables.get(&var) {
            return Some(Cell::new(Base::Process, offset));
        }
        let rows = self.process_values(|scope| {
            let mut cells = Vec::new();
            crate::build::storage::flatten(find(scope)?, &mut cells);
            Some(cells)
        })?;
        let width = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|r| r.len() != width) {
            return None;
        }
        let columns = (0..width).map(|c| rows.iter().map(|r| r[c]).collect()).collect();
        let offset = self.builder.data.get_mut(number as usize)?.table(var, columns);
        Some(Cell::new(Base::Process, offset))
    }
}

/// A value that a cell of data can hold.
trait Fixed {
    fn cell(self) -> i32;
}

impl Fixed for i32 {
    fn cell(self) -> i32 {
        self
    }
}

impl Fixed for u32 {
    /// Numbers of clocks and channels are bounded like cells.
    fn cell(self) -> i32 {
        self as i32
    }
}
