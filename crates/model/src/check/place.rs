//! Left sides: what may be changed, and by what (`semantics.md` 17b, 19d, 19e, 20a).

use super::TypeChecker;
use super::compatibility::{assignable, describe, equivalent, is_condition, is_integer, is_number};
use super::effects::root;
use crate::tree::{BinaryOp, Expr, ExprKind, Feature, ParamMode, VarRef};
use crate::types::{Condition, Type};
use zonewalk_syntax::ast::AssignOp;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

impl TypeChecker<'_> {
    /// Whether it is a left side that may change.
    pub(super) fn is_modifiable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(var) => match var {
                VarRef::Global(g) => !self.globals[g.index()].is_const,
                VarRef::Local(l) => self
                    .template
                    .as_ref()
                    .is_some_and(|t| !t.variables[l.index()].is_const),
                VarRef::Param(p) => self.template.as_ref().is_some_and(|t| {
                    t.params[p.index()].mode == ParamMode::Reference && !t.const_refs[p.index()]
                }),
                VarRef::Slot(s) => self.slots.get(s.index()).is_some_and(|s| !s.is_const),
            },
            ExprKind::Index(a, _) | ExprKind::Field(a, _) => self.is_modifiable(a),
            ExprKind::Assign(..) | ExprKind::AssignWith(..) => true,
            ExprKind::Step { prefix, .. } => *prefix,
            ExprKind::Conditional(_, a, b) => {
                self.is_modifiable(a) && self.is_modifiable(b) && equivalent(&a.ty, &b.ty)
            }
            ExprKind::Comma(list) => list.last().is_some_and(|e| self.is_modifiable(e)),
            _ => false,
        }
    }

    pub(super) fn require_place(&mut self, place: &Expr) -> bool {
        if matches!(place.ty, Type::Error) {
            return false;
        }
        let modifiable = self.is_modifiable(place);
        if !modifiable {
            let message = match root(place) {
                Some(_) => "this is constant and cannot be changed",
                None => "this is not a variable and cannot be changed",
            };
            self.error("left-side", place.span, message);
        }
        self.note_assigned(place);
        modifiable
    }

    /// Remembers that the variables of the template behind a left side change.
    pub(super) fn note_assigned(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Var(VarRef::Local(l)) => {
                if let Some(context) = &mut self.template {
                    let length = context.assigned.len().max(l.index() + 1);
                    context.assigned.resize(length, false);
                    context.assigned[l.index()] = true;
                }
            }
            ExprKind::Index(a, _)
            | ExprKind::Field(a, _)
            | ExprKind::Assign(a, _)
            | ExprKind::AssignWith(_, a, _)
            | ExprKind::Step { place: a, .. } => self.note_assigned(a),
            ExprKind::Conditional(_, a, b) => {
                self.note_assigned(a);
                self.note_assigned(b);
            }
            ExprKind::Comma(list) => {
                if let Some(last) = list.last() {
                    self.note_assigned(last);
                }
            }
            _ => {}
        }
    }

    pub(super) fn assignment(&mut self, op: AssignOp, place: Expr, value: Expr, span: Span) -> Expr {
        if matches!(place.ty, Type::Error) || matches!(value.ty, Type::Error) {
            return self.broken(span);
        }
        let fits = match op {
            AssignOp::Plain => assignable(&place.ty, &value.ty),
            // `b += 1` is not an overflow for a boolean, `b -= 1` is (`semantics.md` 17b).
            AssignOp::With(BinaryOp::Add) => is_integer(&place.ty) && value.ty.is_integral(),
            AssignOp::With(_) => place.ty.is_integral() && value.ty.is_integral(),
        };
        if !fits {
            let message = format!(
                "a value of type {} does not fit {}",
                describe(&value.ty),
                describe(&place.ty)
            );
            let mut diagnostic = Diagnostic::error("assignment", span, message);
            if matches!(op, AssignOp::With(_)) && !place.ty.is_integral() {
                diagnostic = diagnostic.help("only integers can be changed this way; use `=`");
            }
            self.report(diagnostic);
            return self.broken(span);
        }
        if !self.require_place(&place) {
            return self.broken(span);
        }
        if place.ty.is_clock() && !value.ty.is_integral() {
            let feature = match &value.ty {
                Type::Clock { .. } => Feature::ClockCopies,
                _ => Feature::Doubles,
            };
            self.feature(feature, span);
        }
        if matches!(place.ty, Type::Double) && matches!(value.ty, Type::Clock { .. }) {
            self.feature(Feature::ClockArithmetic, span);
        }
        let ty = place.ty.clone();
        let kind = match op {
            AssignOp::Plain => ExprKind::Assign(Box::new(place), Box::new(value)),
            AssignOp::With(op) => ExprKind::AssignWith(op, Box::new(place), Box::new(value)),
        };
        Expr { kind, ty, span }
    }

    pub(super) fn conditional(&mut self, condition: Expr, then: Expr, otherwise: Expr, span: Span) -> Expr {
        if [&condition, &then, &otherwise]
            .iter()
            .any(|e| matches!(e.ty, Type::Error))
        {
            return self.broken(span);
        }
        if !is_condition(&condition.ty, Condition::Guard) {
            self.type_error(&condition, "a condition before `?`");
            return self.broken(span);
        }
        let clock = |t: &Type| matches!(t, Type::Clock { .. });
        let (a, b) = (&then.ty, &otherwise.ty);
        let ty = if a.is_integral() && b.is_integral() {
            // Two like variables stay a left side; anything else is a value.
            if equivalent(a, b) {
                Some(a.clone())
            } else {
                Some(Type::Int)
            }
        } else if clock(a) != clock(b) && is_number(a) && is_number(b) {
            self.feature(Feature::ClockArithmetic, span);
            Some(Type::Double)
        } else if assignable(a, b) || equivalent(a, b) {
            Some(a.clone())
        } else if assignable(b, a) {
            Some(b.clone())
        } else {
            None
        };
        let Some(ty) = ty else {
            let message = format!("the two values are of types {} and {}", describe(a), describe(b));
            self.error("conditional", span, message);
            return self.broken(span);
        };
        if !condition.ty.is_integral() {
            self.feature(Feature::ClockArithmetic, condition.span);
        }
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Expr { kind, ty, span }
    }
}
