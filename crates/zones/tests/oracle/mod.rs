//! Zones as sets of points: the definitions of the operations, tried point by point.
//!
//! Every region of `n` clocks has a representative whose fractions are multiples of `1 / (n + 1)`, so points on that
//! grid tell any two zones apart; delays and single clocks are tried on a grid twice as fine, which meets every
//! interval with ends on the coarse grid.

#![allow(dead_code, reason = "each test file uses its part")]

use proptest::prelude::*;
use zonewalk_zones::{Bound, dbm};

/// Constants of generated constraints are at most this.
pub(crate) const MAX: i32 = 4;

/// Fine steps per unit: twice `n + 1`, so that coarse points are the even multiples.
pub(crate) fn scale(dim: usize) -> i64 {
    2 * dim as i64
}

/// A closed, non-empty zone of non-negative clocks.
#[derive(Clone, Debug)]
pub(crate) struct Zone {
    pub(crate) dim: usize,
    pub(crate) dbm: Vec<Bound>,
}

impl Zone {
    pub(crate) fn universal(dim: usize) -> Self {
        let mut zone = Zone {
            dim,
            dbm: vec![Bound::INFINITY; dim * dim],
        };
        dbm::set_universal(&mut zone.dbm, dim);
        zone
    }

    pub(crate) fn contains(&self, point: &[i64]) -> bool {
        dbm::contains(&self.dbm, self.dim, point, scale(self.dim))
    }

    /// A copy after a change.
    pub(crate) fn after(&self, change: impl FnOnce(&mut [Bound])) -> Zone {
        let mut zone = self.clone();
        change(&mut zone.dbm);
        zone
    }
}

/// All coarse points with clocks up to `limit` units; entry 0 is the reference clock.
pub(crate) fn points(dim: usize, limit: i64) -> Vec<Vec<i64>> {
    let mut points = vec![vec![0]];
    for _ in 1..dim {
        points = points
            .iter()
            .flat_map(|point| {
                (0..=limit * dim as i64).map(move |step| {
                    let mut longer = point.clone();
                    longer.push(2 * step);
                    longer
                })
            })
            .collect();
    }
    points
}

/// Values of one clock, or delays, on the fine grid up to `limit` units.
pub(crate) fn fine(dim: usize, limit: i64) -> impl Iterator<Item = i64> + Clone {
    0..=limit * scale(dim)
}

/// The point with one clock changed.
pub(crate) fn with(point: &[i64], x: usize, value: i64) -> Vec<i64> {
    let mut changed = point.to_vec();
    changed[x] = value;
    changed
}

/// The point after a delay, which may be negative; `None` if a clock would be negative.
pub(crate) fn delayed(point: &[i64], delay: i64) -> Option<Vec<i64>> {
    let later: Vec<i64> = point
        .iter()
        .enumerate()
        .map(|(x, value)| if x == 0 { 0 } else { value + delay })
        .collect();
    later.iter().all(|value| *value >= 0).then_some(later)
}

/// A raw constraint; `left != right`.
pub(crate) type Atom = (usize, usize, Bound);

pub(crate) fn bound() -> impl Strategy<Value = Bound> {
    (-MAX..=MAX, any::<bool>()).prop_map(|(c, strict)| Bound::new(c, strict))
}

pub(crate) fn atom(dim: usize) -> impl Strategy<Value = Atom> {
    (0..dim, 1..dim, bound()).prop_map(move |(i, shift, bound)| (i, (i + shift) % dim, bound))
}

/// Zones made by constraints that are kept as far as they leave something.
pub(crate) fn zone(dim: usize) -> impl Strategy<Value = Zone> {
    (prop::collection::vec(atom(dim), 0..2 * dim), any::<bool>()).prop_map(move |(atoms, later)| {
        let mut zone = Zone::universal(dim);
        for (i, j, bound) in atoms {
            if dbm::satisfies(&zone.dbm, dim, i, j, bound) {
                assert!(dbm::constrain(&mut zone.dbm, dim, i, j, bound));
            }
        }
        if later {
            dbm::up(&mut zone.dbm, dim);
        }
        zone
    })
}

pub(crate) fn dims() -> impl Strategy<Value = usize> {
    prop_oneof![3 => Just(3usize), 1 => Just(2usize), 1 => Just(4usize)]
}

/// Range of the coordinates of points: twice the largest entry that generated zones of this dimension can have would be
/// exhaustive; for three clocks this is cut to what is affordable.
pub(crate) fn reach(dim: usize) -> i64 {
    match dim {
        2 => 12,
        3 => 10,
        _ => 4,
    }
}
