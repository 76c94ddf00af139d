//! Closing a matrix, from scratch or after one more constraint.

use super::{Buffer, relax, relax_restored, restore, with_dimension};
use crate::bound::Bound;
use crate::bound::word::Word;

/// Floyd–Warshall; see [`crate::dbm::close`].
#[inline]
pub(crate) fn close<W: Word>(dbm: &mut [Bound<W>], dim: usize) -> bool {
    let consistent = with_dimension!(dim, [1 2 3 4], N => close_tiny::<W, N>(dbm), _ => W::close(dbm, dim));
    if !consistent {
        dbm[0] = Bound::LT_ZERO;
    }
    consistent
}

#[inline(always)]
pub(super) fn close_large<W: Word>(dbm: &mut [Bound<W>], dim: usize) -> bool {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => close_fixed::<W, N>(dbm), _ => close_any(dbm, dim))
}

#[inline(always)]
pub(super) fn close_fixed<W: Word, const N: usize>(dbm: &mut [Bound<W>]) -> bool {
    let (rows, _) = dbm.as_chunks_mut::<N>();
    for k in 0..N.min(rows.len()) {
        let pivot = rows[k];
        // A negative cycle shows here before its last clock is the pivot, so no entry has grown around it yet.
        if pivot[k] < Bound::LE_ZERO {
            return false;
        }
        for row in rows.iter_mut().take(N) {
            let first = row[k];
            relax(row, first, &pivot);
        }
    }
    restore(rows.as_flattened_mut());
    true
}

/// Closes a matrix of fixed size in rows padded to one vector.
#[inline(always)]
pub(super) fn close_tiny<W: Word, const N: usize>(dbm: &mut [Bound<W>]) -> bool {
    let (rows, _) = dbm.as_chunks_mut::<N>();
    let Ok(matrix) = <&mut [[Bound<W>; N]; N]>::try_from(rows) else {
        return false;
    };
    let mut padded = [[Bound::INFINITY; 4]; N];
    for (padded, row) in padded.iter_mut().zip(matrix.iter()) {
        padded
            .iter_mut()
            .zip(row)
            .for_each(|(copy, bound)| *copy = *bound);
    }
    for k in 0..N {
        let pivot = padded[k];
        if pivot[k] < Bound::LE_ZERO {
            return false;
        }
        for row in &mut padded {
            let first = row[k];
            relax(row, first, &pivot);
        }
    }
    for (padded, row) in padded.iter_mut().zip(matrix.iter_mut()) {
        restore(padded);
        row.iter_mut()
            .zip(padded)
            .for_each(|(bound, copy)| *bound = *copy);
    }
    true
}

#[inline(always)]
pub(super) fn close_any<W: Word>(dbm: &mut [Bound<W>], dim: usize) -> bool {
    let mut copy = Buffer::<Bound<W>, 64>::new(dim, Bound::INFINITY);
    for k in 0..dim {
        let pivot = copy.copy_of(&dbm[k * dim..(k + 1) * dim]);
        if pivot[k] < Bound::LE_ZERO {
            return false;
        }
        for row in dbm.chunks_exact_mut(dim) {
            let first = row[k];
            relax(row, first, pivot);
        }
    }
    restore(dbm);
    true
}

/// Sets entry (i, j) to `bound` and closes again; see [`crate::dbm::constrain`].
///
/// Requires: closed, `bound` tighter than the entry and consistent with the one back.
#[inline]
pub(crate) fn tighten<W: Word>(dbm: &mut [Bound<W>], dim: usize, i: usize, j: usize, bound: Bound<W>) {
    with_dimension!(dim, [2 3 4], N => tighten_fixed::<W, N>(dbm, i, j, bound),
        _ => W::tighten(dbm, dim, i, j, bound));
}

#[inline(always)]
pub(super) fn tighten_large<W: Word>(dbm: &mut [Bound<W>], dim: usize, i: usize, j: usize, bound: Bound<W>) {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => tighten_fixed::<W, N>(dbm, i, j, bound),
        _ => tighten_any(dbm, dim, i, j, bound));
}

// The shortest way from a to b over the new edge is a → i → j → b. Row j and column i do not change, since a cycle over
// the new edge is not negative; so one pass in any order is enough.

#[inline(always)]
fn tighten_fixed<W: Word, const N: usize>(dbm: &mut [Bound<W>], i: usize, j: usize, bound: Bound<W>) {
    let (rows, _) = dbm.as_chunks_mut::<N>();
    let from_j = rows[j].map(|rest| bound.plus(rest));
    for row in rows.iter_mut().take(N) {
        let first = row[i];
        relax_restored(row, first, &from_j);
    }
}

#[inline(always)]
fn tighten_any<W: Word>(dbm: &mut [Bound<W>], dim: usize, i: usize, j: usize, bound: Bound<W>) {
    let mut copy = Buffer::<Bound<W>, 64>::new(dim, Bound::INFINITY);
    let from_j = copy.copy_of(&dbm[j * dim..(j + 1) * dim]);
    for rest in from_j.iter_mut() {
        *rest = bound.plus(*rest);
    }
    for row in dbm.chunks_exact_mut(dim) {
        let first = row[i];
        // If the way to j does not get shorter, neither does any beyond it.
        if first.plus(bound) < row[j] {
            relax_restored(row, first, from_j);
        }
    }
}

/// `out[i][j] = min over k of steps[i][k] + steps[k][j]`.
///
/// Requires: `out` infinite, of the same size.
#[inline]
pub(crate) fn two_steps<W: Word>(steps: &[Bound<W>], dim: usize, out: &mut [Bound<W>]) {
    W::two_steps(steps, dim, out);
}

#[inline(always)]
pub(super) fn two_steps_any<W: Word>(steps: &[Bound<W>], dim: usize, out: &mut [Bound<W>]) {
    for (row, best) in steps.chunks_exact(dim).zip(out.chunks_exact_mut(dim)) {
        for (first, rest) in row.iter().zip(steps.chunks_exact(dim)) {
            if !first.is_infinite() {
                relax(best, *first, rest);
            }
        }
        restore(best);
    }
}
