//! Observers of running code: the cells it writes, and the values its result depends on.

use crate::code::cell::Cell;
use crate::code::constraint::Relation;

/// Sees what code does while it runs.
pub trait CodeObserver {
    /// A cell was read, other than for a comparison.
    fn read(&self, cell: Cell);

    /// Two cells were compared.
    fn compared(&mut self, relation: Relation, left: (Cell, i32), right: (Cell, i32), holds: bool);

    /// A cell that had another value was written.
    #[inline(always)]
    fn wrote(&mut self, _address: usize, _old: i32) {}

    /// A loop goes back, over as much code.
    #[inline(always)]
    fn went_back(&mut self, _cost: u32) {}

    /// Cells are about to be copied.
    #[inline(always)]
    fn copies(&mut self, _memory: &[i32], _to: usize, _from: usize, _count: usize) {}
}

/// Observes nothing.
impl CodeObserver for () {
    #[inline(always)]
    fn read(&self, _: Cell) {}

    #[inline(always)]
    fn compared(&mut self, _: Relation, _: (Cell, i32), _: (Cell, i32), _: bool) {}
}

/// Work done in loops, in instructions; everything else is bounded by the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoopWork(pub u64);

impl CodeObserver for LoopWork {
    #[inline(always)]
    fn read(&self, _: Cell) {}

    #[inline(always)]
    fn compared(&mut self, _: Relation, _: (Cell, i32), _: (Cell, i32), _: bool) {}

    #[inline(always)]
    fn went_back(&mut self, cost: u32) {
        self.0 += u64::from(cost);
    }
}

/// Cells that code has changed.
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
