//! The body of a function in the place of its call.

use super::{Exit, external};
use crate::build::lower::choice::Chosen;
use crate::build::lower::lvalue::Lvalue;
use crate::build::lower::{Activation, Slot, Unit, View};
use crate::build::types::{Kind, TypeId};
use crate::code::cell::Cell;
use crate::code::instr::{Check, Range};
use crate::error::{CompileError, Result};
use zonewalk_model::ids::{FunctionId, SlotId};
use zonewalk_model::tree::{Block, Expr, Function, FunctionParam, ProcessExpr, Statement};
use zonewalk_syntax::span::Span;

/// Inlining stops here: copies of copies add up.
const MAX_CODE: usize = 1 << 22;

impl Unit<'_, '_> {
    /// The body of a function in the place of its call.
    ///
    /// `view` is that of the function; the arguments have that of the caller.
    pub(super) fn inline(
        &mut self,
        view: View,
        id: FunctionId,
        args: &[Expr],
        to: Option<Cell>,
        span: Span,
    ) -> Result<Option<Lvalue>> {
        let function = self.builder.function(id, span)?;
        if self.builder.program.code.len() > MAX_CODE {
            return Err(CompileError::too_large(
                span,
                format!("more than {MAX_CODE} instructions"),
            ));
        }
        let caller = std::mem::replace(&mut self.view, view);
        let facts = self.builder.facts.get(id.index()).cloned().unwrap_or_default();
        let mut result = self.result_place(function)?;
        // The checked result may go straight to where it is wanted.
        if let (Some(place), Some(to)) = (&mut result, to)
            && self.builder.types.size(place.ty).cells == 1
        {
            *place = Lvalue::at(to, place.ty);
        }
        let frame = self.frame;
        let mut activation = Activation::new(function.slots);
        for (number, (param, arg)) in function.params.iter().zip(args).enumerate() {
            let ty = self.param_of(param, function.span)?;
            self.view = caller;
            let assigned = facts.assigned.get(number).copied().unwrap_or(true);
            let later = args.get(number + 1..).unwrap_or_default();
            let effects = facts.effects || later.iter().any(|a| self.has_effects(a));
            let slot = self.bind_argument(param, ty, arg, assigned, effects)?;
            activation.set(SlotId::from_index(number), slot);
            self.view = view;
        }
        let body = function.body.as_ref().ok_or_else(|| external(function))?;
        if let (Some(place), Some(value)) = (&result, only_value(body))
            && self.builder.types.range(place.ty).is_some()
        {
            // The value may stay where it is, be it a variable.
            let ty = place.ty;
            self.activations.push(activation);
            let cell = self.forwarded(value, ty, to, function, span);
            self.activations.pop();
            self.view = caller;
            return Ok(Some(Lvalue::at(cell?, ty)));
        }
        let end = self.label();
        activation.exit = Some(Exit {
            end,
            result: result.clone(),
            fits: true,
        });
        self.activations.push(activation);
        let done = self.block(body);
        let fits = self
            .activations
            .pop()
            .and_then(|a| a.exit)
            .is_some_and(|e| e.fits);
        self.view = caller;
        done?;
        self.bind(end);
        self.frame = frame;
        if let Some(result) = result.as_ref().filter(|_| !fits) {
            self.check_result(result, function, span)?;
        }
        Ok(result)
    }

    /// The value of a function that is nothing but `return value;`.
    fn forwarded(
        &mut self,
        value: &Expr,
        ty: TypeId,
        to: Option<Cell>,
        function: &Function,
        span: Span,
    ) -> Result<Cell> {
        let interval = self.interval(value);
        if *self.builder.types.kind(ty) == Kind::Bool {
            let cell = self.value(value, None)?;
            return self.shaped(ty, cell, interval, span);
        }
        let cell = self.value(value, to)?;
        let range = self.needed(ty, interval);
        self.check_range(cell, range, Check::Result, span, Some(function.name.clone()));
        Ok(cell)
    }

    /// Calls a function of a process that a query names.
    pub(in crate::build::lower) fn process_call(
        &mut self,
        process: &ProcessExpr,
        id: FunctionId,
        args: &[Expr],
        span: Span,
    ) -> Result<Option<Lvalue>> {
        let process = match self.process(process, span)? {
            Chosen::One(process) => process,
            Chosen::Among(choice) => {
                let name = self.set_name(choice.set());
                let message = format!(
                    "a function of a process of `{name}` can be called only where the process is selected \
                     by a constant or by a variable of `forall`, `exists` or `sum`"
                );
                return Err(CompileError::unsupported(span, message));
            }
        };
        self.inline(View::Process(process), id, args, None, span)
    }

    fn bind_argument(
        &mut self,
        param: &FunctionParam,
        ty: TypeId,
        arg: &Expr,
        assigned: bool,
        effects: bool,
    ) -> Result<Slot> {
        let composite = matches!(self.builder.types.kind(ty), Kind::Array { .. } | Kind::Struct(_));
        if param.by_reference || composite && !assigned && !effects {
            // What does not change meanwhile needs no copy.
            let place = self.lvalue(arg)?;
            let place = if place.is_static() {
                place
            } else {
                let ty = place.ty;
                Lvalue::behind(self.pointers(&place, arg.span)?, ty)
            };
            return Ok(Slot::Reference(place));
        }
        let declared = self.builder.types.range(ty).unwrap_or(Range::ALL);
        let interval = self.interval(arg);
        let is_double = *self.builder.types.kind(ty) == Kind::Double;
        if !composite && !is_double && !assigned && interval.within(declared) {
            if let Some(value) = self.scope().fold(arg) {
                return Ok(Slot::Value(value));
            }
            if let Some(cell) = self.fixed_value(arg) {
                return Ok(Slot::Cells {
                    cell,
                    ty,
                    range: interval,
                    constant: param.is_const,
                });
            }
        }
        let cell = self.argument(param, ty, arg)?;
        let range = match (assigned, interval.within(declared)) {
            (false, true) => interval,
            _ => declared,
        };
        Ok(Slot::Cells {
            cell,
            ty,
            range,
            constant: param.is_const,
        })
    }
}

/// The value of a body that is nothing but `return value;`.
fn only_value(body: &Block) -> Option<&Expr> {
    match (body.variables.as_slice(), body.statements.as_slice()) {
        ([], [Statement::Return(value)]) => value.as_ref(),
        _ => None,
    }
}
