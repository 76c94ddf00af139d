//! Functions: inlined where small, called otherwise.

mod inline;

use super::emit::{LATER, Label};
use super::lvalue::Lvalue;
use super::{Activation, Builder, Slot, Unit, View};
use crate::build::types::{Kind, TypeId};
use crate::code::cell::Cell;
use crate::code::instr::{Check, Entry, Instr, Range};
use crate::error::{CompileError, Result};
use crate::expressions::visit;
use rustc_hash::FxHashSet;
use zonewalk_model::ids::{FunctionId, SlotId};
use zonewalk_model::tree::{Expr, ExprKind, Function, FunctionParam};
use zonewalk_syntax::span::Span;

/// Target and result of `return` in an activation.
#[derive(Clone, Debug)]
pub(super) struct Exit {
    end: Label,
    result: Option<Lvalue>,
    /// Whether every result so far is in the range of its type for certain.
    fits: bool,
}

/// A function with code of its own.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    entry: Entry,
    /// Cell that keeps the return address.
    back: Cell,
    result: Option<Lvalue>,
    /// Whether the result is in the range of its type for certain.
    fits: bool,
    params: Vec<ArgumentTarget>,
    /// Where its frame, and those of the functions that it calls, end.
    frame: u32,
}

/// Where the caller puts an argument.
#[derive(Clone, Copy, Debug)]
enum ArgumentTarget {
    /// The value goes into cells.
    Value(Cell, TypeId),
    /// Pointers to the variable go into cells.
    Reference([Option<Cell>; 3]),
}

impl<'a> Builder<'a> {
    pub(super) fn function(&self, id: FunctionId, span: Span) -> Result<&'a Function> {
        let function = self.model.functions.get(id.index());
        function.ok_or_else(|| CompileError::internal(span, "an unknown function"))
    }

    /// Makes the code of all functions that the expression calls, and says where their frames end.
    pub(super) fn routines_for(&mut self, expr: &Expr, view: View) -> Result<u32> {
        let mut calls = Vec::new();
        visit::expression(expr, &mut |e| {
            if let ExprKind::Call(function, _) | ExprKind::ProcessCall(_, function, _) = e.kind {
                calls.push(function);
            }
        });
        self.routines(&calls, view, &mut FxHashSet::default())
    }

    /// Whether the body goes where it is called: small functions, and those of a process that a query names.
    fn is_inlined(&self, id: FunctionId, view: View) -> bool {
        let local = self
            .model
            .functions
            .get(id.index())
            .is_none_or(|f| f.template.is_some());
        let shared = matches!(view, View::Variant(_));
        self.facts.get(id.index()).is_some_and(|f| f.inlined) || local && !shared
    }

    /// `seen` has the inlined functions that have been examined.
    fn routines(
        &mut self,
        calls: &[FunctionId],
        view: View,
        seen: &mut FxHashSet<FunctionId>,
    ) -> Result<u32> {
        let mut end = 0;
        for &id in calls {
            let Some(facts) = self.facts.get(id.index()) else {
                continue;
            };
            let frame = if self.is_inlined(id, view) {
                if !seen.insert(id) {
                    continue;
                }
                let inner = facts.calls.clone();
                self.routines(&inner, view, seen)?
            } else {
                self.routine(id, view)?.frame
            };
            end = end.max(frame);
        }
        Ok(end)
    }

    /// The code of a function, made when it is first needed.
    fn routine(&mut self, id: FunctionId, view: View) -> Result<Routine> {
        let function = self.function(id, Span::NONE)?;
        // A global function is the same for all processes.
        let view = if function.template.is_some() {
            view
        } else {
            View::Global
        };
        if let Some(routine) = self.routines.get(&(id, view)) {
            return Ok(routine.clone());
        }
        let calls = self
            .facts
            .get(id.index())
            .map(|f| f.calls.clone())
            .unwrap_or_default();
        let frame = self.routines(&calls, view, &mut FxHashSet::default())?;
        let mut unit = Unit::new(self, view, Activation::new(function.slots), [])?;
        unit.frame = frame;
        let mut routine = unit.routine(function)?;
        routine.frame = unit.frame;
        self.routines.insert((id, view), routine.clone());
        Ok(routine)
    }
}

