//! Closing after entries were relaxed, where most rows are still exact.

use multiversion::multiversion;

use super::close::{close_any, close_fixed, close_tiny};
use super::{Buffer, INFINITE, relax, restore, with_dimension};
use crate::bound::Bound;
use crate::extrapolation::NO_BOUND;

/// The number of rows that masks of rows tell apart.
const MASKED: usize = 64;

/// What relaxing did to the rows of a matrix. Beyond [`MASKED`] rows the masks only tell whether there are such rows.
#[derive(Copy, Clone, Default)]
pub(crate) struct Relaxed {
    /// Whether any entry changed.
    pub(crate) any: bool,
    /// Rows with a change and a finite entry off the diagonal, to be closed again: other rows are exact still, since
    /// relaxing only lengthens paths, or lead nowhere.
    pub(crate) open: u64,
    /// Rows with a finite entry off the diagonal, the only ones that paths lead through.
    pub(crate) leading: u64,
}

impl Relaxed {
    /// Notes the outcome of row `i`.
    #[inline(always)]
    pub(crate) fn record(&mut self, i: usize, changed: bool, finite: bool) {
        self.any |= changed;
        self.open |= u64::from(changed & finite) << (i % MASKED);
        self.leading |= u64::from(finite) << (i % MASKED);
    }
}

/// Closes again after entries were relaxed.
///
/// Requires: no negative cycle, `relaxed` describes all rows.
#[inline]
pub(crate) fn close_relaxed(dbm: &mut [Bound], dim: usize, relaxed: Relaxed) {
    if relaxed.open == 0 {
        return;
    }
    with_dimension!(dim, [2 3 4], N => close_rows_fixed::<N>(dbm, relaxed),
        _ => close_rows_dispatched(dbm, dim, relaxed));
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2"))]
fn close_rows_dispatched(dbm: &mut [Bound], dim: usize, relaxed: Relaxed) {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => close_rows_fixed::<N>(dbm, relaxed),
        _ => close_rows_any(dbm, dim, relaxed));
}

/// See [`crate::extrapolation::extra_lu_plus`].
#[inline]
pub(crate) fn extra_lu_plus(dbm: &mut [Bound], dim: usize, l: &[i32], u: &[i32]) -> bool {
    with_dimension!(dim, [2 3 4], N => extra_lu_plus_fixed::<N>(dbm, l, u),
        _ => extra_lu_plus_dispatched(dbm, dim, l, u))
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2"))]
fn extra_lu_plus_dispatched(dbm: &mut [Bound], dim: usize, l: &[i32], u: &[i32]) -> bool {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => extra_lu_plus_fixed::<N>(dbm, l, u),
        _ => extra_lu_plus_any(dbm, dim, l, u))
}

#[inline(always)]
fn extra_lu_plus_fixed<const N: usize>(dbm: &mut [Bound], l: &[i32], u: &[i32]) -> bool {
    let (rows, _) = dbm.as_chunks_mut::<N>();
    let (Some(l), Some(u)) = (l.first_chunk::<N>(), u.first_chunk::<N>()) else {
        return false;
    };
    let (mut limits, mut caps) = ([0; N], [0; N]);
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
        close_rows_fixed::<N>(dbm, relaxed);
    }
    relaxed.any
}

#[inline(always)]
fn extra_lu_plus_any(dbm: &mut [Bound], dim: usize, l: &[i32], u: &[i32]) -> bool {
    if dim > MASKED {
        return extra_lu_plus_large(dbm, dim, l, u);
    }
    let mut words = Buffer::<i32, 128>::new(2 * dim, 0);
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

/// The same for more rows than masks tell apart, which are listed instead, and so are the columns: with thousands of clocks Floyd–Warshall over
/// all of them takes seconds.
#[inline(always)]
fn extra_lu_plus_large(dbm: &mut [Bound], dim: usize, l: &[i32], u: &[i32]) -> bool {
    let (mut limits, mut caps) = (vec![0; dim], vec![0; dim]);
    let (mut open, mut any) = (Vec::new(), false);
    // By column: the bits that have changed in some row.
    let mut changes = vec![0; dim];
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
                *changes |= before.raw() ^ after.raw();
            }
        }
        if relaxed.open != 0 {
            open.push(i);
        }
    }
    if !open.is_empty() {
        let columns: Vec<usize> = (0..dim).filter(|&j| changes[j] != 0).collect();
        close_large(dbm, dim, &open, &columns);
    }
    any
}

