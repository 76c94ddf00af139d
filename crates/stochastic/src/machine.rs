//! Runs code on cells.

use crate::code::{Addr, Arg, Call, Cond, Domain, Effect, Int, Number, Real, Values, int_bits, to_int};
use crate::draw;
use crate::plan::Plan;
use smallvec::SmallVec;
use zonewalk_model::builtin::{BuiltinInfo, NoValue, Numeral};
use zonewalk_model::eval::arithmetic::{compare, double, integer};
use zonewalk_model::eval::{Fault, FaultKind, STEP_LIMIT, Subject};
use zonewalk_model::tree::BinaryOp;
use zonewalk_numbers::Random;
use zonewalk_syntax::span::Span;

/// A fault is rare, and a pointer to it keeps results small.
pub(crate) type Ran<T> = Result<T, Box<Fault>>;

/// Where random numbers come from, and where they are noted.
#[derive(Debug)]
pub(crate) enum Draws {
    /// As they come.
    Fresh,
    /// Kept, to make the run again.
    Recorded(Vec<f64>),
}

/// The cells of a run, and what running code needs beside them.
pub(crate) struct Machine<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) cells: Vec<u64>,
    /// By process.
    pub(crate) locations: Vec<u32>,
    pub(crate) random: Random,
    pub(crate) draws: Draws,
    /// By how much a comparison with clocks may miss.
    pub(crate) slack: f64,
    fuel: u64,
}

/// What a statement leads to.
#[derive(PartialEq, Eq)]
enum Flow {
    Next,
    Return,
}

fn fault<T>(kind: FaultKind, span: Span) -> Ran<T> {
    Err(Box::new(kind.at(span)))
}

