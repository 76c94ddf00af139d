//! The values of expressions.

use super::condition::{compare_doubles, compares};
use super::{Draws, Machine, Ran, fault};
use crate::code::{Int, Number, Real};
use crate::draw;
use smallvec::SmallVec;
use zonewalk_model::builtin::{BuiltinInfo, NoValue, Numeral};
use zonewalk_model::eval::FaultKind;
use zonewalk_model::eval::arithmetic::{double, integer};
use zonewalk_model::tree::BinaryOp;
use zonewalk_syntax::span::Span;

impl Machine<'_> {
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
}
