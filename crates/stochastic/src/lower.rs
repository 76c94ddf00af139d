//! Compiles the typed tree to code over cells.

mod expr;
mod place;
mod statement;

use crate::code::{Addr, Cond, Domain, Function, Int, Real, Values};
use crate::layout::Layout;
use rustc_hash::FxHashMap;
use zonewalk_model::eval::{Fault, FaultKind};
use zonewalk_model::ids::{FunctionId, SlotId};
use zonewalk_model::tree::{BinaryOp, Binder, Expr, ExprKind, Name};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// Makes code. One for a whole system: functions are made once for each process that uses them.
pub(crate) struct Lower<'m> {
    pub(crate) layout: Layout<'m>,
    pub(crate) functions: Vec<Function>,
    known: FxHashMap<(FunctionId, Option<usize>), LoweredFunction>,
    /// The process whose label is made.
    process: Option<usize>,
    /// Meaning of the slots of the current activation.
    slots: FxHashMap<SlotId, Slot>,
    /// Whether what was made last reads a clock.
    timed: bool,
    /// The cells of the rates of clocks, by clock.
    pub(crate) rate_cells: u32,
    /// The function whose body is made: the cell of its result.
    result: Option<(u32, Type, Name)>,
    /// Whether a draw may be made here.
    pub(crate) may_draw: bool,
    /// Whether one was.
    pub(crate) drawn: bool,
    /// The cells of the parameters of each function.
    params: Vec<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct LoweredFunction {
    index: usize,
    timed: bool,
    draws: bool,
}

#[derive(Clone, Copy)]
enum Slot {
    Cell(u32),
    /// The cell holds an address.
    Reference(u32),
}

type Lowered<T> = Result<T, Fault>;

