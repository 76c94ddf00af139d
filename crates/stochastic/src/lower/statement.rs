//! Functions, statements and initial values.

use super::expr::is_real;
use super::{Lower, Lowered, LoweredFunction, Slot, unsupported};
use crate::code::{Addr, Arg, Call, Effect, Function, Int, Real, Values};
use zonewalk_model::eval::{FaultKind, Subject};
use zonewalk_model::ids::{FunctionId, SlotId};
use zonewalk_model::tree::{self, Block, Expr, Init, Statement, Variable};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

impl Lower<'_> {
    /// Expressions that are evaluated for what they change.
    pub(crate) fn effects(&mut self, exprs: &[Expr]) -> Lowered<Vec<Effect>> {
        exprs.iter().map(|e| self.effect(e)).collect()
    }

    fn effect(&mut self, expr: &Expr) -> Lowered<Effect> {
        use tree::ExprKind as K;
        Ok(match &expr.kind {
            K::Assign(..) | K::AssignWith(..) | K::Step { .. } => self.assignment(expr)?.0,
            K::Comma(parts) => Effect::Block(self.effects(parts)?),
            K::Call(function, args) => {
                let call = self.call(*function, self.process, args, expr.span)?;
                Effect::Int(Int::Call(Box::new(call)))
            }
            _ if is_real(&expr.ty) => Effect::Real(self.real(expr)?),
            _ => Effect::Int(self.int(expr)?),
        })
    }

    pub(super) fn call(
        &mut self,
        id: FunctionId,
        process: Option<usize>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Call> {
        let model = self.layout.model;
        let function = &model.functions[id.index()];
        let process = process.filter(|_| function.template.is_some());
        let (known, params) = self.function(id, process)?;
        self.drawn |= known.draws;
        if known.draws && !self.may_draw {
            return Err(FaultKind::unsupported(format!(
                "a random number outside of updates and weights (in `{}`)",
                function.name
            ))
            .at(span));
        }
        let before = std::mem::replace(&mut self.timed, known.timed);
        let mut lowered = Vec::with_capacity(args.len());
        for ((param, arg), cell) in function.params.iter().zip(args).zip(params) {
            lowered.push(if param.by_reference {
                Arg::Address(cell, self.addr(arg)?)
            } else {
                match &param.ty {
                    Type::Array(_) | Type::Struct(_) => {
                        let cells = self.layout.size(&param.ty, process, span)?;
                        Arg::Copy(cell, self.addr(arg)?, cells)
                    }
                    ty if is_real(ty) => Arg::Real(cell, self.real(arg)?),
                    ty => {
                        let value = self.int(arg)?;
                        let caller = std::mem::replace(&mut self.process, process);
                        let domain = self.domain_of(ty, param.is_const, arg.span);
                        self.process = caller;
                        Arg::Int(cell, value, domain?, param.name.clone())
                    }
                }
            });
        }
        let timed = self.timed;
        self.timed |= before;
        Ok(Call {
            function: known.index,
            args: lowered,
            timed,
            span,
        })
    }

    /// The code of a function, and the cells of its parameters.
    fn function(&mut self, id: FunctionId, process: Option<usize>) -> Lowered<(LoweredFunction, Vec<u32>)> {
        if let Some(known) = self.known.get(&(id, process)) {
            return Ok((*known, self.params[known.index].clone()));
        }
        let model = self.layout.model;
        let function = &model.functions[id.index()];
        let Some(body) = &function.body else {
            let what = format!("the external function `{}`", function.name);
            return Err(FaultKind::unsupported(what).at(function.span));
        };
        let outer_process = std::mem::replace(&mut self.process, process);
        let outer_slots = std::mem::take(&mut self.slots);
        let outer_result = self.result.take();
        let outer_draw = std::mem::replace(&mut self.may_draw, true);
        let outer_drawn = std::mem::replace(&mut self.drawn, false);
        let is_void = matches!(function.result, Type::Void);
        let result_cells = self.layout.size(&function.result, process, function.span)?;
        let result = self.layout.allocate(result_cells);
        self.result = Some((result, function.result.clone(), function.name.clone()));
        let mut params = Vec::new();
        for (i, param) in function.params.iter().enumerate() {
            let cells = if param.by_reference {
                1
            } else {
                self.layout.size(&param.ty, process, function.span)?
            };
            let cell = self.layout.allocate(cells);
            let slot = if param.by_reference {
                Slot::Reference(cell)
            } else {
                Slot::Cell(cell)
            };
            self.slots.insert(SlotId::from_index(i), slot);
            params.push(cell);
        }
        let made = self.timed(|l| l.block(body));
        self.process = outer_process;
        self.slots = outer_slots;
        self.result = outer_result;
        self.may_draw = outer_draw;
        let draws = std::mem::replace(&mut self.drawn, outer_drawn);
        self.drawn |= draws;
        let (body, timed) = made?;
        let known = LoweredFunction {
            index: self.functions.len(),
            timed,
            draws,
        };
        self.functions.push(Function {
            name: function.name.clone(),
            is_void,
            result,
            body,
        });
        self.params.push(params.clone());
        self.known.insert((id, process), known);
        Ok((known, params))
    }

    fn block(&mut self, block: &Block) -> Lowered<Effect> {
        let mut effects = Vec::new();
        for local in &block.variables {
            let variable = &local.variable;
            let cells = self.layout.size(&variable.ty, self.process, variable.span)?;
            let cell = self.layout.allocate(cells);
            self.initialise(Addr::Cell(cell), variable, &mut effects)?;
            self.slots.insert(local.slot, Slot::Cell(cell));
        }
        for statement in &block.statements {
            effects.push(self.statement(statement)?);
        }
        Ok(Effect::Block(effects))
    }

    /// Gives a variable its initial value.
    pub(crate) fn initialise(
        &mut self,
        to: Addr,
        variable: &Variable,
        into: &mut Vec<Effect>,
    ) -> Lowered<()> {
        self.initial(
            to,
            &variable.ty,
            variable.is_const,
            variable.init.as_ref(),
            variable.span,
            into,
        )
    }

    fn initial(
        &mut self,
        to: Addr,
        ty: &Type,
        is_const: bool,
        init: Option<&Init>,
        span: Span,
        into: &mut Vec<Effect>,
    ) -> Lowered<()> {
        match (ty, init) {
            (Type::Str | Type::Chan(_), _) => {}
            (Type::Array(_) | Type::Struct(_), Some(Init::Expr(value))) => {
                let cells = self.layout.size(ty, self.process, span)?;
                into.push(Effect::Copy(to, self.addr(value)?, cells));
            }
            (Type::Array(array), _) => {
                let extent = self.layout.extent(array, self.process, span)?;
                for i in 0..extent.len {
                    let item = match init {
                        Some(Init::List(items)) => items.get(i as usize),
                        _ => None,
                    };
                    let at = to.clone().plus(i * extent.stride);
                    self.initial(at, &array.element, is_const, item, span, into)?;
                }
            }
            (Type::Struct(s), _) => {
                for (i, (_, field)) in s.fields.iter().enumerate() {
                    let item = match init {
                        Some(Init::List(items)) => items.get(i),
                        _ => None,
                    };
                    let at = to.clone().plus(self.layout.offset(s, i, self.process, span)?);
                    self.initial(at, field, is_const, item, span, into)?;
                }
            }
            (_, Some(Init::List(_))) => return unsupported("a list for a single value", span),
            (_, Some(Init::Expr(value))) if is_real(ty) => {
                into.push(Effect::SetReal(to, self.real(value)?));
            }
            (_, None) if is_real(ty) => into.push(Effect::SetReal(to, Real::Const(0.0))),
            (_, init) => {
                let domain = self.domain_of(ty, is_const, span)?;
                let value = match (init, &domain) {
                    (Some(Init::Expr(value)), _) => self.int(value)?,
                    // 0, or the smallest value of a range without 0.
                    (_, crate::code::Domain::Range(lo, hi)) if *lo > 0 || *hi < 0 => Int::Const(*lo),
                    _ => Int::Const(0),
                };
                into.push(Effect::SetInt {
                    to,
                    value,
                    domain,
                    subject: Subject::Value,
                    span,
                });
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Lowered<Effect> {
        Ok(match statement {
            Statement::Expr(expr) => self.effect(expr)?,
            Statement::Block(block) => self.block(block)?,
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.int(condition)?;
                let then = Box::new(self.statement(then)?);
                let otherwise = match otherwise {
                    Some(s) => Some(Box::new(self.statement(s)?)),
                    None => None,
                };
                Effect::If(condition, then, otherwise)
            }
            Statement::While { condition, body } => self.repeat(false, condition, None, body)?,
            Statement::DoWhile { body, condition } => self.repeat(true, condition, None, body)?,
            Statement::For {
                init,
                condition,
                step,
                body,
            } => Effect::Block(vec![
                self.effect(init)?,
                self.repeat(false, condition, Some(step), body)?,
            ]),
            Statement::ForIn { slot, ty, body } => {
                let domain = self.layout.domain(ty, self.process, Span::NONE)?;
                let cell = self.layout.allocate(1);
                self.slots.insert(*slot, Slot::Cell(cell));
                let values = Values {
                    cell,
                    lo: domain.lo,
                    hi: domain.hi,
                };
                Effect::ForEach(values, Box::new(self.statement(body)?))
            }
            Statement::Return(None) => Effect::Return(None),
            Statement::Return(Some(value)) => {
                let Some((cell, ty, name)) = self.result.clone() else {
                    return unsupported("a result outside of a function", value.span);
                };
                let subject = Subject::Result(name);
                let store = self.store(Addr::Cell(cell), &ty, value, subject, value.span)?;
                Effect::Return(Some(Box::new(store)))
            }
            Statement::Assert(condition) => Effect::Assert(self.int(condition)?, condition.span),
        })
    }

    fn repeat(
        &mut self,
        body_first: bool,
        condition: &Expr,
        step: Option<&Expr>,
        body: &Statement,
    ) -> Lowered<Effect> {
        let span = condition.span;
        Ok(Effect::Loop {
            body_first,
            condition: self.int(condition)?,
            step: match step {
                Some(step) => Some(Box::new(self.effect(step)?)),
                None => None,
            },
            body: Box::new(self.statement(body)?),
            span,
        })
    }
}
