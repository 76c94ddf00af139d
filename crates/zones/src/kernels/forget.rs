//! Closing after entries were relaxed, where most rows are still exact.

use super::close::{close_any, close_fixed, close_tiny};
use super::{Buffer, relax, restore, with_dimension};
use crate::bound::word::Word;
use crate::bound::{Bound, MASKED, Relaxed};

/// Closes again after entries were relaxed.
///
/// Requires: no negative cycle, `relaxed` describes all rows.
#[inline]
pub(crate) fn close_relaxed<W: Word>(dbm: &mut [Bound<W>], dim: usize, relaxed: Relaxed) {
    if relaxed.open == 0 {
        return;
    }
    with_dimension!(dim, [2 3 4], N => close_rows_fixed::<W, N>(dbm, relaxed),
        _ => W::close_rows(dbm, dim, relaxed));
}

#[inline(always)]
pub(super) fn close_rows_large<W: Word>(dbm: &mut [Bound<W>], dim: usize, relaxed: Relaxed) {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => close_rows_fixed::<W, N>(dbm, relaxed),
        _ => close_rows_any(dbm, dim, relaxed));
}

/// See [`crate::extrapolation::extra_lu_plus`].
#[inline]
pub(crate) fn extra_lu_plus<W: Word>(dbm: &mut [Bound<W>], dim: usize, l: &[W], u: &[W]) -> bool {
    with_dimension!(dim, [2 3 4], N => extra_lu_plus_fixed::<W, N>(dbm, l, u),
        _ => W::extra_lu_plus(dbm, dim, l, u))
}

#[inline(always)]
pub(super) fn extra_lu_plus_large<W: Word>(dbm: &mut [Bound<W>], dim: usize, l: &[W], u: &[W]) -> bool {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => extra_lu_plus_fixed::<W, N>(dbm, l, u),
        _ => extra_lu_plus_any(dbm, dim, l, u))
}

#[inline(always)]
fn extra_lu_plus_fixed<W: Word, const N: usize>(dbm: &mut [Bound<W>], l: &[W], u: &[W]) -> bool {
    let (rows, _) = dbm.as_chunks_mut::<N>();
    let (Some(l), Some(u)) = (l.first_chunk::<N>(), u.first_chunk::<N>()) else {
        return false;
    };
    let (mut limits, mut caps) = ([W::ZERO; N], [W::ZERO; N]);
    let mut relaxed = Relaxed::default();
    relaxed.record(
        0,
        forget_reference(&mut rows[0], l, u, &mut limits, &mut caps),
        true,
    );
    for (i, row) in rows.iter_mut().enumerate().take(N).skip(1) {
        forget_in_row(row, i, limits[i], &caps, &mut relaxed);
    }
    if relaxed.open != 0 {
        close_rows_fixed::<W, N>(dbm, relaxed);
    }
    relaxed.any
}

#[inline(always)]
fn extra_lu_plus_any<W: Word>(dbm: &mut [Bound<W>], dim: usize, l: &[W], u: &[W]) -> bool {
    if dim > MASKED {
        return extra_lu_plus_many(dbm, dim, l, u);
    }
    let mut words = Buffer::<W, 128>::new(2 * dim, W::ZERO);
    let (limits, caps) = words.slice(2 * dim).split_at_mut(dim);
    let mut relaxed = Relaxed::default();
    relaxed.record(0, forget_reference(&mut dbm[..dim], l, u, limits, caps), true);
    for (i, row) in dbm.chunks_exact_mut(dim).enumerate().skip(1) {
        forget_in_row(row, i, limits[i], caps, &mut relaxed);
    }
    if relaxed.open != 0 {
        close_rows_any(dbm, dim, relaxed);
    }
    relaxed.any
}

/// Extrapolates matrices with more rows than masks can represent. Relaxed rows and columns are listed instead: with thousands of
/// clocks, Floyd–Warshall over all of them takes seconds.
#[inline(always)]
fn extra_lu_plus_many<W: Word>(dbm: &mut [Bound<W>], dim: usize, l: &[W], u: &[W]) -> bool {
    let (mut limits, mut caps) = (vec![W::ZERO; dim], vec![W::ZERO; dim]);
    let (mut open, mut any) = (Vec::new(), false);
    // By column: the bits that have changed in some row.
    let mut changes = vec![W::ZERO; dim];
    let mut before = vec![Bound::INFINITY; dim];
    for (i, row) in dbm.chunks_exact_mut(dim).enumerate() {
        before.copy_from_slice(row);
        let mut relaxed = Relaxed::default();
        if i == 0 {
            let changed = forget_reference(row, l, u, &mut limits, &mut caps);
            relaxed.record(i, changed, true);
        } else {
            forget_in_row(row, i, limits[i], &caps, &mut relaxed);
        }
        if relaxed.any {
            any = true;
            for ((changes, before), after) in changes.iter_mut().zip(&before).zip(&*row) {
                *changes = *changes | (before.raw() ^ after.raw());
            }
        }
        if relaxed.open != 0 {
            open.push(i);
        }
    }
    if !open.is_empty() {
        let columns: Vec<usize> = (0..dim).filter(|&j| changes[j] != W::ZERO).collect();
        close_many(dbm, dim, &open, &columns);
    }
    any
}

