//! Guards and invariants in compiled form: data conditions, clock bounds, rates.
//!
//! With the data fixed a guard is convex (`semantics.md` 16b): evaluate the terms from left to right; the first data
//! condition that is false ends it, the clock bounds that remain are a conjunction. Clock bounds count as true while
//! data are examined, so that a data condition may fail even where a bound to its left does not hold.

use crate::code::cell::Cell;
use crate::code::instr::{Entry, Range};
use zonewalk_syntax::span::Span;

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Relation {
    Less,
    LessEqual,
    Equal,
    NotEqual,
    GreaterEqual,
    Greater,
}

impl Relation {
    /// Whether it holds between two values.
    #[inline]
    pub fn holds<T: PartialOrd + Copy>(self, a: T, b: T) -> bool {
        match self {
            Relation::Less => a < b,
            Relation::LessEqual => a <= b,
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
            Relation::GreaterEqual => a >= b,
            Relation::Greater => a > b,
        }
    }

    /// The complementary relation.
    #[must_use]
    pub fn negated(self) -> Relation {
        match self {
            Relation::Less => Relation::GreaterEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::GreaterEqual => Relation::Less,
            Relation::Greater => Relation::LessEqual,
        }
    }

    /// Relations of which one holds exactly where this does, each on a convex set: two for `!=`, itself otherwise.
    pub fn convex(&self) -> &[Relation] {
        match self {
            Relation::NotEqual => &[Relation::Less, Relation::Greater],
            other => std::slice::from_ref(other),
        }
    }

    /// The relation with its sides exchanged.
    #[must_use]
    pub fn flipped(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessEqual => Relation::GreaterEqual,
            Relation::GreaterEqual => Relation::LessEqual,
            Relation::Greater => Relation::Less,
            same => same,
        }
    }
}

/// A condition on data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A comparison of two cells.
    Compare {
        /// How.
        relation: Relation,
        /// Left side.
        a: Cell,
        /// Right side.
        b: Cell,
    },
    /// Code that halts with something else than 0 when the condition holds.
    Code(Entry),
}

/// A part of a guard or invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// A condition on data.
    Data(Condition),
    /// A bound on a clock or on a difference of clocks.
    Clock(ClockBound),
}

/// `left - right ~ bound`, or `left ~ bound`.
///
/// Where `setup` is given, run it before looking at the cells: it computes those that are in the frame, and the next
/// code that runs may overwrite them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockBound {
    /// The bound counts only when this holds.
    pub when: Option<Condition>,
    /// Code that computes clocks and bound.
    pub setup: Option<Entry>,
    /// A cell with the number of a clock.
    pub left: Cell,
    /// Clock on the right, which is subtracted. It may turn out to be the left one.
    pub right: Option<Cell>,
    /// How.
    pub relation: Relation,
    /// A cell with the bound.
    pub bound: Cell,
    /// Between which values the bound lies.
    pub range: Range,
    /// Source span.
    pub span: Span,
}

/// `clock' == rate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateSetting {
    /// The rate is set only when this holds.
    pub when: Option<Condition>,
    /// Code that computes clock and rate.
    pub setup: Option<Entry>,
    /// A cell with the number of the clock.
    pub clock: Cell,
    /// A cell with the rate.
    pub rate: Cell,
    /// Between which values the rate lies.
    pub range: Range,
    /// Source span.
    pub span: Span,
}

/// A number for stochastic walks: an exponential rate or the weight of a branch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// An integer: run `setup` if given, then look at the cell.
    Integer {
        /// Code that computes the cell.
        setup: Option<Entry>,
        /// The cell.
        value: Cell,
    },
    /// A double: run `setup` if given, then look at two cells from this one on.
    Double {
        /// Code that computes the cells.
        setup: Option<Entry>,
        /// The first of the cells.
        value: Cell,
    },
    /// A constant that is not an integer.
    Real(f64),
    /// A quantity that code cannot express.
    Unsupported(Span),
}
