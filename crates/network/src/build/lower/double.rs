//! Numbers as doubles: constants, and what functions compute with on their way to an integer. No variable of the state is one.

use super::Unit;
use super::access::Access;
use super::clock::has_clock;
use super::emit::LATER;
use super::expr::operation;
use super::lvalue::Lvalue;
use crate::build::types::Kind;
use crate::code::cell::Cell;
use crate::code::double::{CELLS, halves};
use crate::code::instr::{Check, Instr};
use crate::error::{CompileError, Result};
use zonewalk_model::builtin::{Number, Numeral};
use zonewalk_model::tree::{BinaryOp, Builtin, Expr, ExprKind};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// A number that has been computed.
#[derive(Clone, Copy)]
enum Computed {
    Integer(Cell),
    Double(Cell),
}

/// Whether an expression is a double.
pub(super) fn is_double(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Double)
}

impl Unit<'_, '_> {
    /// The first cell of a number as a double: `to` if that is given, else the variable's own cell, that of a constant, or a
    /// temporary. `to` is written last, so that it may be a variable that the expression reads.
    pub(crate) fn double(&mut self, expr: &Expr, to: Option<Cell>) -> Result<Cell> {
        let span = expr.span;
        if has_clock(expr) {
            let message = "the value of a clock is not supported here";
            return Err(CompileError::unsupported(span, message));
        }
        if let Some(value) = self.known_double(expr) {
            let constant = self.double_constant(value)?;
            return Ok(self.deliver_double(constant, to));
        }
        if !is_double(expr) {
            let a = self.value(expr, None)?;
            return self.converted(a, to, span);
        }
        match &expr.kind {
            ExprKind::Var(_)
            | ExprKind::Index(..)
            | ExprKind::Field(..)
            | ExprKind::Member(..)
            | ExprKind::ParamMember(..)
            | ExprKind::Assign(..)
            | ExprKind::Call(..) => {
                let place = self.lvalue(expr)?;
                self.read_double(&place, to, span)
            }
            ExprKind::ProcessCall(process, function, args) => {
                let place = self.process_call(process, *function, args, span)?;
                let place = place
                    .ok_or_else(|| CompileError::internal(span, "a function without result as a value"))?;
                self.read_double(&place, to, span)
            }
            ExprKind::Negate(a) => {
                let a = self.double(a, None)?;
                let to = self.double_target(to, span)?;
                self.emit(Instr::NegateDouble { to, a });
                Ok(to)
            }
            ExprKind::Arithmetic(first, rest) => self.double_arithmetic(expr, first, rest, to),
            ExprKind::Conditional(condition, a, b) => {
                let (otherwise, end) = (self.label(), self.label());
                let to = self.double_target(to, span)?;
                self.branch(condition, false, otherwise)?;
                self.double_into(a, to)?;
                self.jump(Instr::Jump { target: LATER }, end);
                self.bind(otherwise);
                self.double_into(b, to)?;
                self.bind(end);
                Ok(to)
            }
            ExprKind::Sum(binder, body) => {
                let sum = self.alloc(CELLS, span)?;
                let zero = self.double_constant(0.0)?;
                self.emit(Instr::CopyDouble { to: sum, from: zero });
                self.each(binder.slot, &binder.ty, body, span, &mut |unit| {
                    let term = unit.double(body, None)?;
                    unit.emit(Instr::Double {
                        op: BinaryOp::Add,
                        to: sum,
                        a: sum,
                        b: term,
                    });
                    Ok(())
                })?;
                Ok(self.deliver_double(sum, to))
            }
            ExprKind::Builtin(function, args) => {
                let to = self.double_target(to, span)?;
                self.function(*function, args, to, span)?;
                Ok(to)
            }
            ExprKind::Comma(parts) => {
                let Some((last, others)) = parts.split_last() else {
                    return Err(CompileError::internal(span, "an empty list of expressions"));
                };
                others.iter().try_for_each(|part| self.effect(part))?;
                self.double(last, to)
            }
            ExprKind::Rate(_) => Err(CompileError::unsupported(
                span,
                "the rate of a clock is not supported here",
            )),
            ExprKind::Unsupported(construct) => Err(CompileError::unsupported(
                span,
                format!("`{construct}` is not supported"),
            )),
            _ => Err(CompileError::unsupported(span, "this double is not supported")),
        }
    }

