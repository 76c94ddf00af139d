//! Zones over the clocks that matter in a state, and over no others.
//!
//! A clock matters if it may be compared before it is set again. In a ring of a hundred nodes a handful of clocks do, so that
//! a matrix has a handful of rows. A clock that begins to matter was set by the transition that leads there.

use zonewalk_zones::minimal::Constraint as Placed;
use zonewalk_zones::{Bound, Word, dbm, extrapolation, minimal};

use crate::systems::automaton::ClockBounds;
use crate::systems::set::{Constraint, in_words};

/// The clocks that matter in a state, with their bounds. Row and column 0 of a matrix belong to no clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame<W = i32> {
    /// Numbers of the clocks, in ascending order.
    clocks: Vec<u16>,
    lower: Vec<W>,
    upper: Vec<W>,
}

/// How zones are made finite in number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// Lower and upper bounds apart (Extra-LU+).
    LowerUpper,
    /// The larger of both (Extra-M): the plain form, which tests compare with.
    Maximum,
}

impl<W: Word> Frame<W> {
    /// From the clocks of each automaton with the number of clocks before its own. Requires: zones fit into words of this width.
    pub fn new<'a>(lists: impl Iterator<Item = (u16, &'a [ClockBounds])>) -> Frame<W> {
        let mut frame = Frame {
            clocks: Vec::new(),
            lower: vec![W::ZERO],
            upper: vec![W::ZERO],
        };
        for (offset, list) in lists {
            for bounds in list {
                frame.clocks.push(bounds.clock + offset);
                frame.lower.push(limit(bounds.lower));
                frame.upper.push(limit(bounds.upper));
            }
        }
        debug_assert!(frame.clocks.is_sorted());
        frame
    }

    /// Adds clocks that matter everywhere, with one bound for both sides. Requires: no zone was made yet.
    pub fn add(&mut self, extra: &[(u16, i64)]) {
        for &(clock, bound) in extra {
            let bound = limit(bound);
            let place = self.clocks.partition_point(|known| *known < clock);
            if self.clocks.get(place) == Some(&clock) {
                self.lower[place + 1] = self.lower[place + 1].max(bound);
                self.upper[place + 1] = self.upper[place + 1].max(bound);
            } else {
                self.clocks.insert(place, clock);
                self.lower.insert(place + 1, bound);
                self.upper.insert(place + 1, bound);
            }
        }
    }

    /// Number of rows of a matrix.
    pub fn dim(&self) -> usize {
        self.clocks.len() + 1
    }

    /// The clocks that matter.
    pub fn clocks(&self) -> &[u16] {
        &self.clocks
    }

    /// Names the clocks in constraints over rows.
    pub(crate) fn named(&self, constraints: &[Placed<W>]) -> Vec<Constraint> {
        let name = |row: u16| match row {
            0 => 0,
            _ => self.clocks[usize::from(row) - 1],
        };
        let named = constraints.iter().map(|c| Constraint {
            left: name(c.left),
            right: name(c.right),
            ..in_words(c)
        });
        named.collect()
    }

    /// The row of a clock. Clocks that do not matter have none.
    pub fn row(&self, clock: u16) -> Option<usize> {
        match clock {
            0 => Some(0),
            _ => self.clocks.binary_search(&clock).ok().map(|place| place + 1),
        }
    }

    /// All clocks zero.
    pub fn zero(&self) -> Vec<Bound<W>> {
        let mut zone = vec![Bound::LE_ZERO; self.dim() * self.dim()];
        dbm::set_zero(&mut zone, self.dim());
        zone
    }

    /// A constraint in terms of rows. `offset` is added to its clocks.
    pub fn place(&self, c: &Constraint, offset: u16) -> Placed<W> {
        let row = |clock: u16| {
            let clock = if clock == 0 { 0 } else { clock + offset };
            match self.row(clock) {
                Some(row) => row as u16,
                None => unreachable!("a clock that is compared matters"),
            }
        };
        Placed {
            left: row(c.left),
            right: row(c.right),
            ..in_words(c)
        }
    }

    /// Restricts a zone to a conjunction; false if nothing is left.
    pub fn constrain(&self, zone: &mut [Bound<W>], part: &[Constraint], offset: u16) -> bool {
        part.iter().all(|c| {
            let c = self.place(c, offset);
            dbm::constrain(zone, self.dim(), c.left.into(), c.right.into(), c.bound)
        })
    }

    /// Whether all points of a zone satisfy a conjunction.
    pub fn implies(&self, zone: &[Bound<W>], part: &[Constraint], offset: u16) -> bool {
        part.iter().all(|c| {
            let c = self.place(c, offset);
            dbm::implies(zone, self.dim(), c.left.into(), c.right.into(), c.bound)
        })
    }

    /// A conjunction as a zone.
    pub fn zone(&self, parts: &[(u16, &[Constraint])]) -> Vec<Bound<W>> {
        let constraints: Vec<Placed<W>> = parts
            .iter()
            .flat_map(|(offset, part)| part.iter().map(|c| self.place(c, *offset)))
            .collect();
        let mut zone = vec![Bound::INFINITY; self.dim() * self.dim()];
        minimal::expand(&constraints, self.dim(), &mut zone);
        zone
    }

    /// The zone after updates, over the clocks that matter in the next state. Clocks of `updates` are numbers of the pair.
    pub fn after_updates(&self, zone: &[Bound<W>], updates: &[(u16, i32)], next: &Frame<W>) -> Vec<Bound<W>> {
        let value = |clock: u16| {
            updates
                .iter()
                .find(|(updated, _)| *updated == clock)
                .map(|(_, value)| *value)
        };
        let (dim, next_dim) = (self.dim(), next.dim());
        // What the zone knows of clocks that stay, first; then the updates.
        let mut rows = Vec::with_capacity(next.clocks.len());
        let mut kept = Vec::with_capacity(next.clocks.len());
        for (place, &clock) in next.clocks.iter().enumerate() {
            if value(clock).is_none() {
                match self.row(clock) {
                    Some(row) => {
                        kept.push(row);
                        rows.push(place + 1);
                    }
                    None => debug_assert!(false, "a clock that begins to matter was set"),
                }
            }
        }
        let small = kept.len() + 1;
        let mut projected = vec![Bound::INFINITY; small * small];
        dbm::project(zone, dim, &kept, &mut projected);
        let mut entered = vec![Bound::INFINITY; next_dim * next_dim];
        dbm::expand(&projected, &rows, &mut entered, next_dim);
        for (place, &clock) in next.clocks.iter().enumerate() {
            if let Some(value) = value(clock) {
                dbm::reset(&mut entered, next_dim, place + 1, W::from(value));
            }
        }
        entered
    }

    /// Forgets what cannot matter any more. Requires: no comparison of differences (see [`Frame::abstract_split`]).
    pub fn relax(&self, zone: &mut [Bound<W>], abstraction: Abstraction) {
        let dim = self.dim();
        match abstraction {
            Abstraction::LowerUpper => {
                extrapolation::extra_lu_plus(zone, dim, &self.lower, &self.upper);
            }
            Abstraction::Maximum => {
                let m: Vec<W> = self
                    .lower
                    .iter()
                    .zip(&self.upper)
                    .map(|(l, u)| (*l).max(*u))
                    .collect();
                extrapolation::extra_m(zone, dim, &m);
            }
        }
    }

    /// Extrapolates with comparisons of differences (Bengtsson and Yi, *On clock difference constraints and termination in reachability
    /// analysis of timed automata*, ICFEM 2003): the zone is split along them, each piece is relaxed, and what
    /// was known of the differences is put back.
    pub fn abstract_split(&self, zone: Vec<Bound<W>>, diagonals: &[Constraint]) -> Vec<Vec<Bound<W>>> {
        let dim = self.dim();
        let mut pieces = vec![(zone, Vec::new())];
        for c in diagonals {
            let (Some(left), Some(right)) = (self.row(c.left), self.row(c.right)) else {
                continue;
            };
            let bound = in_words(c).bound;
            let sides = [(left, right, bound), (right, left, bound.complement())];
            let mut next = Vec::with_capacity(pieces.len());
            for (piece, known) in pieces {
                for side in sides {
                    let mut half = piece.clone();
                    if dbm::constrain(&mut half, dim, side.0, side.1, side.2) {
                        let mut known = known.clone();
                        known.push(side);
                        next.push((half, known));
                    }
                }
            }
            pieces = next;
        }
        pieces
            .into_iter()
            .map(|(mut piece, known)| {
                self.relax(&mut piece, Abstraction::Maximum);
                for (left, right, bound) in known {
                    dbm::constrain(&mut piece, dim, left, right, bound);
                }
                piece
            })
            .collect()
    }

    /// Whether some clock is bounded at all.
    pub fn is_bounded(&self) -> bool {
        self.lower
            .iter()
            .chain(&self.upper)
            .skip(1)
            .any(|bound| *bound != W::NO_BOUND)
    }
}

/// A constant of a clock; none is one of words of any width.
fn limit<W: Word>(constant: i64) -> W {
    W::from_i64(constant).unwrap_or(W::NO_BOUND)
}
