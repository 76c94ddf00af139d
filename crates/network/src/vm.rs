//! The interpreter of register code. It allocates nothing.

mod condition;
mod doubles;
mod machine;
mod observer;
pub mod validity;

pub use observer::{Changes, CodeObserver, LoopWork};

use crate::code::cell::{Cell, Context};
use crate::code::ids::ClockId;
use crate::code::instr::{Entry, Program};
use machine::Machine;
use zonewalk_model::eval::arithmetic::Undefined;

/// Limit on the cost of one run; beyond it, the run counts as endless. Straight code is bounded by the program, so only the back
/// edge of a loop pays, for all the instructions that it goes back over.
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
    /// Cause of the trap.
    pub cause: Cause,
}

/// Reasons a run stopped early.
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
    /// A double that is to become an integer and does not fit into 32 bits.
    NoInteger,
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

/// Runs code to its `Halt` and returns the value there. `observer` sees what it changes ([`Changes`]) or which processes
/// its result is valid for ([`Validity`](crate::vm::validity::Validity)); `&mut ()` sees nothing. What the run costs is
/// [known before](crate::analysis::effort).
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
    observer: &mut W,
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
        observer,
    };
    machine.run(&mut at, clocks).map_err(|cause| Trap {
        at: Entry(program.origin(at)),
        cause,
    })
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

impl From<Undefined> for Cause {
    fn from(undefined: Undefined) -> Cause {
        Cause::Undefined(undefined)
    }
}
