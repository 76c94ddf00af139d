//! Statements, and calls of functions.

use super::{Machine, Ran, fault};
use crate::code::{Arg, Call, Domain, Effect, Int, int_bits};
use smallvec::SmallVec;
use zonewalk_model::eval::arithmetic::{double, integer};
use zonewalk_model::eval::{FaultKind, Subject};
use zonewalk_syntax::span::Span;

/// Control flow after a statement.
#[derive(PartialEq, Eq)]
enum Flow {
    Next,
    Return,
}

impl Machine<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Ran<()> {
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
