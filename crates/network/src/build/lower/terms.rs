//! Guards and invariants, taken apart into terms.

use super::clock::{Linear, arithmetic, linear};
use super::double::is_double;
use super::{Slot, Unit};
use crate::code::cell::Cell;
use crate::code::constraint::{ClockBound, Condition, Quantity, RateSetting, Relation, Term};
use crate::code::instr::{Entry, Instr};
use crate::error::{CompileError, Result};
use crate::expressions::visit;
use zonewalk_model::tree::{BinaryOp, Expr, ExprKind};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// Terms that one label may have once `forall` over clocks is written out.
const MAX_TERMS: usize = 1 << 16;

/// A part of a condition: an expression and the truth that it must have.
type Literal<'e> = (&'e Expr, bool);

/// The terms of a guard or invariant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms<'e> {
    /// In the order of evaluation.
    terms: Vec<Term>,
    /// Bounds that cannot fail, whose order does not matter.
    simple: Vec<Term>,
    pub(crate) rates: Vec<RateSetting>,
    /// Data conditions that are not compiled yet.
    pending: Vec<&'e Expr>,
}

impl Terms<'_> {
    /// All terms in the order of evaluation.
    pub(crate) fn into_parts(self) -> (Vec<Term>, Vec<RateSetting>) {
        let mut terms = self.terms;
        terms.extend(self.simple);
        (terms, self.rates)
    }
}

/// The parts of a conjunction.
fn take_apart<'e>(expr: &'e Expr, into: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::And(parts) => parts.iter().for_each(|part| take_apart(part, into)),
        _ => into.push(expr),
    }
}

/// Whether a condition says anything about clocks.
fn mentions_clocks(expr: &Expr) -> bool {
    visit::any(expr, &mut |e| {
        matches!(
            e.kind,
            ExprKind::CompareClocks(..) | ExprKind::SetRate(..) | ExprKind::Rate(_)
        )
    })
}