impl Unit<'_, '_> {
    /// Code of its own for a function.
    fn routine(&mut self, function: &Function) -> Result<Routine> {
        let span = function.span;
        let body = function.body.as_ref().ok_or_else(|| external(function))?;
        let back = self.alloc(1, span)?;
        let result = self.result_place(function)?;
        let mut params = Vec::new();
        for (param, number) in function.params.iter().zip(0..) {
            let ty = self.param_of(param, span)?;
            let size = self.builder.types.size(ty);
            let (home, slot) = if param.by_reference {
                let mut pointers = [None; 3];
                for (pointer, used) in pointers.iter_mut().zip([size.cells, size.clocks, size.channels]) {
                    if used > 0 {
                        *pointer = Some(self.alloc(1, span)?);
                    }
                }
                (
                    ArgumentTarget::Reference(pointers),
                    Slot::Reference(Lvalue::behind(pointers, ty)),
                )
            } else {
                let cell = self.alloc(size.cells, span)?;
                let range = self.builder.types.range(ty).unwrap_or(Range::ALL);
                (
                    ArgumentTarget::Value(cell, ty),
                    Slot::Cells {
                        cell,
                        ty,
                        range,
                        constant: param.is_const,
                    },
                )
            };
            params.push(home);
            self.activation().set(SlotId(number), slot);
        }
        // What the caller writes into must not be given to anything else.
        let fixed = self.frame;
        let entry = self.top();
        let end = self.label();
        self.activation().exit = Some(Exit {
            end,
            result: result.clone(),
            fits: true,
        });
        let peak = std::mem::take(&mut self.builder.program.frame).max(fixed);
        self.builder.program.frame = fixed;
        self.block(body)?;
        self.bind(end);
        self.emit(Instr::Return { back });
        // The frame is as large as it ever was, not as it is in the end.
        self.frame = self.builder.program.frame;
        self.builder.program.frame = peak.max(self.frame);
        let fits = self.activation().exit.as_ref().is_some_and(|e| e.fits);
        Ok(Routine {
            entry,
            back,
            result,
            fits,
            params,
            frame: self.frame,
        })
    }

    fn result_place(&mut self, function: &Function) -> Result<Option<Lvalue>> {
        let ty = self.resolve(&function.result, false, function.span)?;
        match self.builder.types.kind(ty) {
            Kind::Void => Ok(None),
            Kind::Foreign(what) => Err(CompileError::unsupported(
                function.span,
                format!("{what} as a result is not supported"),
            )),
            _ => {
                let cells = self.builder.types.size(ty).cells;
                Ok(Some(Lvalue::at(self.alloc(cells, function.span)?, ty)))
            }
        }
    }

    fn param_of(&mut self, param: &FunctionParam, span: Span) -> Result<TypeId> {
        let ty = self.resolve(&param.ty, param.is_const, span)?;
        match self.builder.types.kind(ty) {
            Kind::Foreign(what) => Err(CompileError::unsupported(
                span,
                format!("{what} as a parameter is not supported"),
            )),
            _ => Ok(ty),
        }
    }

    /// Calls a function and gives the place of its result, which the next call may overwrite unless it is `to`.
    pub(super) fn call(
        &mut self,
        id: FunctionId,
        args: &[Expr],
        to: Option<Cell>,
        span: Span,
    ) -> Result<Option<Lvalue>> {
        let function = self.builder.function(id, span)?;
        if function.body.is_none() {
            return Err(external(function).at(span));
        }
        if self.builder.is_inlined(id, self.view) {
            self.inline(self.view, id, args, to, span)
        } else {
            self.invoke(id, function, args, span)
        }
    }

