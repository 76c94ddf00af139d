//! Places and assignments.

use super::expr::is_real;
use super::{Lower, Lowered, Slot, unsupported};
use crate::code::{Addr, Domain, Effect, Int, Real};
use zonewalk_model::eval::Subject;
use zonewalk_model::ids::ParamId;
use zonewalk_model::system::Binding;
use zonewalk_model::tree::{BinaryOp, Expr, ExprKind, VarRef};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

impl<'m> Lower<'m> {
    /// Value or reference bound to a parameter of the process.
    pub(super) fn binding(&self, param: ParamId) -> Option<&'m Binding> {
        let system = self.layout.system;
        system.processes.get(self.process?)?.bindings.get(param.index())
    }

    /// Where a value is. What is nowhere (the result of a function, a constant parameter) is put somewhere.
    pub(crate) fn addr(&mut self, expr: &Expr) -> Lowered<Addr> {
        let span = expr.span;
        Ok(match &expr.kind {
            ExprKind::Var(VarRef::Global(g)) => Addr::Cell(self.layout.global(g.index())),
            ExprKind::Var(VarRef::Local(l)) => match self.process {
                Some(process) => Addr::Cell(self.layout.local(process, l.index())),
                None => return unsupported("a variable of no process", span),
            },
            ExprKind::Var(VarRef::Param(param)) => {
                let binding = self.binding(*param);
                self.bound(binding, span)?
            }
            ExprKind::Var(VarRef::Slot(slot)) => match self.slots.get(slot) {
                Some(Slot::Cell(cell)) => Addr::Cell(*cell),
                Some(Slot::Reference(cell)) => Addr::Through(*cell),
                None => return unsupported("an unknown name", span),
            },
            ExprKind::Index(base, index) => {
                let Type::Array(array) = &base.ty else {
                    return unsupported("an index into something other than an array", span);
                };
                // The sizes of a member's type may depend on the parameters of its own process; all of one set are alike.
                let owner = self.owner(base);
                let extent = self.layout.extent(array, owner, span)?;
                let base = self.addr(base)?;
                match self.int(index)? {
                    Int::Const(i)
                        if i >= extent.lo && i64::from(i) < i64::from(extent.lo) + i64::from(extent.len) =>
                    {
                        base.plus((i - extent.lo) as u32 * extent.stride)
                    }
                    at => Addr::Element {
                        base: Box::new(base),
                        index: Box::new(at),
                        extent,
                        span: index.span,
                    },
                }
            }
            ExprKind::Field(base, field) => {
                let Type::Struct(ty) = &base.ty else {
                    return unsupported("a field of something other than a struct", span);
                };
                let offset = self.layout.offset(ty, *field, self.owner(base), span)?;
                self.addr(base)?.plus(offset)
            }
            ExprKind::Conditional(c, a, b) => Addr::If(
                Box::new(self.int(c)?),
                Box::new(self.addr(a)?),
                Box::new(self.addr(b)?),
            ),
            ExprKind::Assign(..) | ExprKind::AssignWith(..) | ExprKind::Step { prefix: true, .. } => {
                let (effect, place) = self.assignment(expr)?;
                Addr::After(Box::new(effect), Box::new(place))
            }
            ExprKind::Member(process, local) => {
                let (index, range) = self.process(process, span)?;
                let cells = range.map(|p| Addr::Cell(self.layout.local(p, local.index())));
                one_of(index, cells.collect())
            }
            ExprKind::ParamMember(process, param) => {
                let (index, range) = self.process(process, span)?;
                let system = self.layout.system;
                let cells = range.map(|p| self.bound(system.processes[p].bindings.get(param.index()), span));
                one_of(index, cells.collect::<Lowered<_>>()?)
            }
            ExprKind::Call(function, args) => {
                Addr::Result(Box::new(self.call(*function, self.process, args, span)?))
            }
            // A value that is in no variable: it gets a cell of its own.
            _ if is_real(&expr.ty) => {
                let value = self.real(expr)?;
                let cell = Addr::Cell(self.layout.allocate(1));
                Addr::After(Box::new(Effect::SetReal(cell.clone(), value)), Box::new(cell))
            }
            _ if !matches!(expr.ty, Type::Array(_) | Type::Struct(_)) => {
                let value = self.int(expr)?;
                let cell = Addr::Cell(self.layout.allocate(1));
                let set = Effect::SetInt {
                    to: cell.clone(),
                    value,
                    domain: Domain::Range(i32::MIN, i32::MAX),
                    subject: Subject::Value,
                    span,
                };
                Addr::After(Box::new(set), Box::new(cell))
            }
            _ => return unsupported("a place of this kind", span),
        })
    }

    /// The process whose parameters the type of an expression depends on.
    fn owner(&self, expr: &Expr) -> Option<usize> {
        match &expr.kind {
            ExprKind::Member(process, _) | ExprKind::ParamMember(process, _) => {
                let set = self.layout.system.sets.get(process.set.index())?;
                Some(set.first.index())
            }
            ExprKind::Index(base, _) | ExprKind::Field(base, _) => self.owner(base),
            _ => self.process,
        }
    }

    fn bound(&mut self, binding: Option<&Binding>, span: Span) -> Lowered<Addr> {
        match binding {
            Some(Binding::Place(place)) => Ok(Addr::Cell(self.layout.place(place, span)?)),
            Some(Binding::Value(value)) => Ok(Addr::Cell(self.layout.store(value))),
            None => unsupported("an unknown parameter", span),
        }
    }

    /// An assignment, and the place that it assigns to. The place is looked up again where it is read: nothing between the two
    /// changes what it depends on but the assignment itself.
    pub(super) fn assignment(&mut self, expr: &Expr) -> Lowered<(Effect, Addr)> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Assign(place, value) => {
                let to = self.addr(place)?;
                let effect = self.store(to.clone(), &place.ty, value, Subject::Value, span)?;
                Ok((effect, to))
            }
            ExprKind::AssignWith(op, place, value) => self.change(*op, place, Some(value), span),
            ExprKind::Step { increment, place, .. } => {
                let op = if *increment { BinaryOp::Add } else { BinaryOp::Sub };
                self.change(op, place, None, span)
            }
            _ => unsupported("this as an assignment", span),
        }
    }

    /// `place op= value`, by 1 where no value is given.
    fn change(
        &mut self,
        op: BinaryOp,
        place: &Expr,
        value: Option<&Expr>,
        span: Span,
    ) -> Lowered<(Effect, Addr)> {
        let to = self.addr(place)?;
        let effect = if is_real(&place.ty) {
            Effect::ChangeReal {
                to: to.clone(),
                op,
                value: value.map_or(Ok(Real::Const(1.0)), |v| self.real(v))?,
                span,
            }
        } else {
            Effect::Change {
                to: to.clone(),
                op,
                value: value.map_or(Ok(Int::Const(1)), |v| self.int(v))?,
                domain: self.domain_of(&place.ty, false, span)?,
                span,
            }
        };
        Ok((effect, to))
    }

    /// Stores the value of an expression in a place of this type.
    pub(super) fn store(
        &mut self,
        to: Addr,
        ty: &Type,
        value: &Expr,
        subject: Subject,
        span: Span,
    ) -> Lowered<Effect> {
        Ok(match ty {
            Type::Array(_) | Type::Struct(_) => {
                let cells = self.layout.size(ty, self.process, span)?;
                Effect::Copy(to, self.addr(value)?, cells)
            }
            Type::Str | Type::Void => Effect::Block(Vec::new()),
            _ if is_real(ty) => Effect::SetReal(to, self.real(value)?),
            _ => Effect::SetInt {
                to,
                value: self.int(value)?,
                domain: self.domain_of(ty, false, span)?,
                subject,
                span,
            },
        })
    }
}

fn one_of(index: Int, mut places: Vec<Addr>) -> Addr {
    if let (Int::Const(0), 1..) = (&index, places.len()) {
        return places.swap_remove(0);
    }
    Addr::OneOf(Box::new(index), places)
}
