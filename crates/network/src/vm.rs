//! The interpreter of register code. It allocates nothing.

use crate::cell::{Cell, Context};
use crate::constraint::Relation;
use crate::ids::ClockId;
use crate::instr::{Array, ArrayId, Entry, Instr, Program, RangeId};
use crate::validity::CodeObserver;
use zonewalk_model::eval::arithmetic::{
    Undefined, absolute, add, divide, multiply, negate, power, remainder, shift_left, shift_right, subtract,
};

/// What one run may cost before it counts as endless. Straight code is bounded by the program, so only the way
/// back of a loop pays, for all the instructions that it goes back over.
pub const STEP_LIMIT: i64 = 10_000_000;

/// How clocks are represented, as far as updates ask: a zone, one valuation, or nothing at all.
pub trait Clocks {
    /// `clock = value`. The value is not negative.
    fn set(&mut self, clock: ClockId, value: i32);

    /// `to = from + plus`, of the values before. False when the sum is negative.
    fn copy(&mut self, to: ClockId, from: ClockId, plus: i32) -> bool;
}

/// No clocks: for code that does not touch them, and for untimed abstractions.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClocks;

impl Clocks for NoClocks {
    fn set(&mut self, _clock: ClockId, _value: i32) {}

    fn copy(&mut self, _to: ClockId, _from: ClockId, _plus: i32) -> bool {
        true
    }
}

/// Why a run stopped early, and where in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// The instruction.
    pub at: Entry,
    /// What happened.
    pub cause: Cause,
}

/// What happened to a run that stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Cause {
    /// An operation without a result.
    Undefined(Undefined),
    /// The index, and the array.
    Index {
        index: i32,
        lo: i32,
        len: u32,
    },
    /// The value, and what would have fitted.
    OutOfRange {
        value: i32,
        lo: i32,
        hi: i32,
    },
    /// The negative value where it is known.
    NegativeClock(Option<i32>),
    AssertionFailed,
    DoesNotTerminate,
    /// Code, memory and context do not belong together.
    Misplaced,
}

/// Code that can run: where it begins in which program, and where its cells are.
///
/// Whatever runs code takes this and no more, so that something else than the interpreter can stand behind [`run`].
#[derive(Debug)]
pub struct Code<'p, A = Context> {
    program: &'p Program,
    entry: Entry,
    addresses: &'p A,
}

// References are copied, whatever they refer to.
impl<A> Copy for Code<'_, A> {}

impl<A> Clone for Code<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'p, A: Addresses> Code<'p, A> {
    /// The code at `entry`. Requires: `addresses` are those that the code was made for.
    #[inline(always)]
    pub fn new(program: &'p Program, entry: Entry, addresses: &'p A) -> Code<'p, A> {
        Code {
            program,
            entry,
            addresses,
        }
    }
}

/// Runs code to its `Halt` and returns the value there. `witness` sees what it changes ([`Changes`]) or how far its
/// result reaches ([`Validity`](crate::validity::Validity)); `&mut ()` sees nothing. What the run costs is
/// [known before](crate::effort).
///
/// Requires: `memory` is an image of the network that the code belongs to.
///
/// # Errors
/// A [`Trap`] when the model fails, at the instruction of the network that does; memory then holds what had been written so
/// far.
#[inline(always)]
pub fn run<A: Addresses, C: Clocks, W: CodeObserver>(
    code: Code<'_, A>,
    memory: &mut [i32],
    clocks: &mut C,
    witness: &mut W,
) -> Result<i32, Trap> {
    let Code {
        program,
        entry: Entry(mut at),
        addresses: context,
    } = code;
    let mut machine = Machine {
        program,
        context,
        memory,
        fuel: STEP_LIMIT,
        witness,
    };
    machine.run(&mut at, clocks).map_err(|cause| Trap {
        at: Entry(program.origin(at)),
        cause,
    })
}

