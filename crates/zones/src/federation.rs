//! Unions of zones.

use crate::bound::Bound;
use crate::bound::word::Word;
use crate::dbm;
use crate::minimal::{self, Constraint};

/// A union of zones of one dimension, in one flat vector.
///
/// The zones may overlap unless an operation says otherwise. Every zone is closed and not empty, and its clocks are not
/// negative.
#[derive(Clone, Debug)]
pub struct Federation<W = i32> {
    dim: usize,
    zones: Vec<Bound<W>>,
}

impl<W: Word> Federation<W> {
    /// The empty union. Requires: `dim >= 1` (the reference clock).
    pub fn new(dim: usize) -> Self {
        assert!(dim >= 1, "a matrix has at least the reference clock");
        Federation {
            dim,
            zones: Vec::new(),
        }
    }

    /// The union of one zone.
    /// Requires: `zone` closed or marked empty, clocks not negative.
    pub fn from_zone(zone: &[Bound<W>], dim: usize) -> Self {
        let mut federation = Self::new(dim);
        federation.push(zone);
        federation
    }

    /// Adds a zone; one that is marked empty adds nothing.
    /// Requires: `zone` closed or marked empty, clocks not negative.
    pub fn push(&mut self, zone: &[Bound<W>]) {
        debug_assert_eq!(zone.len(), self.dim * self.dim);
        if !dbm::is_empty(zone) {
            dbm::assert_closed(zone, self.dim);
            self.zones.extend_from_slice(zone);
        }
    }

    /// Number of clocks + 1.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Whether there is no point in it.
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// The number of zones.
    pub fn len(&self) -> usize {
        self.zones.len() / (self.dim * self.dim)
    }

    /// Removes all zones and keeps the storage.
    pub fn clear(&mut self) {
        self.zones.clear();
    }

    /// The zones.
    pub fn iter(&self) -> std::slice::ChunksExact<'_, Bound<W>> {
        self.zones.chunks_exact(self.dim * self.dim)
    }

    /// Takes the points of a zone away. Exact; the pieces of each former zone are disjoint.
    ///
    /// A zone is cut along the constraints of the minimal form of `zone`, and only along those that really cut what is
    /// left, so pieces are few. Requires: `zone` closed or marked empty, clocks not negative.
    pub fn subtract(&mut self, zone: &[Bound<W>]) {
        if dbm::is_empty(zone) || self.is_empty() {
            return;
        }
        let cuts = minimal::constraints(zone, self.dim);
        let mut pieces = Vec::with_capacity(self.zones.len());
        let mut rest = Vec::with_capacity(zone.len());
        for whole in self.zones.chunks_exact(self.dim * self.dim) {
            // Without this test a zone would be cut up for nothing.
            if dbm::intersects(whole, zone, self.dim, &mut rest) {
                rest.clear();
                rest.extend_from_slice(whole);
                subtract_from(&mut rest, &cuts, self.dim, &mut pieces);
            } else {
                pieces.extend_from_slice(whole);
            }
        }
        self.zones = pieces;
    }

    /// Takes the points of another federation away. Exact; disjoint as in [`subtract`](Self::subtract).
    pub fn subtract_federation(&mut self, other: &Federation<W>) {
        debug_assert_eq!(self.dim, other.dim);
        for zone in other {
            self.subtract(zone);
        }
    }

    /// Keeps the points that are in `zone` too.
    /// Requires: `zone` closed or marked empty.
    pub fn intersect(&mut self, zone: &[Bound<W>]) {
        let dim = self.dim;
        if dbm::is_empty(zone) {
            self.zones.clear();
        }
        self.retain_map(|z| dbm::intersect(z, zone, dim));
    }

    /// Keeps the points that are in `other` too: all intersections of a zone here and one there.
    pub fn intersect_federation(&mut self, other: &Federation<W>) {
        debug_assert_eq!(self.dim, other.dim);
        let mut common = Federation::new(self.dim);
        for zone in other {
            let mut part = self.clone();
            part.intersect(zone);
            common.zones.append(&mut part.zones);
        }
        *self = common;
    }

    /// Whether every point of `zone` is in some zone of the union. Exact, by subtraction.
    /// Requires: `zone` closed or marked empty, clocks not negative.
    pub fn includes_zone(&self, zone: &[Bound<W>]) -> bool {
        if dbm::is_empty(zone) || self.iter().any(|mine| dbm::includes(mine, zone)) {
            return true;
        }
        let mut left = Federation::from_zone(zone, self.dim);
        for mine in self {
            left.subtract(mine);
            if left.is_empty() {
                return true;
            }
        }
        false
    }

    /// Whether every point of `other` is in this union. Exact.
    pub fn includes(&self, other: &Federation<W>) -> bool {
        debug_assert_eq!(self.dim, other.dim);
        other.iter().all(|zone| self.includes_zone(zone))
    }

    /// Drops every zone that another single zone includes; of equal ones the first stays.
    pub fn reduce(&mut self) {
        let size = self.dim * self.dim;
        let mut kept = 0;
        for next in 0..self.len() {
            let at = |k: usize| k * size..(k + 1) * size;
            let includes = |a, b| dbm::includes(&self.zones[at(a)], &self.zones[at(b)]);
            let covered = (0..kept).any(|k| includes(k, next));
            if covered {
                continue;
            }
            // The candidate stays, so what it includes goes.
            let mut stay = 0;
            for k in 0..kept {
                if !dbm::includes(&self.zones[at(next)], &self.zones[at(k)]) {
                    self.zones.copy_within(at(k), stay * size);
                    stay += 1;
                }
            }
            self.zones.copy_within(at(next), stay * size);
            kept = stay + 1;
        }
        self.zones.truncate(kept * size);
    }

    /// Lets time pass in every zone; they may overlap afterwards.
    pub fn up(&mut self) {
        let dim = self.dim;
        self.zones
            .chunks_exact_mut(dim * dim)
            .for_each(|zone| dbm::up(zone, dim));
    }

    /// Lets time go backwards in every zone; they may overlap afterwards.
    pub fn down(&mut self) {
        let dim = self.dim;
        self.zones
            .chunks_exact_mut(dim * dim)
            .for_each(|zone| dbm::down(zone, dim));
    }

    /// Keeps the points with `x_i − x_j ≺ c`; `false` if none is left. Requires: `i != j`.
    pub fn constrain(&mut self, i: usize, j: usize, bound: Bound<W>) -> bool {
        let dim = self.dim;
        self.retain_map(|zone| dbm::constrain(zone, dim, i, j, bound));
        !self.is_empty()
    }

    /// Whether a point is in some zone; see [`dbm::contains`].
    pub fn contains(&self, point: &[i64], scale: i64) -> bool {
        self.iter()
            .any(|zone| dbm::contains(zone, self.dim, point, scale))
    }

    /// Changes every zone in place and drops those for which `change` says `false`.
    fn retain_map(&mut self, mut change: impl FnMut(&mut [Bound<W>]) -> bool) {
        let size = self.dim * self.dim;
        let mut kept = 0;
        for k in 0..self.len() {
            if change(&mut self.zones[k * size..(k + 1) * size]) {
                self.zones.copy_within(k * size..(k + 1) * size, kept * size);
                kept += 1;
            }
        }
        self.zones.truncate(kept * size);
    }
}

