//! The register code: closed, typed, without pointers, sizes known statically, so that more than one back end can
//! take it.
//!
//! Sixteen bytes an instruction. Whatever an instruction needs only when it fails (the place in the source, what
//! was being checked) is in the table of [`Site`]s, found by the instruction's position.

use crate::code::cell::{Cell, Extent};
use crate::code::wraps::Wraps;
use zonewalk_model::builtin::Number;
use zonewalk_model::tree::{BinaryOp, Builtin};
use zonewalk_syntax::ast::Name;
use zonewalk_syntax::span::Span;

/// A position in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry(pub u32);

/// Index into [`Program::arrays`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayId(pub u32);

/// Index into [`Program::ranges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RangeId(pub u32);

/// How an array is indexed: element `i` is `(i - lo) * stride` cells after the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Array {
    /// The first element (for [`Instr::Load`], [`Instr::Store`] and [`Instr::ElementAddress`]).
    pub base: Cell,
    /// Smallest index.
    pub lo: i32,
    /// Number of elements.
    pub len: u32,
    /// Cells (or clocks, or channels) from one element to the next.
    pub stride: u32,
    /// Range that [`Instr::Store`] accepts.
    pub range: Range,
}

/// Smallest and largest value of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// Smallest.
    pub lo: i32,
    /// Largest.
    pub hi: i32,
}

impl Range {
    /// All 32-bit integers.
    pub const ALL: Range = Range {
        lo: i32::MIN,
        hi: i32::MAX,
    };

    /// Whether `value` is in it.
    pub fn contains(self, value: i32) -> bool {
        self.lo <= value && value <= self.hi
    }
}

/// An instruction. `to` is written, everything else is read; where a field is a pointer the comment says so.
///
/// A pointer is a cell whose value is an absolute address, the number of a clock or the number of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[rustfmt::skip] // One line each.
pub enum Instr {
    Copy { to: Cell, from: Cell },
    /// Copy at the end of the second path to a join: the first path has left another value in `to`.
    Merge { to: Cell, from: Cell },

    // Arithmetic in 32 bits, which wraps; division by zero and shift counts outside 0..31 fail.
    Add { to: Cell, a: Cell, b: Cell },
    Sub { to: Cell, a: Cell, b: Cell },
    Mul { to: Cell, a: Cell, b: Cell },
    Div { to: Cell, a: Cell, b: Cell },
    Mod { to: Cell, a: Cell, b: Cell },
    Power { to: Cell, a: Cell, b: Cell },
    ShiftLeft { to: Cell, a: Cell, b: Cell },
    ShiftRight { to: Cell, a: Cell, b: Cell },
    Min { to: Cell, a: Cell, b: Cell },
    Max { to: Cell, a: Cell, b: Cell },
    BitAnd { to: Cell, a: Cell, b: Cell },
    BitXor { to: Cell, a: Cell, b: Cell },
    BitOr { to: Cell, a: Cell, b: Cell },
    /// `cell += by`, checked against the range.
    Step { cell: Cell, by: i16, range: RangeId },
    Negate { to: Cell, a: Cell },
    Abs { to: Cell, a: Cell },

    // Conditions are 0 and 1.
    /// `to = a == 0`
    Not { to: Cell, a: Cell },
    /// `to = a != 0`
    Truth { to: Cell, a: Cell },
    Less { to: Cell, a: Cell, b: Cell },
    LessEqual { to: Cell, a: Cell, b: Cell },
    Equal { to: Cell, a: Cell, b: Cell },
    NotEqual { to: Cell, a: Cell, b: Cell },

    // Doubles, each by the first of its two cells, which have no other way to them than these instructions and pointers.
    /// `to = from`
    CopyDouble { to: Cell, from: Cell },
    /// `to` = the integer `a` as a double.
    ToDouble { to: Cell, a: Cell },
    NegateDouble { to: Cell, a: Cell },
    /// An arithmetic operator.
    Double { op: BinaryOp, to: Cell, a: Cell, b: Cell },
    /// `to` = whether the comparison holds, as an integer.
    CompareDoubles { op: BinaryOp, to: Cell, a: Cell, b: Cell },
    /// A predeclared function by its number in [`Builtin::ALL`]. Each argument has two cells from `args` on, of which an integer
    /// takes the first one. Fails where the result is not an integer of 32 bits and has to be one.
    Function { number: u8, to: Cell, args: Cell },

