//! Clocks and channels in expressions.

use super::Unit;
use super::lvalue::Lvalue;
use crate::build::storage::Space;
use crate::build::types::Kind;
use crate::code::cell::Cell;
use crate::code::instr::{Check, Instr, Range};
use crate::error::{CompileError, Result};
use zonewalk_model::tree::{BinaryOp, Expr, ExprKind};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// A sum of clocks and integers: all that bounds and clock updates are made of (`semantics.md` 16b, 19e).
#[derive(Clone, Debug, Default)]
pub(crate) struct Linear<'e> {
    /// Clocks that count positively.
    pub(crate) plus: Vec<&'e Expr>,
    /// Clocks that count negatively.
    pub(crate) minus: Vec<&'e Expr>,
    /// Integers, and whether they are subtracted.
    pub(crate) integers: Vec<(bool, &'e Expr)>,
}

/// Whether the value of a clock is part of the expression's value.
pub(crate) fn has_clock(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Arithmetic(first, rest) => has_clock(first) || rest.iter().any(|(_, e)| has_clock(e)),
        ExprKind::Negate(a) => has_clock(a),
        ExprKind::Conditional(_, a, b) => has_clock(a) || has_clock(b),
        _ => matches!(expr.ty, Type::Clock { .. } | Type::Difference),
    }
}

/// Takes a sum apart.
///
/// # Errors
/// When a clock is multiplied, divided or chosen by `?:`.
pub(crate) fn linear<'e>(expr: &'e Expr, negative: bool, into: &mut Linear<'e>) -> Result<()> {
    if !has_clock(expr) {
        into.integers.push((negative, expr));
        return Ok(());
    }
    match &expr.kind {
        ExprKind::Arithmetic(first, rest) => {
            linear(first, negative, into)?;
            for (op, operand) in rest {
                match op {
                    BinaryOp::Add => linear(operand, negative, into)?,
                    BinaryOp::Sub => linear(operand, !negative, into)?,
                    _ => return Err(arithmetic(expr.span)),
                }
            }
            Ok(())
        }
        ExprKind::Negate(a) => linear(a, !negative, into),
        _ if matches!(expr.ty, Type::Clock { .. }) => {
            let side = if negative { &mut into.minus } else { &mut into.plus };
            side.push(expr);
            Ok(())
        }
        _ => Err(arithmetic(expr.span)),
    }
}

/// Clocks in other expressions than simple bounds.
pub(crate) fn arithmetic(span: Span) -> Box<CompileError> {
    CompileError::unsupported(span, "clock arithmetic is not supported")
}

impl Unit<'_, '_> {
    /// A cell with the number of the clock that an expression names.
    pub(crate) fn clock(&mut self, expr: &Expr) -> Result<Cell> {
        if let Some(cell) = self.fixed_clock(expr) {
            return Ok(cell);
        }
        let place = self.lvalue(expr)?;
        self.identity(&place, Space::Clocks, expr.span)
    }

    /// A cell with the number of the channel that an expression names.
    pub(crate) fn channel(&mut self, expr: &Expr) -> Result<Cell> {
        if let Some(cell) = self.fixed_channel(expr) {
            return Ok(cell);
        }
        let place = self.lvalue(expr)?;
        self.identity(&place, Space::Channels, expr.span)
    }

    /// The sum of some integers, each possibly subtracted, and between which values it lies.
    pub(crate) fn sum(&mut self, integers: &[(bool, &Expr)], span: Span) -> Result<(Cell, Range)> {
        let scope = self.scope();
        let constant = integers.iter().try_fold(0i32, |sum, (negative, e)| {
            let value = scope.fold(e)?;
            if *negative {
                sum.checked_sub(value)
            } else {
                sum.checked_add(value)
            }
        });
        if let Some(value) = constant {
            return Ok((self.builder.constant(value), Range::single(value)));
        }
        if let [(false, single)] = integers {
            let range = self.interval(single);
            return Ok((self.value(single, None)?, range));
        }
        let mut range = Range::single(0);
        let mut value = self.builder.constant(0);
        let to = self.alloc(1, span)?;
        for (negative, expr) in integers {
            let op = if *negative { BinaryOp::Sub } else { BinaryOp::Add };
            range = crate::expressions::interval::combine(op, range, self.interval(expr));
            let b = self.value(expr, None)?;
            let instr = if *negative {
                Instr::Sub { to, a: value, b }
            } else {
                Instr::Add { to, a: value, b }
            };
            self.emit_at(instr, Check::Operation, span);
            value = to;
        }
        Ok((value, range))
    }

    /// `x = 3`, `x = y`, `x = y + 1`.
    pub(super) fn assign_clock(&mut self, target: &Expr, value: &Expr, span: Span) -> Result<Lvalue> {
        let mut sum = Linear::default();
        if matches!(value.ty, Type::Double) {
            return Err(CompileError::unsupported(
                value.span,
                "a clock set to a double is not supported",
            ));
        }
        linear(value, false, &mut sum)?;
        let clock = self.clock(target)?;
        // A clock is named by a pointer that nothing can change, so later operands are harmless.
        match (sum.plus.as_slice(), sum.minus.as_slice()) {
            ([], []) => {
                let (value, range) = self.sum(&sum.integers, value.span)?;
                self.amount(range);
                self.emit_at(Instr::SetClock { clock, value }, Check::Clock, span);
            }
            ([source], []) => {
                let from = self.clock(source)?;
                let (plus, range) = self.sum(&sum.integers, value.span)?;
                self.amount(range);
                self.emit_at(
                    Instr::CopyClock {
                        to: clock,
                        from,
                        plus,
                    },
                    Check::Clock,
                    span,
                );
            }
            _ => return Err(arithmetic(value.span)),
        }
        // A second use of the place means the clock that was set.
        let ty = self.builder.types.intern(Kind::Clock, span)?;
        Ok(Lvalue::behind([None, Some(clock), None], ty))
    }
}
