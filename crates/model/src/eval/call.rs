//! Functions and statements.

use super::access::cells;
use super::fault::{Fault, FaultKind, Subject};
use super::{Evaluator, STEP_LIMIT, Scope, Slot};
use crate::ids::FunctionId;
use crate::system::Value;
use crate::tree::{Block, Expr, Function, ProcessExpr, Statement};
use crate::types::Type;
use zonewalk_syntax::span::Span;

/// Control flow after a statement.
enum Flow {
    Next,
    Return(Option<Value>),
}

impl<'a> Evaluator<'a> {
    pub(super) fn call(&mut self, id: FunctionId, args: &[Expr], span: Span) -> Result<Value, Fault> {
        self.call_in(self.scope, id, args, span)
    }

    /// `P.f(x)`: the arguments belong to the caller, the body to the process.
    pub(super) fn process_call(
        &mut self,
        process: &ProcessExpr,
        id: FunctionId,
        args: &[Expr],
        span: Span,
    ) -> Result<Value, Fault> {
        let process = self.process(process, span)?;
        let scope = self.system.and_then(|system| {
            let bindings = &system.processes.get(process.index())?.bindings;
            Some(Scope {
                process,
                bindings,
                variables: &[],
            })
        });
        self.call_in(scope, id, args, span)
    }

    fn call_in(
        &mut self,
        scope: Option<Scope<'a>>,
        id: FunctionId,
        args: &[Expr],
        span: Span,
    ) -> Result<Value, Fault> {
        let functions = self.code.functions;
        let Some(function) = functions.get(id.index()) else {
            return Err(FaultKind::unsupported("an unknown function").at(span));
        };
        let Some(body) = &function.body else {
            return Err(
                FaultKind::unsupported(format!("the external function `{}`", function.name)).at(span),
            );
        };
        let activation = self.arguments(function, args)?;

        // At run time every call from a label has its own limit, so that `forall` over many calls is not a matter
        // of that limit; an initialiser has one for everything (design, "Limits of the language").
        let outer = self
            .is_in_label()
            .then(|| std::mem::replace(&mut self.steps_left, STEP_LIMIT));
        self.bases.push(self.slots.len());
        self.slots.extend(activation);
        let caller = std::mem::replace(&mut self.scope, scope);
        let flow = self.block(body);
        self.scope = caller;
        let flow = flow?;
        if let Some(base) = self.bases.pop() {
            self.slots.truncate(base);
        }
        if let Some(steps) = outer {
            self.steps_left = steps;
        }
        match flow {
            _ if matches!(function.result, Type::Void) => Ok(Value::Int(0)),
            Flow::Return(Some(value)) => self.fit(
                value,
                &function.result,
                false,
                &Subject::Result(function.name.clone()),
                span,
            ),
            _ => Err(FaultKind::NoResult(function.name.clone()).at(span)),
        }
    }

    fn arguments(&mut self, function: &Function, args: &[Expr]) -> Result<Vec<Slot>, Fault> {
        let mut activation = Vec::with_capacity(function.params.len());
        for (param, arg) in function.params.iter().zip(args) {
            activation.push(if param.by_reference {
                self.reference(arg)?
            } else {
                let value = self.eval(arg)?;
                let subject = Subject::Argument(param.name.clone());
                Slot::Value(self.fit(value, &param.ty, param.is_const, &subject, arg.span)?)
            });
        }
        Ok(activation)
    }

    fn block(&mut self, block: &Block) -> Result<Flow, Fault> {
        for local in &block.variables {
            let v = &local.variable;
            let value = self.initial_in_block(&v.ty, v.is_const, v.init.as_ref(), v.span)?;
            self.spend(cells(&value), v.span)?;
            self.set_slot(local.slot, value);
        }
        for statement in &block.statements {
            if let flow @ Flow::Return(_) = self.statement(statement)? {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow, Fault> {
        self.descend(place(statement))?;
        let flow = self.statement_kind(statement);
        self.depth -= 1;
        flow
    }

    fn statement_kind(&mut self, statement: &Statement) -> Result<Flow, Fault> {
        match statement {
            Statement::Expr(expr) => self.effect(expr).map(|()| Flow::Next),
            Statement::Block(block) => self.block(block),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                if self.truth(condition)? {
                    self.statement(then)
                } else if let Some(otherwise) = otherwise {
                    self.statement(otherwise)
                } else {
                    Ok(Flow::Next)
                }
            }
            Statement::While { condition, body } => self.repeat(condition, None, body),
            Statement::DoWhile { body, condition } => match self.statement(body)? {
                Flow::Next => self.repeat(condition, None, body),
                flow => Ok(flow),
            },
            Statement::For {
                init,
                condition,
                step,
                body,
            } => {
                self.effect(init)?;
                self.repeat(condition, Some(step), body)
            }
            Statement::ForIn { slot, ty, body } => {
                let domain = self.domain(ty, Span::NONE)?;
                for value in domain.iter() {
                    self.set_slot(*slot, Value::Int(value));
                    if let flow @ Flow::Return(_) = self.statement(body)? {
                        return Ok(flow);
                    }
                }
                Ok(Flow::Next)
            }
            Statement::Return(None) => Ok(Flow::Return(None)),
            Statement::Return(Some(expr)) => Ok(Flow::Return(Some(self.eval(expr)?))),
            Statement::Assert(condition) => {
                if self.truth(condition)? {
                    Ok(Flow::Next)
                } else {
                    Err(FaultKind::AssertionFailed.at(condition.span))
                }
            }
        }
    }

    fn repeat(&mut self, condition: &Expr, step: Option<&Expr>, body: &Statement) -> Result<Flow, Fault> {
        while self.truth(condition)? {
            if let flow @ Flow::Return(_) = self.statement(body)? {
                return Ok(flow);
            }
            if let Some(step) = step {
                self.effect(step)?;
            }
        }
        Ok(Flow::Next)
    }
}

/// Where a statement stands, as far as its expressions tell.
fn place(statement: &Statement) -> Span {
    match statement {
        Statement::Expr(e) | Statement::Assert(e) | Statement::Return(Some(e)) => e.span,
        Statement::If { condition, .. }
        | Statement::While { condition, .. }
        | Statement::DoWhile { condition, .. }
        | Statement::For { condition, .. } => condition.span,
        Statement::Block(_) | Statement::ForIn { .. } | Statement::Return(None) => Span::NONE,
    }
}
