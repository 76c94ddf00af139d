//! The differences of clocks that [`Abstraction::Split`](crate::graph::abstraction::Abstraction::Split) tells apart.
//!
//! Bengtsson and Yi (On clock difference constraints and termination in reachability analysis of timed automata, ICFEM 2003)
//! split a zone along a finite set `D` of constraints `x − y ≺ c`, extrapolate each piece by Extra-M, and confine it to the
//! sides that it had. This is sound when the equivalence that it stands for is a bisimulation. Two points are equivalent when
//! they are in one region of clocks up to the bounds `M`, and on the same side of every constraint in `D` whose clocks both
//! matter in the state. Every point of an extrapolated piece is in one region with a point of the piece (Bouyer: Forward analysis
//! of updatable timed automata, FMSD 2004); both are on the sides of the piece, so they are equivalent.
//!
//! It is a bisimulation because:
//!
//! - Time keeps differences as they are, and regions allow for equivalent delays.
//! - Every condition compares a clock with a number up to `M`, or is in `D`. A bound that varies counts with each of its values.
//! - `x := v` makes `x − y ≺ c` of `y ≻ v − c`, and `y − x ≺ c` of `y ≺ c + v`. For that, `M(y)` must be at least `v − c` and
//!   `c + v`, for the largest `v` that `x` is set to: this is the room of `y`.
//! - `x := z + s` makes `x − y ≺ c` of `z − y ≺ c − s`, and `y − x ≺ c` of `y − z ≺ c + s`: `D` has these constraints, too,
//!   for every copy and every `s` (`Diagonals::closed`). The bounds of locations have `M(z) ≥ M(x) − s` already
//!   (`zonewalk_network::bounds`), and the room of `z` is that of `x` less `s`, because the constraint that it comes from is
//!   in `D`. Several assignments of one transition are treated one after the other.
//!
//! Closing need not end: `x := x + 1` gives ever more constraints, as it must, because reachability is undecidable
//! then (Bouyer, Dufourd, Fleury, Petit: Updatable timed automata, TCS 2004).

use crate::condition::constraints;
use crate::state::constraint::{ClockRef, Constraint};
use zonewalk_network::bounds::ClockBounds;
use zonewalk_network::cell::Context;
use zonewalk_network::clock_updates::ClockCopy;
use zonewalk_network::constraint::{ClockBound, Relation};
use zonewalk_network::ids::ClockId;
use zonewalk_network::{Extent, Network};
use zonewalk_product::ClockConstraint;
use zonewalk_zones::Bound;

/// Zones are not split along more constraints than this.
const MOST: usize = 1024;

/// Why there may be infinitely many zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbounded {
    /// A difference of clocks is compared with too many numbers.
    Compared(ClockBound),
    /// A clock in a difference is set to a number of which nothing is known.
    Set(ClockId),
    /// Copies of a clock make too many differences of those that are compared.
    Copied(ClockId),
    /// Copies shift a clock again and again, so that no bound is enough for it.
    Shifted(ClockId),
}

/// A set of constraints on differences of clocks that is closed under copies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagonals {
    /// Each once, and none beside its complement.
    pub(crate) constraints: Vec<Constraint>,
    /// By [`ClockRef`]: the largest number that the clock is compared with once the other clock of a difference is set.
    room: Vec<i64>,
}

impl Diagonals {
    /// The set with these constraints and all that copies make of them, unless the abstraction would be infinite all the same.
    pub(crate) fn closed(
        network: &Network,
        bounds: &ClockBounds,
        mut constraints: Vec<Constraint>,
    ) -> Result<Diagonals, Unbounded> {
        let updates = &network.clock_updates;
        if !updates.copies.is_empty()
            && let Some(clock) = bounds.endless()
        {
            return Err(Unbounded::Shifted(clock));
        }
        let mut next = 0;
        while let Some(&constraint) = constraints.get(next) {
            next += 1;
            for copy in &updates.copies {
                before_copy(copy, constraint, &mut constraints)?;
            }
        }
        let mut room = vec![0; network.clocks.len() + 1];
        for constraint in &constraints {
            let number = constraint.bound.constant();
            let sides = [
                (constraint.left, constraint.right, number),
                (constraint.right, constraint.left, -number),
            ];
            for (kept, set, number) in sides {
                let Some(clock) = set.clock() else { continue };
                let Some(most) = updates.largest_number(clock) else {
                    continue;
                };
                let needed = i64::from(most) + number;
                if most == i32::MAX {
                    return Err(Unbounded::Set(clock));
                }
                let slot = &mut room[kept.index()];
                *slot = (*slot).max(needed);
            }
        }
        Ok(Diagonals { constraints, room })
    }

