//! One instruction after the other.

use super::{Addresses, Cause, Clocks, CodeObserver};
use crate::code::cell::Cell;
use crate::code::constraint::Relation;
use crate::code::ids::ClockId;
use crate::code::instr::{Array, ArrayId, Instr, Program, RangeId};
use zonewalk_model::eval::arithmetic::{
    absolute, add, divide, multiply, negate, power, remainder, shift_left, shift_right, subtract,
};

/// Code on its way, and what it works on.
pub(super) struct Machine<'a, W, A> {
    pub(super) program: &'a Program,
    pub(super) context: &'a A,
    pub(super) memory: &'a mut [i32],
    pub(super) fuel: i64,
    pub(super) observer: &'a mut W,
}

impl<'a, W: CodeObserver, A: Addresses> Machine<'a, W, A> {
    #[inline]
    pub(super) fn get(&self, cell: Cell) -> Result<i32, Cause> {
        self.observer.read(cell);
        self.peek(cell)
    }

    /// Compares two cells.
    #[inline]
    fn holds(&mut self, relation: Relation, a: Cell, b: Cell) -> Result<bool, Cause> {
        let (left, right) = (self.peek(a)?, self.peek(b)?);
        let holds = relation.holds(left, right);
        self.observer.compared(relation, (a, left), (b, right), holds);
        Ok(holds)
    }

    #[inline]
    fn peek(&self, cell: Cell) -> Result<i32, Cause> {
        self.memory
            .get(self.context.address(cell))
            .copied()
            .ok_or(Cause::Misplaced)
    }

    #[inline]
    pub(super) fn put(&mut self, cell: Cell, value: i32) -> Result<(), Cause> {
        self.store(self.context.address(cell), value)
    }

    #[inline]
    fn store(&mut self, address: usize, value: i32) -> Result<(), Cause> {
        let cell = self.memory.get_mut(address).ok_or(Cause::Misplaced)?;
        let old = std::mem::replace(cell, value);
        if old != value {
            self.observer.wrote(address, old);
        }
        Ok(())
    }

    #[inline]
    fn pointer(&self, cell: Cell, plus: u32) -> Result<usize, Cause> {
        Ok(self.get(cell)? as usize + plus as usize)
    }

    /// The value of an operation, and a note if it has wrapped.
    #[inline]
    fn wrapping(&self, (value, wrapped): (i32, bool), at: u32) -> i32 {
        if wrapped {
            self.note_wrap(at);
        }
        value
    }

    #[cold]
    #[inline(never)]
    fn note_wrap(&self, at: u32) {
        self.program.wraps.note(self.program.origin(at));
    }

    /// Offset into the array, in cells.
    #[inline]
    fn offset(&self, array: &Array, index: Cell) -> Result<u32, Cause> {
        let index = self.get(index)?;
        let position = index.wrapping_sub(array.lo) as u32;
        // An index below `lo` wraps to something above 2^31, and no array is that long.
        if index < array.lo || position >= array.len {
            return Err(Cause::Index {
                index,
                lo: array.lo,
                len: array.len,
            });
        }
        Ok(position * array.stride)
    }

    #[inline]
    fn element(&self, array: &Array, index: Cell) -> Result<usize, Cause> {
        self.observer.read(array.base);
        Ok(self.context.address(array.base) + self.offset(array, index)? as usize)
    }