impl Unit<'_, '_> {
    /// Takes a guard or invariant apart.
    pub(crate) fn terms<'e>(&mut self, expr: &'e Expr) -> Result<Terms<'e>> {
        let mut terms = Terms::default();
        self.split(expr, &mut Vec::new(), &mut terms)?;
        self.flush(&mut terms)?;
        Ok(terms)
    }

    fn split<'e>(
        &mut self,
        expr: &'e Expr,
        path: &mut Vec<Literal<'e>>,
        terms: &mut Terms<'e>,
    ) -> Result<()> {
        if terms.terms.len() + terms.simple.len() > MAX_TERMS {
            return Err(CompileError::too_large(
                expr.span,
                format!("more than {MAX_TERMS} conditions in one label"),
            ));
        }
        if !mentions_clocks(expr) {
            if path.is_empty() {
                take_apart(expr, &mut terms.pending);
                return Ok(());
            }
            // `b imply (x > 3 && i == 1)`: the data count only under the condition.
            self.flush(terms)?;
            let condition = self.guarded(path, expr)?;
            terms.terms.extend(condition.map(Term::Data));
            return Ok(());
        }
        match &expr.kind {
            ExprKind::And(parts) => parts.iter().try_for_each(|part| self.split(part, path, terms)),
            ExprKind::Or(parts) => {
                let mut with_clocks = parts.iter().filter(|p| mentions_clocks(p));
                let (Some(body), None) = (with_clocks.next(), with_clocks.next()) else {
                    return Err(not_convex(expr.span));
                };
                let depth = path.len();
                path.extend(parts.iter().filter(|p| !mentions_clocks(p)).map(|p| (p, false)));
                let done = self.split(body, path, terms);
                path.truncate(depth);
                done
            }
            ExprKind::Imply(condition, body) if !mentions_clocks(condition) => {
                self.under((condition, true), body, path, terms)
            }
            ExprKind::Conditional(condition, then, otherwise) if !mentions_clocks(condition) => {
                self.under((condition, true), then, path, terms)?;
                self.under((condition, false), otherwise, path, terms)
            }
            ExprKind::Forall(binder, body) => {
                let range = self.scope().range(&binder.ty);
                let range = range.ok_or_else(|| {
                    CompileError::internal(expr.span, "a quantifier over a type without values")
                })?;
                // Pending data were written outside the quantifier, and know nothing of its value.
                self.flush(terms)?;
                let outer = self.activation().slot(binder.slot).clone();
                for value in range.lo..=range.hi {
                    self.activation().set(binder.slot, Slot::Value(value));
                    self.split(body, path, terms)?;
                    self.flush(terms)?;
                }
                self.activation().set(binder.slot, outer);
                Ok(())
            }
            ExprKind::CompareClocks(op, a, b) => self.bound(*op, a, b, path, terms, expr.span),
            ExprKind::SetRate(clock, rate) => self.rate(clock, rate, path, terms, expr.span),
            _ => Err(not_convex(expr.span)),
        }
    }

    fn under<'e>(
        &mut self,
        literal: Literal<'e>,
        body: &'e Expr,
        path: &mut Vec<Literal<'e>>,
        terms: &mut Terms<'e>,
    ) -> Result<()> {
        path.push(literal);
        let done = self.split(body, path, terms);
        path.pop();
        done
    }

    /// Compiles the data conditions that are waiting: comparisons as far as there are any, then code for the others.
    fn flush(&mut self, terms: &mut Terms<'_>) -> Result<()> {
        let pending: Vec<Literal<'_>> = terms.pending.drain(..).map(|e| (e, true)).collect();
        let mut others = pending.as_slice();
        while let [first, rest @ ..] = others {
            let start = self.here();
            let condition = self.condition(std::slice::from_ref(first))?;
            if let Some(Condition::Code(_)) = condition
                && !rest.is_empty()
            {
                self.rollback(start);
                break;
            }
            terms.terms.extend(condition.map(Term::Data));
            // Whatever follows something that is never true does not matter, and need not even be supported.
            if matches!(condition, Some(Condition::Compare { relation: Relation::NotEqual, a, b }) if a == b)
            {
                return Ok(());
            }
            others = rest;
        }
        let condition = self.condition(others)?;
        terms.terms.extend(condition.map(Term::Data));
        Ok(())
    }

    /// A conjunction; `None` when it always holds.
    pub(crate) fn condition(&mut self, literals: &[Literal<'_>]) -> Result<Option<Condition>> {
        if literals.is_empty() {
            return Ok(None);
        }
        let (start, frame) = (self.here(), self.frame);
        let no = self.label();
        let mut never = false;
        for (expr, truth) in literals {
            never = never || self.branch(expr, !truth, no)? == Some(true);
        }
        self.frame = frame;
        Ok(self.conclude(start, no, never))
    }

    /// `path imply body`; `None` when it always holds.
    fn guarded(&mut self, path: &[Literal<'_>], body: &Expr) -> Result<Option<Condition>> {
        let (start, frame) = (self.here(), self.frame);
        let (yes, no) = (self.label(), self.label());
        for (expr, truth) in path {
            if self.branch(expr, !truth, yes)? == Some(true) {
                self.rollback(start);
                return Ok(None);
            }
        }
        self.branch(body, false, no)?;
        self.bind(yes);
        self.frame = frame;
        Ok(self.conclude(start, no, false))
    }

    /// A condition that always holds, and fails where evaluating `path` fails; `None` when that cannot be.
    fn exercised(&mut self, path: &[Literal<'_>]) -> Result<Option<Condition>> {
        let (start, frame) = (self.here(), self.frame);
        let end = self.label();
        for (expr, truth) in path {
            self.branch(expr, !truth, end)?;
        }
        self.bind(end);
        self.frame = frame;
        if !self.may_fail_since(start) {
            self.rollback(start);
            return Ok(None);
        }
        self.halt(1);
        Ok(Some(Condition::Code(start)))
    }

    /// Ends the code of a condition that begins at `start` and goes to `no` when it does not hold.
    fn conclude(&mut self, start: Entry, no: super::emit::Label, never: bool) -> Option<Condition> {
        let (one, zero) = (self.builder.constant(1), self.builder.constant(0));
        if never && !self.may_fail_since(start) {
            self.rollback(start);
            return Some(Condition::Compare {
                relation: Relation::NotEqual,
                a: zero,
                b: zero,
            });
        }
        if self.here() == start {
            return None;
        }
        self.emit(Instr::Halt { value: one });
        self.bind(no);
        self.emit(Instr::Halt { value: zero });
        let code = self
            .builder
            .program
            .code
            .get(start.0 as usize..)
            .unwrap_or_default();
        let [jump, Instr::Halt { .. }, Instr::Halt { .. }] = *code else {
            return Some(Condition::Code(start));
        };
        // A single comparison needs no code. The jump is taken when the condition does not hold.
        let (relation, a, b, target) = match jump {
            Instr::JumpLess { a, b, target } => (Relation::GreaterEqual, a, b, target),
            Instr::JumpLessEqual { a, b, target } => (Relation::Greater, a, b, target),
            Instr::JumpEqual { a, b, target } => (Relation::NotEqual, a, b, target),
            Instr::JumpNotEqual { a, b, target } => (Relation::Equal, a, b, target),
            Instr::JumpIf { a, target } => (Relation::Equal, a, zero, target),
            Instr::JumpUnless { a, target } => (Relation::NotEqual, a, zero, target),
            _ => return Some(Condition::Code(start)),
        };
        if target.0 != start.0 + 2 {
            return Some(Condition::Code(start));
        }
        self.rollback(start);
        Some(Condition::Compare { relation, a, b })
    }

    /// Whether code from `start` on may stop early.
    fn may_fail_since(&self, start: Entry) -> bool {
        let program = &self.builder.program;
        let code = program.code.get(start.0 as usize..).unwrap_or_default();
        code.iter().any(|i| matches!(i, Instr::Call { .. }))
            || program.sites.last().is_some_and(|s| s.at >= start)
    }

    /// Takes code back.
    fn rollback(&mut self, to: Entry) {
        let program = &mut self.builder.program;
        program.code.truncate(to.0 as usize);
        let kept = program.sites.partition_point(|s| s.at < to);
        program.sites.truncate(kept);
        let kept = program.amounts.partition_point(|(at, _)| *at < to);
        program.amounts.truncate(kept);
        self.fixed = None;
    }

    /// Ends code that computes cells; `None` when there was nothing to compute.
    pub(crate) fn setup(&mut self, start: Entry) -> Option<Entry> {
        if self.here() == start {
            return None;
        }
        self.halt(0);
        Some(start)
    }

    fn bound<'e>(
        &mut self,
        op: BinaryOp,
        a: &'e Expr,
        b: &'e Expr,
        path: &[Literal<'e>],
        terms: &mut Terms<'e>,
        span: Span,
    ) -> Result<()> {
        let when = match self.condition(path)? {
            Some(condition) if is_false(&condition, &self.builder.program.constants) => return Ok(()),
            when => when,
        };
        let frame = self.frame;
        let start = self.here();
        let mut bound = self.clock_bound(op, a, b, span)?;
        bound.setup = self.setup(start);
        bound.when = when;
        self.frame = frame;
        if bound.when.is_none() && bound.setup.is_none() {
            terms.simple.push(Term::Clock(bound));
        } else {
            self.flush(terms)?;
            terms.terms.push(Term::Clock(bound));
        }
        Ok(())
    }

    /// A comparison with clocks as a bound; the code for its cells is left open.
    pub(crate) fn clock_bound(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Result<ClockBound> {
        if [a, b].iter().any(|e| matches!(e.ty, Type::Double)) {
            return Err(CompileError::unsupported(
                span,
                "a clock bound that is a double is not supported",
            ));
        }
        let mut relation =
            relation(op).ok_or_else(|| CompileError::internal(span, "an unknown comparison"))?;
        let mut sum = Linear::default();
        linear(a, false, &mut sum)?;
        linear(b, true, &mut sum)?;
        let (left, right) = match (sum.plus.as_slice(), sum.minus.as_slice()) {
            ([x], []) => (*x, None),
            ([x], [y]) => (*x, Some(*y)),
            ([], [y]) => {
                // `3 < x` is `x > 3`.
                relation = relation.flipped();
                for (negative, _) in &mut sum.integers {
                    *negative = !*negative;
                }
                (*y, None)
            }
            _ => return Err(arithmetic(span)),
        };
        let left = self.clock(left)?;
        let right = right.map(|y| self.clock(y)).transpose()?;
        // What was added on the side of the clock is subtracted on the other.
        let integers: Vec<(bool, &Expr)> = sum.integers.iter().map(|(n, e)| (!n, *e)).collect();
        let (bound, range) = self.sum(&integers, span)?;
        Ok(ClockBound {
            when: None,
            setup: None,
            left,
            right,
            relation,
            bound,
            range,
            span,
        })
    }

    fn rate<'e>(
        &mut self,
        clock: &'e Expr,
        rate: &'e Expr,
        path: &[Literal<'e>],
        terms: &mut Terms<'e>,
        span: Span,
    ) -> Result<()> {
        let when = match self.condition(path)? {
            Some(condition) if is_false(&condition, &self.builder.program.constants) => return Ok(()),
            when => when,
        };
        // The condition belongs to the invariant as well: it may fail where rates are not asked for.
        if let Some(condition) = self.exercised(path)? {
            self.flush(terms)?;
            terms.terms.push(Term::Data(condition));
        }
        let frame = self.frame;
        let start = self.here();
        let clock = self.clock(clock)?;
        let range = self.interval(rate);
        let rate = match rate.ty {
            Type::Double => {
                return Err(CompileError::unsupported(
                    rate.span,
                    "a clock rate that is a double is not supported",
                ));
            }
            _ => self.value(rate, None)?,
        };
        let setup = self.setup(start);
        self.frame = frame;
        terms.rates.push(RateSetting {
            when,
            setup,
            clock,
            rate,
            range,
            span,
        });
        Ok(())
    }

    /// A number for stochastic walks.
    pub(crate) fn quantity(&mut self, expr: &Expr, constant: Option<f64>) -> Quantity {
        if let Some(real) = constant {
            return Quantity::Real(real);
        }
        let start = self.here();
        let is_double = is_double(expr);
        let value = match is_double {
            true => self.double(expr, None),
            false => self.value(expr, None),
        };
        match value {
            Ok(value) if is_double => Quantity::Double {
                setup: self.setup(start),
                value,
            },
            Ok(value) => Quantity::Integer {
                setup: self.setup(start),
                value,
            },
            Err(error) => {
                self.rollback(start);
                Quantity::Unsupported(error.span)
            }
        }
    }
}

/// Whether a condition is known to be false.
fn is_false(condition: &Condition, constants: &[i32]) -> bool {
    let known = |cell: Cell| match cell.base() {
        crate::code::cell::Base::Constant => constants.get(cell.offset() as usize).copied(),
        _ => None,
    };
    match condition {
        Condition::Compare { relation, a, b } => known(*a)
            .zip(known(*b))
            .is_some_and(|(a, b)| !relation.holds(a, b)),
        Condition::Code(_) => false,
    }
}

/// The relation of a comparison operator.
fn relation(op: BinaryOp) -> Option<Relation> {
    Some(match op {
        BinaryOp::Less => Relation::Less,
        BinaryOp::LessEqual => Relation::LessEqual,
        BinaryOp::Equal => Relation::Equal,
        BinaryOp::NotEqual => Relation::NotEqual,
        BinaryOp::GreaterEqual => Relation::GreaterEqual,
        BinaryOp::Greater => Relation::Greater,
        _ => return None,
    })
}

fn not_convex(span: Span) -> Box<CompileError> {
    CompileError::unsupported(span, "this combination of clock conditions is not supported here")
}