    /// The largest number that a clock is compared with once the other clock of a difference is set.
    pub(crate) fn room(&self, clock: ClockId) -> i64 {
        let room = self.room.get(ClockRef::of(clock).index());
        room.copied().unwrap_or(0)
    }
}

/// Adds what a constraint was before a copy.
fn before_copy(
    copy: &ClockCopy,
    constraint: Constraint,
    into: &mut Vec<Constraint>,
) -> Result<(), Unbounded> {
    let is_set = |clock: ClockRef| {
        clock
            .clock()
            .filter(|clock| copy.to.iter().any(|e| e.contains(clock.0)))
    };
    let (left, right) = (is_set(constraint.left), is_set(constraint.right));
    let Some(copied) = left.or(right) else {
        return Ok(());
    };
    let (least, most) = copy.amount;
    if i64::from(most) - i64::from(least) >= MOST as i64 {
        return Err(Unbounded::Copied(copied));
    }
    for from in each(&copy.from) {
        let from = ClockRef::of(from);
        for amount in least..=most {
            for (is_left, is_set) in [(true, left.is_some()), (false, right.is_some())] {
                let (left, right, shift) = match is_left {
                    true => (from, constraint.right, -i64::from(amount)),
                    false => (constraint.left, from, i64::from(amount)),
                };
                // The difference of a clock to itself is a number.
                if !is_set || left == right {
                    continue;
                }
                let number = constraint.bound.constant() + shift;
                if number.abs() > i64::from(i32::MAX) {
                    return Err(Unbounded::Copied(copied));
                }
                let before = Constraint {
                    left,
                    right,
                    bound: Bound::new(number, constraint.bound.is_strict()),
                };
                if !insert(before, into) {
                    return Err(Unbounded::Copied(copied));
                }
            }
        }
    }
    Ok(())
}

/// Adds the differences that a bound compares, for each of its values and of the clocks that it may name.
pub(crate) fn compared(
    network: &Network,
    bound: &ClockBound,
    context: &Context,
    into: &mut Vec<Constraint>,
) -> Result<(), Unbounded> {
    let Some(right) = bound.right else {
        return Ok(());
    };
    let named = |cell| network.named_clocks(bound.setup, cell, context);
    let (lefts, rights) = (named(bound.left), named(right));
    let known = network.constant(bound.bound, context);
    let (least, most) = known.map_or((bound.range.lo, bound.range.hi), |number| (number, number));
    if i64::from(most) - i64::from(least) >= MOST as i64 {
        return Err(Unbounded::Compared(*bound));
    }
    let relation = match bound.relation {
        Relation::NotEqual => Relation::Equal,
        other => other,
    };
    let mut found = Vec::new();
    for left in each(&lefts) {
        for right in each(&rights).filter(|right| *right != left) {
            for number in least..=most {
                let asked = ClockConstraint {
                    left,
                    right: Some(right),
                    relation,
                    number,
                };
                found.clear();
                constraints(asked, &mut found);
                if !found.iter().all(|constraint| insert(*constraint, into)) {
                    return Err(Unbounded::Compared(*bound));
                }
            }
        }
    }
    Ok(())
}

/// Adds a constraint unless it or its complement is there; false when there are too many.
fn insert(constraint: Constraint, into: &mut Vec<Constraint>) -> bool {
    let complement = constraint.complement();
    if !into
        .iter()
        .any(|known| *known == constraint || *known == complement)
    {
        into.push(constraint);
    }
    into.len() <= MOST
}

fn each(clocks: &[Extent]) -> impl Iterator<Item = ClockId> + '_ {
    clocks.iter().flat_map(|e| e.start..e.end).map(ClockId)
}