    fn invoke(
        &mut self,
        id: FunctionId,
        function: &Function,
        args: &[Expr],
        span: Span,
    ) -> Result<Option<Lvalue>> {
        let routine = self.builder.routine(id, self.view)?;
        // Arguments may call the function themselves, so none goes into its frame before all are there.
        let mut ready = Vec::new();
        for ((param, home), arg) in function.params.iter().zip(&routine.params).zip(args) {
            ready.push(match *home {
                ArgumentTarget::Reference(_) => {
                    let place = self.lvalue(arg)?;
                    ArgumentTarget::Reference(self.pointers(&place, arg.span)?)
                }
                ArgumentTarget::Value(_, ty) => ArgumentTarget::Value(self.argument(param, ty, arg)?, ty),
            });
        }
        for (home, ready) in routine.params.iter().zip(ready) {
            match (*home, ready) {
                (ArgumentTarget::Value(to, ty), ArgumentTarget::Value(from, _)) => {
                    self.copy_place(&Lvalue::at(to, ty), &Lvalue::at(from, ty), span)?;
                }
                (ArgumentTarget::Reference(to), ArgumentTarget::Reference(from)) => {
                    for (to, from) in to.into_iter().zip(from) {
                        match (to, from) {
                            (Some(to), Some(from)) => self.copy_cell(to, from),
                            (None, None) => {}
                            _ => return Err(CompileError::internal(span, "an argument of another type")),
                        }
                    }
                }
                _ => return Err(CompileError::internal(span, "an argument of another kind")),
            }
        }
        self.emit(Instr::Call {
            target: routine.entry,
            back: routine.back,
        });
        let Some(result) = routine.result else {
            return Ok(None);
        };
        if !routine.fits {
            self.check_result(&result, function, span)?;
        }
        self.snapshot(&result, span).map(Some)
    }

    /// An argument by value, in cells that nothing else uses.
    fn argument(&mut self, param: &FunctionParam, ty: TypeId, arg: &Expr) -> Result<Cell> {
        let cell = self.alloc(self.builder.types.size(ty).cells, arg.span)?;
        match self.builder.types.kind(ty) {
            Kind::Array { .. } | Kind::Struct(_) => {
                let from = self.lvalue(arg)?;
                self.copy_place(&Lvalue::at(cell, ty), &from, arg.span)?;
            }
            _ => self.fit_into(arg, cell, ty, Check::Argument, arg.span, Some(param.name.clone()))?,
        }
        Ok(cell)
    }

    /// Results are checked by the caller, which is where the error stands.
    fn check_result(&mut self, result: &Lvalue, function: &Function, span: Span) -> Result<()> {
        if let Kind::Int(range) = *self.builder.types.kind(result.ty) {
            let cell = self.read(result, None, span)?;
            self.check_range(cell, range, Check::Result, span, Some(function.name.clone()));
        }
        Ok(())
    }

    pub(super) fn returns(&mut self, value: Option<&Expr>) -> Result<()> {
        let Some(exit) = self.activation().exit.clone() else {
            return Err(CompileError::internal(Span::NONE, "`return` outside a function"));
        };
        match (&exit.result, value) {
            (Some(result), Some(value)) => {
                let span = value.span;
                let range = self.builder.types.range(result.ty).unwrap_or(Range::ALL);
                if !self.interval(value).within(range)
                    && let Some(exit) = &mut self.activation().exit
                {
                    exit.fits = false;
                }
                match self.builder.types.kind(result.ty) {
                    Kind::Array { .. } | Kind::Struct(_) => {
                        let from = self.lvalue(value)?;
                        self.copy_place(result, &from, span)?;
                    }
                    Kind::Double => {
                        let cell = self.read_double(result, None, span)?;
                        self.double_into(value, cell)?;
                    }
                    Kind::Bool => {
                        let cell = self.read(result, None, span)?;
                        self.fit_into(value, cell, result.ty, Check::Result, span, None)?;
                    }
                    _ => {
                        let cell = self.read(result, None, span)?;
                        self.value_into(value, cell)?;
                    }
                }
            }
            (None, Some(value)) => self.effect(value)?,
            _ => {}
        }
        self.jump(Instr::Jump { target: LATER }, exit.end);
        Ok(())
    }
}

fn external(function: &Function) -> Box<CompileError> {
    CompileError::unsupported(
        function.span,
        format!(
            "`{}` is a function of an external library, which is not supported",
            function.name
        ),
    )
}

impl CompileError {
    /// The error at another place.
    fn at(mut self: Box<Self>, span: Span) -> Box<CompileError> {
        self.span = span;
        self
    }
}
