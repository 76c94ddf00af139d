//! Conditions as jumps, and loops over the values of a type.

use super::emit::{LATER, Label};
use super::{Slot, Unit};
use crate::code::instr::{Instr, Range};
use crate::error::{CompileError, Result};
use crate::expressions::visit;
use zonewalk_model::ids::SlotId;
use zonewalk_model::tree::{BinaryOp, Expr, ExprKind};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// Loops whose bodies together have at most this many nodes are written out: every index in them is a constant.
const UNROLLED: u32 = 48;
/// Instructions of a loop that must be written out.
const WRITTEN: u32 = 1 << 20;

impl Unit<'_, '_> {
    /// Goes to `label` when the truth of `expr` is `when`, and on to the next instruction otherwise.
    ///
    /// Returns whether that is decided already.
    pub(crate) fn branch(&mut self, expr: &Expr, when: bool, label: Label) -> Result<Option<bool>> {
        if let Some(value) = self.scope().fold(expr) {
            let jumps = (value != 0) == when;
            if jumps {
                self.jump(Instr::Jump { target: LATER }, label);
            }
            return Ok(Some(jumps));
        }
        match &expr.kind {
            ExprKind::Not(a) => return self.branch(a, !when, label),
            ExprKind::And(parts) => return self.connect(parts, false, when, label),
            ExprKind::Or(parts) => return self.connect(parts, true, when, label),
            ExprKind::Imply(a, b) => {
                if when {
                    if self.branch(a, false, label)? == Some(true) {
                        return Ok(Some(true));
                    }
                    return self.branch(b, true, label);
                }
                let holds = self.label();
                let known = self.branch(a, false, holds)?;
                if known != Some(true) {
                    self.branch(b, false, label)?;
                }
                self.bind(holds);
                return Ok(if known == Some(true) { Some(false) } else { None });
            }
            ExprKind::Compare(op, a, b)
                if is_integral(a) && is_integral(b) && self.fixed_value(expr).is_none() =>
            {
                let (a, b) = self.pair(a, b)?;
                let target = LATER;
                let (less, less_equal) = (
                    |a, b| Instr::JumpLess { a, b, target },
                    |a, b| Instr::JumpLessEqual { a, b, target },
                );
                let instr = match (op, when) {
                    (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => less(a, b),
                    (BinaryOp::LessEqual, true) | (BinaryOp::Greater, false) => less_equal(a, b),
                    (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => less(b, a),
                    (BinaryOp::GreaterEqual, true) | (BinaryOp::Less, false) => less_equal(b, a),
                    (BinaryOp::Equal, true) | (BinaryOp::NotEqual, false) => {
                        Instr::JumpEqual { a, b, target }
                    }
                    _ => Instr::JumpNotEqual { a, b, target },
                };
                self.jump(instr, label);
                return Ok(None);
            }
            ExprKind::Forall(binder, body) => {
                return self.quantify(binder.slot, &binder.ty, body, false, when, label, expr.span);
            }
            ExprKind::Exists(binder, body) => {
                return self.quantify(binder.slot, &binder.ty, body, true, when, label, expr.span);
            }
            ExprKind::Conditional(condition, a, b) => {
                let (otherwise, end) = (self.label(), self.label());
                self.branch(condition, false, otherwise)?;
                self.branch(a, when, label)?;
                self.jump(Instr::Jump { target: LATER }, end);
                self.bind(otherwise);
                self.branch(b, when, label)?;
                self.bind(end);
                return Ok(None);
            }
            _ => {}
        }
        let a = self.truth_value(expr)?;
        let target = LATER;
        self.jump(
            if when {
                Instr::JumpIf { a, target }
            } else {
                Instr::JumpUnless { a, target }
            },
            label,
        );
        Ok(None)
    }

    /// A conjunction (`end` false) or disjunction (`end` true): the first part whose truth is `end` decides.
    fn connect(&mut self, parts: &[Expr], end: bool, when: bool, label: Label) -> Result<Option<bool>> {
        if when == end {
            for part in parts {
                if self.branch(part, end, label)? == Some(true) {
                    return Ok(Some(true));
                }
            }
            return Ok(None);
        }
        let decided = self.label();
        let mut open = true;
        for part in parts {
            if self.branch(part, end, decided)? == Some(true) {
                open = false;
                break;
            }
        }
        if open {
            self.jump(Instr::Jump { target: LATER }, label);
        }
        self.bind(decided);
        Ok(if open { None } else { Some(false) })
    }

    #[allow(clippy::too_many_arguments)] // The parts of a quantifier, and where to go.
    fn quantify(
        &mut self,
        slot: SlotId,
        ty: &Type,
        body: &Expr,
        end: bool,
        when: bool,
        label: Label,
        span: Span,
    ) -> Result<Option<bool>> {
        if when == end {
            let past = self.label();
            self.decide(slot, ty, body, !end, past, span)?;
            self.each(slot, ty, body, span, &mut |unit| {
                unit.branch(body, end, label).map(drop)
            })?;
            self.bind(past);
            return Ok(None);
        }
        let decided = self.label();
        self.decide(slot, ty, body, !end, label, span)?;
        self.each(slot, ty, body, span, &mut |unit| {
            unit.branch(body, end, decided).map(drop)
        })?;
        self.jump(Instr::Jump { target: LATER }, label);
        self.bind(decided);
        Ok(None)
    }

    /// Goes to `label` when the truth of a body is `truth` for all values, judged by what does not depend on them. What
    /// is written out anyway is not examined twice.
    pub(super) fn decide(
        &mut self,
        slot: SlotId,
        ty: &Type,
        body: &Expr,
        truth: bool,
        label: Label,
        span: Span,
    ) -> Result<()> {
        let values = self.values_of(ty, span)?;
        let count = i64::from(values.hi) - i64::from(values.lo) + 1;
        let mut nodes = 0;
        self.weigh(body, &mut nodes);
        if count <= 1 || count * i64::from(nodes) <= i64::from(UNROLLED) || self.has_effects(body) {
            return Ok(());
        }
        let (parts, deciding) = deciders(body, slot, truth);
        for part in parts {
            self.branch(part, deciding, label)?;
        }
        Ok(())
    }

    /// Repeats `body` for all values of a type, smallest first. `weight` says how large it is.
    pub(super) fn each(
        &mut self,
        slot: SlotId,
        ty: &Type,
        weight: &Expr,
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if self.must_write_out(slot, weight)? {
            return self.written_out(slot, ty, span, body);
        }
        let mut nodes = 0u32;
        self.weigh(weight, &mut nodes);
        self.each_weighed(slot, ty, nodes, span, body)
    }

    /// Adds the nodes of an expression, and those of the functions that are inlined into it.
    pub(super) fn weigh(&self, expr: &Expr, nodes: &mut u32) {
        visit::expression(expr, &mut |e| {
            let inlined = match &e.kind {
                ExprKind::Call(f, _) | ExprKind::ProcessCall(_, f, _) => {
                    self.builder.facts.get(f.index()).map_or(0, |f| f.size)
                }
                _ => 0,
            };
            *nodes = nodes.saturating_add(inlined).saturating_add(1);
        });
    }

    /// Lowers a quantifier whose body has the given number of nodes.
    pub(super) fn each_weighed(
        &mut self,
        slot: SlotId,
        ty: &Type,
        nodes: u32,
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let range = self.values_of(ty, span)?;
        let count = i64::from(range.hi) - i64::from(range.lo) + 1;
        if count <= 0 {
            return Ok(());
        }
        let outer = self.activation().slot(slot).clone();
        if count == 1 || count * i64::from(nodes) <= i64::from(UNROLLED) {
            for value in range.lo..=range.hi {
                self.activation().set(slot, Slot::Value(value));
                body(self)?;
            }
        } else {
            self.loop_over(slot, ty, range, span, body)?;
        }
        self.activation().set(slot, outer);
        Ok(())
    }

    /// Code for every value of a type.
    fn written_out(
        &mut self,
        slot: SlotId,
        ty: &Type,
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let range = self.values_of(ty, span)?;
        let (start, outer) = (self.here().0, self.activation().slot(slot).clone());
        for value in range.lo..=range.hi {
            self.activation().set(slot, Slot::Value(value));
            let frame = self.mark();
            body(self)?;
            self.release(frame);
            if self.here().0 - start > WRITTEN {
                let count = i64::from(range.hi) - i64::from(range.lo) + 1;
                let message = format!(
                    "this loop has too many values ({count}): processes that differ, and functions of \
                     processes, need separate code for each, more than {WRITTEN} instructions in total"
                );
                return Err(CompileError::too_large(span, message));
            }
        }
        self.activation().set(slot, outer);
        Ok(())
    }

    fn values_of(&self, ty: &Type, span: Span) -> Result<Range> {
        let range = self.scope().range(ty);
        range.ok_or_else(|| CompileError::internal(span, "a loop over a type without values"))
    }

    fn loop_over(
        &mut self,
        slot: SlotId,
        ty: &Type,
        range: Range,
        span: Span,
        body: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let ty = self.resolve(ty, false, span)?;
        let cell = self.alloc(1, span)?;
        let (lo, hi) = (self.builder.constant(range.lo), self.builder.constant(range.hi));
        self.emit(Instr::Copy { to: cell, from: lo });
        self.activation().set(
            slot,
            Slot::Cells {
                cell,
                ty,
                range,
                constant: true,
            },
        );
        let top = self.top();
        let end = self.label();
        body(self)?;
        self.jump(
            Instr::JumpEqual {
                a: cell,
                b: hi,
                target: LATER,
            },
            end,
        );
        let one = self.builder.constant(1);
        self.emit(Instr::Add {
            to: cell,
            a: cell,
            b: one,
        });
        self.repeat(top, span);
        self.bind(end);
        Ok(())
    }
}

/// Expressions that decide the body of a quantifier without its variable: if one of them, examined from left to right, has the
/// returned truth value, then the body is `truth` for every value of `slot`.
///
/// The body looks at them first, whatever the value, so looking at them once before does not fail where the body would
/// not: `P(i).cs` of `forall (j : T) P(i).cs && P(j).cs imply i == j` saves nearly all of the values of `j`.
fn deciders(body: &Expr, slot: SlotId, truth: bool) -> (&[Expr], bool) {
    match (&body.kind, truth) {
        (ExprKind::Not(a), _) => deciders(a, slot, !truth),
        (ExprKind::Imply(a, _), true) => deciders(a, slot, false),
        (ExprKind::And(parts), false) | (ExprKind::Or(parts), true) => {
            let count = parts.iter().take_while(|part| !part.names(slot)).count();
            (&parts[..count], truth)
        }
        _ if body.names(slot) => (&[], truth),
        _ => (std::slice::from_ref(body), truth),
    }
}

fn is_integral(expr: &Expr) -> bool {
    !matches!(
        expr.ty,
        Type::Double | Type::Str | Type::Clock { .. } | Type::Difference | Type::Rate
    )
}
