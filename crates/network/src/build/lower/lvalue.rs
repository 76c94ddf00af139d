//! Left sides: from an expression to cells, clocks and channels.

use super::choice::{Chosen, Member};
use super::double::is_double;
use super::{Slot, Unit, View};
use crate::build::types::{Kind, Size, TypeId};
use crate::code::cell::{Base, Cell};
use crate::code::instr::{Array, Check, Instr, Range};
use crate::error::{CompileError, Result};
use crate::expressions::facts::is_plain;
use zonewalk_model::ids::{LocalId, ParamId, ProcessId};
use zonewalk_model::tree::{Expr, ExprKind, ParamMode, ProcessExpr, VarRef};
use zonewalk_syntax::span::Span;

/// A variable or a part of one, some of whose indices may be known only at run time.
#[derive(Clone, Debug)]
pub(crate) struct Lvalue {
    pub(crate) ty: TypeId,
    pub(super) root: Root,
    /// Sum of the constant indices and the field offsets.
    pub(super) offset: Size,
    /// The other indices, outermost first.
    pub(super) steps: Vec<Step>,
}

/// Where a place begins.
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// At a cell. It has neither clocks nor channels.
    Cell(Cell),
    /// At a variable of the view.
    Variable(VarRef),
    /// At a variable of a process that a query names.
    Local(ProcessId, LocalId),
    /// At a parameter of a process that a query names.
    Param(ProcessId, ParamId),
    /// Where cells point to, one for each space that the type uses.
    Pointers([Option<Cell>; 3]),
}

/// An index that is known at run time.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) index: Cell,
    pub(super) lo: i32,
    pub(super) len: u32,
    pub(super) stride: Size,
    pub(super) span: Span,
    /// An earlier instruction has checked it.
    pub(super) checked: bool,
}

impl Lvalue {
    /// A place at a cell.
    pub(crate) fn at(cell: Cell, ty: TypeId) -> Lvalue {
        Lvalue {
            ty,
            root: Root::Cell(cell),
            offset: Size::default(),
            steps: Vec::new(),
        }
    }

    /// A place at pointers to cells, to the first clock and to the first channel.
    pub(super) fn behind(pointers: [Option<Cell>; 3], ty: TypeId) -> Lvalue {
        Lvalue {
            ty,
            root: Root::Pointers(pointers),
            offset: Size::default(),
            steps: Vec::new(),
        }
    }

    /// Whether it is known at compile time.
    pub(super) fn is_static(&self) -> bool {
        self.steps.is_empty() && !matches!(self.root, Root::Pointers(_))
    }
}

impl Unit<'_, '_> {
    /// Evaluates a left side: its indices, and its side effects.
    pub(crate) fn lvalue(&mut self, expr: &Expr) -> Result<Lvalue> {
        let internal = |what: &str| CompileError::internal(expr.span, what.to_string());
        match &expr.kind {
            ExprKind::Var(var) => self.variable(*var, expr.span),
            ExprKind::Index(base, index) => self.element(base, index),
            ExprKind::Field(base, number) => {
                let mut place = self.lvalue(base)?;
                let field = self.builder.types.field(place.ty, *number);
                let (start, ty) =
                    field.ok_or_else(|| internal("a field of something other than a struct"))?;
                place.advance(start);
                place.ty = ty;
                Ok(place)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional_lvalue(condition, then, otherwise, expr.span)
            }
            ExprKind::Assign(..) | ExprKind::AssignWith(..) | ExprKind::Step { prefix: true, .. } => {
                self.assignment(expr, true)
            }
            ExprKind::Call(function, args) => match self.call(*function, args, None, expr.span)? {
                Some(place) => Ok(place),
                None => Err(internal("a function without result as a value")),
            },
            ExprKind::Member(process, local) => self.member(process, Member::Local(*local), expr.span),
            ExprKind::ParamMember(process, param) => self.member(process, Member::Param(*param), expr.span),
            _ => {
                // A value that is nowhere: put it somewhere.
                let ty = self.resolve(&expr.ty, true, expr.span)?;
                let cell = self.alloc(self.builder.types.size(ty).cells.max(1), expr.span)?;
                if is_double(expr) {
                    self.double_into(expr, cell)?;
                } else {
                    self.value_into(expr, cell)?;
                }
                Ok(Lvalue::at(cell, ty))
            }
        }
    }

