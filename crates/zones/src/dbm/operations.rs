//! Time passes and clocks change: operations that keep a matrix closed in O(dim²) or less.

use super::{assert_closed, implies};
use crate::bound::Bound;
use crate::bound::word::Word;

/// Lets time pass: all points from which one of the zone is reached by going back in time.
/// Requires: closed. Ensures: closed. O(dim).
#[inline]
pub fn up<W: Word>(dbm: &mut [Bound<W>], dim: usize) {
    assert_closed(dbm, dim);
    for row in dbm.chunks_exact_mut(dim).skip(1) {
        row[0] = Bound::INFINITY;
    }
}

/// Lets time pass while only the clocks with `running[x]` advance (stopwatches); `running[0]` is not read.
///
/// The points reached are `v + d·r` for `v` in the zone, `d >= 0` and `r` the rates 0 or 1. This set is in general
/// no zone; the outcome is the smallest zone that contains it: `x_i − x_j` grows without bound if only `x_i` runs,
/// and otherwise is largest at `d = 0`. If all clocks run, it is [`up`] and exact.
///
/// Requires: closed, `running.len() == dim`. Ensures: closed. O(dim²).
pub fn up_some<W: Word>(dbm: &mut [Bound<W>], dim: usize, running: &[bool]) {
    assert_closed(dbm, dim);
    debug_assert_eq!(running.len(), dim);
    for (row, _) in dbm
        .chunks_exact_mut(dim)
        .zip(running)
        .skip(1)
        .filter(|(_, runs)| **runs)
    {
        row[0] = Bound::INFINITY;
        for (bound, runs) in row.iter_mut().zip(running).skip(1) {
            if !runs {
                *bound = Bound::INFINITY;
            }
        }
    }
    assert_closed(dbm, dim);
}

/// Lets time go backwards, down to clocks of zero: all non-negative points from which waiting leads into the zone.
/// Requires: closed, clocks not negative. Ensures: closed. O(dim²).
pub fn down<W: Word>(dbm: &mut [Bound<W>], dim: usize) {
    assert_closed(dbm, dim);
    let (reference, rows) = dbm.split_at_mut(dim);
    // Going back stops when the first clock is zero, so 0 − x is bounded by every y − x.
    reference.fill(Bound::LE_ZERO);
    for row in rows.chunks_exact(dim) {
        for (lowest, bound) in reference[1..].iter_mut().zip(&row[1..]) {
            *lowest = (*lowest).tighter(*bound);
        }
    }
    assert_closed(dbm, dim);
}

/// `x := value`.
///
/// A negative value is taken as it is: the clock is negative afterwards.
/// Requires: closed, `x != 0`. Ensures: closed. O(dim).
#[inline]
pub fn reset<W: Word>(dbm: &mut [Bound<W>], dim: usize, x: usize, value: W) {
    assert_closed(dbm, dim);
    debug_assert!(x != 0 && x < dim);
    if value == W::ZERO {
        // The usual case needs no additions: x is a second reference clock.
        dbm.copy_within(..dim, x * dim);
        for row in dbm.chunks_exact_mut(dim) {
            row[x] = row[0];
        }
    } else {
        assign(dbm, dim, x, 0, value);
    }
    assert_closed(dbm, dim);
}

/// `x := y + offset`, where `y` may be the reference clock 0 (a reset) or `x` itself (a shift).
///
/// Negative results are **not** clipped: if `y + offset` is negative somewhere in the zone, `x` is negative there
/// afterwards, and operations that require non-negative clocks must not follow. A caller to whom that is an error asks
/// `implies(dbm, dim, 0, y, Bound::le(offset))` before.
///
/// Requires: closed, `x != 0`. Ensures: closed. O(dim).
pub fn assign<W: Word>(dbm: &mut [Bound<W>], dim: usize, x: usize, y: usize, offset: W) {
    assert_closed(dbm, dim);
    debug_assert!(x != 0 && x < dim && y < dim);
    let (plus, minus) = (Bound::le(offset), Bound::le(W::ZERO.minus(offset)));
    for j in 0..dim {
        dbm[x * dim + j] = dbm[y * dim + j].plus(plus);
    }
    for i in 0..dim {
        dbm[i * dim + x] = dbm[i * dim + y].plus(minus);
    }
    dbm[x * dim + x] = Bound::LE_ZERO;
    assert_closed(dbm, dim);
}

/// Forgets `x`: it may have any non-negative value.
/// Requires: closed, `x != 0`, other clocks not negative. Ensures: closed. O(dim).
pub fn free<W: Word>(dbm: &mut [Bound<W>], dim: usize, x: usize) {
    free_up(dbm, dim, x);
    free_down(dbm, dim, x);
}

/// Lets `x` alone grow.
/// Requires: closed, `x != 0`. Ensures: closed. O(dim).
pub fn free_up<W: Word>(dbm: &mut [Bound<W>], dim: usize, x: usize) {
    assert_closed(dbm, dim);
    debug_assert!(x != 0 && x < dim);
    dbm[x * dim..(x + 1) * dim].fill(Bound::INFINITY);
    dbm[x * dim + x] = Bound::LE_ZERO;
    assert_closed(dbm, dim);
}

/// Lets `x` alone shrink, down to zero.
/// Requires: closed, `x != 0`, `x` not negative. Ensures: closed. O(dim).
pub fn free_down<W: Word>(dbm: &mut [Bound<W>], dim: usize, x: usize) {
    assert_closed(dbm, dim);
    debug_assert!(x != 0 && x < dim && implies(dbm, dim, 0, x, Bound::LE_ZERO));
    // The least x is zero, so y − x is at most what y itself can be.
    for row in dbm.chunks_exact_mut(dim) {
        row[x] = row[0];
    }
    dbm[x * dim + x] = Bound::LE_ZERO;
    assert_closed(dbm, dim);
}
