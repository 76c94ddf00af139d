//! The outermost expressions of functions: those that are part of a statement and not of another expression.

use super::{Block, Expr, Init, Statement};

/// Use made of the value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueUse {
    /// The value is used.
    Used,
    /// The expression stands there for its effects.
    Dropped,
}

impl Block {
    /// Calls `visit` for the outermost expressions of a block, in the order of the text; initial values come first.
    pub fn expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr, ValueUse)) {
        for variable in &self.variables {
            if let Some(init) = &variable.variable.init {
                init.expressions(&mut |expr| visit(expr, ValueUse::Used));
            }
        }
        for statement in &self.statements {
            statement.expressions(visit);
        }
    }
}

impl Init {
    /// Calls `visit` for the expressions of an initial value.
    pub fn expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Init::Expr(expr) => visit(expr),
            Init::List(items) => items.iter().for_each(|item| item.expressions(visit)),
        }
    }
}

impl Statement {
    /// Calls `visit` for the outermost expressions of a statement; conditions of loops come before their bodies.
    pub fn expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr, ValueUse)) {
        match self {
            Statement::Expr(expr) => visit(expr, ValueUse::Dropped),
            Statement::Assert(expr) | Statement::Return(Some(expr)) => visit(expr, ValueUse::Used),
            Statement::Return(None) => {}
            Statement::Block(block) => block.expressions(visit),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                visit(condition, ValueUse::Used);
                then.expressions(visit);
                if let Some(otherwise) = otherwise {
                    otherwise.expressions(visit);
                }
            }
            Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
                visit(condition, ValueUse::Used);
                body.expressions(visit);
            }
            Statement::For {
                init,
                condition,
                step,
                body,
            } => {
                visit(init, ValueUse::Dropped);
                visit(condition, ValueUse::Used);
                visit(step, ValueUse::Dropped);
                body.expressions(visit);
            }
            Statement::ForIn { body, .. } => body.expressions(visit),
        }
    }
}
