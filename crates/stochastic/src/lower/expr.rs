//! Expressions with a value in one cell.

use super::{Lower, Lowered, is_comparison, unsupported};
use crate::code::{Addr, Distribution, Effect, Int, Number, Real};
use zonewalk_model::builtin::{self, BuiltinInfo};
use zonewalk_model::eval::FaultKind;
use zonewalk_model::system::{Binding, Value};
use zonewalk_model::tree::{BinaryOp, Builtin, Expr, ExprKind, ProcessExpr, VarRef};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// Whether values of a type are doubles here.
pub(super) fn is_real(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Double | Type::Clock { .. } | Type::Difference | Type::Rate
    )
}

impl Lower<'_> {
    /// An integer or a truth value.
    pub(crate) fn int(&mut self, expr: &Expr) -> Lowered<Int> {
        let span = expr.span;
        let boxed = |l: &mut Self, e: &Expr| l.int(e).map(Box::new);
        let list = |l: &mut Self, parts: &[Expr]| parts.iter().map(|p| l.int(p)).collect::<Lowered<Vec<_>>>();
        Ok(match &expr.kind {
            _ if is_real(&expr.ty) => Int::Truth(Box::new(self.real(expr)?)),
            ExprKind::Int(i) => Int::Const(*i),
            ExprKind::Var(VarRef::Param(param)) => match self.binding(*param) {
                Some(Binding::Value(Value::Int(i))) => Int::Const(*i),
                _ => self.read_int(expr)?,
            },
            ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Member(..) => {
                self.read_int(expr)?
            }
            ExprKind::ParamMember(process, param) => {
                let (index, range) = self.process(process, span)?;
                let values =
                    range.map(
                        |p| match self.layout.system.processes[p].bindings.get(param.index()) {
                            Some(Binding::Value(Value::Int(i))) => Some(Int::Const(*i)),
                            _ => None,
                        },
                    );
                match values.collect::<Option<Vec<_>>>() {
                    Some(values) => Int::OneOf(Box::new(index), values),
                    None => self.read_int(expr)?,
                }
            }
            ExprKind::Negate(e) => Int::Negate(boxed(self, e)?),
            ExprKind::Not(e) => Int::Not(boxed(self, e)?),
            ExprKind::Arithmetic(first, rest) => {
                let mut left = self.int(first)?;
                for (op, right) in rest {
                    let at = first.span.to(right.span);
                    left = Int::Arithmetic(*op, Box::new(left), Box::new(self.int(right)?), at);
                }
                left
            }
            ExprKind::And(parts) => Int::And(list(self, parts)?),
            ExprKind::Or(parts) => Int::Or(list(self, parts)?),
            ExprKind::Imply(a, b) => Int::Imply(boxed(self, a)?, boxed(self, b)?),
            ExprKind::Xor(a, b) => Int::Xor(boxed(self, a)?, boxed(self, b)?),
            ExprKind::Compare(op, a, b) | ExprKind::CompareClocks(op, a, b) => {
                if !is_comparison(*op) {
                    return unsupported("this comparison", span);
                }
                if is_real(&a.ty) || is_real(&b.ty) {
                    Int::CompareReal(*op, Box::new(self.real(a)?), Box::new(self.real(b)?), span)
                } else {
                    Int::Compare(*op, boxed(self, a)?, boxed(self, b)?)
                }
            }
            ExprKind::Same(equal, a, b) => {
                let cells = self.layout.size(&a.ty, self.process, span)?;
                Int::Same(*equal, Box::new(self.addr(a)?), Box::new(self.addr(b)?), cells)
            }
            ExprKind::SetRate(..) => Int::Const(1),
            ExprKind::Conditional(c, a, b) => Int::If(boxed(self, c)?, boxed(self, a)?, boxed(self, b)?),
            ExprKind::Forall(binder, body) => {
                let values = self.values(binder, span)?;
                Int::All(values, boxed(self, body)?)
            }
            ExprKind::Exists(binder, body) => {
                let values = self.values(binder, span)?;
                Int::Any(values, boxed(self, body)?)
            }
            ExprKind::Sum(binder, body) => {
                let values = self.values(binder, span)?;
                Int::Sum(values, boxed(self, body)?)
            }
            ExprKind::Assign(..) | ExprKind::AssignWith(..) | ExprKind::Step { prefix: true, .. } => {
                let (effect, place) = self.assignment(expr)?;
                Int::After(Box::new(effect), Box::new(Int::Read(place)))
            }
            ExprKind::Step { prefix: false, .. } => {
                let (effect, place) = self.assignment(expr)?;
                Int::Before(Box::new(Int::Read(place)), Box::new(effect))
            }
            ExprKind::Comma(parts) => {
                let Some((last, before)) = parts.split_last() else {
                    return unsupported("an empty list", span);
                };
                let effects = self.effects(before)?;
                Int::After(Box::new(Effect::Block(effects)), boxed(self, last)?)
            }
            ExprKind::Call(function, args) => {
                Int::Call(Box::new(self.call(*function, self.process, args, span)?))
            }
            ExprKind::ProcessCall(process, function, args) => {
                let (index, range) = self.process(process, span)?;
                let calls =
                    range.map(|p| Ok(Int::Call(Box::new(self.call(*function, Some(p), args, span)?))));
                Int::OneOf(Box::new(index), calls.collect::<Lowered<_>>()?)
            }
            ExprKind::Builtin(builtin, args) => {
                let info = builtin.info();
                Int::Builtin(info, self.numbers(info, args)?, span)
            }
            ExprKind::AtLocation(process, location) => {
                let (index, range) = self.process(process, span)?;
                let mut processes: Vec<Int> = range.map(|p| Int::At(p as u32, location.0)).collect();
                match (&index, processes.len()) {
                    (Int::Const(0), 1..) => processes.swap_remove(0),
                    _ => Int::OneOf(Box::new(index), processes),
                }
            }
            ExprKind::Double(_) | ExprKind::Rate(_) => Int::Truth(Box::new(self.real(expr)?)),
            ExprKind::Str(_) => Int::Const(0),
            ExprKind::Deadlock => return unsupported("`deadlock` in a statistical query", span),
            ExprKind::Unsupported(what) => return unsupported(what, span),
        })
    }

    fn read_int(&mut self, expr: &Expr) -> Lowered<Int> {
        Ok(match self.addr(expr)? {
            Addr::Cell(cell) => Int::Load(cell),
            addr => Int::Read(addr),
        })
    }

    /// A double, or an integer as one.
    pub(crate) fn real(&mut self, expr: &Expr) -> Lowered<Real> {
        let span = expr.span;
        if !is_real(&expr.ty) {
            let (int, timed) = self.timed(|l| l.int(expr))?;
            return Ok(match int {
                Int::Const(i) => Real::Const(f64::from(i)),
                int => Real::Int(Box::new(int), timed),
            });
        }
        let boxed = |l: &mut Self, e: &Expr| l.real(e).map(Box::new);
        if let Type::Clock { .. } = expr.ty {
            self.timed = true;
        }
        Ok(match &expr.kind {
            ExprKind::Int(i) => Real::Const(f64::from(*i)),
            ExprKind::Double(d) => Real::Const(*d),
            ExprKind::Var(VarRef::Param(param)) => match self.binding(*param) {
                Some(Binding::Value(Value::Double(d))) => Real::Const(*d),
                Some(Binding::Value(Value::Int(i))) => Real::Const(f64::from(*i)),
                _ => self.read_real(expr)?,
            },
            ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Member(..) => {
                self.read_real(expr)?
            }
            ExprKind::ParamMember(process, param) => {
                let (index, range) = self.process(process, span)?;
                let values =
                    range.map(
                        |p| match self.layout.system.processes[p].bindings.get(param.index()) {
                            Some(Binding::Value(Value::Int(i))) => Some(Real::Const(f64::from(*i))),
                            Some(Binding::Value(Value::Double(d))) => Some(Real::Const(*d)),
                            _ => None,
                        },
                    );
                match values.collect::<Option<Vec<_>>>() {
                    Some(values) => Real::OneOf(Box::new(index), values),
                    None => self.read_real(expr)?,
                }
            }
            ExprKind::Negate(e) => Real::Negate(boxed(self, e)?),
            ExprKind::Arithmetic(first, rest) => {
                let mut left = self.real(first)?;
                for (op, right) in rest {
                    let at = first.span.to(right.span);
                    let (a, b) = (Box::new(left), Box::new(self.real(right)?));
                    left = match op {
                        BinaryOp::Add => Real::Add(a, b),
                        BinaryOp::Sub => Real::Sub(a, b),
                        BinaryOp::Mul => Real::Mul(a, b),
                        BinaryOp::Div => Real::Div(a, b),
                        _ => Real::Arithmetic(*op, a, b, at),
                    };
                }
                left
            }
            ExprKind::Conditional(c, a, b) => {
                let (condition, timed) = self.timed(|l| l.int(c))?;
                Real::If(Box::new(condition), timed, boxed(self, a)?, boxed(self, b)?)
            }
            ExprKind::Sum(binder, body) => {
                let values = self.values(binder, span)?;
                Real::Sum(values, boxed(self, body)?)
            }
            ExprKind::Rate(clock) => {
                let Addr::Cell(cell) = self.addr(clock)? else {
                    return unsupported("the rate of a clock that is chosen at run time", span);
                };
                let clock = self.layout.clocks.iter().position(|c| *c == cell);
                let Some(clock) = clock else {
                    return unsupported("the rate of something other than a clock", span);
                };
                Real::Load(self.rate_cells + clock as u32)
            }
            ExprKind::Assign(..) | ExprKind::AssignWith(..) | ExprKind::Step { prefix: true, .. } => {
                let (effect, place) = self.assignment(expr)?;
                Real::After(Box::new(effect), Box::new(Real::Read(place)))
            }
            ExprKind::Step { prefix: false, .. } => {
                let (effect, place) = self.assignment(expr)?;
                Real::Before(Box::new(Real::Read(place)), Box::new(effect))
            }
            ExprKind::Comma(parts) => {
                let Some((last, before)) = parts.split_last() else {
                    return unsupported("an empty list", span);
                };
                let effects = self.effects(before)?;
                Real::After(Box::new(Effect::Block(effects)), boxed(self, last)?)
            }
            ExprKind::Call(function, args) => {
                Real::Call(Box::new(self.call(*function, self.process, args, span)?))
            }
            ExprKind::ProcessCall(process, function, args) => {
                let (index, range) = self.process(process, span)?;
                let calls =
                    range.map(|p| Ok(Real::Call(Box::new(self.call(*function, Some(p), args, span)?))));
                Real::OneOf(Box::new(index), calls.collect::<Lowered<_>>()?)
            }
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, span)?,
            ExprKind::Unsupported(what) => return unsupported(what, span),
            _ => return unsupported("an expression of this kind as a double", span),
        })
    }

    fn read_real(&mut self, expr: &Expr) -> Lowered<Real> {
        let (addr, moves) = self.timed(|l| l.addr(expr))?;
        Ok(match addr {
            Addr::Cell(cell) => Real::Load(cell),
            // Which variable it is changes with time.
            addr if moves => {
                let read = Box::new(Real::Read(addr));
                Real::If(Box::new(Int::Const(1)), true, read, Box::new(Real::Const(0.0)))
            }
            addr => Real::Read(addr),
        })
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Expr], span: Span) -> Lowered<Real> {
        let info = builtin.info();
        if info.random {
            if !self.may_draw {
                return unsupported("a random number outside of updates and weights", span);
            }
            self.drawn = true;
            let distribution = match info.name {
                "random" => Distribution::Uniform,
                "random_arcsine" => Distribution::Arcsine,
                "random_beta" => Distribution::Beta,
                "random_gamma" => Distribution::Gamma,
                "random_normal" | "normal" => Distribution::Normal,
                "random_poisson" => Distribution::Poisson,
                "random_tri" => Distribution::Triangular,
                "random_weibull" => Distribution::Weibull,
                _ => return unsupported("this distribution", span),
            };
            let args = args.iter().map(|a| self.real(a)).collect::<Lowered<_>>()?;
            return Ok(Real::Draw(distribution, args, span));
        }
        if let (Some(f), [x]) = (info.unary(), args) {
            return Ok(Real::Unary(f, Box::new(self.real(x)?)));
        }
        if let (Some(f), [x, y]) = (info.binary(), args) {
            return Ok(Real::Binary(f, Box::new(self.real(x)?), Box::new(self.real(y)?)));
        }
        Ok(Real::Builtin(info, self.numbers(info, args)?, span))
    }

    fn numbers(&mut self, info: &BuiltinInfo, args: &[Expr]) -> Lowered<Vec<Number>> {
        info.params
            .iter()
            .zip(args)
            .map(|(param, arg)| {
                Ok(match param {
                    builtin::Number::Double => Number::Real(self.real(arg)?),
                    builtin::Number::Int | builtin::Number::Bool => Number::Int(self.int(arg)?),
                })
            })
            .collect()
    }

    /// The number of a process within its set, and the processes of the set.
    pub(super) fn process(
        &mut self,
        process: &ProcessExpr,
        span: Span,
    ) -> Lowered<(Int, std::ops::Range<usize>)> {
        let Some(range) = self.layout.system.sets.get(process.set.index()).cloned() else {
            return unsupported("an unknown process", span);
        };
        let first = range.first.index();
        let all = first..first + range.len() as usize;
        if process.args.is_empty() {
            return Ok((Int::Const(0), all));
        }
        let args = process.args.iter().zip(&range.dims);
        let args = args.map(|(arg, &(lo, count))| Ok((self.int(arg)?, lo, count)));
        let args: Vec<_> = args.collect::<Lowered<_>>()?;
        let known: Option<Vec<i32>> = args
            .iter()
            .map(|(arg, ..)| match arg {
                Int::Const(i) => Some(*i),
                _ => None,
            })
            .collect();
        match known {
            None => Ok((Int::Process(args, span), all)),
            Some(values) => match range.process(&values) {
                Some(p) => Ok((Int::Const(0), p.index()..p.index() + 1)),
                None => {
                    let values: Vec<String> = values.iter().map(i32::to_string).collect();
                    Err(FaultKind::NoSuchProcess(values.join(",")).at(span))
                }
            },
        }
    }
}