impl<'m> Lower<'m> {
    pub(crate) fn new(mut layout: Layout<'m>) -> Lower<'m> {
        let rate_cells = layout.allocate(layout.clocks.len() as u32);
        Lower {
            layout,
            functions: Vec::new(),
            known: FxHashMap::default(),
            process: None,
            slots: FxHashMap::default(),
            timed: false,
            rate_cells,
            result: None,
            may_draw: false,
            drawn: false,
            params: Vec::new(),
        }
    }

    /// Begins with the labels of a process, or with a query.
    pub(crate) fn enter(&mut self, process: Option<usize>) {
        self.process = process;
        self.slots.clear();
        self.may_draw = false;
    }

    /// Whether what `make` makes reads a clock.
    fn timed<T>(&mut self, make: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(T, bool)> {
        let before = std::mem::replace(&mut self.timed, false);
        let made = make(self)?;
        let timed = self.timed;
        self.timed |= before;
        Ok((made, timed))
    }

    /// The cells of a name that takes all the values of a type.
    pub(crate) fn values(&mut self, binder: &Binder, span: Span) -> Lowered<Values> {
        let domain = self.layout.domain(&binder.ty, self.process, span)?;
        let cell = self.layout.allocate(1);
        self.slots.insert(binder.slot, Slot::Cell(cell));
        Ok(Values {
            cell,
            lo: domain.lo,
            hi: domain.hi,
        })
    }

    /// Domain of an integer variable of this type.
    fn domain_of(&self, ty: &Type, is_const: bool, span: Span) -> Lowered<Domain> {
        Ok(match ty {
            Type::Bool => Domain::Bool,
            Type::Int if is_const => Domain::Range(i32::MIN, i32::MAX),
            _ => {
                let domain = self.layout.domain(ty, self.process, span)?;
                Domain::Range(domain.lo, domain.hi)
            }
        })
    }

    /// A condition whose instants are asked for.
    pub(crate) fn condition(&mut self, expr: &Expr) -> Lowered<Cond> {
        let (whole, timed) = self.timed(|l| l.int(expr))?;
        if !timed {
            return Ok(Cond::Data(whole));
        }
        let list =
            |l: &mut Self, parts: &[Expr]| parts.iter().map(|p| l.condition(p)).collect::<Lowered<_>>();
        Ok(match &expr.kind {
            ExprKind::And(parts) => Cond::And(list(self, parts)?),
            ExprKind::Or(parts) => Cond::Or(list(self, parts)?),
            ExprKind::Not(part) => Cond::Not(Box::new(self.condition(part)?)),
            ExprKind::Imply(a, b) => {
                Cond::Or(vec![Cond::Not(Box::new(self.condition(a)?)), self.condition(b)?])
            }
            ExprKind::Xor(a, b) => {
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                let not = |c: &Cond| Cond::Not(Box::new(c.clone()));
                Cond::Or(vec![
                    Cond::And(vec![a.clone(), not(&b)]),
                    Cond::And(vec![not(&a), b]),
                ])
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                let (then, otherwise) = (self.condition(then)?, self.condition(otherwise)?);
                Cond::Or(vec![
                    Cond::And(vec![condition.clone(), then]),
                    Cond::And(vec![Cond::Not(Box::new(condition)), otherwise]),
                ])
            }
            ExprKind::Forall(binder, body) => {
                let values = self.values(binder, expr.span)?;
                Cond::All(values, Box::new(self.condition(body)?))
            }
            ExprKind::Exists(binder, body) => {
                let values = self.values(binder, expr.span)?;
                Cond::Any(values, Box::new(self.condition(body)?))
            }
            ExprKind::CompareClocks(op, a, b) | ExprKind::Compare(op, a, b) => {
                Cond::Compare(*op, self.real(a)?, self.real(b)?, expr.span)
            }
            ExprKind::SetRate(..) => Cond::Data(Int::Const(1)),
            _ => Cond::Opaque(whole),
        })
    }

    /// The rates that an invariant sets.
    pub(crate) fn rates(&mut self, invariant: &Expr, into: &mut Vec<RateSetting>) -> Lowered<()> {
        self.rates_below(invariant, &mut Around::default(), into)
    }

    /// Collects the rates set by a subexpression. In `b || x' == 0` the rate is set when `b` is false, on either side of the
    /// `||`.
    fn rates_below(&mut self, expr: &Expr, around: &mut Around, into: &mut Vec<RateSetting>) -> Lowered<()> {
        let (values, conditions) = (around.values.len(), around.conditions.len());
        match &expr.kind {
            ExprKind::And(parts) => {
                for part in parts {
                    self.rates_below(part, around, into)?;
                }
            }
            ExprKind::Or(parts) if sets_rate(expr) => {
                for part in parts.iter().filter(|p| !sets_rate(p)) {
                    self.only_if(part, false, around)?;
                }
                for part in parts.iter().filter(|p| sets_rate(p)) {
                    self.rates_below(part, around, into)?;
                }
            }
            ExprKind::Imply(condition, body) if sets_rate(body) => {
                self.only_if(condition, true, around)?;
                self.rates_below(body, around, into)?;
            }
            ExprKind::Conditional(condition, then, otherwise) if sets_rate(expr) => {
                self.only_if(condition, true, around)?;
                self.rates_below(then, around, into)?;
                around.conditions.truncate(conditions);
                self.only_if(condition, false, around)?;
                self.rates_below(otherwise, around, into)?;
            }
            ExprKind::Forall(binder, body) if sets_rate(body) => {
                around.values.push(self.values(binder, expr.span)?);
                self.rates_below(body, around, into)?;
            }
            ExprKind::SetRate(clock, rate) => {
                let clock = self.addr(clock)?;
                let (rate, timed) = self.timed(|l| l.real(rate))?;
                into.push(RateSetting {
                    values: around.values.clone(),
                    conditions: around.conditions.clone(),
                    clock,
                    rate,
                    timed,
                    span: expr.span,
                });
            }
            _ => {}
        }
        around.values.truncate(values);
        around.conditions.truncate(conditions);
        Ok(())
    }

    /// Notes a condition under which rates are set.
    fn only_if(&mut self, condition: &Expr, wanted: bool, around: &mut Around) -> Lowered<()> {
        let (code, timed) = self.timed(|l| l.int(condition))?;
        if timed {
            return unsupported("a clock rate under a condition on clocks", condition.span);
        }
        around.conditions.push((code, wanted));
        Ok(())
    }
}

/// Whether a part of an invariant sets a rate.
fn sets_rate(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::SetRate(..) => true,
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().any(sets_rate),
        ExprKind::Imply(_, body) | ExprKind::Forall(_, body) => sets_rate(body),
        ExprKind::Conditional(_, then, otherwise) => sets_rate(then) || sets_rate(otherwise),
        _ => false,
    }
}

/// Context of a rate: bound names, and conditions with their required truth values.
#[derive(Default)]
struct Around {
    values: Vec<Values>,
    conditions: Vec<(Int, bool)>,
}

/// `x' == e` in an invariant.
#[derive(Clone, Debug)]
pub(crate) struct RateSetting {
    pub(crate) values: Vec<Values>,
    /// Conditions under which the rate is set, with their required truth values.
    pub(crate) conditions: Vec<(Int, bool)>,
    pub(crate) clock: Addr,
    pub(crate) rate: Real,
    /// The rate depends on clocks.
    pub(crate) timed: bool,
    pub(crate) span: Span,
}

fn unsupported<T>(what: &'static str, span: Span) -> Lowered<T> {
    Err(FaultKind::unsupported(what).at(span))
}

/// Whether an operator compares.
fn is_comparison(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
    )
}