/// What code has changed.
#[derive(Debug)]
pub struct Changes<'c> {
    /// Cells with the value before. A cell may be here more than once: its first value is the one before all of it.
    list: &'c mut Vec<(u32, i32)>,
    /// Only cells before this one are listed.
    end: u32,
    /// Entries after which cells that are here more than once are looked for.
    room: usize,
}

/// A loop may write the same cells for ever.
const MOST_CHANGES: usize = 1 << 14;

impl<'c> Changes<'c> {
    /// Adds changes of cells before `end` to a list.
    #[inline(always)]
    pub fn new(list: &'c mut Vec<(u32, i32)>, end: u32) -> Changes<'c> {
        let room = list.len() + MOST_CHANGES;
        Changes { list, end, room }
    }

    /// Keeps the first entry of each cell.
    #[cold]
    fn compact(&mut self) {
        self.list.sort_by_key(|(cell, _)| *cell);
        self.list.dedup_by_key(|(cell, _)| *cell);
        self.room = 2 * self.list.len() + MOST_CHANGES;
    }
}

impl CodeObserver for Changes<'_> {
    #[inline(always)]
    fn read(&self, _cell: Cell) {}

    #[inline(always)]
    fn compared(&mut self, _: Relation, _: (Cell, i32), _: (Cell, i32), _: bool) {}

    #[inline(always)]
    fn wrote(&mut self, address: usize, old: i32) {
        if address < self.end as usize {
            self.list.push((address as u32, old));
            if self.list.len() > self.room {
                self.compact();
            }
        }
    }

    fn copies(&mut self, memory: &[i32], to: usize, from: usize, count: usize) {
        for i in 0..count {
            let (old, new) = (memory[to + i], memory[from + i]);
            if old != new {
                self.wrote(to + i, old);
            }
        }
    }
}

/// Says where cells are.
pub trait Addresses {
    /// The address of a cell in memory.
    fn address(&self, cell: Cell) -> usize;
}

impl Addresses for Context {
    #[inline(always)]
    fn address(&self, cell: Cell) -> usize {
        Context::address(self, cell)
    }
}

/// All cells are absolute.
#[derive(Clone, Copy, Debug)]
pub struct Resolved;

impl Addresses for Resolved {
    #[inline(always)]
    fn address(&self, cell: Cell) -> usize {
        cell.absolute()
    }
}

struct Machine<'a, W, A> {
    program: &'a Program,
    context: &'a A,
    memory: &'a mut [i32],
    fuel: i64,
    witness: &'a mut W,
}

impl<'a, W: CodeObserver, A: Addresses> Machine<'a, W, A> {
    #[inline]
    fn get(&self, cell: Cell) -> Result<i32, Cause> {
        self.witness.read(cell);
        self.peek(cell)
    }

    /// Compares two cells.
    #[inline]
    fn holds(&mut self, relation: Relation, a: Cell, b: Cell) -> Result<bool, Cause> {
        let (left, right) = (self.peek(a)?, self.peek(b)?);
        let holds = relation.holds(left, right);
        self.witness.compared(relation, (a, left), (b, right), holds);
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
    fn put(&mut self, cell: Cell, value: i32) -> Result<(), Cause> {
        self.store(self.context.address(cell), value)
    }

    #[inline]
    fn store(&mut self, address: usize, value: i32) -> Result<(), Cause> {
        let cell = self.memory.get_mut(address).ok_or(Cause::Misplaced)?;
        let old = std::mem::replace(cell, value);
        if old != value {
            self.witness.wrote(address, old);
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

    /// How far into the array, in cells.
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
        self.witness.read(array.base);
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
    fn run<C: Clocks>(&mut self, at: &mut u32, clocks: &mut C) -> Result<i32, Cause> {
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
                    self.witness.read(cell);
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
                    self.witness.copies(self.memory, to, from, count);
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

impl From<Undefined> for Cause {
    fn from(undefined: Undefined) -> Cause {
        Cause::Undefined(undefined)
    }
}
