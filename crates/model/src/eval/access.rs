//! Left sides: from an expression to the variable, or part of one, that it names.

use super::fault::{Fault, FaultKind, Subject};
use super::{Evaluator, Slot, Store, World};
use crate::eval::ClockTerm;
use crate::ids::{ClockId, ParamId, ProcessId};
use crate::system::{Binding, Place, Root, Value};
use crate::tree::{Expr, ExprKind, ProcessExpr, VarRef};
use crate::types::{Bound, IndexType, Type};
use smallvec::SmallVec;
use zonewalk_syntax::span::Span;

/// A value that can be examined without copying it, and changed when it is in memory.
pub(super) struct Access {
    base: Base,
    path: Path,
    /// The process whose parameters the type's bounds depend on, when it is not the one in scope.
    owner: Option<ProcessId>,
}

/// Arrays and structs hardly ever nest deeper, and reading an element should not allocate.
type Path = SmallVec<[u32; 4]>;

enum Base {
    /// A variable.
    Root(Root),
    /// A constant parameter of a process.
    Param(Param),
    /// A value that is nowhere: the struct that a function returned.
    Value(Value),
}

#[derive(Clone, Copy)]
struct Param {
    /// `None` for the process in scope.
    process: Option<ProcessId>,
    id: ParamId,
}

impl Access {
    fn root(root: Root) -> Self {
        Access {
            base: Base::Root(root),
            path: Path::new(),
            owner: None,
        }
    }

    fn place(place: &Place) -> Self {
        Access {
            base: Base::Root(place.root),
            path: Path::from_slice(&place.path),
            owner: None,
        }
    }
}