    /// Puts a number as a double into two cells.
    pub(crate) fn double_into(&mut self, expr: &Expr, to: Cell) -> Result<()> {
        let from = self.double(expr, Some(to))?;
        self.deliver_double(from, Some(to));
        Ok(())
    }

    /// Whether two numbers, of which one at least is a double, compare so, as an integer.
    pub(super) fn compare_doubles(
        &mut self,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        to: Option<Cell>,
        span: Span,
    ) -> Result<Cell> {
        let mut left = self.double(a, None)?;
        if self.has_effects(b) {
            left = self.keep_double(left, span)?;
        }
        let right = self.double(b, None)?;
        let to = self.target(to, span)?;
        self.emit(Instr::CompareDoubles {
            op,
            to,
            a: left,
            b: right,
        });
        Ok(to)
    }

    /// The truth of a number, as an integer: of a double, whether it is another one than 0.
    pub(super) fn truth_value(&mut self, expr: &Expr) -> Result<Cell> {
        if !is_double(expr) {
            return self.value(expr, None);
        }
        let a = self.double(expr, None)?;
        let b = self.double_constant(0.0)?;
        let to = self.alloc(1, expr.span)?;
        let op = BinaryOp::NotEqual;
        self.emit(Instr::CompareDoubles { op, to, a, b });
        Ok(to)
    }

    /// Calls a predeclared function of mathematics.
    pub(super) fn function(&mut self, function: Builtin, args: &[Expr], to: Cell, span: Span) -> Result<()> {
        let info = function.info();
        let number = u8::try_from(function.0).ok().filter(|_| info.is_computed());
        let Some(number) = number.filter(|_| args.len() == info.params.len()) else {
            let message = format!("`{}()` is not supported", info.name);
            return Err(CompileError::unsupported(span, message));
        };
        let first = self.alloc(CELLS * args.len() as u32, span)?;
        for ((arg, param), place) in args.iter().zip(info.params).zip(0..) {
            let cell = first.plus(CELLS * place);
            match param {
                Number::Double => self.double_into(arg, cell)?,
                Number::Int | Number::Bool => self.value_into(arg, cell)?,
            }
        }
        let call = Instr::Function {
            number,
            to,
            args: first,
        };
        match info.result {
            Number::Int => self.emit_at(call, Check::Operation, span),
            Number::Double | Number::Bool => self.emit(call),
        }
        Ok(())
    }

    /// Assigns a number to a place of type double.
    pub(super) fn assign_double(&mut self, place: &Lvalue, value: &Expr, span: Span) -> Result<()> {
        match self.access(place, span)? {
            Access::Direct(cell) => self.double_into(value, cell),
            access => {
                let from = self.double(value, None)?;
                self.store_double(access, from, span)
            }
        }
    }

    /// The first cell of the value of a place with a number, as a double: its own, or a temporary.
    pub(super) fn read_double(&mut self, place: &Lvalue, to: Option<Cell>, span: Span) -> Result<Cell> {
        if *self.builder.types.kind(place.ty) != Kind::Double {
            let a = self.read(place, None, span)?;
            return self.converted(a, to, span);
        }
        let from = match self.access(place, span)? {
            Access::Direct(cell) => return Ok(self.deliver_double(cell, to)),
            access => self.pointer_to(access, span)?,
        };
        let to = self.double_target(to, span)?;
        let target = self.alloc(1, span)?;
        self.emit(Instr::Address { to: target, cell: to });
        self.emit(Instr::CopyCells {
            to: target,
            from,
            count: CELLS,
        });
        Ok(to)
    }

    /// The value of a double that is the same for all processes.
    fn known_double(&self, expr: &Expr) -> Option<f64> {
        match expr.kind {
            ExprKind::Double(value) => Some(value),
            _ => self.constant_number(expr).map(Numeral::to_f64),
        }
    }

    /// The cells of a constant.
    fn double_constant(&mut self, value: f64) -> Result<Cell> {
        self.builder.table(halves(value).to_vec())
    }

