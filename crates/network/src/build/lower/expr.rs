//! Integer expressions and assignments.

use super::Unit;
use super::double::is_double;
use super::emit::LATER;
use crate::code::cell::Cell;
use crate::code::instr::{Check, Instr, Range};
use crate::error::{CompileError, Result};
use crate::expressions::fold::is_abs;
use zonewalk_model::tree::{BinaryOp, Expr, ExprKind};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// The longest stretch that one comparison of cells looks at.
const CHUNK: u32 = u16::MAX as u32;

impl Unit<'_, '_> {
    /// The cell with the value of an integer expression: `to` if that is given, else the variable's own cell,
    /// that of a constant, or a temporary.
    ///
    /// `to` is written last, so that it may be a variable that the expression reads.
    pub(crate) fn value(&mut self, expr: &Expr, to: Option<Cell>) -> Result<Cell> {
        if let Some(cell) = self.fixed_value(expr) {
            return Ok(self.deliver(cell, to));
        }
        let span = expr.span;
        if is_double(expr) {
            let message = "a double is not supported where an integer is needed";
            return Err(CompileError::unsupported(span, message));
        }
        match &expr.kind {
            ExprKind::Var(_)
            | ExprKind::Index(..)
            | ExprKind::Field(..)
            | ExprKind::Member(..)
            | ExprKind::ParamMember(..)
            | ExprKind::Assign(..)
            | ExprKind::AssignWith(..)
            | ExprKind::Step { prefix: true, .. } => {
                let place = self.lvalue(expr)?;
                self.read(&place, to, span)
            }
            ExprKind::Negate(a) => {
                self.integral(expr)?;
                let a = self.value(a, None)?;
                let to = self.target(to, span)?;
                self.emit_at(Instr::Negate { to, a }, Check::Operation, span);
                Ok(to)
            }
            ExprKind::Arithmetic(first, rest) => self.arithmetic(expr, first, rest, to),
            ExprKind::Compare(op, a, b) if is_double(a) || is_double(b) => {
                self.compare_doubles(*op, (a, b), to, span)
            }
            ExprKind::Compare(op, a, b) => {
                self.integral(a)?;
                self.integral(b)?;
                let (a, b) = self.pair(a, b)?;
                let to = self.target(to, span)?;
                self.emit(match op {
                    BinaryOp::Less => Instr::Less { to, a, b },
                    BinaryOp::LessEqual => Instr::LessEqual { to, a, b },
                    BinaryOp::Greater => Instr::Less { to, a: b, b: a },
                    BinaryOp::GreaterEqual => Instr::LessEqual { to, a: b, b: a },
                    BinaryOp::Equal => Instr::Equal { to, a, b },
                    _ => Instr::NotEqual { to, a, b },
                });
                Ok(to)
            }
            ExprKind::Same(equal, a, b) => self.same(*equal, a, b, to, span),
            ExprKind::Xor(a, b) => {
                let keep = self.has_effects(b);
                let mut left = self.truth(a)?;
                if keep {
                    left = self.keep(left, span)?;
                }
                let right = self.truth(b)?;
                let to = self.target(to, span)?;
                self.emit(Instr::NotEqual {
                    to,
                    a: left,
                    b: right,
                });
                Ok(to)
            }
            ExprKind::Not(a) if !is_connective(a) => {
                let a = self.truth_value(a)?;
                let to = self.target(to, span)?;
                self.emit(Instr::Not { to, a });
                Ok(to)
            }
            ExprKind::Not(_)
            | ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Imply(..)
            | ExprKind::Forall(..)
            | ExprKind::Exists(..) => {
                let (no, end) = (self.label(), self.label());
                let (one, zero) = (self.builder.constant(1), self.builder.constant(0));
                self.branch(expr, false, no)?;
                let to = self.target(to, span)?;
                self.emit(Instr::Copy { to, from: one });
                self.jump(Instr::Jump { target: LATER }, end);
                self.bind(no);
                self.emit(Instr::Copy { to, from: zero });
                self.bind(end);
                Ok(to)
            }
            ExprKind::Conditional(condition, a, b) => {
                let (otherwise, end) = (self.label(), self.label());
                let to = self.target(to, span)?;
                self.branch(condition, false, otherwise)?;
                self.value_into(a, to)?;
                self.jump(Instr::Jump { target: LATER }, end);
                self.bind(otherwise);
                self.value_into(b, to)?;
                self.bind(end);
                Ok(to)
            }
            ExprKind::Sum(binder, body) => {
                self.integral(body)?;
                let sum = self.alloc(1, span)?;
                let zero = self.builder.constant(0);
                self.emit(Instr::Copy { to: sum, from: zero });
                let end = self.label();
                self.decide(binder.slot, &binder.ty, body, false, end, span)?;
                self.each(binder.slot, &binder.ty, body, span, &mut |unit| {
                    let term = unit.value(body, None)?;
                    unit.emit_at(
                        Instr::Add {
                            to: sum,
                            a: sum,
                            b: term,
                        },
                        Check::Operation,
                        span,
                    );
                    Ok(())
                })?;
                self.bind(end);
                Ok(self.deliver(sum, to))
            }
            ExprKind::Step {
                increment,
                prefix: false,
                place,
            } => self.step(*increment, place, to, span),
            ExprKind::Call(function, args) => {
                let place = self.call(*function, args, to, span)?;
                let place = place
                    .ok_or_else(|| CompileError::internal(span, "a function without result as a value"))?;
                self.read(&place, to, span)
            }
            ExprKind::Builtin(builtin, args) => match args.as_slice() {
                [a] if is_abs(*builtin) => {
                    let a = self.value(a, None)?;
                    let to = self.target(to, span)?;
                    self.emit_at(Instr::Abs { to, a }, Check::Operation, span);
                    Ok(to)
                }
                _ => {
                    let to = self.target(to, span)?;
                    self.function(*builtin, args, to, span)?;
                    Ok(to)
                }
            },
            ExprKind::AtLocation(process, location) => {
                let at = self.location(process, span)?;
                let b = self.builder.constant(location.0 as i32);
                let to = self.target(to, span)?;
                self.emit(Instr::Equal { to, a: at, b });
                Ok(to)
            }
            ExprKind::Int(_) => Err(CompileError::internal(span, "a constant without a cell")),
            ExprKind::Double(_) => Err(CompileError::internal(span, "a double as an integer")),
            ExprKind::Str(_) => Err(CompileError::unsupported(span, "strings are not supported")),
            ExprKind::CompareClocks(..) => Err(CompileError::unsupported(
                span,
                "a condition on clocks is not supported here",
            )),
            ExprKind::SetRate(..) | ExprKind::Rate(_) => Err(CompileError::unsupported(
                span,
                "the rate of a clock is not supported here",
            )),
            ExprKind::Deadlock => Err(CompileError::unsupported(
                span,
                "`deadlock` is not supported here",
            )),
            ExprKind::Comma(parts) => {
                let Some((last, others)) = parts.split_last() else {
                    return Err(CompileError::internal(span, "an empty list of expressions"));
                };
                for part in others {
                    self.effect(part)?;
                }
                self.value(last, to)
            }
            ExprKind::ProcessCall(process, function, args) => {
                let place = self.process_call(process, *function, args, span)?;
                let place = place
                    .ok_or_else(|| CompileError::internal(span, "a function without result as a value"))?;
                self.read(&place, to, span)
            }
            ExprKind::Unsupported(construct) => Err(CompileError::unsupported(
                span,
                format!("`{construct}` is not supported"),
            )),
        }
    }