    /// A variable or parameter of a process that a query names.
    fn member(&mut self, process: &ProcessExpr, member: Member, span: Span) -> Result<Lvalue> {
        let process = match self.process(process, span)? {
            Chosen::One(process) => process,
            Chosen::Among(choice) => return self.chosen_member(&choice, member, span),
        };
        Ok(Lvalue {
            ty: self.member_type(process, member, span)?,
            root: match member {
                Member::Local(local) => Root::Local(process, local),
                Member::Param(param) => Root::Param(process, param),
            },
            offset: Size::default(),
            steps: Vec::new(),
        })
    }

    fn variable(&mut self, var: VarRef, span: Span) -> Result<Lvalue> {
        let internal = || CompileError::internal(span, "an unknown variable");
        let ty = match var {
            VarRef::Global(id) => {
                self.builder
                    .storage
                    .globals
                    .get(id.index())
                    .ok_or_else(internal)?
                    .ty
            }
            VarRef::Local(id) => {
                let locals = self.builder.storage.locals.get(self.copy() as usize);
                locals.and_then(|l| l.get(id.index())).ok_or_else(internal)?.ty
            }
            VarRef::Param(id) => self.param_type(self.view, id, span)?,
            VarRef::Slot(slot) => {
                return match self.activation().slot(slot).clone() {
                    Slot::Cells { cell, ty, .. } => Ok(Lvalue::at(cell, ty)),
                    Slot::Reference(place) => Ok(place),
                    Slot::Value(value) => {
                        let cell = self.builder.constant(value);
                        let ty = self.builder.types.intern(Kind::Int(Range::single(value)), span)?;
                        Ok(Lvalue::at(cell, ty))
                    }
                    Slot::Unset => Err(CompileError::internal(span, "a name without a meaning here")),
                };
            }
        };
        Ok(Lvalue {
            ty,
            root: Root::Variable(var),
            offset: Size::default(),
            steps: Vec::new(),
        })
    }

    pub(super) fn param_type(&mut self, view: View, id: ParamId, span: Span) -> Result<TypeId> {
        let scope = self.builder.scope(view);
        let process = scope.process.and_then(|p| scope.system.processes.get(p.index()));
        let template = process.and_then(|p| scope.model.templates.get(p.template.index()));
        let param = template.and_then(|t| t.params.get(id.index()));
        let param = param.ok_or_else(|| CompileError::internal(span, "an unknown parameter"))?;
        let copy = match view {
            View::Process(p) => self
                .builder
                .storage
                .processes
                .get(p.index())
                .map_or(0, |h| h.variant),
            _ => self.copy(),
        };
        let unranged = param.mode == ParamMode::Const;
        self.builder
            .types
            .resolve(&param.ty, unranged, &scope, copy, span)
    }

    fn element(&mut self, base: &Expr, index: &Expr) -> Result<Lvalue> {
        let mut place = self.lvalue(base)?;
        let &Kind::Array { element, lo, len } = self.builder.types.kind(place.ty) else {
            return Err(CompileError::internal(
                base.span,
                "an index into something other than an array",
            ));
        };
        let stride = self.builder.types.size(element);
        place.ty = element;
        let known = self.scope().fold(index);
        let position = known
            .map(|i| i64::from(i) - i64::from(lo))
            .filter(|&p| 0 <= p && p < i64::from(len));
        if let Some(start) = position.and_then(|p| stride.times(p as u32)) {
            place.advance(start);
            return Ok(place);
        }
        // Indices are evaluated and checked from left to right.
        if !is_plain(index) {
            self.check_steps(&mut place);
        }
        self.keep_steps(&mut place, index)?;
        // An index that cannot fail need not be looked for in the whole array.
        let interval = self.interval(index);
        let last = (i64::from(lo) + i64::from(len) - 1).min(i64::from(i32::MAX)) as i32;
        let (mut lo, mut len) = (lo, len);
        if interval.lo <= interval.hi && interval.within(Range { lo, hi: last }) {
            let skipped = stride.times((i64::from(interval.lo) - i64::from(lo)) as u32);
            place.advance(skipped.unwrap_or_default());
            (lo, len) = (
                interval.lo,
                (i64::from(interval.hi) - i64::from(interval.lo) + 1) as u32,
            );
        }
        let cell = self.value(index, None)?;
        let step = Step {
            index: cell,
            lo,
            len,
            stride,
            span: index.span,
            checked: false,
        };
        place.steps.push(step);
        Ok(place)
    }

