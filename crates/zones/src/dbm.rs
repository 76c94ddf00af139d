//! Difference-bound matrices as plain slices.
//!
//! A matrix of dimension `dim` (number of clocks + 1) is a row-major slice of `dim * dim` bounds. Index 0 is the
//! reference clock, which is always zero; entry `[i * dim + j]` bounds `x_i − x_j`. So row 0 holds the negated
//! lower bounds and column 0 the upper bounds of the clocks.
//!
//! A matrix is *closed* when no entry can be tightened by a path over other entries and the zone is not empty;
//! then every entry is the exact supremum of its difference. Operations expect closed matrices and leave closed
//! matrices unless they say otherwise. An *empty* zone is any matrix whose entry `[0]` is below
//! [`Bound::LE_ZERO`]; its other entries mean nothing, and only [`is_empty`], [`set_zero`] and
//! [`set_universal`] may be used on it.
//!
//! Clocks are not negative: operations that say so require row 0 to be at most [`Bound::LE_ZERO`]. Only
//! [`assign`] with a negative offset can break this.
//!
//! Debug assertions check closedness up to dimension 8 only, since the check is cubic and these functions run in the
//! innermost loops of a search.

mod compare;
mod dimension;
mod operations;
mod standing;
mod union;

pub use compare::{Relation, contains, equal, hash, includes, relation};
pub use dimension::{expand, project};
pub use operations::{assign, down, free, free_down, free_up, reset, up, up_some};
pub use standing::{between, resumes_exactly};
pub use union::{hull, is_union_convex};

use crate::bound::Bound;
use crate::bound::word::Word;
use crate::kernels;

/// Makes the zone in which every clock is zero.
/// Ensures: closed.
#[inline]
pub fn set_zero<W: Word>(dbm: &mut [Bound<W>], dim: usize) {
    debug_assert_eq!(dbm.len(), dim * dim);
    dbm.fill(Bound::LE_ZERO);
}

/// Makes the zone of all non-negative valuations.
/// Ensures: closed.
#[inline]
pub fn set_universal<W: Word>(dbm: &mut [Bound<W>], dim: usize) {
    debug_assert_eq!(dbm.len(), dim * dim);
    dbm.fill(Bound::INFINITY);
    dbm[..dim].fill(Bound::LE_ZERO);
    for i in 1..dim {
        dbm[i * dim + i] = Bound::LE_ZERO;
    }
}

/// Tightens every entry to the shortest path (Floyd–Warshall); `false` if the zone is empty.
///
/// Requires: diagonal entries at most [`Bound::LE_ZERO`]. Ensures: closed, or marked empty. O(dim³).
#[inline]
pub fn close<W: Word>(dbm: &mut [Bound<W>], dim: usize) -> bool {
    debug_assert_eq!(dbm.len(), dim * dim);
    let consistent = kernels::close(dbm, dim);
    if consistent {
        assert_closed(dbm, dim);
    }
    consistent
}

/// Whether the matrix is closed and not empty. O(dim³), for assertions and tests.
pub fn is_closed<W: Word>(dbm: &[Bound<W>], dim: usize) -> bool {
    let at = |i: usize, j: usize| dbm[i * dim + j];
    dbm.len() == dim * dim
        && (0..dim).all(|i| at(i, i) == Bound::LE_ZERO)
        && (0..dim).all(|i| (0..dim).all(|k| (0..dim).all(|j| at(i, j) <= at(i, k).plus(at(k, j)))))
}

/// Whether the matrix is marked empty.
/// Requires: closed, or the outcome of an operation of this crate.
#[inline]
pub fn is_empty<W: Word>(dbm: &[Bound<W>]) -> bool {
    dbm[0] < Bound::LE_ZERO
}

/// Marks the zone empty.
#[inline]
pub fn set_empty<W: Word>(dbm: &mut [Bound<W>]) {
    dbm[0] = Bound::LT_ZERO;
}

/// Keeps the points with `x_i − x_j ≺ c`; `false` if none is left.
///
/// Requires: closed, `i != j`. Ensures: closed, or marked empty. O(1) when nothing changes, else O(dim²).
#[inline]
pub fn constrain<W: Word>(dbm: &mut [Bound<W>], dim: usize, i: usize, j: usize, bound: Bound<W>) -> bool {
    assert_closed(dbm, dim);
    debug_assert!(i != j && i < dim && j < dim);
    if dbm[i * dim + j] <= bound {
        return true;
    }
    if !satisfies(dbm, dim, i, j, bound) {
        set_empty(dbm);
        return false;
    }
    kernels::tighten(dbm, dim, i, j, bound);
    assert_closed(dbm, dim);
    true
}

