//! Assignments, and values on their way into variables.

use super::Unit;
use super::access::Access;
use super::expr::operation;
use super::lvalue::Lvalue;
use crate::build::storage::Space;
use crate::build::types::{Kind, Size, TypeId};
use crate::code::cell::{Base, Cell};
use crate::code::instr::{Array, Check, Instr, Range};
use crate::error::{CompileError, Result};
use crate::expressions::facts::is_plain;
use crate::expressions::interval::combine;
use zonewalk_model::tree::{BinaryOp, Expr, ExprKind, Name};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

impl Unit<'_, '_> {
    /// A copy of the cells of a place.
    pub(super) fn snapshot(&mut self, place: &Lvalue, span: Span) -> Result<Lvalue> {
        let cells = self.builder.types.size(place.ty).cells;
        let copy = Lvalue::at(self.alloc(cells, span)?, place.ty);
        self.copy_place(&copy, place, span)?;
        Ok(copy)
    }

    /// Copies cells and clocks. The places have types of equal shape, and do not overlap in part.
    pub(super) fn copy_place(&mut self, to: &Lvalue, from: &Lvalue, span: Span) -> Result<()> {
        if let Some(what) = self.builder.types.foreign(to.ty) {
            return Err(CompileError::unsupported(
                span,
                format!("{what} is not supported"),
            ));
        }
        let size: Size = self.builder.types.size(to.ty);
        if size.cells == 1 {
            let cell = match self.access(to, span)? {
                Access::Direct(cell) => Some(cell),
                access => {
                    let value = self.load(from, span)?;
                    self.store(access, value, Range::ALL, span)?;
                    None
                }
            };
            if let Some(cell) = cell {
                let value = self.load(from, span)?;
                self.copy_cell(cell, value);
            }
        } else if size.cells > 1 {
            let target = self.pointer(to, span)?;
            let source = self.pointer(from, span)?;
            self.emit(Instr::CopyCells {
                to: target,
                from: source,
                count: size.cells,
            });
        }
        if size.clocks > 0 {
            let target = self.identity(to, Space::Clocks, span)?;
            let source = self.identity(from, Space::Clocks, span)?;
            self.emit_at(
                Instr::CopyClocks {
                    to: target,
                    from: source,
                    count: size.clocks,
                },
                Check::Clock,
                span,
            );
        }
        Ok(())
    }

    /// The value of a place of one cell, whatever its type.
    fn load(&mut self, place: &Lvalue, span: Span) -> Result<Cell> {
        match self.access(place, span)? {
            Access::Direct(cell) => Ok(cell),
            Access::Element { array, index, span } => {
                let to = self.alloc(1, span)?;
                let array = self.builder.array(array);
                self.emit_at(Instr::Load { to, index, array }, Check::Index, span);
                Ok(to)
            }
            Access::Pointer { pointer, plus } => {
                let to = self.alloc(1, span)?;
                self.emit(Instr::LoadAt { to, pointer, plus });
                Ok(to)
            }
        }
    }

    /// Stores a value, checked against `range` where that may fail.
    pub(super) fn store(&mut self, access: Access, from: Cell, range: Range, span: Span) -> Result<()> {
        match access {
            Access::Direct(cell) => {
                self.copy_cell(cell, from);
                self.check_range(cell, range, Check::Value, span, None);
            }
            Access::Element {
                array,
                index,
                span: at,
            } => {
                let array = self.builder.array(Array { range, ..array });
                self.site(Check::Index, at, None);
                self.emit_at(Instr::Store { from, index, array }, Check::Value, span);
            }
            Access::Pointer { pointer, plus } => {
                self.check_range(from, range, Check::Value, span, None);
                self.emit(Instr::StoreAt { from, pointer, plus });
            }
        }
        Ok(())
    }

    /// Checks a value; `Range::ALL` needs no check.
    pub(super) fn check_range(
        &mut self,
        a: Cell,
        range: Range,
        check: Check,
        span: Span,
        name: Option<Name>,
    ) {
        if range != Range::ALL {
            let range = self.builder.range(range);
            self.site(check, span, name);
            self.emit(Instr::CheckRange { a, range });
        }
    }

    /// Range that remains to be checked when a value of interval `value` goes into a variable of type `ty`.
    pub(super) fn needed(&self, ty: TypeId, value: Range) -> Range {
        match self.builder.types.kind(ty) {
            Kind::Int(range) if !value.within(*range) => *range,
            _ => Range::ALL,
        }
    }

    /// The value as its type stores it: a `bool` as 0 or 1.
    pub(super) fn shaped(&mut self, ty: TypeId, value: Cell, interval: Range, span: Span) -> Result<Cell> {
        let truth = Range { lo: 0, hi: 1 };
        if *self.builder.types.kind(ty) != Kind::Bool || interval.within(truth) {
            return Ok(value);
        }
        let to = self.alloc(1, span)?;
        self.emit(Instr::Truth { to, a: value });
        Ok(to)
    }

    /// Puts a value into a cell of a type, as an argument, a result or the first value of a variable.
    pub(super) fn fit_into(
        &mut self,
        expr: &Expr,
        cell: Cell,
        ty: TypeId,
        check: Check,
        span: Span,
        name: Option<Name>,
    ) -> Result<()> {
        if *self.builder.types.kind(ty) == Kind::Double {
            return self.double_into(expr, cell);
        }
        let interval = self.interval(expr);
        if *self.builder.types.kind(ty) == Kind::Bool {
            let value = self.value(expr, None)?;
            let value = self.shaped(ty, value, interval, span)?;
            self.copy_cell(cell, value);
            return Ok(());
        }
        self.value_into(expr, cell)?;
        let range = self.needed(ty, interval);
        self.check_range(cell, range, check, span, name);
        Ok(())
    }

