//! Left sides: from an expression to cells, clocks and channels.

use super::{Slot, Unit, View};
use crate::cell::{Base, Cell};
use crate::constants::Scope;
use crate::error::{CompileError, Result};
use crate::facts::is_plain;
use crate::instr::{Array, Check, Instr, Range};
use crate::storage::{Space, first_identity, flatten};
use crate::types::{Kind, Size, TypeId};
use zonewalk_model::ids::{LocalId, ParamId, ProcessId};
use zonewalk_model::system::{Binding, Place as SystemPlace, Root as SystemRoot, Value};
use zonewalk_model::tree::{Expr, ExprKind, ParamMode, ProcessExpr, VarRef};
use zonewalk_syntax::span::Span;

/// A variable or a part of one, some of whose indices may be known only at run time.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) ty: TypeId,
    root: Root,
    /// What the constant indices and the fields add.
    offset: Size,
    /// The other indices, outermost first.
    steps: Vec<Step>,
}

/// Where a place begins.
#[derive(Clone, Debug)]
enum Root {
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
struct Step {
    index: Cell,
    lo: i32,
    len: u32,
    stride: Size,
    span: Span,
    /// An earlier instruction has checked it.
    checked: bool,
}

/// How to get at the cells of a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    Direct(Cell),
    Element { array: Array, index: Cell, span: Span },
    Pointer { pointer: Cell, plus: u32 },
}

/// The beginning of the cells of a root.
enum Start {
    At(Cell),
    Pointer(Cell),
}

impl Place {
    /// A place at a cell.
    pub(crate) fn at(cell: Cell, ty: TypeId) -> Place {
        Place {
            ty,
            root: Root::Cell(cell),
            offset: Size::default(),
            steps: Vec::new(),
        }
    }

