//! Updates that need no interpreter: straight code that gives variables and clocks constant values.
//!
//! Most updates are of this kind. What they change is known as they run, so that nothing has to be saved and compared.

use crate::state::State;
use zonewalk_network::cell::{Base, Cell, Context};
use zonewalk_network::instr::{Entry, Instr};
use zonewalk_network::{Edge, Network};

/// An assignment that cannot fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assign {
    /// A variable becomes a number.
    Number { to: u32, value: i32 },
    /// A variable becomes what a cell holds.
    Copy { to: u32, from: u32 },
    /// A clock becomes a number of ticks.
    Clock { clock: u32, ticks: i64 },
}

impl Assign {
    /// Does it, and notes the variable with its old value in `changed` if that was another one.
    #[inline(always)]
    pub(crate) fn run(self, state: &mut State, changed: &mut Vec<(u32, Option<i32>)>) {
        let (to, value) = match self {
            Assign::Number { to, value } => (to, value),
            Assign::Copy { to, from } => (to, state.memory[from as usize]),
            Assign::Clock { clock, ticks } => return state.clocks.set_ticks(clock, ticks),
        };
        let cell = &mut state.memory[to as usize];
        if *cell != value {
            changed.push((to, Some(*cell)));
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
    let start = list.len();
    let is_plain = edge.update.is_none_or(|entry| {
        Decoder {
            network,
            context,
            unit,
            known: Vec::new(),
        }
        .decode(entry, list)
    });
    if !is_plain {
        list.truncate(start);
    }
    is_plain
}

struct Decoder<'a> {
    network: &'a Network,
    context: &'a Context,
    unit: i64,
    /// Temporaries that hold constants.
    known: Vec<(Cell, i32)>,
}

impl Decoder<'_> {
    fn decode(&mut self, Entry(mut at): Entry, list: &mut Vec<Assign>) -> bool {
        loop {
            let Some(instr) = self.network.program.code.get(at as usize) else {
                return false;
            };
            let done = match *instr {
                Instr::Halt { .. } => return true,
                Instr::Copy { to, from } => self.copy(to, from, list),
                Instr::Store { from, index, array } => self.store(from, index, array.0, list),
                Instr::CheckRange { a, range } => self.value(a).is_some_and(|value| {
                    let range = self.network.program.ranges.get(range.0 as usize);
                    range.is_some_and(|r| r.contains(value))
                }),
                Instr::SetClock { clock, value } => match (self.value(clock), self.value(value)) {
                    (Some(clock), Some(value)) if value >= 0 => {
                        list.push(Assign::Clock {
                            clock: clock as u32,
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

    fn copy(&mut self, to: Cell, from: Cell, list: &mut Vec<Assign>) -> bool {
        let value = self.value(from);
        if to.base() == Base::Frame {
            self.known.retain(|(cell, _)| *cell != to);
            self.known.extend(value.map(|v| (to, v)));
            return value.is_some();
        }
        if from.base() == Base::Frame && value.is_none() {
            return false;
        }
        let address = |cell: Cell| self.context.address(cell) as u32;
        list.push(match value {
            Some(value) => Assign::Number {
                to: address(to),
                value,
            },
            None => Assign::Copy {
                to: address(to),
                from: address(from),
            },
        });
        true
    }

    fn store(&mut self, from: Cell, index: Cell, array: u32, list: &mut Vec<Assign>) -> bool {
        let (Some(value), Some(index)) = (self.value(from), self.value(index)) else {
            return false;
        };
        let Some(array) = self.network.program.arrays.get(array as usize) else {
            return false;
        };
        let position = i64::from(index) - i64::from(array.lo);
        if !(0..i64::from(array.len)).contains(&position) || !array.range.contains(value) {
            return false;
        }
        let to = self.context.address(array.base) as u32 + position as u32 * array.stride;
        list.push(Assign::Number { to, value });
        array.base.base() != Base::Frame
    }

    fn value(&self, cell: Cell) -> Option<i32> {
        let known = self.known.iter().find(|(c, _)| *c == cell).map(|(_, v)| *v);
        known.or_else(|| self.network.constant(cell, self.context))
    }
}
