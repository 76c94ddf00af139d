//! Compile-time evaluation.

use super::TypeChecker;
use crate::eval;
use crate::system::{Memory, Value};
use crate::tree::Expr;
use crate::types::Bound;
use zonewalk_syntax::diagnostic::Diagnostic;

impl TypeChecker<'_> {
    /// A bound of a type: known now, or an expression over parameters. `None` after an error.
    pub(super) fn constant_bound(&mut self, expr: Expr) -> Option<Bound> {
        if !self.require_pure(&expr, "an expression of a type") {
            return None;
        }
        if !self.require_computable(&expr) {
            return None;
        }
        if !self.is_closed(&expr) {
            return Some(Bound::Expr(Box::new(expr)));
        }
        match self.evaluate(&expr)? {
            Value::Int(value) => Some(Bound::Const(value)),
            _ => None,
        }
    }

    /// Reports an expression that is not known at compile time.
    pub(super) fn require_computable(&mut self, expr: &Expr) -> bool {
        let computable = self.is_computable(expr);
        if !computable {
            self.report(
                Diagnostic::error("not-constant", expr.span, "this must be known at compile time")
                    .help("use literals, `const` variables, `const` parameters and functions of these"),
            );
        }
        computable
    }

    /// The value of a closed, computable expression; `None` after an error.
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Option<Value> {
        let memory = Memory {
            globals: std::mem::take(&mut self.values),
            locals: Vec::new(),
        };
        let code = eval::Code {
            globals: &self.globals,
            functions: &self.functions,
            scalar_sets: &self.scalar_sets,
            wraps: Some(&self.wraps),
        };
        let result = eval::constant(code, &memory, None, &[], expr);
        self.values = memory.globals;
        match result {
            Ok(value) => Some(value),
            Err(fault) => {
                self.report(fault.to_diagnostic());
                None
            }
        }
    }
}