impl<'p> Machine<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Machine<'p> {
        Machine {
            plan,
            cells: plan.initial.clone(),
            locations: plan.processes.iter().map(|p| p.initial).collect(),
            random: Random::for_walk(0, 0),
            draws: Draws::Fresh,
            slack: 0.0,
            fuel: STEP_LIMIT,
        }
    }

    /// Lets the next label take as many steps as any.
    pub(crate) fn refuel(&mut self) {
        self.fuel = STEP_LIMIT;
    }

    #[inline]
    pub(crate) fn double(&self, cell: u32) -> f64 {
        f64::from_bits(self.cells[cell as usize])
    }

    #[inline]
    pub(crate) fn set_double(&mut self, cell: u32, value: f64) {
        self.cells[cell as usize] = value.to_bits();
    }

    pub(crate) fn set_int(&mut self, cell: u32, value: i32) {
        self.cells[cell as usize] = int_bits(value);
    }

    #[inline]
    fn load(&self, cell: u32) -> i32 {
        to_int(self.cells[cell as usize])
    }

    /// The cell that an address stands for.
    pub(crate) fn resolve(&mut self, addr: &Addr) -> Ran<u32> {
        Ok(match addr {
            Addr::Cell(cell) => *cell,
            Addr::Element {
                base,
                index,
                extent,
                span,
            } => {
                let base = self.resolve(base)?;
                let i = self.int(index)?;
                let position = i64::from(i) - i64::from(extent.lo);
                if position < 0 || position >= i64::from(extent.len) {
                    let hi = i64::from(extent.lo) + i64::from(extent.len) - 1;
                    let kind = FaultKind::IndexOutOfRange {
                        index: i,
                        lo: extent.lo,
                        hi: hi as i32,
                    };
                    return fault(kind, *span);
                }
                base + position as u32 * extent.stride
            }
            Addr::Plus(base, n) => self.resolve(base)? + n,
            Addr::Through(cell) => self.cells[*cell as usize] as u32,
            Addr::If(condition, a, b) => {
                let chosen = if self.int(condition)? != 0 { a } else { b };
                self.resolve(chosen)?
            }
            Addr::OneOf(index, all) => {
                let i = self.int(index)? as usize;
                self.resolve(&all[i.min(all.len() - 1)])?
            }
            Addr::After(effect, addr) => {
                self.perform(effect)?;
                self.resolve(addr)?
            }
            Addr::Result(call) => {
                self.call(call)?;
                self.plan.functions[call.function].result
            }
        })
    }

    pub(crate) fn int(&mut self, code: &Int) -> Ran<i32> {
        Ok(match code {
            Int::Const(i) => *i,
            Int::Load(cell) => self.load(*cell),
            Int::Read(addr) => {
                let cell = self.resolve(addr)?;
                self.load(cell)
            }
            Int::Arithmetic(op, a, b, span) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                match op {
                    BinaryOp::Add => a.wrapping_add(b),
                    BinaryOp::Sub => a.wrapping_sub(b),
                    BinaryOp::Mul => a.wrapping_mul(b),
                    _ => integer(*op, a, b).map_err(|kind| Box::new(kind.at(*span)))?.0,
                }
            }
            Int::Negate(a) => self.int(a)?.wrapping_neg(),
            Int::Not(a) => i32::from(self.int(a)? == 0),
            Int::And(parts) => {
                for part in parts {
                    if self.int(part)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Int::Or(parts) => {
                for part in parts {
                    if self.int(part)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
            Int::Imply(a, b) => i32::from(self.int(a)? == 0 || self.int(b)? != 0),
            Int::Xor(a, b) => i32::from((self.int(a)? != 0) != (self.int(b)? != 0)),
            Int::Compare(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                i32::from(compares(*op, &a, &b))
            }
            Int::CompareReal(op, a, b, span) => {
                let (a, b) = (self.real(a)?, self.real(b)?);
                i32::from(compare_doubles(*op, a, b, *span)?)
            }
            Int::Same(equal, a, b, count) => {
                let a = self.resolve(a)? as usize;
                let b = self.resolve(b)? as usize;
                let n = *count as usize;
                i32::from((self.cells[a..a + n] == self.cells[b..b + n]) == *equal)
            }
            Int::If(condition, a, b) => {
                let chosen = if self.int(condition)? != 0 { a } else { b };
                self.int(chosen)?
            }
            Int::Any(values, body) => {
                for value in values.lo..=values.hi {
                    self.set_int(values.cell, value);
                    if self.int(body)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
            Int::All(values, body) => {
                for value in values.lo..=values.hi {
                    self.set_int(values.cell, value);
                    if self.int(body)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Int::Sum(values, body) => {
                let mut sum = 0i32;
                for value in values.lo..=values.hi {
                    self.set_int(values.cell, value);
                    sum = sum.wrapping_add(self.int(body)?);
                }
                sum
            }
            Int::At(process, location) => i32::from(self.locations[*process as usize] == *location),
            Int::OneOf(index, all) => {
                let i = self.int(index)? as usize;
                self.int(&all[i.min(all.len() - 1)])?
            }
            Int::Process(args, span) => {
                let mut at = 0i64;
                for (arg, lo, count) in args {
                    let value = self.int(arg)?;
                    let position = i64::from(value) - i64::from(*lo);
                    if position < 0 || position >= i64::from(*count) {
                        return fault(FaultKind::NoSuchProcess(value.to_string()), *span);
                    }
                    at = at * i64::from(*count) + position;
                }
                at as i32
            }
            Int::Truth(value) => i32::from(self.real(value)? != 0.0),
            Int::Builtin(info, args, span) => match self.builtin(info, args, *span)? {
                Numeral::Int(i) => i,
                Numeral::Double(d) => i32::from(d != 0.0),
            },
            Int::Call(call) => {
                self.call(call)?;
                self.load(self.plan.functions[call.function].result)
            }
            Int::After(effect, value) => {
                self.perform(effect)?;
                self.int(value)?
            }
            Int::Before(value, effect) => {
                let before = self.int(value)?;
                self.perform(effect)?;
                before
            }
        })
    }

    pub(crate) fn real(&mut self, code: &Real) -> Ran<f64> {
        Ok(match code {
            Real::Const(d) => *d,
            Real::Load(cell) => self.double(*cell),
            Real::Read(addr) => {
                let cell = self.resolve(addr)?;
                self.double(cell)
            }
            Real::Int(int, _) => f64::from(self.int(int)?),
            Real::Add(a, b) => self.real(a)? + self.real(b)?,
            Real::Sub(a, b) => self.real(a)? - self.real(b)?,
            Real::Mul(a, b) => self.real(a)? * self.real(b)?,
            Real::Div(a, b) => self.real(a)? / self.real(b)?,
            Real::Arithmetic(op, a, b, span) => {
                let (a, b) = (self.real(a)?, self.real(b)?);
                double(*op, a, b).map_err(|kind| Box::new(kind.at(*span)))?
            }
            Real::Negate(a) => -self.real(a)?,
            Real::If(condition, _, a, b) => {
                let chosen = if self.int(condition)? != 0 { a } else { b };
                self.real(chosen)?
            }
            Real::Sum(values, body) => {
                let mut sum = 0.0;
                for value in values.lo..=values.hi {
                    self.set_int(values.cell, value);
                    sum += self.real(body)?;
                }
                sum
            }
            Real::OneOf(index, all) => {
                let i = self.int(index)? as usize;
                self.real(&all[i.min(all.len() - 1)])?
            }
            Real::Unary(f, a) => f(self.real(a)?),
            Real::Binary(f, a, b) => {
                let a = self.real(a)?;
                f(a, self.real(b)?)
            }
            Real::Builtin(info, args, span) => match self.builtin(info, args, *span)? {
                Numeral::Int(i) => f64::from(i),
                Numeral::Double(d) => d,
            },
            Real::Draw(distribution, args, span) => {
                let mut values: SmallVec<[f64; 3]> = SmallVec::new();
                for arg in args {
                    values.push(self.real(arg)?);
                }
                let drawn = draw::draw(*distribution, &values, &mut self.random)
                    .map_err(|what| Box::new(FaultKind::NoNumber(what.into()).at(*span)))?;
                if let Draws::Recorded(list) = &mut self.draws {
                    list.push(drawn);
                }
                drawn
            }
            Real::Call(call) => {
                self.call(call)?;
                self.double(self.plan.functions[call.function].result)
            }
            Real::After(effect, value) => {
                self.perform(effect)?;
                self.real(value)?
            }
            Real::Before(value, effect) => {
                let before = self.real(value)?;
                self.perform(effect)?;
                before
            }
        })
    }

    fn builtin(&mut self, info: &BuiltinInfo, args: &[Number], span: Span) -> Ran<Numeral> {
        let mut numerals: SmallVec<[Numeral; 3]> = SmallVec::new();
        for arg in args {
            numerals.push(match arg {
                Number::Int(int) => Numeral::Int(self.int(int)?),
                Number::Real(real) => Numeral::Double(self.real(real)?),
            });
        }
        match info.compute(&numerals) {
            Ok((value, _)) => Ok(value),
            Err(NoValue::Overflow) => fault(FaultKind::Overflow, span),
            Err(NoValue::Unsupported) => fault(FaultKind::unsupported(format!("`{}()`", info.name)), span),
        }
    }

    /// Whether a condition holds now.
    pub(crate) fn holds(&mut self, condition: &Cond) -> Ran<bool> {
        Ok(match condition {
            Cond::Data(int) | Cond::Opaque(int) => self.int(int)? != 0,
            Cond::Compare(op, a, b, span) => {
                let (a, b) = (self.real(a)?, self.real(b)?);
                if self.slack == 0.0 {
                    return compare_doubles(*op, a, b, *span);
                }
                let slack = self.slack * a.abs().max(b.abs()).max(1.0);
                match op {
                    BinaryOp::Less | BinaryOp::LessEqual => compare_doubles(*op, a, b + slack, *span)?,
                    BinaryOp::Greater | BinaryOp::GreaterEqual => compare_doubles(*op, a, b - slack, *span)?,
                    BinaryOp::Equal => (a - b).abs() <= slack,
                    _ => compare_doubles(*op, a, b, *span)?,
                }
            }
            Cond::And(parts) => {
                for part in parts {
                    if !self.holds(part)? {
                        return Ok(false);
                    }
                }
                true
            }
            Cond::Or(parts) => {
                for part in parts {
                    if self.holds(part)? {
                        return Ok(true);
                    }
                }
                false
            }
            Cond::Not(part) => !self.holds(part)?,
            Cond::Any(values, body) => self.quantify(values, body, true)?,
            Cond::All(values, body) => !self.quantify(values, body, false)?,
        })
    }

    fn quantify(&mut self, values: &Values, body: &Cond, wanted: bool) -> Ran<bool> {
        for value in values.lo..=values.hi {
            self.set_int(values.cell, value);
            if self.holds(body)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn call(&mut self, call: &Call) -> Ran<()> {
        let plan = self.plan;
        let function = &plan.functions[call.function];
        // Arguments may call the same function, so that no parameter is written before all of them are known.
        let mut values: SmallVec<[u64; 8]> = SmallVec::new();
        for arg in &call.args {
            match arg {
                Arg::Int(_, int, domain, name) => {
                    let value = self.int(int)?;
                    let value = fit(value, domain, || Subject::Argument(name.clone()), call.span)?;
                    values.push(int_bits(value));
                }
                Arg::Real(_, real) => values.push(self.real(real)?.to_bits()),
                Arg::Address(_, addr) => values.push(u64::from(self.resolve(addr)?)),
                Arg::Copy(_, addr, count) => {
                    let at = self.resolve(addr)? as usize;
                    values.extend_from_slice(&self.cells[at..at + *count as usize]);
                }
            }
        }
        let mut rest = &values[..];
        for arg in &call.args {
            let (cell, count) = match arg {
                Arg::Int(cell, ..) | Arg::Real(cell, _) | Arg::Address(cell, _) => (*cell as usize, 1),
                Arg::Copy(cell, _, count) => (*cell as usize, *count as usize),
            };
            let (own, after) = rest.split_at(count);
            self.cells[cell..cell + count].copy_from_slice(own);
            rest = after;
        }
        let flow = self.flow(&function.body)?;
        if flow == Flow::Next && !function.is_void {
            return fault(FaultKind::NoResult(function.name.clone()), call.span);
        }
        Ok(())
    }

    /// Runs something for what it changes.
    pub(crate) fn perform(&mut self, effect: &Effect) -> Ran<()> {
        self.flow(effect).map(drop)
    }

    fn flow(&mut self, effect: &Effect) -> Ran<Flow> {
        match effect {
            Effect::SetInt {
                to,
                value,
                domain,
                subject,
                span,
            } => {
                let to = self.resolve(to)?;
                let value = self.int(value)?;
                let value = fit(value, domain, || subject.clone(), *span)?;
                self.set_int(to, value);
            }
            Effect::SetReal(to, value) => {
                let to = self.resolve(to)?;
                let value = self.real(value)?;
                self.set_double(to, value);
            }
            Effect::Copy(to, from, count) => {
                let to = self.resolve(to)? as usize;
                let from = self.resolve(from)? as usize;
                self.cells.copy_within(from..from + *count as usize, to);
            }
            Effect::Change {
                to,
                op,
                value,
                domain,
                span,
            } => {
                let to = self.resolve(to)?;
                let value = self.int(value)?;
                let new = integer(*op, self.load(to), value).map_err(|kind| Box::new(kind.at(*span)))?;
                let new = fit(new.0, domain, || Subject::Value, *span)?;
                self.set_int(to, new);
            }
            Effect::ChangeReal { to, op, value, span } => {
                let to = self.resolve(to)?;
                let value = self.real(value)?;
                let new = double(*op, self.double(to), value).map_err(|kind| Box::new(kind.at(*span)))?;
                self.set_double(to, new);
            }
            Effect::Int(int) => {
                self.effect_of(int)?;
            }
            Effect::Real(real) => {
                self.real(real)?;
            }
            Effect::Block(effects) => {
                for effect in effects {
                    if self.flow(effect)? == Flow::Return {
                        return Ok(Flow::Return);
                    }
                }
            }
            Effect::If(condition, then, otherwise) => {
                if self.int(condition)? != 0 {
                    return self.flow(then);
                } else if let Some(otherwise) = otherwise {
                    return self.flow(otherwise);
                }
            }
            Effect::Loop {
                body_first,
                condition,
                step,
                body,
                span,
            } => {
                let mut is_first = *body_first;
                while is_first || self.int(condition)? != 0 {
                    is_first = false;
                    self.spend(*span)?;
                    if self.flow(body)? == Flow::Return {
                        return Ok(Flow::Return);
                    }
                    if let Some(step) = step {
                        self.flow(step)?;
                    }
                }
            }
            Effect::ForEach(values, body) => {
                for value in values.lo..=values.hi {
                    self.spend(Span::NONE)?;
                    self.set_int(values.cell, value);
                    if self.flow(body)? == Flow::Return {
                        return Ok(Flow::Return);
                    }
                }
            }
            Effect::Return(store) => {
                if let Some(store) = store {
                    self.flow(store)?;
                }
                return Ok(Flow::Return);
            }
            Effect::Assert(condition, span) => {
                if self.int(condition)? == 0 {
                    return fault(FaultKind::AssertionFailed, *span);
                }
            }
        }
        Ok(Flow::Next)
    }

    /// A function without result is called for what it does, whatever its result cell holds.
    fn effect_of(&mut self, int: &Int) -> Ran<()> {
        match int {
            Int::Call(call) => self.call(call),
            _ => self.int(int).map(drop),
        }
    }

    fn spend(&mut self, span: Span) -> Ran<()> {
        if self.fuel == 0 {
            return fault(FaultKind::DoesNotTerminate, span);
        }
        self.fuel -= 1;
        Ok(())
    }
}

/// The value as the variable stores it.
fn fit(value: i32, domain: &Domain, subject: impl FnOnce() -> Subject, span: Span) -> Ran<i32> {
    match domain {
        Domain::Bool => Ok(i32::from(value != 0)),
        Domain::Range(lo, hi) if *lo <= value && value <= *hi => Ok(value),
        Domain::Range(lo, hi) => fault(
            FaultKind::OutOfRange {
                value,
                lo: *lo,
                hi: *hi,
                subject: subject(),
            },
            span,
        ),
    }
}

#[inline]
fn compares<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> bool {
    compare(op, a, b).unwrap_or(false)
}

/// Compares by IEEE; what is no number decides nothing.
pub(crate) fn compare_doubles(op: BinaryOp, a: f64, b: f64, span: Span) -> Ran<bool> {
    if a.is_nan() || b.is_nan() {
        return fault(
            FaultKind::NoNumber("a comparison with what is not a number (NaN)".into()),
            span,
        );
    }
    Ok(compares(op, &a, &b))
}