/// Closes again after entries were relaxed in these rows and columns.
///
/// A shortest path of the fewest steps goes on from each clock `k` in its middle to a changed column: an unchanged entry is no longer than
/// the way over `k`, and a step would be saved. So only clocks with a finite entry in such a column need be pivots.
#[inline(always)]
fn close_many<W: Word>(dbm: &mut [Bound<W>], dim: usize, open: &[usize], columns: &[usize]) {
    let mut pivot = vec![Bound::INFINITY; dim];
    for k in 0..dim {
        pivot.copy_from_slice(&dbm[k * dim..(k + 1) * dim]);
        if columns.iter().all(|&j| j == k || pivot[j].raw() >= W::INFINITE) {
            continue;
        }
        for &i in open {
            let row = &mut dbm[i * dim..(i + 1) * dim];
            let first = row[k];
            if first.raw() < W::INFINITE {
                relax(row, first, &pivot);
            }
        }
    }
    open.iter()
        .for_each(|&i| restore(&mut dbm[i * dim..(i + 1) * dim]));
}

/// Relaxes row 0, and computes from what it was above which word an entry is infinite: in row `i` above `limits[i]`, in
/// column `j` above `caps[j]`. Returns whether the row changed.
#[inline(always)]
fn forget_reference<W: Word>(
    row: &mut [Bound<W>],
    l: &[W],
    u: &[W],
    limits: &mut [W],
    caps: &mut [W],
) -> bool {
    let mut changed = W::ZERO;
    // Entry 0 passes unchanged, since its constants are 0. Products of `NO_BOUND` wrap and are not used.
    for ((((entry, l), u), limit), cap) in row.iter_mut().zip(l).zip(u).zip(limits).zip(caps) {
        let least = W::ZERO.minus(entry.constant());
        *limit = if least > *l { W::MIN } else { l.plus(*l) | W::ONE };
        *cap = if least > *u { W::MIN } else { W::MAX };
        let beyond = if *u == W::NO_BOUND {
            Bound::<W>::LE_ZERO.raw()
        } else {
            W::ZERO.minus(u.plus(*u))
        };
        let new = if least > *u { beyond } else { entry.raw() };
        changed = changed | (new ^ entry.raw());
        *entry = Bound::from_raw(new);
    }
    changed != W::ZERO
}

/// Makes the entries of row `i` off the diagonal infinite that are above the limit of the row or the cap of their
/// column. The diagonal is left out by comparing indices: storing it apart would stall the vector loads around it.
#[inline(always)]
fn forget_in_row<W: Word>(row: &mut [Bound<W>], i: usize, limit: W, caps: &[W], relaxed: &mut Relaxed) {
    let (mut changed, mut finite) = (W::ZERO, W::ZERO);
    for (j, (entry, cap)) in row.iter_mut().zip(caps).enumerate() {
        let off_diagonal = W::from(if j as u32 == i as u32 { 0 } else { -1 });
        let infinite = entry.raw() > limit.min(*cap);
        let new = if infinite & (off_diagonal != W::ZERO) {
            Bound::INFINITY
        } else {
            *entry
        };
        changed = changed | (entry.raw() ^ new.raw());
        finite = finite | ((new.raw() ^ Bound::<W>::INFINITY.raw()) & off_diagonal);
        *entry = new;
    }
    relaxed.record(i, changed != W::ZERO, finite != W::ZERO);
}

#[inline(always)]
fn close_rows_fixed<W: Word, const N: usize>(dbm: &mut [Bound<W>], relaxed: Relaxed) {
    // Picking rows only pays if there are few of them.
    if N <= 4 {
        close_tiny::<W, N>(dbm);
        return;
    }
    if 2 * relaxed.open.count_ones() as usize > N {
        close_fixed::<W, N>(dbm);
        return;
    }
    let (matrix, _) = dbm.as_chunks_mut::<N>();
    for k in members(relaxed.leading) {
        let pivot = matrix[k];
        for i in members(relaxed.open) {
            let row = &mut matrix[i];
            let first = row[k];
            relax(row, first, &pivot);
        }
    }
    members(relaxed.open).for_each(|i| restore(&mut matrix[i]));
}

#[inline(always)]
fn close_rows_any<W: Word>(dbm: &mut [Bound<W>], dim: usize, relaxed: Relaxed) {
    if dim > MASKED {
        close_any(dbm, dim);
        return;
    }
    let mut copy = Buffer::<Bound<W>, 64>::new(dim, Bound::INFINITY);
    for k in members(relaxed.leading) {
        let pivot = copy.copy_of(&dbm[k * dim..(k + 1) * dim]);
        for i in members(relaxed.open) {
            let row = &mut dbm[i * dim..(i + 1) * dim];
            let first = row[k];
            relax(row, first, pivot);
        }
    }
    members(relaxed.open).for_each(|i| restore(&mut dbm[i * dim..(i + 1) * dim]));
}

/// The indices of the bits that are set.
#[inline(always)]
fn members(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        next
    })
}
