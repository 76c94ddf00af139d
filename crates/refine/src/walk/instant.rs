//! Instants, and the conditions on clocks as conditions on instants.
//!
//! Time is counted in halves of a tick, of which [`UNIT`] make a unit of time. Walks choose even instants, ticks. The odd numbers in
//! between stand for all the instants between two ticks: `x < c` is `x <= c - 1` and `x > c` is `x >= c + 1`. So bounds
//! are compared exactly, with their strictness, by comparing integers.

use crate::symbolic::pair::Pair;
use crate::systems::automaton::Automaton;
use crate::systems::set::Constraint;
use crate::walk::plan::{PairPlan, Span};

/// Halves of a tick in a unit of time: 2^20 ticks.
const UNIT: i64 = 1 << 21;
/// The bits that a constant may have without making ticks longer.
const USUAL: u32 = 24;

/// Halves of a tick in a unit of time for the walks of a pair. Where constants are large, ticks are longer, so that a walk has
/// time for more than 2^15 of the longest delays before [`END_OF_TIME`].
pub(super) fn unit(pair: &Pair) -> i64 {
    let bits = i64::BITS - largest_constant(pair).leading_zeros();
    UNIT >> bits.saturating_sub(USUAL)
}

/// The largest number that a clock of a pair is compared with.
pub(super) fn largest_constant(pair: &Pair) -> i64 {
    let parts = pair.left.parts.iter().chain(&pair.right.parts);
    parts.map(Automaton::largest_constant).fold(0, i64::max)
}

/// A walk ends here, before instants get too large to be added.
pub(super) const END_OF_TIME: i64 = 1 << 60;
/// An instant that is never reached.
pub(super) const FOREVER: i64 = 1 << 61;
/// A comparison, as a condition on the instant at which it is examined. The value of a clock is that instant minus the one at which
/// it was zero, or would have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// Not later than so long after the clock was zero.
    Upper(u32, i64),
    /// Not earlier.
    Lower(u32, i64),
    /// How much earlier than the second clock the first one was zero, at most. Time does not change that.
    Difference(u32, u32, i64),
}

/// A window of instants, both ends included; it has none if `lo > hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) lo: i64,
    pub(super) hi: i64,
}

impl Atom {
    /// Counts time in other parts of a unit, of which there are at least two.
    pub(super) fn rescale(&mut self, old: i64, unit: i64) {
        // A strict bound is the only one that is not a multiple of the unit.
        let upper =
            |bound: i64| (bound + old - 1).div_euclid(old) * unit - i64::from(bound.rem_euclid(old) != 0);
        let lower = |bound: i64| bound.div_euclid(old) * unit + i64::from(bound.rem_euclid(old) != 0);
        match self {
            Atom::Upper(_, bound) | Atom::Difference(_, _, bound) => *bound = upper(*bound),
            Atom::Lower(_, bound) => *bound = lower(*bound),
        }
    }
}

impl PairPlan {
    /// The comparisons of an alternative.
    #[inline]
    pub(super) fn atoms(&self, conjunction: usize) -> &[Atom] {
        &self.atoms[self.conjunctions[conjunction].range()]
    }

    /// The instants of a window at which a conjunction holds.
    #[inline]
    pub(super) fn within(&self, conjunction: usize, since: &[i64], window: Window) -> Window {
        within(self.atoms(conjunction), since, window)
    }

    /// Whether a comparison of an automaton holds at an instant. `base` is the number of clocks before its own.
    pub(super) fn satisfies(&self, c: &Constraint, base: u16, since: &[i64], at: i64) -> bool {
        let window = within(&[atom(c, base, self.unit)], since, Window { lo: at, hi: at });
        window.lo == at && window.hi == at
    }

    /// Whether a conjunction holds at an instant.
    #[inline]
    pub(super) fn holds(&self, conjunction: usize, since: &[i64], at: i64) -> bool {
        let window = self.within(conjunction, since, Window { lo: at, hi: at });
        window.lo == at && window.hi == at
    }

    /// The last instant up to which an invariant holds without a break, from `now` on; before `now` if it does not hold then.
    pub(super) fn deadline(&self, invariant: Span, since: &[i64], now: i64) -> i64 {
        let all = Window { lo: 0, hi: FOREVER };
        if invariant.to - invariant.from == 1 {
            let window = self.within(invariant.from as usize, since, all);
            return if window.lo <= now { window.hi } else { now - 1 };
        }
        let mut last = now - 1;
        loop {
            // Another alternative takes over at the next instant: no instant is left out, see the head of this file.
            let reached = invariant
                .range()
                .map(|conjunction| self.within(conjunction, since, all))
                .filter(|window| window.lo <= last + 1)
                .map(|window| window.hi)
                .fold(last, i64::max);
            if reached <= last || reached >= FOREVER {
                return reached.min(FOREVER);
            }
            last = reached;
        }
    }
}

/// The instants of a window at which comparisons hold.
#[inline]
pub(super) fn within(atoms: &[Atom], since: &[i64], mut window: Window) -> Window {
    for atom in atoms {
        match *atom {
            Atom::Upper(clock, bound) => window.hi = window.hi.min(since[clock as usize] + bound),
            Atom::Lower(clock, bound) => window.lo = window.lo.max(since[clock as usize] + bound),
            Atom::Difference(clock, minus, bound) => {
                if since[minus as usize] - since[clock as usize] > bound {
                    window.hi = window.lo - 1;
                    return window;
                }
            }
        }
    }
    window
}

/// A comparison of an automaton. `base` is the number of clocks before its own.
pub(super) fn atom(c: &Constraint, base: u16, unit: i64) -> Atom {
    let bound = c.bound.constant() * unit - i64::from(c.bound.is_strict());
    let clock = |clock: u16| u32::from(clock + base);
    match (c.left, c.right) {
        (x, 0) => Atom::Upper(clock(x), bound),
        (0, x) => Atom::Lower(clock(x), -bound),
        (x, y) => Atom::Difference(clock(x), clock(y), bound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewalk_zones::Bound;

    #[test]
    fn bounds_survive_another_scale() {
        for c in -3..=3 {
            for bound in [Bound::le(c), Bound::lt(c)] {
                for (left, right) in [(1, 0), (0, 1), (1, 2)] {
                    let constraint = Constraint { left, right, bound };
                    let mut scaled = atom(&constraint, 4, UNIT);
                    for (old, unit) in [(UNIT, 2), (2, 6), (6, UNIT), (UNIT, 4)] {
                        scaled.rescale(old, unit);
                        assert_eq!(scaled, atom(&constraint, 4, unit));
                    }
                }
            }
        }
    }
}
