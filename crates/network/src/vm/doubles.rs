//! Instructions on doubles. Their values come from where the plain evaluator has them.

use super::machine::Machine;
use super::{Addresses, Cause, CodeObserver};
use crate::code::cell::Cell;
use crate::code::double::{CELLS, halves, second, whole};
use crate::code::instr::Instr;
use zonewalk_model::builtin::{NoValue, Number, Numeral};
use zonewalk_model::eval::arithmetic::{compare, double};
use zonewalk_model::tree::Builtin;

/// Arguments that a predeclared function has at most.
const ARGUMENTS: usize = 3;

impl<W: CodeObserver, A: Addresses> Machine<'_, W, A> {
    /// Runs an instruction on doubles: apart from the others, which are far more frequent.
    #[inline(never)]
    pub(super) fn double(&mut self, instr: Instr) -> Result<(), Cause> {
        match instr {
            Instr::CopyDouble { to, from } => self.put_double(to, self.get_double(from)?),
            Instr::ToDouble { to, a } => self.put_double(to, f64::from(self.get(a)?)),
            Instr::NegateDouble { to, a } => self.put_double(to, -self.get_double(a)?),
            Instr::Double { op, to, a, b } => {
                let result = double(op, self.get_double(a)?, self.get_double(b)?);
                self.put_double(to, result.map_err(|_| Cause::Misplaced)?)
            }
            Instr::CompareDoubles { op, to, a, b } => {
                let holds = compare(op, &self.get_double(a)?, &self.get_double(b)?);
                self.put(to, holds.map_err(|_| Cause::Misplaced)?.into())
            }
            Instr::Function { number, to, args } => self.function(Builtin(number.into()), to, args),
            _ => Err(Cause::Misplaced),
        }
    }

    fn function(&mut self, function: Builtin, to: Cell, args: Cell) -> Result<(), Cause> {
        let info = function.info();
        let mut numerals = [Numeral::Int(0); ARGUMENTS];
        let numerals = numerals.get_mut(..info.params.len()).ok_or(Cause::Misplaced)?;
        for ((numeral, param), number) in numerals.iter_mut().zip(info.params).zip(0..) {
            let cell = args.plus(CELLS * number);
            *numeral = match param {
                Number::Double => Numeral::Double(self.get_double(cell)?),
                Number::Int | Number::Bool => Numeral::Int(self.get(cell)?),
            };
        }
        match info.compute(numerals) {
            Ok((value, _)) if info.result == Number::Double => self.put_double(to, value.to_f64()),
            Ok((Numeral::Int(value), _)) => self.put(to, value),
            Err(NoValue::Overflow) => Err(Cause::NoInteger),
            Ok((Numeral::Double(_), _)) | Err(NoValue::Unsupported) => Err(Cause::Misplaced),
        }
    }

    fn get_double(&self, cell: Cell) -> Result<f64, Cause> {
        Ok(whole([self.get(cell)?, self.get(second(cell))?]))
    }

    fn put_double(&mut self, cell: Cell, value: f64) -> Result<(), Cause> {
        let [low, high] = halves(value);
        self.put(cell, low)?;
        self.put(second(cell), high)
    }
}