/// Closes again after entries were relaxed in these rows and columns.
///
/// A shortest path of the fewest steps goes on from each clock `k` in its middle to a changed column: an unchanged entry is no longer than
/// the way over `k`, and a step would be saved. So only clocks with a finite entry in such a column need be pivots.
#[inline(always)]
fn close_large(dbm: &mut [Bound], dim: usize, open: &[usize], columns: &[usize]) {
    let mut pivot = vec![Bound::INFINITY; dim];
    for k in 0..dim {
        pivot.copy_from_slice(&dbm[k * dim..(k + 1) * dim]);
        if columns.iter().all(|&j| j == k || pivot[j].raw() >= INFINITE) {
            continue;
        }
        for &i in open {
            let row = &mut dbm[i * dim..(i + 1) * dim];
            let first = row[k];
            if first.raw() < INFINITE {
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
fn forget_reference(row: &mut [Bound], l: &[i32], u: &[i32], limits: &mut [i32], caps: &mut [i32]) -> bool {
    let mut changed = 0;
    // Entry 0 passes unchanged, since its constants are 0. Products of `NO_BOUND` wrap and are not used.
    for ((((entry, l), u), limit), cap) in row.iter_mut().zip(l).zip(u).zip(limits).zip(caps) {
        let least = -entry.constant();
        *limit = if least > *l {
            i32::MIN
        } else {
            l.wrapping_mul(2) | 1
        };
        *cap = if least > *u { i32::MIN } else { i32::MAX };
        let beyond = if *u == NO_BOUND {
            Bound::LE_ZERO.raw()
        } else {
            u.wrapping_mul(-2)
        };
        let new = if least > *u { beyond } else { entry.raw() };
        changed |= new ^ entry.raw();
        *entry = Bound::from_raw(new);
    }
    changed != 0
}

/// Makes the entries of row `i` off the diagonal infinite that are above the limit of the row or the cap of their
/// column. The diagonal is left out by comparing indices: storing it apart would stall the vector loads around it.
#[inline(always)]
fn forget_in_row(row: &mut [Bound], i: usize, limit: i32, caps: &[i32], relaxed: &mut Relaxed) {
    let (mut changed, mut finite) = (0, 0);
    for (j, (entry, cap)) in row.iter_mut().zip(caps).enumerate() {
        let off_diagonal = if j as u32 == i as u32 { 0 } else { -1 };
        let infinite = entry.raw() > limit.min(*cap);
        let new = if infinite & (off_diagonal != 0) {
            Bound::INFINITY
        } else {
            *entry
        };
        changed |= entry.raw() ^ new.raw();
        finite |= (new.raw() ^ Bound::INFINITY.raw()) & off_diagonal;
        *entry = new;
    }
    relaxed.record(i, changed != 0, finite != 0);
}

#[inline(always)]
fn close_rows_fixed<const N: usize>(dbm: &mut [Bound], relaxed: Relaxed) {
    // Picking rows only pays if there are few of them.
    if N <= 4 {
        close_tiny::<N>(dbm);
        return;
    }
    if 2 * relaxed.open.count_ones() as usize > N {
        close_fixed::<N>(dbm);
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
fn close_rows_any(dbm: &mut [Bound], dim: usize, relaxed: Relaxed) {
    if dim > MASKED {
        close_any(dbm, dim);
        return;
    }
    let mut copy = Buffer::<Bound, 64>::new(dim, Bound::INFINITY);
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
