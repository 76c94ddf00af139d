//! Constraints of a zone: bounds on the difference of two clocks.

use zonewalk_network::ids::ClockId;
use zonewalk_zones::{Bound, Word};

/// A clock, or the constant zero that a clock is compared with where only one is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockRef(
    /// The number of the clock plus one; 0 is the constant.
    u32,
);

impl ClockRef {
    /// The constant zero.
    pub const ZERO: ClockRef = ClockRef(0);

    /// A clock.
    #[inline(always)]
    pub fn of(clock: ClockId) -> ClockRef {
        ClockRef(clock.0 + 1)
    }

    /// Which clock it is; `None` for the constant.
    #[inline(always)]
    pub fn clock(self) -> Option<ClockId> {
        self.0.checked_sub(1).map(ClockId)
    }

    /// As an index into a table that has the constant before the clocks.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// Clock behind an index in a zone over these clocks.
    pub(crate) fn at(index: usize, clocks: &[ClockId]) -> ClockRef {
        match index.checked_sub(1) {
            Some(index) => ClockRef::of(clocks[index]),
            None => ClockRef::ZERO,
        }
    }
}

/// The difference of two clocks is below a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The clock.
    pub left: ClockRef,
    /// The clock that is subtracted.
    pub right: ClockRef,
    /// The bound, in words that hold every number of the language and sums of them.
    pub bound: Bound<i64>,
}

impl Constraint {
    /// The bound as an entry of a zone. A graph is explored in words that hold all its constants ([`crate::graph::width`]), so that
    /// one which does not fit is a mistake of that choice: better a bug that is seen than a wrong answer.
    #[inline(always)]
    pub(crate) fn in_words<W: Word>(&self) -> Bound<W> {
        self.bound
            .to_width()
            .expect("zones of a width that holds the constants")
    }

    /// Complement of the constraint.
    #[must_use]
    pub fn complement(self) -> Constraint {
        Constraint {
            left: self.right,
            right: self.left,
            bound: self.bound.complement(),
        }
    }
}

/// An entry of a zone as the bound of a constraint.
pub(crate) fn widened<W: Word>(bound: Bound<W>) -> Bound<i64> {
    if bound.is_infinite() {
        Bound::INFINITY
    } else {
        Bound::new(bound.constant().into(), bound.is_strict())
    }
}