    // Control. All jumps but `Loop` go forward.
    Jump { target: Entry },
    JumpIf { a: Cell, target: Entry },
    JumpUnless { a: Cell, target: Entry },
    JumpLess { a: Cell, b: Cell, target: Entry },
    JumpLessEqual { a: Cell, b: Cell, target: Entry },
    JumpEqual { a: Cell, b: Cell, target: Entry },
    JumpNotEqual { a: Cell, b: Cell, target: Entry },
    /// Jumps back and pays `cost` instructions, so that a loop without end is noticed.
    Loop { target: Entry, cost: u32 },

    // Arrays. The index is checked.
    /// `to = array[index]`
    Load { to: Cell, index: Cell, array: ArrayId },
    /// `array[index] = from`, `from` checked against the range of the array.
    Store { from: Cell, index: Cell, array: ArrayId },
    /// Only checks the index.
    CheckIndex { index: Cell, array: ArrayId },
    /// `to` becomes a pointer to `array[index]`.
    ElementAddress { to: Cell, index: Cell, array: ArrayId },
    /// `pointer += (index - lo) * stride`
    Advance { pointer: Cell, index: Cell, array: ArrayId },
    /// `to` becomes a pointer to `cell`.
    Address { to: Cell, cell: Cell },
    /// `to = *(pointer + plus)`
    LoadAt { to: Cell, pointer: Cell, plus: u32 },
    /// `*(pointer + plus) = from`
    StoreAt { from: Cell, pointer: Cell, plus: u32 },
    /// Copies `count` cells from where the pointer `from` points to where the pointer `to` points.
    CopyCells { to: Cell, from: Cell, count: u32 },
    /// `to` = whether the `count` cells that the pointers `a` and `b` point to are the same.
    SameCells { to: Cell, a: Cell, b: Cell, count: u16 },
    /// Fails unless the value is in the range.
    CheckRange { a: Cell, range: RangeId },

    // Clocks, by pointer.
    /// Fails for a negative value.
    SetClock { clock: Cell, value: Cell },
    /// `to = from + plus`; fails when that is negative.
    CopyClock { to: Cell, from: Cell, plus: Cell },
    /// Copies `count` clocks, one after the other.
    CopyClocks { to: Cell, from: Cell, count: u32 },

    // Functions never call themselves, so every one has a frame of its own and a cell for the way back.
    /// Continues at `target`; `back` remembers where from.
    Call { target: Entry, back: Cell },
    /// Continues after the call that filled `back`.
    Return { back: Cell },
    /// The end, with a value.
    Halt { value: Cell },
    /// A failed assertion.
    Fail,
}

/// Use that an instruction makes of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
    /// First reads, then writes it.
    Change,
}

impl Instr {
    /// Calls `visit` for the cells whose values the instruction reads (false) or writes (true). What it reaches through
    /// arrays and pointers is not among them.
    pub fn cells(&self, visit: &mut dyn FnMut(Cell, bool)) {
        let mut copy = *self;
        copy.each_cell(&mut |cell, used| match used {
            Use::Read => visit(*cell, false),
            Use::Write => visit(*cell, true),
            Use::Change => {
                visit(*cell, false);
                visit(*cell, true);
            }
        });
    }

