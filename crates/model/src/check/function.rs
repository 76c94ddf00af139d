//! Functions and their statements (`semantics.md` 20).

use super::TypeChecker;
use super::compatibility::{assignable, describe, is_condition};
use super::scope::Symbol;
use crate::ids::{FunctionId, TemplateId};
use crate::tree::{Block, Expr, ExprKind, Feature, Function, FunctionParam, Statement, VarRef};
use crate::types::{Condition, Type};
use zonewalk_syntax::ast::{self, ExternFunction, Ident, Param, StmtKind};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

impl TypeChecker<'_> {
    pub(super) fn function(&mut self, function: &ast::Function, template: Option<TemplateId>) {
        self.feature(Feature::Functions, function.name.span);
        let result = self.resolve_type(&function.result, None);
        if !matches!(result, Type::Void) && !is_returnable(&result) {
            self.error(
                "return-type",
                function.result.span,
                format!("a function cannot return {}", describe(&result)),
            );
        }
        let outer_slots = std::mem::take(&mut self.slots);
        let outer_max = std::mem::replace(&mut self.max_slots, 0);
        self.scopes.push();
        let params = self.function_params(&function.params);
        self.result = Some(result.clone());
        self.current_function = Some(function.name.name.clone());
        let body = self.block_body(&function.body);
        if !matches!(result, Type::Void | Type::Error) && !returns(&body.statements) {
            self.report(
                Diagnostic::error(
                    "return",
                    function.name.span,
                    format!("`{}` may end without a `return`", function.name.name),
                )
                .help("every path must end in `return`; one inside a loop does not count"),
            );
        }
        self.result = None;
        self.current_function = None;
        self.scopes.pop();
        self.slots = outer_slots;
        let slots = std::mem::replace(&mut self.max_slots, outer_max);
        let (has_side_effects, reads_state) = self.function_effects(&body);
        self.add_function(
            &function.name,
            Function {
                name: function.name.name.clone(),
                template,
                result,
                params,
                body: Some(body),
                slots,
                has_side_effects,
                reads_state,
                span: function.name.span,
            },
        );
    }

    pub(super) fn external_function(&mut self, function: &ExternFunction) {
        let result = self.resolve_type(&function.result, None);
        let outer_slots = std::mem::take(&mut self.slots);
        self.scopes.push();
        let params = self.function_params(&function.params);
        self.scopes.pop();
        self.slots = outer_slots;
        let slots = params.len();
        self.add_function(
            &function.name,
            Function {
                name: function.name.name.clone(),
                template: None,
                result,
                params,
                body: None,
                slots,
                // What it does is not known. The public parser takes it for pure, and models call such functions in initial values.
                has_side_effects: false,
                reads_state: true,
                span: function.name.span,
            },
        );
    }

    fn add_function(&mut self, name: &Ident, function: Function) {
        let id = FunctionId::from_index(self.functions.len());
        self.functions.to_mut().push(function);
        self.declare(name, Symbol::Function(id));
    }

    fn function_params(&mut self, params: &[Param]) -> Vec<FunctionParam> {
        params
            .iter()
            .map(|param| {
                let ty = self.param_type(param);
                let is_const = self.prefix(&param.ty).is_const;
                let slot = self.new_slot(is_const, false);
                self.declare(
                    &param.name,
                    Symbol::Variable {
                        var: VarRef::Slot(slot),
                        ty: ty.clone(),
                    },
                );
                FunctionParam {
                    name: param.name.name.clone(),
                    ty,
                    by_reference: param.by_reference,
                    is_const,
                }
            })
            .collect()
    }

    /// A block in the scope that is open already: the body of a function shares that of its parameters.
    fn block_body(&mut self, block: &ast::Block) -> Block {
        let slots = self.slots.len();
        let variables = self.block_declarations(&block.decls);
        let statements = block.stmts.iter().filter_map(|s| self.statement(s)).collect();
        self.slots.truncate(slots);
        Block {
            variables,
            statements,
        }
    }

    fn statement(&mut self, statement: &ast::Stmt) -> Option<Statement> {
        let boxed = |s: Option<Statement>| {
            Box::new(s.unwrap_or(Statement::Block(Block {
                variables: Vec::new(),
                statements: Vec::new(),
            })))
        };
        Some(match &statement.kind {
            StmtKind::Error | StmtKind::Empty => return None,
            StmtKind::Expr(expr) => Statement::Expr(self.update(expr)),
            StmtKind::Block(block) => {
                self.scopes.push();
                let block = self.block_body(block);
                self.scopes.pop();
                Statement::Block(block)
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => Statement::If {
                condition: self.condition(condition),
                then: boxed(self.statement(then)),
                otherwise: otherwise.as_ref().map(|s| boxed(self.statement(s))),
            },
            StmtKind::While { condition, body } => Statement::While {
                condition: self.condition(condition),
                body: boxed(self.statement(body)),
            },
            StmtKind::DoWhile { body, condition } => Statement::DoWhile {
                body: boxed(self.statement(body)),
                condition: self.condition(condition),
            },
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => Statement::For {
                init: self.update(init),
                condition: self.condition(condition),
                step: self.update(step),
                body: boxed(self.statement(body)),
            },
            StmtKind::ForIn { binder, ty, body } => {
                let ty = self.enumerated_type(ty, "loop variable");
                let slots = self.slots.len();
                self.scopes.push();
                let slot = self.new_slot(true, false);
                self.scopes.replace(
                    binder,
                    Symbol::Variable {
                        var: VarRef::Slot(slot),
                        ty: ty.clone(),
                    },
                );
                let body = boxed(self.statement(body));
                self.scopes.pop();
                self.slots.truncate(slots);
                Statement::ForIn { slot, ty, body }
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref(), statement.span),
            StmtKind::Assert(condition) => {
                let condition = self.condition(condition);
                self.require_pure(&condition, "an assertion");
                Statement::Assert(condition)
            }
        })
    }

    /// The condition of a branch or loop.
    fn condition(&mut self, expr: &ast::Expr) -> Expr {
        let typed = self.expression(expr);
        if !is_condition(&typed.ty, Condition::Constraint) {
            self.type_error(&typed, "a condition");
        } else if !typed.ty.is_integral() {
            // Code that looks at clocks: walks could run it, symbolic analysis cannot.
            self.feature(Feature::ClockArithmetic, typed.span);
        }
        if let ExprKind::Assign(..) = typed.kind {
            self.report(
                Diagnostic::warning("assignment", typed.span, "an assignment used as a condition")
                    .help("`==` compares"),
            );
        }
        typed
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> Statement {
        let typed = value.map(|v| self.expression(v));
        let result = self.result.clone().unwrap_or(Type::Error);
        match (&typed, &result) {
            (_, Type::Error) | (None, Type::Void) => {}
            (None, _) => self.error("return", span, "a value is missing after `return`"),
            (Some(value), Type::Void) => self.error("return", value.span, "a void function returns no value"),
            (Some(value), _) if matches!(value.ty, Type::Error) => {}
            (Some(value), ty) if !assignable(ty, &value.ty) => {
                let message = format!(
                    "the function returns {}, this is of type {}",
                    describe(ty),
                    describe(&value.ty)
                );
                self.error("return", value.span, message);
            }
            _ => {}
        }
        Statement::Return(typed)
    }
}

/// Integers, booleans, scalars, doubles and structs of these.
fn is_returnable(ty: &Type) -> bool {
    match ty {
        Type::Error | Type::Int | Type::Range(_) | Type::Bool | Type::Scalar(_) | Type::Double => true,
        Type::Struct(s) => s.fields.iter().all(|(_, t)| is_returnable(t)),
        _ => false,
    }
}

/// Whether the end is never reached. A loop does not count, whatever its condition.
fn returns(statements: &[Statement]) -> bool {
    statements.iter().any(|s| match s {
        Statement::Return(_) => true,
        Statement::Block(b) => returns(&b.statements),
        Statement::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => returns(std::slice::from_ref(then)) && returns(std::slice::from_ref(otherwise)),
        _ => false,
    })
}
