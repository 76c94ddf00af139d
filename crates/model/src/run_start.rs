//! Initial values that are not known before a run begins.

use crate::tree::{Expr, ExprKind, Init, Model, Statement, Variable};
use crate::types::Type;

/// Whether an initial value is drawn, or is a fraction for a clock. In runs in doubles it is computed when the run begins, and so
/// are all initial values after it, which may depend on it.
pub fn initialised_at_run_start(model: &Model, variable: &Variable, init: &Init) -> bool {
    match init {
        Init::List(items) => items
            .iter()
            .any(|item| initialised_at_run_start(model, variable, item)),
        Init::Expr(expr) => {
            let is_fraction = variable.ty.base().is_clock() && matches!(expr.ty, Type::Double);
            is_fraction || draws(model, expr)
        }
    }
}

fn draws(model: &Model, expr: &Expr) -> bool {
    let own = match &expr.kind {
        ExprKind::Builtin(builtin, _) => builtin.info().random,
        ExprKind::Call(function, _) => model.functions[function.index()]
            .body
            .as_ref()
            .is_some_and(|body| body.statements.iter().any(|s| statement_draws(model, s))),
        _ => false,
    };
    let mut any = own;
    expr.operands(&mut |e| any = any || draws(model, e));
    any
}

fn statement_draws(model: &Model, statement: &Statement) -> bool {
    let expr = |e: &Expr| draws(model, e);
    let below = |s: &Statement| statement_draws(model, s);
    match statement {
        Statement::Expr(e) | Statement::Return(Some(e)) | Statement::Assert(e) => expr(e),
        Statement::Return(None) => false,
        Statement::Block(block) => {
            let init = |v: &Variable| {
                v.init
                    .as_ref()
                    .is_some_and(|i| initialised_at_run_start(model, v, i))
            };
            block.statements.iter().any(below) || block.variables.iter().any(|v| init(&v.variable))
        }
        Statement::If {
            condition,
            then,
            otherwise,
        } => expr(condition) || below(then) || otherwise.as_deref().is_some_and(below),
        Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
            expr(condition) || below(body)
        }
        Statement::For {
            init,
            condition,
            step,
            body,
        } => expr(init) || expr(condition) || expr(step) || below(body),
        Statement::ForIn { body, .. } => below(body),
    }
}