    /// Visits each cell once, with mutable access, those that are read first.
    pub(crate) fn each_cell(&mut self, visit: &mut dyn FnMut(&mut Cell, Use)) {
        use Instr::*;
        match self {
            Copy { to, from } | Merge { to, from } => {
                visit(from, Use::Read);
                visit(to, Use::Write);
            }
            Add { to, a, b }
            | Sub { to, a, b }
            | Mul { to, a, b }
            | Div { to, a, b }
            | Mod { to, a, b }
            | Power { to, a, b }
            | ShiftLeft { to, a, b }
            | ShiftRight { to, a, b }
            | Min { to, a, b }
            | Max { to, a, b }
            | BitAnd { to, a, b }
            | BitXor { to, a, b }
            | BitOr { to, a, b }
            | Less { to, a, b }
            | LessEqual { to, a, b }
            | Equal { to, a, b }
            | NotEqual { to, a, b }
            | Double { to, a, b, .. }
            | CompareDoubles { to, a, b, .. }
            | SameCells { to, a, b, .. } => {
                visit(a, Use::Read);
                visit(b, Use::Read);
                visit(to, Use::Write);
            }
            Negate { to, a }
            | Abs { to, a }
            | Not { to, a }
            | Truth { to, a }
            | CopyDouble { to, from: a }
            | ToDouble { to, a }
            | NegateDouble { to, a }
            | Function { to, args: a, .. } => {
                visit(a, Use::Read);
                visit(to, Use::Write);
            }
            Step { cell, .. } => visit(cell, Use::Change),
            JumpIf { a, .. } | JumpUnless { a, .. } | CheckRange { a, .. } => visit(a, Use::Read),
            JumpLess { a, b, .. }
            | JumpLessEqual { a, b, .. }
            | JumpEqual { a, b, .. }
            | JumpNotEqual { a, b, .. } => {
                visit(a, Use::Read);
                visit(b, Use::Read);
            }
            Load { to, index, .. } | ElementAddress { to, index, .. } => {
                visit(index, Use::Read);
                visit(to, Use::Write);
            }
            Store { from, index, .. } => {
                visit(index, Use::Read);
                visit(from, Use::Read);
            }
            CheckIndex { index, .. } => visit(index, Use::Read),
            Advance { pointer, index, .. } => {
                visit(index, Use::Read);
                visit(pointer, Use::Change);
            }
            Address { to, .. } => visit(to, Use::Write),
            LoadAt { to, pointer, .. } => {
                visit(pointer, Use::Read);
                visit(to, Use::Write);
            }
            StoreAt { from, pointer, .. } => {
                visit(pointer, Use::Read);
                visit(from, Use::Read);
            }
            CopyCells { to, from, .. } | CopyClocks { to, from, .. } => {
                visit(to, Use::Read);
                visit(from, Use::Read);
            }
            SetClock { clock, value } => {
                visit(clock, Use::Read);
                visit(value, Use::Read);
            }
            CopyClock { to, from, plus } => {
                visit(to, Use::Read);
                visit(from, Use::Read);
                visit(plus, Use::Read);
            }
            Call { back, .. } => visit(back, Use::Write),
            Return { back } => visit(back, Use::Read),
            Halt { value } => visit(value, Use::Read),
            Jump { .. } | Loop { .. } | Fail => {}
        }
    }

    /// Calls `visit` for the first of the cells that the instruction uses as one, and says how many they are.
    pub(crate) fn wide_cells(&self, visit: &mut dyn FnMut(Cell, u32)) {
        use Instr::*;
        const DOUBLE: u32 = crate::code::double::CELLS;
        match *self {
            CopyDouble { to, from: a } | NegateDouble { to, a } => {
                visit(to, DOUBLE);
                visit(a, DOUBLE);
            }
            ToDouble { to, .. } => visit(to, DOUBLE),
            Double { to, a, b, .. } => {
                visit(to, DOUBLE);
                visit(a, DOUBLE);
                visit(b, DOUBLE);
            }
            CompareDoubles { a, b, .. } => {
                visit(a, DOUBLE);
                visit(b, DOUBLE);
            }
            Function { number, to, args } => {
                let info = Builtin(number.into()).info();
                visit(args, DOUBLE * info.params.len() as u32);
                if info.result == Number::Double {
                    visit(to, DOUBLE);
                }
            }
            _ => {}
        }
    }

    /// Where a jump goes, that of a loop included.
    pub fn jumps_to(mut self) -> Option<Entry> {
        self.target().copied()
    }

