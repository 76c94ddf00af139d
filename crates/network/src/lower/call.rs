//! Functions: inlined where small, called otherwise.

use super::emit::{LATER, Label};
use super::place::Place;
use super::{Activation, Builder, Slot, Unit, View};
use crate::cell::Cell;
use crate::error::{CompileError, Result};
use crate::instr::{Check, Entry, Instr, Range};
use crate::types::{Kind, TypeId};
use crate::walk;
use rustc_hash::FxHashSet;
use zonewalk_model::ids::{FunctionId, SlotId};
use zonewalk_model::tree::{Block, Expr, ExprKind, Function, FunctionParam, ProcessExpr, Statement};
use zonewalk_syntax::span::Span;

/// Inlining stops here: copies of copies add up.
const MAX_CODE: usize = 1 << 22;

/// What `return` does in an activation.
#[derive(Clone, Debug)]
pub(super) struct Exit {
    end: Label,
    result: Option<Place>,
    /// Whether every result so far is in the range of its type for certain.
    fits: bool,
}

/// A function with code of its own.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    entry: Entry,
    /// Where it remembers the way back.
    back: Cell,
    result: Option<Place>,
    /// Whether the result is in the range of its type for certain.
    fits: bool,
    params: Vec<Home>,
    /// Where its frame, and those of the functions that it calls, end.
    frame: u32,
}

/// Where the caller puts an argument.
#[derive(Clone, Copy, Debug)]
enum Home {
    /// The value goes into cells.
    Value(Cell, TypeId),
    /// Pointers to the variable go into cells.
    Reference([Option<Cell>; 3]),
}

impl Builder<'_> {
    /// Makes the code of all functions that the expression calls, and says where their frames end.
    pub(super) fn routines_for(&mut self, expr: &Expr, view: View) -> Result<u32> {
        let mut calls = Vec::new();
        walk::walk(expr, &mut |e| {
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

    /// `seen` has the inlined functions that have been looked at.
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
        let model = self.model;
        let function = model.functions.get(id.index());
        let function = function.ok_or_else(|| CompileError::internal(Span::NONE, "an unknown function"))?;
        // A global function is the same for everybody.
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
                    Home::Reference(pointers),
                    Slot::Reference(Place::behind(pointers, ty)),
                )
            } else {
                let cell = self.alloc(size.cells, span)?;
                let range = self.builder.types.range(ty).unwrap_or(Range::ALL);
                (
                    Home::Value(cell, ty),
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

    fn result_place(&mut self, function: &Function) -> Result<Option<Place>> {
        let ty = self.resolve(&function.result, false, function.span)?;
        match self.builder.types.kind(ty) {
            Kind::Void => Ok(None),
            Kind::Foreign(what) => Err(CompileError::unsupported(
                function.span,
                format!("{what} as a result is not supported"),
            )),
            _ => {
                let cells = self.builder.types.size(ty).cells;
                Ok(Some(Place::at(self.alloc(cells, function.span)?, ty)))
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
    ) -> Result<Option<Place>> {
        let model = self.builder.model;
        let function = model.functions.get(id.index());
        let function = function.ok_or_else(|| CompileError::internal(span, "an unknown function"))?;
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
    ) -> Result<Option<Place>> {
        let routine = self.builder.routine(id, self.view)?;
        // Arguments may call the function themselves, so none goes into its frame before all are there.
        let mut ready = Vec::new();
        for ((param, home), arg) in function.params.iter().zip(&routine.params).zip(args) {
            ready.push(match *home {
                Home::Reference(_) => {
                    let place = self.place(arg)?;
                    Home::Reference(self.pointers(&place, arg.span)?)
                }
                Home::Value(_, ty) => Home::Value(self.argument(param, ty, arg)?, ty),
            });
        }
        for (home, ready) in routine.params.iter().zip(ready) {
            match (*home, ready) {
                (Home::Value(to, ty), Home::Value(from, _)) => {
                    self.copy_place(&Place::at(to, ty), &Place::at(from, ty), span)?;
                }
                (Home::Reference(to), Home::Reference(from)) => {
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
                let from = self.place(arg)?;
                self.copy_place(&Place::at(cell, ty), &from, arg.span)?;
            }
            _ => self.fit_into(arg, cell, ty, Check::Argument, arg.span, Some(param.name.clone()))?,
        }
        Ok(cell)
    }

    /// The body of a function in the place of its call.
    ///
    /// `view` is that of the function; the arguments have that of the caller.
    fn inline(
        &mut self,
        view: View,
        id: FunctionId,
        args: &[Expr],
        to: Option<Cell>,
        span: Span,
    ) -> Result<Option<Place>> {
        let model = self.builder.model;
        let function = model.functions.get(id.index());
        let function = function.ok_or_else(|| CompileError::internal(span, "an unknown function"))?;
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
            *place = Place::at(to, place.ty);
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
            return Ok(Some(Place::at(cell?, ty)));
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
    pub(super) fn process_call(
        &mut self,
        process: &ProcessExpr,
        id: FunctionId,
        args: &[Expr],
        span: Span,
    ) -> Result<Option<Place>> {
        let process = self.process(process, span)?;
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
            // What nobody changes meanwhile needs no copy.
            let place = self.place(arg)?;
            let place = if place.is_static() {
                place
            } else {
                let ty = place.ty;
                Place::behind(self.pointers(&place, arg.span)?, ty)
            };
            return Ok(Slot::Reference(place));
        }
        let declared = self.builder.types.range(ty).unwrap_or(Range::ALL);
        let interval = self.interval(arg);
        if !composite && !assigned && interval.within(declared) {
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

    /// Results are checked by the caller, which is where the error stands.
    fn check_result(&mut self, result: &Place, function: &Function, span: Span) -> Result<()> {
        if let Kind::Int(range) = *self.builder.types.kind(result.ty) {
            let cell = self.read(result, None, span)?;
            self.check_range(cell, range, Check::Result, span, Some(function.name.clone()));
        }
        Ok(())
    }

    pub(super) fn returns(&mut self, value: Option<&Expr>) -> Result<()> {
        let Some(exit) = self.activation().exit.clone() else {
            return Err(CompileError::internal(
                Span::NONE,
                "`return` outside of a function",
            ));
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
                        let from = self.place(value)?;
                        self.copy_place(result, &from, span)?;
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

/// The value of a body that is nothing but `return value;`.
fn only_value(body: &Block) -> Option<&Expr> {
    match (body.variables.as_slice(), body.statements.as_slice()) {
        ([], [Statement::Return(value)]) => value.as_ref(),
        _ => None,
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
    /// The same at another place.
    fn at(mut self: Box<Self>, span: Span) -> Box<CompileError> {
        self.span = span;
        self
    }
}