/// Whether some point has `x_i − x_j ≺ c`, that is whether [`constrain`] would leave something. O(1).
/// Requires: closed, `i != j`.
#[inline]
pub fn satisfies<W: Word>(dbm: &[Bound<W>], dim: usize, i: usize, j: usize, bound: Bound<W>) -> bool {
    // A closed matrix stays consistent exactly if the new edge makes no negative cycle with the one back.
    bound.plus(dbm[j * dim + i]) >= Bound::LE_ZERO
}

/// Whether every point has `x_i − x_j ≺ c`. O(1).
/// Requires: closed.
#[inline]
pub fn implies<W: Word>(dbm: &[Bound<W>], dim: usize, i: usize, j: usize, bound: Bound<W>) -> bool {
    dbm[i * dim + j] <= bound
}

/// Keeps the points of `a` that are in `b` too; `false` if none is left.
///
/// Requires: both closed. Ensures: `a` closed, or marked empty.
pub fn intersect<W: Word>(a: &mut [Bound<W>], b: &[Bound<W>], dim: usize) -> bool {
    assert_closed(a, dim);
    assert_closed(b, dim);
    debug_assert_eq!(a.len(), b.len());
    let tighter = a.iter().zip(b).filter(|(a, b)| b < a).count();
    // Few constraints one by one cost dim² each, all together dim³ with a smaller constant.
    if tighter * 2 > dim {
        for (a, b) in a.iter_mut().zip(b) {
            *a = (*a).tighter(*b);
        }
        return close(a, dim);
    }
    if tighter > 0 {
        for i in 0..dim {
            for j in 0..dim {
                if b[i * dim + j] < a[i * dim + j] && !constrain(a, dim, i, j, b[i * dim + j]) {
                    return false;
                }
            }
        }
    }
    true
}

/// Whether the two zones have a point in common. O(dim²) for most that have none, else like [`intersect`]
/// on a copy in `scratch`, which is overwritten.
///
/// Requires: both closed.
pub fn intersects<W: Word>(a: &[Bound<W>], b: &[Bound<W>], dim: usize, scratch: &mut Vec<Bound<W>>) -> bool {
    let apart = (0..dim).any(|i| (0..dim).any(|j| a[i * dim + j].plus(b[j * dim + i]) < Bound::LE_ZERO));
    if apart {
        return false;
    }
    scratch.clear();
    scratch.extend_from_slice(a);
    intersect(scratch, b, dim)
}

/// The upper bound of clock `x`: the entry that bounds `x − 0`.
/// Requires: closed.
#[inline]
pub fn upper<W: Word>(dbm: &[Bound<W>], dim: usize, x: usize) -> Bound<W> {
    dbm[x * dim]
}

/// The lower bound of clock `x` as it stands in the matrix, bounding `0 − x`: the infimum of `x` is
/// `-lower(..).constant()`, and it is not reached if the bound is strict.
/// Requires: closed.
#[inline]
pub fn lower<W: Word>(dbm: &[Bound<W>], dim: usize, x: usize) -> Bound<W> {
    debug_assert!(x < dim);
    dbm[x]
}

/// The largest `|c|` among the finite entries, to be held against [`Bound::MAX_CONSTANT`] or
/// [`Narrow::fits`](crate::packed::Narrow::fits).
pub fn magnitude<W: Word>(dbm: &[Bound<W>]) -> W {
    // Two passes that vectorise: the least entry is always finite, and infinity is masked out of the greatest.
    let least = dbm.iter().fold(W::ZERO, |least, bound| least.min(bound.raw()));
    let greatest = dbm.iter().fold(W::ZERO, |most, bound| {
        most.max(if bound.is_infinite() { W::ZERO } else { bound.raw() })
    });
    (greatest >> 1).max(W::ZERO.minus(least >> 1))
}

/// Checks closedness where that is cheap enough for the test builds of other crates.
#[inline(always)]
pub(crate) fn assert_closed<W: Word>(dbm: &[Bound<W>], dim: usize) {
    debug_assert_eq!(dbm.len(), dim * dim);
    debug_assert!(magnitude(dbm) <= W::MAX_CONSTANT, "entries out of range");
    debug_assert!(dim > 8 || is_closed(dbm, dim), "matrix is not closed");
}
