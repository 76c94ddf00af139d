//! Lowers places to operands: cells, pointers, numbers of clocks and channels.

use super::lvalue::{Lvalue, Root, Step};
use super::{Unit, View};
use crate::build::storage::{Space, first_identity, flatten};
use crate::build::types::Kind;
use crate::code::cell::{Base, Cell};
use crate::code::instr::{Array, Check, Instr, Range};
use crate::error::{CompileError, Result};
use crate::expressions::constants::Scope;
use zonewalk_model::system::{Binding, Place as SystemPlace, Root as SystemRoot, Value};
use zonewalk_model::tree::{Expr, ExprKind, VarRef};
use zonewalk_syntax::span::Span;

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

impl Unit<'_, '_> {
    /// Pointers to the place, one for each space that its type uses.
    pub(super) fn pointers(&mut self, place: &Lvalue, span: Span) -> Result<[Option<Cell>; 3]> {
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
    pub(super) fn pointer(&mut self, place: &Lvalue, span: Span) -> Result<Cell> {
        let access = self.access(place, span)?;
        self.pointer_to(access, span)
    }

    /// Pointer to a place whose kind of access is known.
    pub(super) fn pointer_to(&mut self, access: Access, span: Span) -> Result<Cell> {
        match access {
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
    pub(super) fn access(&mut self, place: &Lvalue, span: Span) -> Result<Access> {
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
                let variant = self.builder.variants.get(number as usize).ok_or_else(internal)?;
                let whole = |&p| Scope::process(self.builder.model, self.builder.system, p);
                let all: Option<Vec<i32>> = variant
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
    pub(super) fn identity(&mut self, place: &Lvalue, space: Space, span: Span) -> Result<Cell> {
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
    pub(super) fn read(&mut self, place: &Lvalue, to: Option<Cell>, span: Span) -> Result<Cell> {
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
            Kind::Double => return Err(CompileError::internal(span, "a double as an integer")),
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