    /// Runs an assignment or a prefix step and gives the place, whose operands are not to be evaluated again. `used` says
    /// whether it is wanted.
    pub(super) fn assignment(&mut self, expr: &Expr, used: bool) -> Result<Lvalue> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Assign(target, value) => self.assign(target, value, used, span),
            ExprKind::AssignWith(op, target, value) => {
                let place = self.lvalue(target)?;
                let place = self.freeze(place, span)?;
                let mut old = self.read(&place, None, target.span)?;
                if self.has_effects(value) {
                    old = self.keep(old, span)?;
                }
                let right = self.value(value, None)?;
                let access = self.access(&place, span)?;
                let interval = combine(*op, self.interval(target), self.interval(value));
                self.update(*op, place.ty, access, old, right, interval, span)?;
                Ok(place)
            }
            ExprKind::Step { increment, place, .. } => self
                .stepped(*increment, place, None, span)
                .map(|(place, _)| place),
            _ => Err(CompileError::internal(span, "no assignment")),
        }
    }

    fn assign(&mut self, target: &Expr, value: &Expr, used: bool, span: Span) -> Result<Lvalue> {
        if matches!(target.ty, Type::Clock { .. }) {
            return self.assign_clock(target, value, span);
        }
        let mut place = self.lvalue(target)?;
        match self.builder.types.kind(place.ty) {
            Kind::Array { .. } | Kind::Struct(_) => {
                place = self.freeze(place, span)?;
                let source = self.lvalue(value)?;
                self.copy_place(&place, &source, span)?;
                return Ok(place);
            }
            Kind::Foreign(what) => {
                return Err(CompileError::unsupported(
                    span,
                    format!("{what} is not supported"),
                ));
            }
            Kind::Int(_) | Kind::Bool | Kind::Double => {}
            Kind::Clock | Kind::Channel | Kind::Void => {
                return Err(CompileError::internal(
                    span,
                    "an assignment to something other than a variable",
                ));
            }
        }
        if used || !is_plain(value) {
            // The place is found, and its indices are checked, before the value is evaluated. Nor does it move when
            // the variable that is set was one of its indices.
            place = self.freeze(place, span)?;
        }
        if *self.builder.types.kind(place.ty) == Kind::Double {
            self.assign_double(&place, value, span)?;
            return Ok(place);
        }
        let interval = self.interval(value);
        let range = self.needed(place.ty, interval);
        let is_bool = *self.builder.types.kind(place.ty) == Kind::Bool;
        match self.access(&place, span)? {
            Access::Direct(cell) if !is_bool => {
                self.value_into(value, cell)?;
                self.check_range(cell, range, Check::Value, span, None);
            }
            access => {
                let from = self.value(value, None)?;
                let from = self.shaped(place.ty, from, interval, span)?;
                self.store(access, from, range, span)?;
            }
        }
        Ok(place)
    }

    /// `place op= right`, the old value at hand.
    #[allow(clippy::too_many_arguments)] // Each is a different thing, and a struct for them would be used twice.
    fn update(
        &mut self,
        op: BinaryOp,
        ty: TypeId,
        access: Access,
        old: Cell,
        right: Cell,
        interval: Range,
        span: Span,
    ) -> Result<()> {
        let range = self.needed(ty, interval);
        if let Access::Direct(cell) = access
            && old == cell
            && let Some(by) = self.small_step(op, right)
            && range != Range::ALL
        {
            let range = self.builder.range(range);
            self.site(Check::Value, span, None);
            self.emit_at(Instr::Step { cell, by, range }, Check::Operation, span);
            return Ok(());
        }
        let to = match access {
            Access::Direct(cell) => cell,
            _ => self.alloc(1, span)?,
        };
        let instr = operation(op, to, old, right)
            .ok_or_else(|| CompileError::internal(span, "an unknown operator"))?;
        self.emit_at(instr, Check::Operation, span);
        let value = self.shaped(ty, to, interval, span)?;
        self.store(access, value, range, span)
    }

    /// The small constant that an addition or subtraction adds, if its right operand is one.
    fn small_step(&self, op: BinaryOp, right: Cell) -> Option<i16> {
        if right.base() != Base::Constant {
            return None;
        }
        let value = *self.builder.program.constants.get(right.offset() as usize)?;
        match op {
            BinaryOp::Add => i16::try_from(value).ok(),
            BinaryOp::Sub => i16::try_from(value.checked_neg()?).ok(),
            _ => None,
        }
    }

    /// `p++` and its kin as a value: the old one.
    pub(super) fn step(
        &mut self,
        increment: bool,
        place: &Expr,
        to: Option<Cell>,
        span: Span,
    ) -> Result<Cell> {
        let old = self.alloc(1, span)?;
        self.stepped(increment, place, Some(old), span)?;
        Ok(self.deliver(old, to))
    }

    /// Adds or subtracts 1; leaves the old value in `keep`.
    pub(super) fn stepped(
        &mut self,
        increment: bool,
        target: &Expr,
        keep: Option<Cell>,
        span: Span,
    ) -> Result<(Lvalue, Cell)> {
        let place = self.lvalue(target)?;
        let place = self.freeze(place, span)?;
        let old = self.read(&place, keep, target.span)?;
        let access = self.access(&place, span)?;
        let op = if increment { BinaryOp::Add } else { BinaryOp::Sub };
        let one = self.builder.constant(1);
        let interval = combine(op, self.interval(target), Range::single(1));
        let current = match access {
            Access::Direct(cell) => cell,
            _ => old,
        };
        self.update(op, place.ty, access, current, one, interval, span)?;
        Ok((place, old))
    }
}
