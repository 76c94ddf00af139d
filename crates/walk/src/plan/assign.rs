//! Updates that need no interpreter: straight code that gives variables and clocks constant values.
//!
//! Most updates are of this kind. What they change is known as they run, so that nothing has to be saved and compared.

use crate::time::ClockValues;
use zonewalk_network::cell::{Cell, Context};
use zonewalk_network::ids::ClockId;
use zonewalk_network::instr::{Entry, Instr, Program};
use zonewalk_network::{Edge, Network};

/// Copies of more cells are left to the interpreter.
const MOST_CELLS: u32 = 64;

/// An assignment that cannot fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assign {
    /// A variable becomes a number.
    Number { to: u32, value: i32 },
    /// A variable becomes what a cell holds.
    Copy { to: u32, from: u32 },
    /// A clock becomes a number of ticks.
    Clock { clock: ClockId, ticks: i64 },
}

impl Assign {
    /// Does it, and notes the variable with its old value in `changed` if that was another one.
    #[inline(always)]
    pub(crate) fn run(self, memory: &mut [i32], clocks: &mut ClockValues, changed: &mut Vec<(u32, i32)>) {
        let (to, value) = match self {
            Assign::Number { to, value } => (to, value),
            Assign::Copy { to, from } => (to, memory[from as usize]),
            Assign::Clock { clock, ticks } => return clocks.set_ticks(clock, ticks),
        };
        let cell = &mut memory[to as usize];
        if *cell != value {
            changed.push((to, *cell));
            *cell = value;
        }
    }
}

/// The update of an edge as a list of assignments, added to `list`; false when it is not of this kind, and then nothing
/// is added. `unit` is the number of ticks in a unit of time.
pub(crate) fn decode(
    network: &Network,
    edge: &Edge,
    context: &Context,
    unit: i64,
    list: &mut Vec<Assign>,
) -> bool {
    // Values of free selects are written into cells that look constant to the code.
    if edge.selects.iter().any(|s| !s.expanded) {
        return false;
    }
    edge.update
        .is_none_or(|entry| decode_code(network, (&network.program, entry), context, unit, list))
}

/// Decodes code that is part of some program. Requires: it reads no values of free selects.
pub(crate) fn decode_code(
    network: &Network,
    (program, entry): (&Program, Entry),
    context: &Context,
    unit: i64,
    list: &mut Vec<Assign>,
) -> bool {
    let start = list.len();
    let mut decoder = Decoder {
        network,
        program,
        context,
        unit,
        known: Vec::new(),
    };
    let is_plain = decoder.decode(entry, list);
    if !is_plain {
        list.truncate(start);
    }
    is_plain
}

struct Decoder<'a> {
    network: &'a Network,
    program: &'a Program,
    context: &'a Context,
    unit: i64,
    /// Temporaries and variables that hold a number which the code has given them, by address.
    known: Vec<(u32, i32)>,
}

impl Decoder<'_> {
    fn decode(&mut self, Entry(mut at): Entry, list: &mut Vec<Assign>) -> bool {
        loop {
            let Some(instr) = self.program.code.get(at as usize) else {
                return false;
            };
            let done = match *instr {
                Instr::Halt { .. } => return true,
                Instr::Copy { to, from } => self.copy(self.address(to), self.address(from), list),
                Instr::Address { to, cell } => {
                    let (to, value) = (self.address(to), self.address(cell) as i32);
                    self.know(to, Some(value));
                    self.is_temporary(to)
                }
                Instr::CopyCells { to, from, count } => match (self.value(to), self.value(from)) {
                    (Some(to), Some(from)) => self.copy_all(to as u32, from as u32, count, list),
                    _ => false,
                },
                Instr::Store { from, index, array } => self.store(from, index, array.0, list),
                Instr::CheckRange { a, range } => self.value(a).is_some_and(|value| {
                    let range = self.program.ranges.get(range.0 as usize);
                    range.is_some_and(|r| r.contains(value))
                }),
                Instr::SetClock { clock, value } => match (self.value(clock), self.value(value)) {
                    (Some(clock), Some(value)) if value >= 0 => {
                        list.push(Assign::Clock {
                            clock: ClockId(clock as u32),
                            ticks: i64::from(value) * self.unit,
                        });
                        true
                    }
                    _ => false,
                },
                _ => false,
            };
            if !done {
                return false;
            }
            at += 1;
        }
    }

    fn address(&self, cell: Cell) -> u32 {
        self.context.address(cell) as u32
    }

    fn is_temporary(&self, address: u32) -> bool {
        address >= self.network.layout.program
    }

    fn know(&mut self, to: u32, value: Option<i32>) {
        self.known.retain(|(address, _)| *address != to);
        self.known.extend(value.map(|value| (to, value)));
    }

    fn copy(&mut self, to: u32, from: u32, list: &mut Vec<Assign>) -> bool {
        let value = self.value_at(from);
        self.know(to, value);
        if self.is_temporary(to) {
            return value.is_some();
        }
        if self.is_temporary(from) && value.is_none() {
            return false;
        }
        list.push(match value {
            Some(value) => Assign::Number { to, value },
            None => Assign::Copy { to, from },
        });
        true
    }

    /// Copies neighbouring cells, one after the other, as the instruction does.
    fn copy_all(&mut self, to: u32, from: u32, count: u32, list: &mut Vec<Assign>) -> bool {
        let is_apart = to.saturating_add(count) <= from || from.saturating_add(count) <= to;
        count <= MOST_CELLS && is_apart && (0..count).all(|i| self.copy(to + i, from + i, list))
    }

    fn store(&mut self, from: Cell, index: Cell, array: u32, list: &mut Vec<Assign>) -> bool {
        let (Some(value), Some(index)) = (self.value(from), self.value(index)) else {
            return false;
        };
        let Some(array) = self.program.arrays.get(array as usize) else {
            return false;
        };
        let position = i64::from(index) - i64::from(array.lo);
        if !(0..i64::from(array.len)).contains(&position) || !array.range.contains(value) {
            return false;
        }
        let to = self.address(array.base) + position as u32 * array.stride;
        self.know(to, Some(value));
        list.push(Assign::Number { to, value });
        !self.is_temporary(to)
    }

    fn value(&self, cell: Cell) -> Option<i32> {
        self.value_at(self.address(cell))
    }

    fn value_at(&self, address: u32) -> Option<i32> {
        let known = self.known.iter().find(|(a, _)| *a == address);
        known
            .map(|(_, value)| *value)
            .or_else(|| self.network.constant_at(address))
    }
}