    /// Puts the value of an integer expression into a cell.
    pub(crate) fn value_into(&mut self, expr: &Expr, to: Cell) -> Result<()> {
        let cell = self.value(expr, Some(to))?;
        self.copy_cell(to, cell);
        Ok(())
    }

    /// Evaluates an expression for its side effects.
    pub(crate) fn effect(&mut self, expr: &Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Assign(..) | ExprKind::AssignWith(..) => self.assignment(expr, false).map(drop),
            ExprKind::Step { increment, place, .. } => {
                self.stepped(*increment, place, None, expr.span).map(drop)
            }
            ExprKind::Call(function, args) => self.call(*function, args, None, expr.span).map(drop),
            ExprKind::Comma(parts) => parts.iter().try_for_each(|part| self.effect(part)),
            _ if is_double(expr) => self.double(expr, None).map(drop),
            _ => self.value(expr, None).map(drop),
        }
    }

    pub(super) fn deliver(&mut self, cell: Cell, to: Option<Cell>) -> Cell {
        if let Some(to) = to {
            self.copy_cell(to, cell);
        }
        to.unwrap_or(cell)
    }

    /// Takes a copy of what may change.
    pub(super) fn keep(&mut self, cell: Cell, span: Span) -> Result<Cell> {
        if cell.is_immutable() {
            return Ok(cell);
        }
        let copy = self.alloc(1, span)?;
        self.copy_cell(copy, cell);
        Ok(copy)
    }

    /// Refuses what is not an integer.
    pub(super) fn integral(&self, expr: &Expr) -> Result<()> {
        match &expr.ty {
            Type::Double => Err(CompileError::unsupported(
                expr.span,
                "a double is not supported where an integer is needed",
            )),
            Type::Str => Err(CompileError::unsupported(expr.span, "strings are not supported")),
            Type::Clock { .. } | Type::Difference | Type::Rate => Err(CompileError::unsupported(
                expr.span,
                "the value of a clock is not supported here",
            )),
            _ => Ok(()),
        }
    }

    /// Both values, the left one as it was before the right one was evaluated.
    pub(super) fn pair(&mut self, a: &Expr, b: &Expr) -> Result<(Cell, Cell)> {
        let mut left = self.value(a, None)?;
        if self.has_effects(b) {
            left = self.keep(left, a.span)?;
        }
        Ok((left, self.value(b, None)?))
    }

    /// 0 or 1.
    fn truth(&mut self, expr: &Expr) -> Result<Cell> {
        let truth = Range { lo: 0, hi: 1 };
        let within = self.interval(expr).within(truth);
        let a = self.truth_value(expr)?;
        if within || is_double(expr) {
            return Ok(a);
        }
        let to = self.alloc(1, expr.span)?;
        self.emit(Instr::Truth { to, a });
        Ok(to)
    }

    fn arithmetic(
        &mut self,
        expr: &Expr,
        first: &Expr,
        rest: &[(BinaryOp, Expr)],
        to: Option<Cell>,
    ) -> Result<Cell> {
        self.integral(expr)?;
        self.integral(first)?;
        let mut value = self.value(first, None)?;
        let mut scratch = None;
        for (number, (op, operand)) in rest.iter().enumerate() {
            self.integral(operand)?;
            // Only the first operand can be a variable's own cell.
            if number == 0 && self.has_effects(operand) {
                value = self.keep(value, first.span)?;
            }
            let right = self.value(operand, None)?;
            let last = number + 1 == rest.len();
            let target = match (to, scratch) {
                (Some(to), _) if last => to,
                (_, Some(scratch)) => scratch,
                _ => {
                    let cell = self.alloc(1, expr.span)?;
                    scratch = Some(cell);
                    cell
                }
            };
            let instr = operation(*op, target, value, right)
                .ok_or_else(|| CompileError::internal(expr.span, "an unknown operator"))?;
            self.emit_at(instr, Check::Operation, first.span.to(operand.span));
            value = target;
        }
        Ok(self.deliver(value, to))
    }

    /// `==` or `!=` of scalars, channels, arrays or structs.
    fn same(&mut self, equal: bool, a: &Expr, b: &Expr, to: Option<Cell>, span: Span) -> Result<Cell> {
        if a.ty.any(&mut |t| matches!(t, Type::Clock { .. })) {
            return Err(CompileError::unsupported(
                span,
                "a comparison of clocks is not supported here",
            ));
        }
        if a.ty.any(&mut |t| matches!(t, Type::Double)) {
            return Err(CompileError::unsupported(
                span,
                "a comparison of whole arrays or structs of doubles is not supported",
            ));
        }
        let (left, right) = match &a.ty {
            Type::Chan(_) => {
                let left = self.channel(a)?;
                (left, self.channel(b)?)
            }
            Type::Array(_) | Type::Struct(_) => {
                let same = self.same_cells(a, b, span)?;
                let one = self.builder.constant(1);
                (same, one)
            }
            _ => {
                self.integral(a)?;
                self.pair(a, b)?
            }
        };
        let to = self.target(to, span)?;
        self.emit(if equal {
            Instr::Equal {
                to,
                a: left,
                b: right,
            }
        } else {
            Instr::NotEqual {
                to,
                a: left,
                b: right,
            }
        });
        Ok(to)
    }

    /// A cell that says whether two arrays or structs are the same.
    fn same_cells(&mut self, a: &Expr, b: &Expr, span: Span) -> Result<Cell> {
        let mut left = self.lvalue(a)?;
        if self.has_effects(b) {
            left = self.snapshot(&left, span)?;
        }
        let left_pointer = self.pointer(&left, span)?;
        let right = self.lvalue(b)?;
        let right_pointer = self.pointer(&right, span)?;
        let mut cells = self.builder.types.size(left.ty).cells;
        let to = self.alloc(1, span)?;
        let (mut a, mut b) = (left_pointer, right_pointer);
        let end = self.label();
        loop {
            let count = cells.min(CHUNK);
            self.emit(Instr::SameCells {
                to,
                a,
                b,
                count: count as u16,
            });
            cells -= count;
            if cells == 0 {
                break;
            }
            self.jump(Instr::JumpUnless { a: to, target: LATER }, end);
            let further = self.builder.constant(count as i32);
            let (next_a, next_b) = (self.alloc(1, span)?, self.alloc(1, span)?);
            self.emit(Instr::Add {
                to: next_a,
                a,
                b: further,
            });
            self.emit(Instr::Add {
                to: next_b,
                a: b,
                b: further,
            });
            (a, b) = (next_a, next_b);
        }
        self.bind(end);
        Ok(to)
    }
}