    /// A place at pointers to cells, to the first clock and to the first channel.
    pub(super) fn behind(pointers: [Option<Cell>; 3], ty: TypeId) -> Place {
        Place {
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
    pub(crate) fn place(&mut self, expr: &Expr) -> Result<Place> {
        let internal = |what: &str| CompileError::internal(expr.span, what.to_string());
        match &expr.kind {
            ExprKind::Var(var) => self.variable(*var, expr.span),
            ExprKind::Index(base, index) => self.element(base, index),
            ExprKind::Field(base, number) => {
                let mut place = self.place(base)?;
                let field = self.builder.types.field(place.ty, *number);
                let (start, ty) = field.ok_or_else(|| internal("a field of something else than a struct"))?;
                place.advance(start);
                place.ty = ty;
                Ok(place)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional_place(condition, then, otherwise, expr.span)
            }
            ExprKind::Assign(..) | ExprKind::AssignWith(..) | ExprKind::Step { prefix: true, .. } => {
                self.assignment(expr, true)
            }
            ExprKind::Call(function, args) => match self.call(*function, args, None, expr.span)? {
                Some(place) => Ok(place),
                None => Err(internal("a function without result as a value")),
            },
            ExprKind::Member(process, local) => {
                let process = self.process(process, expr.span)?;
                let stored = self.builder.storage.local(process, *local);
                let ty = stored
                    .ok_or_else(|| internal("an unknown variable of a process"))?
                    .ty;
                Ok(Place {
                    ty,
                    root: Root::Local(process, *local),
                    offset: Size::default(),
                    steps: Vec::new(),
                })
            }
            ExprKind::ParamMember(process, param) => {
                let process = self.process(process, expr.span)?;
                let ty = self.param_type(View::Process(process), *param, expr.span)?;
                Ok(Place {
                    ty,
                    root: Root::Param(process, *param),
                    offset: Size::default(),
                    steps: Vec::new(),
                })
            }
            _ => {
                // A value that is nowhere: put it somewhere.
                let ty = self.resolve(&expr.ty, true, expr.span)?;
                let cell = self.alloc(1, expr.span)?;
                self.value_into(expr, cell)?;
                Ok(Place::at(cell, ty))
            }
        }
    }

    /// The process that a query names.
    pub(crate) fn process(&mut self, process: &ProcessExpr, span: Span) -> Result<ProcessId> {
        let scope = self.scope();
        let args: Option<Vec<i32>> = process.args.iter().map(|a| scope.fold(a)).collect();
        let args = args.ok_or_else(|| {
            CompileError::unsupported(span, "a process chosen by a variable is not supported in a query")
        })?;
        let set = scope
            .system
            .sets
            .get(process.set.index())
            .filter(|s| s.dims.len() == args.len());
        set.and_then(|s| s.process(&args)).ok_or_else(|| {
            let args: Vec<String> = args.iter().map(i32::to_string).collect();
            CompileError::unsupported(span, format!("there is no process ({})", args.join(",")))
        })
    }

    fn variable(&mut self, var: VarRef, span: Span) -> Result<Place> {
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
                    Slot::Cells { cell, ty, .. } => Ok(Place::at(cell, ty)),
                    Slot::Reference(place) => Ok(place),
                    Slot::Value(value) => {
                        let cell = self.builder.constant(value);
                        let ty = self.builder.types.intern(Kind::Int(Range::single(value)), span)?;
                        Ok(Place::at(cell, ty))
                    }
                    Slot::Unset => Err(CompileError::internal(span, "a name without a meaning here")),
                };
            }
        };
        Ok(Place {
            ty,
            root: Root::Variable(var),
            offset: Size::default(),
            steps: Vec::new(),
        })
    }

    fn param_type(&mut self, view: View, id: ParamId, span: Span) -> Result<TypeId> {
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

    fn element(&mut self, base: &Expr, index: &Expr) -> Result<Place> {
        let mut place = self.place(base)?;
        let &Kind::Array { element, lo, len } = self.builder.types.kind(place.ty) else {
            return Err(CompileError::internal(
                base.span,
                "an index into something else than an array",
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
    fn check_steps(&mut self, place: &mut Place) {
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
    fn keep_steps(&mut self, place: &mut Place, next: &Expr) -> Result<()> {
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

    /// The same place with its indices checked, so that nothing that is evaluated later can move it.
    pub(super) fn settle(&mut self, place: Place, span: Span) -> Result<Place> {
        if place.steps.is_empty() {
            return Ok(place);
        }
        Ok(Place::behind(self.pointers(&place, span)?, place.ty))
    }

    fn conditional_place(&mut self, condition: &Expr, a: &Expr, b: &Expr, span: Span) -> Result<Place> {
        let otherwise = self.label();
        let end = self.label();
        self.branch(condition, false, otherwise)?;
        let first = self.place(a)?;
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
        let second = self.place(b)?;
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
        Ok(Place::behind(shared, ty))
    }

    /// Pointers to the place, one for each space that its type uses.
    pub(super) fn pointers(&mut self, place: &Place, span: Span) -> Result<[Option<Cell>; 3]> {
        let size = self.builder.types.size(place.ty);
        let mut pointers = [None; 3];
        if size.cells > 0 {
            pointers[0] = Some(self.pointer(place, span)?);
        }
        if size.clocks > 0 {
            pointers[1] = Some(self.identity(place, Space::Clocks, span)?);
        }
        if size.channels > 0 {
            pointers[2] = Some(self.identity(place, Space::Channels, span)?);
        }
        Ok(pointers)
    }

    /// A cell with the address of the place.
    pub(super) fn pointer(&mut self, place: &Place, span: Span) -> Result<Cell> {
        match self.access(place, span)? {
            Access::Direct(cell) => {
                let to = self.alloc(1, span)?;
                self.emit(Instr::Address { to, cell });
                Ok(to)
            }
            Access::Element { array, index, span } => {
                let to = self.alloc(1, span)?;
                let array = self.builder.array(array);
                self.emit_at(Instr::ElementAddress { to, index, array }, Check::Index, span);
                Ok(to)
            }
            Access::Pointer { pointer, plus: 0 } => Ok(pointer),
            Access::Pointer { pointer, plus } => {
                let to = self.alloc(1, span)?;
                let b = self.builder.constant(plus as i32);
                self.emit(Instr::Add { to, a: pointer, b });
                Ok(to)
            }
        }
    }

    /// How to get at the cells of a place.
    pub(super) fn access(&mut self, place: &Place, span: Span) -> Result<Access> {
        let plus = place.offset.cells;
        match self.start(&place.root, span)? {
            Start::At(cell) => match place.steps.as_slice() {
                [] => Ok(Access::Direct(cell.plus(plus))),
                [step] => Ok(Access::Element {
                    array: step.array(cell.plus(plus), step.stride.cells),
                    index: step.index,
                    span: step.span,
                }),
                [step, others @ ..] => {
                    let to = self.alloc(1, span)?;
                    let array = self.builder.array(step.array(cell.plus(plus), step.stride.cells));
                    let address = Instr::ElementAddress {
                        to,
                        index: step.index,
                        array,
                    };
                    self.emit_at(address, Check::Index, step.span);
                    self.go(to, others, Space::Cells);
                    Ok(Access::Pointer { pointer: to, plus: 0 })
                }
            },
            Start::Pointer(pointer) if place.steps.is_empty() => Ok(Access::Pointer { pointer, plus }),
            Start::Pointer(pointer) => {
                let to = self.alloc(1, span)?;
                self.copy_cell(to, pointer);
                self.go(to, &place.steps, Space::Cells);
                Ok(Access::Pointer { pointer: to, plus })
            }
        }
    }

    /// Moves a pointer by some indices.
    fn go(&mut self, pointer: Cell, steps: &[Step], space: Space) {
        for step in steps {
            let array = step.array(Cell::new(Base::Absolute, 0), step.stride.of(space));
            let array = self.builder.array(array);
            self.emit_at(
                Instr::Advance {
                    pointer,
                    index: step.index,
                    array,
                },
                Check::Index,
                step.span,
            );
        }
    }

    fn start(&mut self, root: &Root, span: Span) -> Result<Start> {
        let internal = || CompileError::internal(span, "a variable without a place in memory");
        match *root {
            Root::Cell(cell) => Ok(Start::At(cell)),
            Root::Pointers([Some(pointer), ..]) => Ok(Start::Pointer(pointer)),
            Root::Pointers(_) => Err(internal()),
            Root::Variable(VarRef::Global(id)) => {
                let stored = self.builder.storage.globals.get(id.index());
                Ok(Start::At(stored.and_then(|s| s.cell).ok_or_else(internal)?))
            }
            Root::Variable(VarRef::Local(id)) => {
                let stored = self
                    .builder
                    .storage
                    .locals
                    .get(self.copy() as usize)
                    .and_then(|l| l.get(id.index()));
                match (stored.ok_or_else(internal)?.cell, self.view) {
                    (Some(cell), View::Variant(_)) => Ok(Start::At(cell)),
                    (Some(_), View::Process(p)) => self.start(&Root::Local(p, id), span),
                    _ => self.constant_start(VarRef::Local(id), span),
                }
            }
            Root::Variable(VarRef::Param(id)) => {
                let place = |scope: &Scope<'_>| {
                    let process = scope.system.processes.get(scope.process?.index())?;
                    match process.bindings.get(id.index())? {
                        Binding::Place(place) => Some(place.clone()),
                        Binding::Value(_) => None,
                    }
                };
                let scope = self.builder.scope(self.view);
                if place(&scope).is_none() {
                    return self.constant_start(VarRef::Param(id), span);
                }
                if let View::Process(p) = self.view {
                    return self.start(&Root::Param(p, id), span);
                }
                // The places of all the processes of the variant; the address of each is data, unless it is one.
                let (storage, types) = (&self.builder.storage, &self.builder.types);
                let address = |p: SystemPlace| storage.address(&p, types).map(|(address, _)| address as i32);
                let View::Variant(number) = self.view else {
                    return Err(internal());
                };
                let plan = self.builder.plans.get(number as usize).ok_or_else(internal)?;
                let whole = |&p| Scope::process(self.builder.model, self.builder.system, p);
                let all: Option<Vec<i32>> = plan
                    .processes
                    .iter()
                    .map(|p| place(&whole(p)).and_then(address))
                    .collect();
                let all = all.ok_or_else(internal)?;
                match all.split_first() {
                    Some((&first, others)) if others.iter().all(|&a| a == first) => {
                        Ok(Start::At(Cell::new(Base::Absolute, first as u32)))
                    }
                    _ => {
                        let offset = self.builder.data[number as usize].column(all);
                        Ok(Start::Pointer(Cell::new(Base::Process, offset)))
                    }
                }
            }
            Root::Variable(VarRef::Slot(_)) => Err(internal()),
            Root::Local(process, id) => match self.builder.storage.address_of_local(process, id.index()) {
                Some(address) => Ok(Start::At(Cell::new(Base::Absolute, address))),
                None => {
                    let scope = self.builder.scope(View::Process(process));
                    let place = SystemPlace {
                        root: SystemRoot::Local(process, id),
                        path: Vec::new(),
                    };
                    let (value, _) = scope.place(&place).ok_or_else(internal)?;
                    self.table_start(value)
                }
            },
            Root::Param(process, id) => {
                let bindings = self
                    .builder
                    .system
                    .processes
                    .get(process.index())
                    .map(|p| &p.bindings);
                match bindings.and_then(|b| b.get(id.index())).ok_or_else(internal)? {
                    Binding::Value(value) => self.table_start(value),
                    Binding::Place(place) => {
                        let found = self.builder.storage.address(place, &self.builder.types);
                        let (address, _) = found.ok_or_else(internal)?;
                        Ok(Start::At(Cell::new(Base::Absolute, address)))
                    }
                }
            }
        }
    }

    /// A constant or parameter of the process: in the program where all agree, among the data otherwise.
    fn constant_start(&mut self, var: VarRef, span: Span) -> Result<Start> {
        let probe = Expr {
            kind: ExprKind::Var(var),
            ty: zonewalk_model::types::Type::Int,
            span,
        };
        if let Some((value, false)) = self.builder.scope(self.view).value(&probe) {
            return self.table_start(value);
        }
        let cell = self.per_process_table(var, |scope| Some(scope.value(&probe)?.0));
        cell.map(Start::At)
            .ok_or_else(|| CompileError::internal(span, "a constant without a value"))
    }

    fn table_start(&mut self, value: &Value) -> Result<Start> {
        let mut cells = Vec::new();
        flatten(value, &mut cells);
        Ok(Start::At(self.builder.table(cells)?))
    }

    /// A cell with the number of the first clock or channel of the place.
    pub(super) fn identity(&mut self, place: &Place, space: Space, span: Span) -> Result<Cell> {
        let plus = place.offset.of(space);
        let unknown = || CompileError::internal(span, "a clock or channel without a number");
        let first = |value: &Value| Some((first_identity(value, space)? + plus) as i32);
        let base = match &place.root {
            Root::Pointers(pointers) => {
                let pointer = pointers[if space == Space::Clocks { 1 } else { 2 }].ok_or_else(unknown)?;
                if plus == 0 {
                    pointer
                } else {
                    let to = self.alloc(1, span)?;
                    let b = self.builder.constant(plus as i32);
                    self.emit(Instr::Add { to, a: pointer, b });
                    to
                }
            }
            Root::Variable(var) => {
                let probe = Expr {
                    kind: ExprKind::Var(*var),
                    ty: zonewalk_model::types::Type::Int,
                    span,
                };
                match self.builder.scope(self.view).value(&probe) {
                    Some((value, _)) => {
                        let number = first(value).ok_or_else(unknown)?;
                        self.builder.constant(number)
                    }
                    None => self
                        .per_process(|scope| first(scope.value(&probe)?.0))
                        .ok_or_else(unknown)?,
                }
            }
            Root::Local(process, id) => {
                let scope = self.builder.scope(View::Process(*process));
                let whole = SystemPlace {
                    root: SystemRoot::Local(*process, *id),
                    path: Vec::new(),
                };
                let number = scope
                    .place(&whole)
                    .and_then(|(v, _)| first(v))
                    .ok_or_else(unknown)?;
                self.builder.constant(number)
            }
            Root::Param(process, id) => {
                let scope = self.builder.scope(View::Process(*process));
                let number = scope
                    .parameter(*process, *id)
                    .and_then(|(v, _)| first(v))
                    .ok_or_else(unknown)?;
                self.builder.constant(number)
            }
            Root::Cell(_) => return Err(unknown()),
        };
        if place.steps.is_empty() {
            return Ok(base);
        }
        let to = self.alloc(1, span)?;
        self.copy_cell(to, base);
        self.go(to, &place.steps, space);
        Ok(to)
    }

    /// The cell of an integer place with its value: its own, or a temporary.
    pub(super) fn read(&mut self, place: &Place, to: Option<Cell>, span: Span) -> Result<Cell> {
        match self.builder.types.kind(place.ty) {
            Kind::Int(_) | Kind::Bool => {}
            Kind::Clock => {
                return Err(CompileError::unsupported(
                    span,
                    "the value of a clock is not supported here",
                ));
            }
            Kind::Foreign(what) => {
                return Err(CompileError::unsupported(
                    span,
                    format!("{what} is not supported"),
                ));
            }
            _ => return Err(CompileError::internal(span, "an array or struct as an integer")),
        }
        match self.access(place, span)? {
            Access::Direct(cell) => {
                if let Some(to) = to {
                    self.copy_cell(to, cell);
                }
                Ok(to.unwrap_or(cell))
            }
            Access::Element { array, index, span } => {
                let to = self.target(to, span)?;
                let array = self.builder.array(Array {
                    range: Range::ALL,
                    ..array
                });
                self.emit_at(Instr::Load { to, index, array }, Check::Index, span);
                Ok(to)
            }
            Access::Pointer { pointer, plus } => {
                let to = self.target(to, span)?;
                self.emit(Instr::LoadAt { to, pointer, plus });
                Ok(to)
            }
        }
    }
}

impl Place {
    fn advance(&mut self, by: Size) {
        // Each part of a type fits within the type, whose size is bounded.
        self.offset.cells += by.cells;
        self.offset.clocks += by.clocks;
        self.offset.channels += by.channels;
    }
}

impl Step {
    fn array(&self, base: Cell, stride: u32) -> Array {
        Array {
            base,
            lo: self.lo,
            len: self.len,
            stride,
            range: Range::ALL,
        }
    }
}