    /// Checks all indices now.
    fn check_steps(&mut self, place: &mut Lvalue) {
        for step in &mut place.steps {
            if !step.checked {
                let array = self.builder.array(step.array(Cell::new(Base::Absolute, 0), 1));
                self.emit_at(
                    Instr::CheckIndex {
                        index: step.index,
                        array,
                    },
                    Check::Index,
                    step.span,
                );
                step.checked = true;
            }
        }
    }

    /// Takes copies of indices that the evaluation of `next` may change.
    fn keep_steps(&mut self, place: &mut Lvalue, next: &Expr) -> Result<()> {
        if place.steps.is_empty() || !self.has_effects(next) {
            return Ok(());
        }
        for step in place.steps.iter_mut().filter(|s| !s.index.is_immutable()) {
            let copy = self.alloc(1, step.span)?;
            self.copy_cell(copy, step.index);
            step.index = copy;
        }
        Ok(())
    }

    /// The place with its indices checked, so that nothing evaluated later can move it.
    pub(super) fn freeze(&mut self, place: Lvalue, span: Span) -> Result<Lvalue> {
        if place.steps.is_empty() {
            return Ok(place);
        }
        Ok(Lvalue::behind(self.pointers(&place, span)?, place.ty))
    }

    fn conditional_lvalue(&mut self, condition: &Expr, a: &Expr, b: &Expr, span: Span) -> Result<Lvalue> {
        let otherwise = self.label();
        let end = self.label();
        self.branch(condition, false, otherwise)?;
        let first = self.lvalue(a)?;
        let ty = first.ty;
        let pointers = self.pointers(&first, span)?;
        // Both sides leave their pointers in the same cells.
        let mut shared = [None; 3];
        for (shared, pointer) in shared.iter_mut().zip(pointers) {
            if let Some(pointer) = pointer {
                let cell = self.alloc(1, span)?;
                self.copy_cell(cell, pointer);
                *shared = Some(cell);
            }
        }
        self.jump(
            Instr::Jump {
                target: super::emit::LATER,
            },
            end,
        );
        self.bind(otherwise);
        let second = self.lvalue(b)?;
        let pointers = self.pointers(&second, span)?;
        for (shared, pointer) in shared.iter().zip(pointers) {
            match (shared, pointer) {
                (Some(to), Some(from)) => self.emit(Instr::Merge { to: *to, from }),
                (None, None) => {}
                _ => {
                    return Err(CompileError::internal(
                        span,
                        "the sides of `?:` have different types",
                    ));
                }
            }
        }
        self.bind(end);
        Ok(Lvalue::behind(shared, ty))
    }
}

impl Lvalue {
    fn advance(&mut self, by: Size) {
        // Each part of a type fits within the type, whose size is bounded.
        self.offset.cells += by.cells;
        self.offset.clocks += by.clocks;
        self.offset.channels += by.channels;
    }
}

impl Step {
    /// How it goes from one element to the next.
    pub(super) fn array(&self, base: Cell, stride: u32) -> Array {
        Array {
            base,
            lo: self.lo,
            len: self.len,
            stride,
            range: Range::ALL,
        }
    }
}