/// Whether its value comes from jumps.
fn is_connective(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Imply(..)
            | ExprKind::Forall(..)
            | ExprKind::Exists(..)
    )
}

/// The instruction of an arithmetic operator.
pub(super) fn operation(op: BinaryOp, to: Cell, a: Cell, b: Cell) -> Option<Instr> {
    Some(match op {
        BinaryOp::Add => Instr::Add { to, a, b },
        BinaryOp::Sub => Instr::Sub { to, a, b },
        BinaryOp::Mul => Instr::Mul { to, a, b },
        BinaryOp::Div => Instr::Div { to, a, b },
        BinaryOp::Mod => Instr::Mod { to, a, b },
        BinaryOp::Power => Instr::Power { to, a, b },
        BinaryOp::ShiftLeft => Instr::ShiftLeft { to, a, b },
        BinaryOp::ShiftRight => Instr::ShiftRight { to, a, b },
        BinaryOp::Min => Instr::Min { to, a, b },
        BinaryOp::Max => Instr::Max { to, a, b },
        BinaryOp::BitAnd => Instr::BitAnd { to, a, b },
        BinaryOp::BitXor => Instr::BitXor { to, a, b },
        BinaryOp::BitOr => Instr::BitOr { to, a, b },
        _ => return None,
    })
}
