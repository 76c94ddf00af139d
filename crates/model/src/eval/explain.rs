//! Explanation of faults: the values that a failing expression had read.

use super::{Evaluator, Fault};
use crate::system::Value;
use crate::tree::{Expr, ExprKind};
use zonewalk_syntax::span::Span;

/// Maximal number of values listed.
const MOST: usize = 8;

impl Evaluator<'_> {
    /// Makes faults carry the values that the failing expression read.
    #[must_use]
    pub fn explaining(mut self, explains: bool) -> Self {
        self.explains = explains;
        self
    }

    /// The fault with what the innermost expression that failed has read. Variables have the values that they had then.
    pub(super) fn explained(&mut self, mut fault: Fault, expr: &Expr) -> Fault {
        if self.explains && fault.read.is_none() {
            // Reading must not be explained in its turn.
            self.explains = false;
            let mut read = Vec::new();
            self.collect(expr, &mut read);
            self.explains = true;
            fault.read = Some(read);
        }
        fault
    }

    /// Lists the variables and elements that an expression reads, with their values; calls and the bodies of quantifiers are
    /// left out.
    fn collect(&mut self, expr: &Expr, read: &mut Vec<(Span, i32)>) {
        if read.len() >= MOST {
            return;
        }
        match &expr.kind {
            ExprKind::Forall(..) | ExprKind::Exists(..) | ExprKind::Sum(..) => {}
            ExprKind::Assign(place, value) => {
                self.collect_indices(place, read);
                self.collect(value, read);
            }
            ExprKind::Var(_) | ExprKind::Field(..) | ExprKind::Member(..) | ExprKind::ParamMember(..) => {
                self.collect_value(expr, read);
            }
            ExprKind::Index(..) => {
                self.collect_indices(expr, read);
                self.collect_value(expr, read);
            }
            _ => expr.operands(&mut |operand| self.collect(operand, read)),
        }
    }

    fn collect_value(&mut self, expr: &Expr, read: &mut Vec<(Span, i32)>) {
        if let Ok(Value::Int(value)) = self.eval(expr) {
            read.push((expr.span, value));
        }
    }

    /// Collects the values read by the indices of a place.
    fn collect_indices(&mut self, place: &Expr, read: &mut Vec<(Span, i32)>) {
        match &place.kind {
            ExprKind::Index(base, index) => {
                self.collect_indices(base, read);
                self.collect(index, read);
            }
            ExprKind::Field(base, _) => self.collect_indices(base, read),
            _ => {}
        }
    }
}