    #[inline]
    fn array(&self, id: ArrayId) -> Result<&'a Array, Cause> {
        self.program.arrays.get(id.0 as usize).ok_or(Cause::Misplaced)
    }

    fn in_range(&self, value: i32, range: RangeId) -> Result<(), Cause> {
        let range = self
            .program
            .ranges
            .get(range.0 as usize)
            .ok_or(Cause::Misplaced)?;
        if range.contains(value) {
            Ok(())
        } else {
            Err(Cause::OutOfRange {
                value,
                lo: range.lo,
                hi: range.hi,
            })
        }
    }

    /// Leaves the position of the instruction that stopped the run in `at`.
    pub(super) fn run<C: Clocks>(&mut self, at: &mut u32, clocks: &mut C) -> Result<i32, Cause> {
        let program = self.program;
        loop {
            let instr = *program.code.get(*at as usize).ok_or(Cause::Misplaced)?;
            match instr {
                Instr::Copy { to, from } | Instr::Merge { to, from } => self.put(to, self.get(from)?)?,
                Instr::Add { to, a, b } => {
                    let result = add(self.get(a)?, self.get(b)?);
                    self.put(to, self.wrapping(result, *at))?;
                }
                Instr::Sub { to, a, b } => {
                    let result = subtract(self.get(a)?, self.get(b)?);
                    self.put(to, self.wrapping(result, *at))?;
                }
                Instr::Mul { to, a, b } => {
                    let result = multiply(self.get(a)?, self.get(b)?);
                    self.put(to, self.wrapping(result, *at))?;
                }
                Instr::Div { to, a, b } => {
                    let result = divide(self.get(a)?, self.get(b)?)?;
                    self.put(to, self.wrapping(result, *at))?;
                }
                Instr::Mod { to, a, b } => self.put(to, remainder(self.get(a)?, self.get(b)?)?)?,
                Instr::Power { to, a, b } => {
                    let result = power(self.get(a)?, self.get(b)?)?;
                    self.put(to, self.wrapping(result, *at))?;
                }
                Instr::ShiftLeft { to, a, b } => {
                    let result = shift_left(self.get(a)?, self.get(b)?)?;
                    self.put(to, self.wrapping(result, *at))?;
                }
                Instr::ShiftRight { to, a, b } => {
                    self.put(to, shift_right(self.get(a)?, self.get(b)?)?)?;
                }
                Instr::Min { to, a, b } => self.put(to, self.get(a)?.min(self.get(b)?))?,
                Instr::Max { to, a, b } => self.put(to, self.get(a)?.max(self.get(b)?))?,
                Instr::BitAnd { to, a, b } => self.put(to, self.get(a)? & self.get(b)?)?,
                Instr::BitXor { to, a, b } => self.put(to, self.get(a)? ^ self.get(b)?)?,
                Instr::BitOr { to, a, b } => self.put(to, self.get(a)? | self.get(b)?)?,
                Instr::Step { cell, by, range } => {
                    let result = add(self.get(cell)?, i32::from(by));
                    let value = self.wrapping(result, *at);
                    self.in_range(value, range)?;
                    self.put(cell, value)?;
                }
                Instr::Negate { to, a } => {
                    let result = negate(self.get(a)?);
                    self.put(to, self.wrapping(result, *at))?;
                }
                Instr::Abs { to, a } => {
                    let result = absolute(self.get(a)?);
                    self.put(to, self.wrapping(result, *at))?;
                }
                Instr::Not { to, a } => self.put(to, i32::from(self.get(a)? == 0))?,
                Instr::Truth { to, a } => self.put(to, i32::from(self.get(a)? != 0))?,
                Instr::Less { to, a, b } => {
                    let holds = self.holds(Relation::Less, a, b)?;
                    self.put(to, i32::from(holds))?;
                }
                Instr::LessEqual { to, a, b } => {
                    let holds = self.holds(Relation::LessEqual, a, b)?;
                    self.put(to, i32::from(holds))?;
                }
                Instr::Equal { to, a, b } => {
                    let holds = self.holds(Relation::Equal, a, b)?;
                    self.put(to, i32::from(holds))?;
                }
                Instr::NotEqual { to, a, b } => {
                    let holds = self.holds(Relation::NotEqual, a, b)?;
                    self.put(to, i32::from(holds))?;
                }
                Instr::CopyDouble { .. }
                | Instr::ToDouble { .. }
                | Instr::NegateDouble { .. }
                | Instr::Double { .. }
                | Instr::CompareDoubles { .. }
                | Instr::Function { .. } => self.double(instr)?,
                Instr::Jump { target } => {
                    *at = target.0;
                    continue;
                }
                Instr::JumpIf { a, target } => {
                    if self.get(a)? != 0 {
                        *at = target.0;
                        continue;
                    }
                }
                Instr::JumpUnless { a, target } => {
                    if self.get(a)? == 0 {
                        *at = target.0;
                        continue;
                    }
                }
                Instr::JumpLess { a, b, target } => {
                    if self.holds(Relation::Less, a, b)? {
                        *at = target.0;
                        continue;
                    }
                }
                Instr::JumpLessEqual { a, b, target } => {
                    if self.holds(Relation::LessEqual, a, b)? {
                        *at = target.0;
                        continue;
                    }
                }
                Instr::JumpEqual { a, b, target } => {
                    if self.holds(Relation::Equal, a, b)? {
                        *at = target.0;
                        continue;
                    }
                }
                Instr::JumpNotEqual { a, b, target } => {
                    if self.holds(Relation::NotEqual, a, b)? {
                        *at = target.0;
                        continue;
                    }
                }
                Instr::Loop { target, cost } => {
                    self.fuel -= i64::from(cost);
                    self.observer.went_back(cost);
                    if self.fuel < 0 {
                        return Err(Cause::DoesNotTerminate);
                    }
                    *at = target.0;
                    continue;
                }
                Instr::Load { to, index, array } => {
                    let address = self.element(self.array(array)?, index)?;
                    let value = *self.memory.get(address).ok_or(Cause::Misplaced)?;
                    self.put(to, value)?;
                }
                Instr::Store { from, index, array } => {
                    let array = self.array(array)?;
                    let address = self.element(array, index)?;
                    let value = self.get(from)?;
                    if !array.range.contains(value) {
                        return Err(Cause::OutOfRange {
                            value,
                            lo: array.range.lo,
                            hi: array.range.hi,
                        });
                    }
                    self.store(address, value)?;
                }
                Instr::CheckIndex { index, array } => {
                    self.offset(self.array(array)?, index)?;
                }
                Instr::ElementAddress { to, index, array } => {
                    let address = self.element(self.array(array)?, index)?;
                    self.put(to, address as i32)?;
                }
                Instr::Advance {
                    pointer,
                    index,
                    array,
                } => {
                    let further = self.offset(self.array(array)?, index)?;
                    self.put(pointer, self.get(pointer)?.wrapping_add(further as i32))?;
                }
                Instr::Address { to, cell } => {
                    self.observer.read(cell);
                    self.put(to, self.context.address(cell) as i32)?;
                }
                Instr::LoadAt { to, pointer, plus } => {
                    let value = *self
                        .memory
                        .get(self.pointer(pointer, plus)?)
                        .ok_or(Cause::Misplaced)?;
                    self.put(to, value)?;
                }
                Instr::StoreAt { from, pointer, plus } => {
                    self.store(self.pointer(pointer, plus)?, self.get(from)?)?;
                }
                Instr::CopyCells { to, from, count } => {
                    let (to, from) = (self.pointer(to, 0)?, self.pointer(from, 0)?);
                    let count = count as usize;
                    if to.max(from) + count > self.memory.len() {
                        return Err(Cause::Misplaced);
                    }
                    self.observer.copies(self.memory, to, from, count);
                    self.memory.copy_within(from..from + count, to);
                }
                Instr::SameCells { to, a, b, count } => {
                    let (a, b, count) = (self.pointer(a, 0)?, self.pointer(b, 0)?, usize::from(count));
                    let (a, b) = (self.memory.get(a..a + count), self.memory.get(b..b + count));
                    let same = i32::from(a.ok_or(Cause::Misplaced)? == b.ok_or(Cause::Misplaced)?);
                    self.put(to, same)?;
                }
                Instr::CheckRange { a, range } => self.in_range(self.get(a)?, range)?,
                Instr::SetClock { clock, value } => {
                    let value = self.get(value)?;
                    if value < 0 {
                        return Err(Cause::NegativeClock(Some(value)));
                    }
                    clocks.set(ClockId(self.get(clock)? as u32), value);
                }
                Instr::CopyClock { to, from, plus } => {
                    let [to, from] = [self.get(to)?, self.get(from)?].map(|clock| ClockId(clock as u32));
                    if !clocks.copy(to, from, self.get(plus)?) {
                        return Err(Cause::NegativeClock(None));
                    }
                }
                Instr::CopyClocks { to, from, count } => {
                    let (to, from) = (self.get(to)? as u32, self.get(from)? as u32);
                    for i in 0..count {
                        clocks.copy(ClockId(to + i), ClockId(from + i), 0);
                    }
                }
                Instr::Call { target, back } => {
                    self.put(back, *at as i32)?;
                    *at = target.0;
                    continue;
                }
                Instr::Return { back } => *at = self.get(back)? as u32,
                Instr::Halt { value } => return self.get(value),
                Instr::Fail => return Err(Cause::AssertionFailed),
            }
            *at += 1;
        }
    }
}
