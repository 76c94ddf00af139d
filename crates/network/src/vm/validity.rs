//! For which other processes the result of code is valid, because the same code would take the same way.
//!
//! Processes of one template run the same code and differ by their data. Where a run touches nothing of its process but
//! compares some of its constants with other values, any process whose constants compare in the same way gets the same
//! result from the same state. `while (i < id) if (!used[i++]) return false;` that returns after three rounds does so
//! for every `id` above 2.

use crate::code::cell::{Base, Cell, Context};
use crate::code::constraint::Relation;
use crate::code::instr::Range;
use crate::vm::CodeObserver;

/// The processes that the result of a run is good for.
#[derive(Clone, Debug, Default)]
pub struct Validity {
    /// Constants of the process that were compared, and what they may be.
    ranges: Vec<(Cell, Range)>,
    /// The run touched what belongs to its process alone.
    is_private: std::cell::Cell<bool>,
}

impl Validity {
    /// Whether the result is good for no other process.
    pub fn is_private(&self) -> bool {
        self.is_private.get()
    }

    /// Whether the result is good for the process of a context. Requires: memory is that of the run.
    #[inline]
    pub fn covers(&self, context: &Context, memory: &[i32]) -> bool {
        let fits = |(cell, range): &(Cell, Range)| {
            let value = memory.get(context.address(*cell));
            value.is_some_and(|&value| range.contains(value))
        };
        !self.is_private.get() && self.ranges.iter().all(fits)
    }

    /// Forgets the last run.
    pub fn clear(&mut self) {
        self.ranges.clear();
        self.is_private.set(false);
    }

    /// `constant relation value` was found to hold.
    fn narrow(&mut self, cell: Cell, constant: i32, relation: Relation, value: i32) {
        let index = self.ranges.iter().position(|(c, _)| *c == cell);
        let index = index.unwrap_or_else(|| {
            self.ranges.push((cell, Range::ALL));
            self.ranges.len() - 1
        });
        let range = &mut self.ranges[index].1;
        match relation {
            Relation::Less => range.hi = range.hi.min(value.saturating_sub(1)),
            Relation::LessEqual => range.hi = range.hi.min(value),
            Relation::GreaterEqual => range.lo = range.lo.max(value),
            Relation::Greater => range.lo = range.lo.max(value.saturating_add(1)),
            Relation::Equal => *range = Range { lo: value, hi: value },
            // One side of it is a range.
            Relation::NotEqual if constant < value => range.hi = range.hi.min(value.saturating_sub(1)),
            Relation::NotEqual => range.lo = range.lo.max(value.saturating_add(1)),
        }
    }
}

fn is_common(cell: Cell) -> bool {
    matches!(cell.base(), Base::Absolute | Base::Constant | Base::Frame)
}

impl CodeObserver for Validity {
    #[inline]
    fn read(&self, cell: Cell) {
        if !is_common(cell) {
            self.is_private.set(true);
        }
    }

    #[inline]
    fn compared(&mut self, relation: Relation, left: (Cell, i32), right: (Cell, i32), holds: bool) {
        let found = if holds { relation } else { relation.negated() };
        match (left.0.base(), right.0.base()) {
            (Base::Process, _) if is_common(right.0) => self.narrow(left.0, left.1, found, right.1),
            (_, Base::Process) if is_common(left.0) => {
                self.narrow(right.0, right.1, found.flipped(), left.1);
            }
            _ => {
                self.read(left.0);
                self.read(right.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_bound_constants() {
        let (id, other) = (Cell::new(Base::Process, 1), Cell::new(Base::Frame, 0));
        let context = Context::new(0, 0, 10, 0, 20, 30);
        let covers = |validity: &Validity, value: i32| {
            let mut memory = vec![0; 40];
            memory[11] = value;
            validity.covers(&context, &memory)
        };
        let mut validity = Validity::default();
        // 0 < id, 1 < id, not 5 < id, id != 4 with id below.
        for (left, right, relation, holds) in [
            ((other, 0), (id, 3), Relation::Less, true),
            ((other, 1), (id, 3), Relation::Less, true),
            ((other, 5), (id, 3), Relation::Less, false),
            ((id, 3), (other, 4), Relation::NotEqual, true),
        ] {
            validity.compared(relation, left, right, holds);
        }
        let good: Vec<i32> = (-1..8).filter(|&v| covers(&validity, v)).collect();
        assert_eq!(good, [2, 3]);
        validity.compared(Relation::Equal, (id, 3), (Cell::new(Base::Local, 0), 3), true);
        assert!(validity.is_private() && !covers(&validity, 3));
        validity.clear();
        assert!(covers(&validity, 100));
    }
}