impl<'a, W: Word> IntoIterator for &'a Federation<W> {
    type Item = &'a [Bound<W>];
    type IntoIter = std::slice::ChunksExact<'a, Bound<W>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Appends the pieces of `rest` outside `cuts` to `pieces`; `rest` ends as the part inside.
///
/// Requires: `rest` closed, and some point of it satisfies all of `cuts`.
fn subtract_from<W: Word>(
    rest: &mut [Bound<W>],
    cuts: &[Constraint<W>],
    dim: usize,
    pieces: &mut Vec<Bound<W>>,
) {
    for cut in cuts {
        let (i, j) = (usize::from(cut.left), usize::from(cut.right));
        if dbm::implies(rest, dim, i, j, cut.bound) {
            continue;
        }
        let start = pieces.len();
        pieces.extend_from_slice(rest);
        // Some point of `rest` violates the cut, so the piece is not empty, and some point satisfies all cuts, so
        // neither is what stays.
        let outside = dbm::constrain(&mut pieces[start..], dim, j, i, cut.bound.complement());
        let inside = dbm::constrain(rest, dim, i, j, cut.bound);
        debug_assert!(outside && inside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: i32, high: i32) -> Vec<Bound> {
        let mut zone = vec![Bound::INFINITY; 4];
        dbm::set_universal(&mut zone, 2);
        assert!(dbm::constrain(&mut zone, 2, 0, 1, Bound::le(-low)));
        assert!(dbm::constrain(&mut zone, 2, 1, 0, Bound::le(high)));
        zone
    }

    #[test]
    fn together_they_include_what_none_does_alone() {
        let mut union = Federation::new(2);
        union.push(&interval(0, 3));
        union.push(&interval(3, 7));
        assert!(union.includes_zone(&interval(1, 6)));
        assert!(!union.includes_zone(&interval(1, 8)));
        union.subtract(&interval(2, 4));
        assert_eq!(union.len(), 2);
        assert!(!union.contains(&[0, 2], 1) && union.contains(&[0, 19], 10) && union.contains(&[0, 41], 10));
    }

    #[test]
    fn reduce_keeps_the_largest() {
        let mut union = Federation::new(2);
        for (low, high) in [(1, 2), (5, 6), (1, 2), (0, 3), (2, 3), (4, 9)] {
            union.push(&interval(low, high));
        }
        union.reduce();
        let zones: Vec<_> = union.iter().map(<[_]>::to_vec).collect();
        assert_eq!(zones, [interval(0, 3), interval(4, 9)]);
    }

    #[test]
    fn without_clocks() {
        let mut union: Federation = Federation::from_zone(&[Bound::LE_ZERO], 1);
        assert!(union.includes_zone(&[Bound::LE_ZERO]));
        union.subtract(&[Bound::LE_ZERO]);
        assert!(union.is_empty());
        union.reduce();
    }
}
