//! Folding: the values of constant expressions that do not wrap. Those that do are left to the code, which says so.

use crate::expressions::constants::{Scope, Slots, part};
use crate::expressions::facts::is_quick;
use zonewalk_model::builtin::Numeral;
use zonewalk_model::eval::arithmetic::integer;
use zonewalk_model::ids::{ProcessId, SlotId};
use zonewalk_model::system::{Place, Root, Value};
use zonewalk_model::tree::{BinaryOp, Binder, Builtin, Expr, ExprKind, ProcessExpr, VarRef};
use zonewalk_model::types::Type;

/// One more slot than before.
struct Bound<'a> {
    outer: &'a dyn Slots,
    slot: SlotId,
    value: i32,
}

impl Slots for Bound<'_> {
    fn value(&self, slot: SlotId) -> Option<i32> {
        if slot == self.slot {
            Some(self.value)
        } else {
            self.outer.value(slot)
        }
    }
}

/// Folds with a bound on the nodes that are visited.
pub(crate) struct Folder<'a, 'b> {
    pub(crate) scope: Scope<'a>,
    pub(crate) budget: &'b mut u32,
}

impl<'a> Folder<'a, '_> {
    /// The value of an integer expression that is constant, does not fail and does not wrap.
    pub(crate) fn fold(&mut self, expr: &Expr) -> Option<i32> {
        *self.budget = self.budget.checked_sub(1)?;
        if is_double(expr) {
            return None;
        }
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Var(VarRef::Slot(slot)) => self.scope.slots.value(*slot),
            ExprKind::Var(_)
            | ExprKind::Index(..)
            | ExprKind::Field(..)
            | ExprKind::Member(..)
            | ExprKind::ParamMember(..) => match self.value(expr)? {
                (Value::Int(value), false) => Some(*value),
                _ => None,
            },
            ExprKind::Negate(a) => self.fold(a)?.checked_neg(),
            ExprKind::Not(a) => Some(i32::from(self.fold(a)? == 0)),
            ExprKind::Arithmetic(first, rest) => {
                let mut value = self.fold(first)?;
                for (op, operand) in rest {
                    value = arithmetic(*op, value, self.fold(operand)?)?;
                }
                Some(value)
            }
            ExprKind::And(parts) => self.until(parts, 0),
            ExprKind::Or(parts) => self.until(parts, 1),
            ExprKind::Imply(a, b) => {
                if self.fold(a)? == 0 {
                    return Some(1);
                }
                Some(i32::from(self.fold(b)? != 0))
            }
            ExprKind::Xor(a, b) => Some(i32::from((self.fold(a)? != 0) != (self.fold(b)? != 0))),
            ExprKind::Compare(_, a, b) if is_double(a) || is_double(b) => self.number(expr),
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.fold(a)?, self.fold(b)?);
                compare(*op, a, b).map(i32::from)
            }
            ExprKind::Same(positive, a, b) => {
                let same = match (self.fold(a), self.fold(b)) {
                    (Some(a), Some(b)) => a == b,
                    _ => match (self.value(a)?, self.value(b)?) {
                        ((Value::Channel(a), _), (Value::Channel(b), _)) => a == b,
                        ((a, false), (b, false)) => a == b,
                        _ => return None,
                    },
                };
                Some(i32::from(same == *positive))
            }
            ExprKind::Conditional(c, a, b) => {
                if self.fold(c)? != 0 {
                    self.fold(a)
                } else {
                    self.fold(b)
                }
            }
            ExprKind::Forall(binder, body) => self.quantify(binder, body, 1, |_, v| (v == 0).then_some(0)),
            ExprKind::Exists(binder, body) => self.quantify(binder, body, 0, |_, v| (v != 0).then_some(1)),
            ExprKind::Sum(binder, body) => {
                let mut sum = Some(0i32);
                self.quantify(binder, body, 0, |_, v| {
                    sum = sum.and_then(|s| s.checked_add(v));
                    None
                })?;
                sum
            }
            ExprKind::Call(function, _) => {
                let called = self.scope.model.functions.get(function.index())?;
                if called.has_side_effects || called.reads_state || !is_quick(self.scope.model, *function) {
                    return None;
                }
                self.scope
                    .evaluate(expr)
                    .filter(|(_, wraps)| !wraps)
                    .map(|(value, _)| value)
            }
            ExprKind::Builtin(builtin, args) => match (builtin, args.as_slice()) {
                (b, [a]) if is_abs(*b) => self.fold(a)?.checked_abs(),
                _ => self.number(expr),
            },
            _ => None,
        }
    }

    /// An integer that comes from doubles.
    fn number(&self, expr: &Expr) -> Option<i32> {
        match self.scope.number(expr)? {
            Numeral::Int(value) => Some(value),
            Numeral::Double(_) => None,
        }
    }

    /// Short-circuit evaluation that ends at the first operand whose truth is `end`.
    fn until(&mut self, parts: &[Expr], end: i32) -> Option<i32> {
        for part in parts {
            if i32::from(self.fold(part)? != 0) == end {
                return Some(end);
            }
        }
        Some(1 - end)
    }

    fn quantify(
        &mut self,
        binder: &Binder,
        body: &Expr,
        default: i32,
        mut visit: impl FnMut(i32, i32) -> Option<i32>,
    ) -> Option<i32> {
        let range = self.scope.range(&binder.ty)?;
        let outer = self.scope.slots;
        for value in range.lo..=range.hi {
            let slots = Bound {
                outer,
                slot: binder.slot,
                value,
            };
            let mut inner = Folder {
                scope: self.scope.with_slots(&slots),
                budget: self.budget,
            };
            let result = inner.fold(body)?;
            if let Some(end) = visit(value, result) {
                return Some(end);
            }
        }
        Some(default)
    }

    /// A constant or an identity, and whether integers inside may change.
    pub(crate) fn value(&mut self, expr: &Expr) -> Option<(&'a Value, bool)> {
        *self.budget = self.budget.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Var(var) => self.scope.variable(*var),
            ExprKind::Index(array, index) => {
                let (value, mutable) = self.value(array)?;
                let Type::Array(ty) = &array.ty else { return None };
                let (lo, _) = self.scope.extent(&ty.index)?;
                let position = usize::try_from(i64::from(self.fold(index)?) - i64::from(lo)).ok()?;
                Some((part(value, position)?, mutable))
            }
            ExprKind::Field(of, field) => {
                let (value, mutable) = self.value(of)?;
                Some((part(value, *field)?, mutable))
            }
            ExprKind::Conditional(c, a, b) => {
                if self.fold(c)? != 0 {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
            ExprKind::Member(process, id) => {
                let process = self.process(process)?;
                self.scope.place(&Place {
                    root: Root::Local(process, *id),
                    path: Vec::new(),
                })
            }
            ExprKind::ParamMember(process, id) => {
                let process = self.process(process)?;
                self.scope.parameter(process, *id)
            }
            _ => None,
        }
    }

    fn process(&mut self, process: &ProcessExpr) -> Option<ProcessId> {
        let args: Option<Vec<i32>> = process.args.iter().map(|a| self.fold(a)).collect();
        self.scope.system.sets.get(process.set.index())?.process(&args?)
    }
}

fn is_double(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Double)
}

/// Whether it is `abs`, the one built-in function on integers.
pub(crate) fn is_abs(builtin: Builtin) -> bool {
    builtin.info().name == "abs"
}

/// Arithmetic that neither fails nor wraps.
pub(crate) fn arithmetic(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    match integer(op, a, b) {
        Ok((value, false)) => Some(value),
        _ => None,
    }
}

/// A comparison; `None` for another operator.
pub(crate) fn compare(op: BinaryOp, a: i32, b: i32) -> Option<bool> {
    Some(match op {
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::GreaterEqual => a >= b,
        BinaryOp::Greater => a > b,
        BinaryOp::Equal => a == b,
        BinaryOp::NotEqual => a != b,
        _ => return None,
    })
}