    fn deliver_double(&mut self, from: Cell, to: Option<Cell>) -> Cell {
        match to {
            Some(to) if to != from => {
                self.emit(Instr::CopyDouble { to, from });
                to
            }
            _ => from,
        }
    }

    fn double_target(&mut self, to: Option<Cell>, span: Span) -> Result<Cell> {
        to.map_or_else(|| self.alloc(CELLS, span), Ok)
    }

    /// Takes a copy of what may change.
    fn keep_double(&mut self, from: Cell, span: Span) -> Result<Cell> {
        if from.is_immutable() {
            return Ok(from);
        }
        let to = self.alloc(CELLS, span)?;
        self.emit(Instr::CopyDouble { to, from });
        Ok(to)
    }

    /// An integer as a double.
    fn converted(&mut self, a: Cell, to: Option<Cell>, span: Span) -> Result<Cell> {
        let to = self.double_target(to, span)?;
        self.emit(Instr::ToDouble { to, a });
        Ok(to)
    }

    /// Integers are combined as integers until the first double, as in C.
    fn double_arithmetic(
        &mut self,
        expr: &Expr,
        first: &Expr,
        rest: &[(BinaryOp, Expr)],
        to: Option<Cell>,
    ) -> Result<Cell> {
        let mut sum = self.computed(first)?;
        for (number, (op, operand)) in rest.iter().enumerate() {
            let span = first.span.to(operand.span);
            if number == 0 && self.has_effects(operand) {
                sum = match sum {
                    Computed::Integer(cell) => Computed::Integer(self.keep(cell, first.span)?),
                    Computed::Double(cell) => Computed::Double(self.keep_double(cell, first.span)?),
                };
            }
            let right = self.computed(operand)?;
            sum = match (sum, right) {
                (Computed::Integer(a), Computed::Integer(b)) => {
                    let to = self.alloc(1, span)?;
                    let instr = operation(*op, to, a, b)
                        .ok_or_else(|| CompileError::internal(span, "an unknown operator"))?;
                    self.emit_at(instr, Check::Operation, span);
                    Computed::Integer(to)
                }
                _ => {
                    let (a, b) = (self.as_double(sum, span)?, self.as_double(right, span)?);
                    let to = match to {
                        Some(to) if number + 1 == rest.len() => to,
                        _ => self.alloc(CELLS, span)?,
                    };
                    self.combine_doubles(*op, to, (a, b), span)?;
                    Computed::Double(to)
                }
            };
        }
        let result = self.as_double(sum, expr.span)?;
        Ok(self.deliver_double(result, to))
    }

    fn computed(&mut self, expr: &Expr) -> Result<Computed> {
        if is_double(expr) {
            return self.double(expr, None).map(Computed::Double);
        }
        self.integral(expr)?;
        self.value(expr, None).map(Computed::Integer)
    }

    fn as_double(&mut self, number: Computed, span: Span) -> Result<Cell> {
        match number {
            Computed::Integer(a) => self.converted(a, None, span),
            Computed::Double(cell) => Ok(cell),
        }
    }

    fn combine_doubles(&mut self, op: BinaryOp, to: Cell, (a, b): (Cell, Cell), span: Span) -> Result<()> {
        use BinaryOp::{Add, Div, Max, Min, Mod, Mul, Power, Sub};
        if !matches!(op, Add | Sub | Mul | Div | Mod | Power | Min | Max) {
            let message = format!("`{}` on doubles is not supported", op.symbol());
            return Err(CompileError::unsupported(span, message));
        }
        self.emit(Instr::Double { op, to, a, b });
        Ok(())
    }

    fn store_double(&mut self, access: Access, from: Cell, span: Span) -> Result<()> {
        if let Access::Direct(to) = access {
            self.deliver_double(from, Some(to));
            return Ok(());
        }
        let to = self.pointer_to(access, span)?;
        let source = self.alloc(1, span)?;
        self.emit(Instr::Address {
            to: source,
            cell: from,
        });
        self.emit(Instr::CopyCells {
            to,
            from: source,
            count: CELLS,
        });
        Ok(())
    }
}