impl Evaluator<'_> {
    /// Evaluates a left side to the place it names, and any other expression to its value.
    pub(super) fn access(&mut self, expr: &Expr) -> Result<Access, Fault> {
        self.descend(expr.span)?;
        let access = self.access_kind(expr);
        self.depth -= 1;
        access.map_err(|fault| self.explained(fault, expr))
    }

    pub(super) fn access_kind(&mut self, expr: &Expr) -> Result<Access, Fault> {
        match &expr.kind {
            ExprKind::Var(var) => self.variable(*var).map_err(|kind| kind.at(expr.span)),
            ExprKind::Index(base, index) => self.element(base, index),
            ExprKind::Field(base, field) => {
                let mut access = self.access(base)?;
                // Fields are numbered by the struct's own type, which fits into memory.
                access.path.push(*field as u32);
                Ok(access)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.truth(condition)? { then } else { otherwise };
                self.access(chosen)
            }
            ExprKind::Assign(..) | ExprKind::AssignWith(..) | ExprKind::Step { prefix: true, .. } => {
                self.assignment(expr)
            }
            ExprKind::Member(process, local) => {
                let process = self.process(process, expr.span)?;
                let root = Access::root(Root::Local(process, *local));
                Ok(Access {
                    owner: Some(process),
                    ..root
                })
            }
            ExprKind::ParamMember(process, param) => {
                let process = self.process(process, expr.span)?;
                let param = Param {
                    process: Some(process),
                    id: *param,
                };
                let access = self.parameter(param).map_err(|kind| kind.at(expr.span))?;
                Ok(Access {
                    owner: Some(process),
                    ..access
                })
            }
            _ => Ok(Access {
                base: Base::Value(self.eval(expr)?),
                path: Path::new(),
                owner: None,
            }),
        }
    }

    fn variable(&self, var: VarRef) -> Result<Access, FaultKind> {
        match var {
            VarRef::Global(g) => Ok(Access::root(Root::Global(g))),
            VarRef::Local(l) => match self.scope {
                Some(scope) => Ok(Access::root(Root::Local(scope.process, l))),
                None => Err(FaultKind::NotConstant("local variable".into())),
            },
            VarRef::Param(id) => self.parameter(Param { process: None, id }),
            VarRef::Slot(s) => match self.slots.get(self.base() + s.index()) {
                Some(Slot::Alias(place)) => Ok(Access::place(place)),
                _ => Ok(Access::root(Root::Slot(self.bases.len() as u32, s))),
            },
        }
    }

    fn parameter(&self, param: Param) -> Result<Access, FaultKind> {
        Ok(match self.binding_of(param)? {
            Binding::Place(place) => Access::place(place),
            Binding::Value(_) => Access {
                base: Base::Param(param),
                path: Path::new(),
                owner: None,
            },
        })
    }

    fn binding_of(&self, param: Param) -> Result<&Binding, FaultKind> {
        let bindings = match param.process {
            None => self.scope.map(|scope| scope.bindings),
            Some(p) => self
                .system
                .and_then(|s| s.processes.get(p.index()))
                .map(|p| &p.bindings[..]),
        };
        let binding = bindings.and_then(|b| b.get(param.id.index()));
        binding.ok_or_else(|| FaultKind::NotConstant("parameter".into()))
    }

    fn element(&mut self, base: &Expr, index: &Expr) -> Result<Access, Fault> {
        let mut access = self.access(base)?;
        let i = self.eval_int(index)?;
        let Type::Array(array) = &base.ty else {
            return Err(FaultKind::unsupported("an index into something other than an array").at(base.span));
        };
        let lo = self.in_scope_of(access.owner, |e| e.first_index(array, index.span))?;
        let length = match self.peek(&access) {
            Ok(Value::Array(elements)) => elements.len() as i64,
            Ok(_) => 0,
            Err(kind) => return Err(kind.at(base.span)),
        };
        match u32::try_from(i64::from(i) - i64::from(lo)) {
            Ok(position) if i64::from(position) < length => {
                access.path.push(position);
                Ok(access)
            }
            _ => {
                // The array fits into memory, and so does its last index.
                let hi = i32::try_from(i64::from(lo) + length - 1).unwrap_or(i32::MAX);
                Err(FaultKind::IndexOutOfRange { index: i, lo, hi }.at(index.span))
            }
        }
    }

    /// Whether an expression is an array variable whose elements can be read without further ado: at run time, and with
    /// known bounds. Nearly all are, and most of what a model computes is reading them.
    pub(super) fn is_plain_array(&self, base: &Expr) -> bool {
        let ExprKind::Var(VarRef::Global(_) | VarRef::Local(_)) = base.kind else {
            return false;
        };
        let is_known = match &base.ty {
            Type::Array(array) => match &array.index {
                IndexType::Size(_) | IndexType::Scalar(_) => true,
                IndexType::Range(range) => matches!(range.lo, Bound::Const(_)),
            },
            _ => false,
        };
        is_known && !matches!(self.store, Store::Constants(_))
    }

    /// An element of such an array: what `peek` at its `element` shows, in one go.
    pub(super) fn plain_element(&mut self, base: &Expr, index: &Expr) -> Result<&Value, Fault> {
        let i = self.eval_int(index)?;
        let lo = match &base.ty {
            Type::Array(array) => match &array.index {
                IndexType::Range(range) => match range.lo {
                    Bound::Const(lo) => lo,
                    Bound::Expr(_) => 0,
                },
                IndexType::Size(_) | IndexType::Scalar(_) => 0,
            },
            _ => 0,
        };
        let array = match base.kind {
            ExprKind::Var(var) => self.plain(var),
            _ => None,
        };
        let elements = match array {
            Some(Value::Array(elements)) => &elements[..],
            Some(_) => &[],
            None => return Err(FaultKind::NotConstant("variable".into()).at(base.span)),
        };
        let position = usize::try_from(i64::from(i) - i64::from(lo)).ok();
        position.and_then(|p| elements.get(p)).ok_or_else(|| {
            // The array fits into memory, and so does its last index.
            let hi = i32::try_from(i64::from(lo) + elements.len() as i64 - 1).unwrap_or(i32::MAX);
            FaultKind::IndexOutOfRange { index: i, lo, hi }.at(index.span)
        })
    }

    /// Does something with the parameters of another process in scope.
    fn in_scope_of<T>(&mut self, owner: Option<ProcessId>, act: impl FnOnce(&mut Self) -> T) -> T {
        let Some(process) = owner else { return act(self) };
        let system = self.system;
        let bindings = system
            .and_then(|s| s.processes.get(process.index()))
            .map_or(&[][..], |p| &p.bindings);
        let outer = self.scope.replace(super::Scope {
            process,
            bindings,
            variables: &[],
        });
        let result = act(self);
        self.scope = outer;
        result
    }

    /// The process that a query names.
    pub(super) fn process(&mut self, process: &ProcessExpr, span: Span) -> Result<ProcessId, Fault> {
        let Some(system) = self.system else {
            return Err(FaultKind::NotConstant("process".into()).at(span));
        };
        let args = process
            .args
            .iter()
            .map(|a| self.eval_int(a))
            .collect::<Result<SmallVec<[i32; 4]>, Fault>>()?;
        let range = system
            .sets
            .get(process.set.index())
            .filter(|set| set.dims.len() == args.len());
        range.and_then(|set| set.process(&args)).ok_or_else(|| {
            let args: Vec<String> = args.iter().map(i32::to_string).collect();
            FaultKind::NoSuchProcess(args.join(",")).at(span)
        })
    }

    /// The value there, constant or not.
    fn peek<'s>(&'s self, access: &'s Access) -> Result<&'s Value, FaultKind> {
        let missing = || FaultKind::NotConstant("variable".into());
        let memory = self.store.get();
        let mut value = match &access.base {
            Base::Root(Root::Global(g)) => memory.globals.get(g.index()).ok_or_else(missing)?,
            Base::Root(Root::Local(p, l)) => memory
                .locals
                .get(p.index())
                .and_then(|m| m.get(l.index()))
                .ok_or_else(missing)?,
            Base::Root(Root::Slot(activation, s)) => {
                match self.slots.get(self.base_of(*activation) + s.index()) {
                    Some(Slot::Value(value)) => value,
                    _ => return Err(missing()),
                }
            }
            Base::Param(param) => match self.binding_of(*param)? {
                Binding::Value(value) => value,
                Binding::Place(_) => return Err(missing()),
            },
            Base::Value(value) => value,
        };
        for &position in &access.path {
            value = match value {
                Value::Array(parts) | Value::Struct(parts) => {
                    parts.get(position as usize).ok_or_else(missing)?
                }
                _ => return Err(missing()),
            };
        }
        Ok(value)
    }

    fn base_of(&self, activation: u32) -> usize {
        match activation.checked_sub(1) {
            None => 0,
            Some(i) => self.bases.get(i as usize).copied().unwrap_or(usize::MAX / 2),
        }
    }

    /// A copy of the value there.
    pub(super) fn read(&mut self, access: &Access, span: Span) -> Result<Value, Fault> {
        if let Store::Constants(_) = self.store {
            self.check_constant(access).map_err(|kind| kind.at(span))?;
        }
        match self.peek(access).map_err(|kind| kind.at(span))? {
            Value::Int(i) => Ok(Value::Int(*i)),
            value => {
                let copy = value.clone();
                self.spend(cells(&copy), span)?;
                Ok(copy)
            }
        }
    }

    /// A variable that is evaluated at run time, or the value of a parameter; `None` where a parameter stands for a variable.
    pub(super) fn plain(&self, var: VarRef) -> Option<&Value> {
        if let Store::Constants(_) = self.store {
            return None;
        }
        let memory = self.store.get();
        match var {
            VarRef::Global(g) => memory.globals.get(g.index()),
            VarRef::Local(l) => memory.locals.get(self.scope?.process.index())?.get(l.index()),
            VarRef::Slot(s) => match self.slots.get(self.base() + s.index()) {
                Some(Slot::Value(value)) => Some(value),
                _ => None,
            },
            VarRef::Param(id) => match self.scope?.bindings.get(id.index()) {
                Some(Binding::Value(value)) => Some(value),
                _ => None,
            },
        }
    }

    /// A copy of a variable's value.
    pub(super) fn load(&mut self, var: VarRef, span: Span) -> Result<Value, Fault> {
        if let Some(Value::Int(i)) = self.plain(var) {
            return Ok(Value::Int(*i));
        }
        let access = self.variable(var).map_err(|kind| kind.at(span))?;
        self.read(&access, span)
    }

    /// Requires: compile time. Clocks and channels are identities, which are known as soon as they exist.
    fn check_constant(&self, access: &Access) -> Result<(), FaultKind> {
        let variable = match access.base {
            Base::Root(Root::Global(g)) => self.code.globals.get(g.index()),
            Base::Root(Root::Local(_, l)) => self.scope.and_then(|scope| scope.variables.get(l.index())),
            _ => return Ok(()),
        };
        match variable {
            Some(v) if v.is_const || matches!(v.ty.base(), Type::Clock { .. } | Type::Chan(_)) => Ok(()),
            Some(v) => Err(FaultKind::NotConstant(v.name.clone())),
            None => Err(FaultKind::NotConstant("variable".into())),
        }
    }

    /// Binds a reference parameter: to the variable, or to the value of an argument that is not a variable.
    pub(super) fn reference(&mut self, expr: &Expr) -> Result<Slot, Fault> {
        let access = self.access(expr)?;
        match access.base {
            Base::Root(root) => Ok(Slot::Alias(Place {
                root,
                path: access.path.into_vec(),
            })),
            _ => Ok(Slot::Value(self.read(&access, expr.span)?)),
        }
    }

    /// Stores a value of the place's type.
    pub(super) fn write(
        &mut self,
        access: &Access,
        ty: &Type,
        value: Value,
        span: Span,
    ) -> Result<(), Fault> {
        let is_clock = &mut |t: &Type| matches!(t, Type::Clock { .. });
        if !matches!(ty, Type::Array(_) | Type::Struct(_)) || !ty.any(is_clock) {
            let value = self.fit(value, ty, false, &Subject::Value, span)?;
            return self.put(access, value).map_err(|kind| kind.at(span));
        }
        // Whole arrays and structs of clocks: each clock takes over the value of its counterpart, and the
        // variable keeps its clocks (`semantics.md` 19e).
        let mut copies = Vec::new();
        let mut merged = self.peek(access).map_err(|kind| kind.at(span))?.clone();
        merge(&mut merged, value, &mut copies);
        self.put(access, merged).map_err(|kind| kind.at(span))?;
        copies
            .into_iter()
            .try_for_each(|(to, from)| self.set_clock(to, ClockTerm::clock(from), span))
    }

    /// Sets a clock.
    pub(super) fn set_clock(&mut self, clock: ClockId, term: ClockTerm, span: Span) -> Result<(), Fault> {
        let set = match &mut self.world {
            Some(world) => world.assign(clock, term),
            None => Err(FaultKind::NotConstant("clock".into())),
        };
        set.map_err(|kind| kind.at(span))
    }

    fn put(&mut self, access: &Access, value: Value) -> Result<(), FaultKind> {
        let constant = || FaultKind::unsupported("an assignment to something other than a variable");
        let Base::Root(root) = &access.base else {
            return Err(constant());
        };
        let mut slot = match root {
            Root::Slot(activation, s) => {
                let at = self.base_of(*activation) + s.index();
                match self.slots.get_mut(at) {
                    Some(Slot::Value(value)) => value,
                    _ => return Err(constant()),
                }
            }
            Root::Global(_) | Root::Local(..) => {
                let Store::Exclusive(memory) = &mut self.store else {
                    return Err(FaultKind::unsupported("a side effect"));
                };
                let slot = match root {
                    Root::Global(g) => memory.globals.get_mut(g.index()),
                    Root::Local(p, l) => memory
                        .locals
                        .get_mut(p.index())
                        .and_then(|m| m.get_mut(l.index())),
                    Root::Slot(..) => None,
                };
                slot.ok_or_else(constant)?
            }
        };
        for &position in &access.path {
            slot = match slot {
                Value::Array(parts) | Value::Struct(parts) => {
                    parts.get_mut(position as usize).ok_or_else(constant)?
                }
                _ => return Err(constant()),
            };
        }
        *slot = value;
        Ok(())
    }

    pub(super) fn world(&mut self) -> Result<&mut dyn World, FaultKind> {
        match &mut self.world {
            Some(world) => Ok(&mut **world),
            None => Err(FaultKind::NotConstant("clock".into())),
        }
    }
}

/// Puts data of `from` into `to`, and lists the clocks of `to` with those of `from` at the same position.
fn merge(to: &mut Value, from: Value, copies: &mut Vec<(ClockId, ClockId)>) {
    match (to, from) {
        (Value::Clock(to), Value::Clock(from)) => copies.push((*to, from)),
        (Value::Array(to), Value::Array(from)) | (Value::Struct(to), Value::Struct(from)) => {
            to.iter_mut().zip(from).for_each(|(t, f)| merge(t, f, copies));
        }
        (to, from) => *to = from,
    }
}

/// Cost of copying a value.
pub(super) fn cells(value: &Value) -> u64 {
    match value {
        Value::Array(parts) | Value::Struct(parts) => parts.iter().map(cells).sum::<u64>() + 1,
        _ => 1,
    }
}
