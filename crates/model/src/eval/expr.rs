//! Expressions.

use super::access::{Access, cells};
use super::arithmetic::{compare, double, integer, negate};
use super::fault::{Fault, FaultKind};
use super::{ClockTerm, Evaluator, STEP_LIMIT};
use crate::builtin::{NoValue, Number, Numeral};
use crate::system::Value;
use crate::tree::{BinaryOp, Binder, Builtin, Expr, ExprKind};
use crate::types::Type;
use zonewalk_syntax::span::Span;

impl Evaluator<'_> {
    pub(super) fn eval(&mut self, expr: &Expr) -> Result<Value, Fault> {
        self.descend(expr.span)?;
        let value = self.eval_kind(expr);
        self.depth -= 1;
        value.map_err(|fault| self.explained(fault, expr))
    }

    fn eval_kind(&mut self, expr: &Expr) -> Result<Value, Fault> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(i) => Ok(Value::Int(*i)),
            ExprKind::Double(d) => Ok(Value::Double(*d)),
            ExprKind::Str(s) => Ok(Value::Str(s.clone())),
            ExprKind::Var(var) => self.load(*var, span),
            ExprKind::Index(base, index) if self.is_plain_array(base) => {
                let copy = self.plain_element(base, index)?.clone();
                if let Value::Array(_) | Value::Struct(_) = copy {
                    self.spend(cells(&copy), index.span)?;
                }
                Ok(copy)
            }
            ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Member(..) | ExprKind::ParamMember(..) => {
                let access = self.access_kind(expr)?;
                self.read(&access, span)
            }
            ExprKind::Negate(e) => self.negate(e, span),
            ExprKind::Arithmetic(first, rest) => self.arithmetic(first, rest),
            ExprKind::Compare(op, a, b) => self.compare(*op, a, b, span),
            ExprKind::Same(_, a, _) if a.ty.any(&mut |t| matches!(t, Type::Clock { .. })) => {
                Err(FaultKind::unsupported("a comparison of whole arrays or structs of clocks").at(span))
            }
            ExprKind::Same(equal, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                if !a.is_specified() || !b.is_specified() {
                    return Err(FaultKind::Unspecified.at(span));
                }
                Ok(boolean((a == b) == *equal))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.truth(condition)? { then } else { otherwise };
                Ok(as_typed(self.eval(chosen)?, expr))
            }
            ExprKind::Sum(binder, body) => Ok(as_typed(self.sum(binder, body, span)?, expr)),
            ExprKind::Assign(..) | ExprKind::AssignWith(..) | ExprKind::Step { prefix: true, .. } => {
                let access = self.assignment(expr)?;
                self.read(&access, span)
            }
            ExprKind::Step {
                increment,
                prefix: false,
                place,
            } => self.step(*increment, place, span).map(|(_, old)| old),
            ExprKind::Comma(parts) => {
                let mut value = Value::Int(0);
                for part in parts {
                    value = self.eval(part)?;
                }
                Ok(value)
            }
            ExprKind::Call(function, args) => self.call(*function, args, span),
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, span),
            ExprKind::Rate(clock) => {
                let rate = match self.eval(clock)? {
                    Value::Clock(clock) => self.world.as_ref().and_then(|world| world.rate(clock)),
                    _ => None,
                };
                rate.map(Value::Double)
                    .ok_or_else(|| FaultKind::unsupported("the rate of a clock as a value").at(span))
            }
            ExprKind::ProcessCall(process, function, args) => {
                self.process_call(process, *function, args, span)
            }
            ExprKind::Unsupported(construct) => Err(FaultKind::unsupported(*construct).at(span)),
            ExprKind::Not(_)
            | ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Imply(..)
            | ExprKind::Xor(..)
            | ExprKind::CompareClocks(..)
            | ExprKind::SetRate(..)
            | ExprKind::Forall(..)
            | ExprKind::Exists(..)
            | ExprKind::Deadlock
            | ExprKind::AtLocation(..) => Ok(boolean(self.truth_kind(expr)?)),
        }
    }

    /// Whether a condition holds: integers count as booleans.
    pub(super) fn truth(&mut self, expr: &Expr) -> Result<bool, Fault> {
        self.descend(expr.span)?;
        let truth = self.truth_kind(expr);
        self.depth -= 1;
        truth.map_err(|fault| self.explained(fault, expr))
    }

    /// `&&`, `||` and `imply` look at their right side only when the left one leaves it open (`semantics.md` 14).
    fn truth_kind(&mut self, expr: &Expr) -> Result<bool, Fault> {
        match &expr.kind {
            ExprKind::Not(e) => Ok(!self.truth(e)?),
            ExprKind::And(parts) => {
                for part in parts {
                    if !self.truth(part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            ExprKind::Or(parts) => {
                for part in parts {
                    if self.truth(part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            ExprKind::Imply(a, b) => Ok(!self.truth(a)? || self.truth(b)?),
            ExprKind::Xor(a, b) => Ok(self.truth(a)? != self.truth(b)?),
            ExprKind::CompareClocks(op, a, b) if self.are_clocks_doubles() => {
                let (a, b) = (self.real(a)?, self.real(b)?);
                self.compare_readings(*op, a, b)
                    .map_err(|kind| kind.at(expr.span))
            }
            ExprKind::CompareClocks(op, a, b) => {
                let term = self.clock_term(a)?.plus(self.clock_term(b)?.negated());
                let term = term.ok_or_else(|| clock_arithmetic(expr.span))?;
                let term = self.wrapping_term(term.with_wrapped_bound(), expr.span);
                self.world()
                    .and_then(|w| w.compare(term, *op))
                    .map_err(|kind| kind.at(expr.span))
            }
            // A rate is set, not tested (`semantics.md` 3).
            ExprKind::SetRate(..) => Ok(true),
            ExprKind::Forall(binder, body) => Ok(!self.any_value(binder, body, false, expr.span)?),
            ExprKind::Exists(binder, body) => self.any_value(binder, body, true, expr.span),
            ExprKind::Deadlock => self
                .world()
                .and_then(super::World::deadlock)
                .map_err(|kind| kind.at(expr.span)),
            ExprKind::AtLocation(process, location) => {
                let process = self.process(process, expr.span)?;
                let world = self.world().map_err(|kind| kind.at(expr.span))?;
                Ok(world.location(process) == Some(*location))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.truth(condition)? { then } else { otherwise };
                self.truth(chosen)
            }
            _ => match self.eval_kind(expr)? {
                Value::Int(i) => Ok(i != 0),
                Value::Double(d) => Ok(d != 0.0),
                Value::Unknown(..) => Err(FaultKind::Unspecified.at(expr.span)),
                _ => Err(FaultKind::unsupported("a condition of this type").at(expr.span)),
            },
        }
    }

    pub(super) fn eval_int(&mut self, expr: &Expr) -> Result<i32, Fault> {
        // Most integers are variables or elements of arrays, and indices nearly all are variables.
        if let ExprKind::Var(var) = &expr.kind
            && let Some(&Value::Int(i)) = self.plain(*var)
        {
            self.spend(1, expr.span)?;
            return Ok(i);
        }
        if let ExprKind::Index(base, index) = &expr.kind
            && self.is_plain_array(base)
        {
            self.descend(expr.span)?;
            let element = self.plain_element(base, index).map(|value| match value {
                Value::Int(i) => Some(*i),
                _ => None,
            });
            self.depth -= 1;
            if let Some(i) = element? {
                return Ok(i);
            }
        }
        match self.eval(expr)? {
            Value::Int(i) => Ok(i),
            Value::Double(_) => Err(FaultKind::unsupported("a double as an integer").at(expr.span)),
            Value::Clock(_) => Err(clock_arithmetic(expr.span)),
            Value::Unknown(..) => Err(FaultKind::Unspecified.at(expr.span)),
            _ => Err(FaultKind::unsupported("an integer of this type").at(expr.span)),
        }
    }

    /// Evaluates for the side effects alone, which spares the copy of an assigned array.
    pub(super) fn effect(&mut self, expr: &Expr) -> Result<(), Fault> {
        self.descend(expr.span)?;
        let done = match &expr.kind {
            ExprKind::Assign(..) | ExprKind::AssignWith(..) => self.assignment(expr).map(drop),
            _ => self.eval_kind(expr).map(drop),
        };
        self.depth -= 1;
        done.map_err(|fault| self.explained(fault, expr))
    }

    /// Runs an assignment or prefix step, and gives the place: they are left sides themselves (`semantics.md`
    /// 20a), and their operands must not be evaluated twice.
    pub(super) fn assignment(&mut self, expr: &Expr) -> Result<Access, Fault> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Assign(place, value) => self.assign(place, value, span),
            ExprKind::AssignWith(op, place, value) => {
                let access = self.access(place)?;
                let old = self.read(&access, span)?;
                let right = self.eval(value)?;
                let new = self.combine(*op, &old, &right, span)?;
                self.write(&access, &place.ty, new, span)?;
                Ok(access)
            }
            ExprKind::Step { increment, place, .. } => {
                self.step(*increment, place, span).map(|(access, _)| access)
            }
            _ => Err(FaultKind::unsupported("this as an assignment").at(span)),
        }
    }

    /// The place is found before the value: labels go left to right (`semantics.md` 7).
    fn assign(&mut self, place: &Expr, value: &Expr, span: Span) -> Result<Access, Fault> {
        let access = self.access(place)?;
        if let Type::Clock { .. } = place.ty {
            let Value::Clock(clock) = self.read(&access, span)? else {
                return Err(clock_arithmetic(span));
            };
            if self.are_clocks_doubles() {
                let value = self.real(value)?;
                if let Some(world) = &mut self.world {
                    world.set_reading(clock, value);
                }
                return Ok(access);
            }
            let term = self.clock_term(value)?.with_wrapped_constant();
            let term = self.wrapping_term(term, value.span);
            self.set_clock(clock, term, span)?;
        } else {
            let value = self.eval(value)?;
            self.write(&access, &place.ty, value, span)?;
        }
        Ok(access)
    }

    /// The place that was stepped, and its value before.
    fn step(&mut self, increment: bool, place: &Expr, span: Span) -> Result<(Access, Value), Fault> {
        let access = self.access(place)?;
        let old = self.read(&access, span)?;
        let op = if increment { BinaryOp::Add } else { BinaryOp::Sub };
        let new = self.combine(op, &old, &Value::Int(1), span)?;
        self.write(&access, &place.ty, new, span)?;
        Ok((access, old))
    }

    fn negate(&mut self, operand: &Expr, span: Span) -> Result<Value, Fault> {
        match self.eval(operand)? {
            Value::Int(i) => Ok(Value::Int(self.wrapping(negate(i), span))),
            Value::Double(d) => Ok(Value::Double(-d)),
            Value::Unknown(..) => Err(FaultKind::Unspecified.at(span)),
            other => match self.number(&other) {
                Some(reading) => Ok(Value::Double(-reading)),
                None => Err(clock_arithmetic(span)),
            },
        }
    }

    fn arithmetic(&mut self, first: &Expr, rest: &[(BinaryOp, Expr)]) -> Result<Value, Fault> {
        let mut value = self.eval(first)?;
        for (op, operand) in rest {
            let right = self.eval(operand)?;
            value = self.combine(*op, &value, &right, first.span.to(operand.span))?;
        }
        Ok(value)
    }

    /// Applies an operator. Integers stay integers; one double makes both doubles.
    fn combine(&self, op: BinaryOp, a: &Value, b: &Value, span: Span) -> Result<Value, Fault> {
        let result = match (a, b) {
            (Value::Int(a), Value::Int(b)) => {
                integer(op, *a, *b).map(|result| Value::Int(self.wrapping(result, span)))
            }
            (Value::Unknown(..), _) | (_, Value::Unknown(..)) => Err(FaultKind::Unspecified),
            _ => match (self.number(a), self.number(b)) {
                (Some(a), Some(b)) => double(op, a, b).map(Value::Double),
                _ => Err(FaultKind::unsupported("clock arithmetic")),
            },
        };
        result.map_err(|kind| kind.at(span))
    }

    fn compare(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Result<Value, Fault> {
        let truth = match (self.eval(a)?, self.eval(b)?) {
            (Value::Int(a), Value::Int(b)) => compare(op, &a, &b),
            (Value::Unknown(..), _) | (_, Value::Unknown(..)) => Err(FaultKind::Unspecified),
            (a, b) => match (self.number(&a), self.number(&b)) {
                (Some(a), Some(b)) => compare(op, &a, &b),
                _ => Err(FaultKind::unsupported("a comparison of this type")),
            },
        };
        truth.map(boolean).map_err(|kind| kind.at(span))
    }

    /// Whether the body is `wanted` for some value; looks no further than the first, smallest value first.
    fn any_value(&mut self, binder: &Binder, body: &Expr, wanted: bool, span: Span) -> Result<bool, Fault> {
        for value in self.domain(&binder.ty, span)?.iter() {
            self.take_value(binder, value, span)?;
            if self.truth(body)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn sum(&mut self, binder: &Binder, body: &Expr, span: Span) -> Result<Value, Fault> {
        let mut sum = Value::Int(0);
        for value in self.domain(&binder.ty, span)?.iter() {
            self.take_value(binder, value, span)?;
            let term = self.eval(body)?;
            sum = self.combine(BinaryOp::Add, &sum, &term, span)?;
        }
        Ok(sum)
    }

    /// Gives the variable of a quantifier its next value. A quantifier ends by itself, so that in a label its
    /// values are counted apart from the steps after which a call does not terminate.
    fn take_value(&mut self, binder: &Binder, value: i32, span: Span) -> Result<(), Fault> {
        if self.is_in_label() {
            let left = self.values_left.checked_sub(1);
            self.values_left = left.ok_or_else(|| FaultKind::DoesNotTerminate.at(span))?;
            self.steps_left = STEP_LIMIT;
        }
        self.set_slot(binder.slot, Value::Int(value));
        Ok(())
    }

    /// A side of a clock bound, or the value for a clock: at most a difference of clocks plus an integer.
    fn clock_term(&mut self, expr: &Expr) -> Result<ClockTerm, Fault> {
        self.descend(expr.span)?;
        let term = self.clock_term_kind(expr);
        self.depth -= 1;
        term
    }

    fn wrapping_term(&self, (term, wrapped): (ClockTerm, bool), span: Span) -> ClockTerm {
        self.wrapping((0, wrapped), span);
        term
    }

    fn clock_term_kind(&mut self, expr: &Expr) -> Result<ClockTerm, Fault> {
        match &expr.kind {
            ExprKind::Arithmetic(first, rest) if !expr.ty.is_integral() => {
                let mut term = self.clock_term(first)?;
                for (op, operand) in rest {
                    let right = self.clock_term(operand)?;
                    let sum = match op {
                        BinaryOp::Add => term.plus(right),
                        BinaryOp::Sub => term.plus(right.negated()),
                        _ => None,
                    };
                    term = sum.ok_or_else(|| clock_arithmetic(expr.span))?;
                }
                Ok(term)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let chosen = if self.truth(condition)? { then } else { otherwise };
                self.clock_term(chosen)
            }
            _ => match self.eval(expr)? {
                Value::Int(i) => Ok(ClockTerm::constant(i64::from(i))),
                Value::Clock(c) => Ok(ClockTerm::clock(c)),
                Value::Unknown(..) => Err(FaultKind::Unspecified.at(expr.span)),
                _ => Err(clock_arithmetic(expr.span)),
            },
        }
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Expr], span: Span) -> Result<Value, Fault> {
        let info = builtin.info();
        let mut numerals = Vec::with_capacity(args.len());
        for arg in args {
            numerals.push(match self.eval(arg)? {
                Value::Int(i) => Numeral::Int(i),
                Value::Double(d) => Numeral::Double(d),
                Value::Unknown(..) => return Err(FaultKind::Unspecified.at(arg.span)),
                other => match self.number(&other) {
                    Some(reading) => Numeral::Double(reading),
                    None => return Err(clock_arithmetic(arg.span)),
                },
            });
        }
        if info.random
            && let Some(world) = &mut self.world
        {
            let args: Vec<f64> = numerals.iter().map(|n| n.to_f64()).collect();
            let drawn = world.draw(info.name, &args).map_err(|kind| kind.at(span))?;
            return Ok(Value::Double(drawn));
        }
        match info.compute(&numerals) {
            Ok((Numeral::Int(i), _)) if info.result == Number::Double => Ok(Value::Double(f64::from(i))),
            Ok((Numeral::Int(i), wrapped)) => Ok(Value::Int(self.wrapping((i, wrapped), span))),
            Ok((Numeral::Double(d), _)) => Ok(Value::Double(d)),
            Err(NoValue::Overflow) => Err(FaultKind::Overflow.at(span)),
            Err(NoValue::Unsupported) => Err(FaultKind::unsupported(format!("`{}()`", info.name)).at(span)),
        }
    }
}

impl Evaluator<'_> {
    /// The value of a number of any kind.
    ///
    /// # Errors
    /// The run-time error that it runs into; what is not a number.
    pub fn number_of(&mut self, expr: &Expr) -> Result<f64, Fault> {
        self.begin();
        self.real(expr)
    }

    fn real(&mut self, expr: &Expr) -> Result<f64, Fault> {
        let value = self.eval(expr)?;
        self.number(&value).ok_or_else(|| clock_arithmetic(expr.span))
    }

    /// A number as a double; clocks where they are doubles.
    pub(super) fn number(&self, value: &Value) -> Option<f64> {
        match value {
            Value::Int(i) => Some(f64::from(*i)),
            Value::Double(d) => Some(*d),
            Value::Clock(clock) => self.world.as_ref()?.reading(*clock),
            _ => None,
        }
    }

    fn are_clocks_doubles(&self) -> bool {
        let first = crate::ids::ClockId(0);
        self.world
            .as_ref()
            .is_some_and(|world| world.reading(first).is_some())
    }

    fn compare_readings(&self, op: BinaryOp, a: f64, b: f64) -> Result<bool, FaultKind> {
        let tolerance = self.world.as_ref().map_or(0.0, |world| world.tolerance());
        let slack = tolerance * a.abs().max(b.abs()).max(1.0);
        match op {
            BinaryOp::Less | BinaryOp::LessEqual => compare(op, &a, &(b + slack)),
            BinaryOp::Greater | BinaryOp::GreaterEqual => compare(op, &(a + slack), &b),
            BinaryOp::Equal if tolerance > 0.0 => Ok((a - b).abs() <= slack),
            _ => compare(op, &a, &b),
        }
    }
}

/// Where one side of `?:` is a double, the other one becomes a double, too, and so does a sum of no doubles.
fn as_typed(value: Value, expr: &Expr) -> Value {
    match (value, &expr.ty) {
        (Value::Int(i), Type::Double) => Value::Double(f64::from(i)),
        (value, _) => value,
    }
}

fn boolean(truth: bool) -> Value {
    Value::Int(i32::from(truth))
}

fn clock_arithmetic(span: Span) -> Fault {
    FaultKind::unsupported("clock arithmetic").at(span)
}