    /// Mutable access to the jump target, if there is one.
    pub(crate) fn target(&mut self) -> Option<&mut Entry> {
        match self {
            Instr::Jump { target }
            | Instr::JumpIf { target, .. }
            | Instr::JumpUnless { target, .. }
            | Instr::JumpLess { target, .. }
            | Instr::JumpLessEqual { target, .. }
            | Instr::JumpEqual { target, .. }
            | Instr::JumpNotEqual { target, .. }
            | Instr::Loop { target, .. } => Some(target),
            _ => None,
        }
    }

    /// The cells whose order it asks for.
    pub(crate) fn compares(self) -> Option<(Cell, Cell)> {
        match self {
            Instr::Less { a, b, .. }
            | Instr::LessEqual { a, b, .. }
            | Instr::JumpLess { a, b, .. }
            | Instr::JumpLessEqual { a, b, .. } => Some((a, b)),
            _ => None,
        }
    }

    /// The array that it indexes.
    pub(crate) fn array(&mut self) -> Option<&mut ArrayId> {
        match self {
            Instr::Load { array, .. }
            | Instr::Store { array, .. }
            | Instr::CheckIndex { array, .. }
            | Instr::ElementAddress { array, .. }
            | Instr::Advance { array, .. } => Some(array),
            _ => None,
        }
    }
}

/// Reason an instruction may fail, for [`Site`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// An arithmetic operation.
    Operation,
    /// An index.
    Index,
    /// The choice of a process.
    Process,
    /// A value on its way into a variable.
    Value,
    /// An argument of a function.
    Argument,
    /// The result of a function.
    Result,
    /// The value of a clock.
    Clock,
    /// An assertion.
    Assertion,
    /// A loop.
    Loop,
}

/// The place in the source that an instruction comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The instruction.
    pub at: Entry,
    /// Which of its checks.
    pub check: Check,
    /// The expression.
    pub span: Span,
    /// The parameter of a [`Check::Argument`], the function of a [`Check::Result`].
    pub name: Option<Name>,
}

/// All the code of a network with its tables.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Instructions.
    pub code: Vec<Instr>,
    /// Ways of indexing.
    pub arrays: Vec<Array>,
    /// Ranges that values are checked against.
    pub ranges: Vec<Range>,
    /// Places in the source, by instruction.
    pub sites: Vec<Site>,
    /// Between which values the number lies that an instruction sets a clock to or adds to a copy of one, in the order of the
    /// code.
    pub(crate) amounts: Vec<(Entry, Range)>,
    /// The cells of [`crate::Base::Constant`].
    pub constants: Vec<i32>,
    /// Number of cells of [`crate::Base::Frame`].
    pub frame: u32,
    /// Cells of the frame that belong together: what code reaches through pointers is among them, or is a cell whose
    /// address it takes.
    pub blocks: Vec<Extent>,
    /// For code that was made from other code: the instruction that each one was made from, which sites and wraps go by.
    pub(crate) origins: Vec<u32>,
    /// Operations that have wrapped around.
    pub wraps: Wraps,
}

impl Program {
    /// The instruction that one was made from: itself in the code of a network.
    pub(crate) fn origin(&self, at: u32) -> u32 {
        self.origins.get(at as usize).copied().unwrap_or(at)
    }

    /// Between which values the number lies that an instruction sets a clock to or adds to a copy of one.
    pub(crate) fn amount(&self, at: Entry) -> Range {
        let found = self.amounts.binary_search_by_key(&at, |(place, _)| *place);
        found.map_or(Range::ALL, |index| self.amounts[index].1)
    }

    /// Where in the source one of the checks of an instruction comes from.
    pub fn site(&self, at: Entry, is_it: impl Fn(Check) -> bool) -> Option<&Site> {
        let first = self.sites.partition_point(|s| s.at < at);
        self.sites[first..]
            .iter()
            .take_while(|s| s.at == at)
            .find(|s| is_it(s.check))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_sixteen_bytes() {
        assert_eq!(size_of::<Instr>(), 16);
    }
}
