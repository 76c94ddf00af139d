//! The inner loops: branch-free over rows, so that they become vector code.
//!
//! Each kernel is written once, always inlined, for rows of a known length and for rows of any length. Loops of known
//! length need no remainder loop, which in small dimensions costs more than the work, so the kernels are instantiated
//! for each dimension up to 16. All that is compiled twice, for the baseline of the platform and for AVX2, and chosen
//! at run time by `multiversion`; in the smallest dimensions the choice would cost more than it saves.

use multiversion::multiversion;

use crate::bound::{Bound, add_finite};

/// Words from here on are infinite in the middle of a kernel: infinity plus up to two finite bounds is not below it, and
/// a finite bound of a closed matrix is, as long as constants are within [`Bound::MAX_CONSTANT`]. So sums need no test
/// for infinity, if it is restored at the end.
const INFINITE: i32 = 1 << 29;

/// Evaluates an expression with `$N` as a constant equal to `$dim`, for the dimensions worth code of their own.
macro_rules! with_dimension {
    ($dim:expr, [$($n:literal)*], $N:ident => $fixed:expr, _ => $any:expr) => {
        match $dim {
            $($n => {
                const $N: usize = $n;
                $fixed
            })*
            _ => $any,
        }
    };
}

/// Restores infinity from any infinite word.
#[inline(always)]
fn restored(word: i32) -> Bound {
    if word >= INFINITE {
        Bound::INFINITY
    } else {
        Bound::from_raw(word)
    }
}

/// The sums of a bound with those of a row, without a test for infinity.
#[inline(always)]
fn sums(first: Bound, rest: &[Bound]) -> impl Iterator<Item = i32> {
    rest.iter().map(move |rest| add_finite(first.raw(), rest.raw()))
}

/// `row[j] = min(row[j], first + rest[j])`, leaving infinite words.
#[inline(always)]
fn relax(row: &mut [Bound], first: Bound, rest: &[Bound]) {
    for (entry, sum) in row.iter_mut().zip(sums(first, rest)) {
        *entry = Bound::from_raw(entry.raw().min(sum));
    }
}

/// `row[j] = min(row[j], first + rest[j])`.
#[inline(always)]
fn relax_restored(row: &mut [Bound], first: Bound, rest: &[Bound]) {
    for (entry, sum) in row.iter_mut().zip(sums(first, rest)) {
        *entry = (*entry).tighter(restored(sum));
    }
}

/// Restores infinity in a whole slice.
#[inline(always)]
fn restore(row: &mut [Bound]) {
    for entry in row {
        *entry = restored(entry.raw());
    }
}

/// A copy of a row of any length, on the stack for all but very many clocks.
struct RowCopy {
    small: [Bound; MASKED],
    large: Vec<Bound>,
}

impl RowCopy {
    #[inline(always)]
    fn new(dim: usize) -> Self {
        let large = if dim > 64 {
            vec![Bound::INFINITY; dim]
        } else {
            Vec::new()
        };
        RowCopy {
            small: [Bound::INFINITY; MASKED],
            large,
        }
    }

    #[inline(always)]
    fn of(&mut self, row: &[Bound]) -> &mut [Bound] {
        let copy = if row.len() <= MASKED {
            &mut self.small[..row.len()]
        } else {
            &mut self.large[..row.len()]
        };
        copy.copy_from_slice(row);
        copy
    }
}

/// Floyd–Warshall; see [`crate::dbm::close`].
#[inline]
pub(crate) fn close(dbm: &mut [Bound], dim: usize) -> bool {
    let consistent =
        with_dimension!(dim, [1 2 3 4], N => close_tiny::<N>(dbm), _ => close_dispatched(dbm, dim));
    if !consistent {
        dbm[0] = Bound::LT_ZERO;
    }
    consistent
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2"))]
fn close_dispatched(dbm: &mut [Bound], dim: usize) -> bool {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => close_fixed::<N>(dbm), _ => close_any(dbm, dim))
}

#[inline(always)]
fn close_fixed<const N: usize>(dbm: &mut [Bound]) -> bool {
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

/// The same in rows padded to one vector.
#[inline(always)]
fn close_tiny<const N: usize>(dbm: &mut [Bound]) -> bool {
    let (rows, _) = dbm.as_chunks_mut::<N>();
    let Ok(matrix) = <&mut [[Bound; N]; N]>::try_from(rows) else {
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
fn close_any(dbm: &mut [Bound], dim: usize) -> bool {
    let mut copy = RowCopy::new(dim);
    for k in 0..dim {
        let pivot = copy.of(&dbm[k * dim..(k + 1) * dim]);
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

/// The number of rows that masks of rows tell apart.
pub(crate) const MASKED: usize = 64;

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

/// Makes entry (i, j) infinite where its word is above `limits[i]` or above `caps[j]`, for all rows but the first and
/// off the diagonal, and closes again. Returns whether anything changed, counting `reference`: whether row 0 was
/// relaxed before.
///
/// Requires: closed before row 0 was relaxed.
#[inline]
pub(crate) fn forget(dbm: &mut [Bound], dim: usize, limits: &[i32], caps: &[i32], reference: bool) -> bool {
    with_dimension!(dim, [2 3 4], N => forget_fixed::<N>(dbm, limits, caps, reference),
        _ => forget_dispatched(dbm, dim, limits, caps, reference))
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2"))]
fn forget_dispatched(dbm: &mut [Bound], dim: usize, limits: &[i32], caps: &[i32], reference: bool) -> bool {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => forget_fixed::<N>(dbm, limits, caps, reference),
    _ => {
        let mut relaxed = Relaxed::default();
        relaxed.record(0, reference, true);
        for (i, row) in dbm.chunks_exact_mut(dim).enumerate().skip(1) {
            forget_in_row(row, i, limits[i], caps, &mut relaxed);
        }
        if relaxed.open != 0 {
            close_rows_any(dbm, dim, relaxed);
        }
        relaxed.any
    })
}

#[inline(always)]
fn forget_fixed<const N: usize>(dbm: &mut [Bound], limits: &[i32], caps: &[i32], reference: bool) -> bool {
    let mut relaxed = Relaxed::default();
    relaxed.record(0, reference, true);
    let (rows, _) = dbm.as_chunks_mut::<N>();
    let (Some(limits), Some(caps)) = (limits.first_chunk::<N>(), caps.first_chunk::<N>()) else {
        return false;
    };
    for (i, row) in rows.iter_mut().enumerate().take(N).skip(1) {
        forget_in_row(row, i, limits[i], caps, &mut relaxed);
    }
    if relaxed.open != 0 {
        close_rows_fixed::<N>(dbm, relaxed);
    }
    relaxed.any
}

#[inline(always)]
fn forget_in_row(row: &mut [Bound], i: usize, limit: i32, caps: &[i32], relaxed: &mut Relaxed) {
    // The diagonal counts as infinite meanwhile, so that it neither changes nor leads anywhere.
    row[i] = Bound::INFINITY;
    let (mut changed, mut finite) = (0, 0);
    for (entry, cap) in row.iter_mut().zip(caps) {
        let new = if entry.raw() > limit.min(*cap) {
            Bound::INFINITY
        } else {
            *entry
        };
        changed |= entry.raw() ^ new.raw();
        finite |= new.raw() ^ Bound::INFINITY.raw();
        *entry = new;
    }
    row[i] = Bound::LE_ZERO;
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
    let mut copy = RowCopy::new(dim);
    for k in members(relaxed.leading) {
        let pivot = copy.of(&dbm[k * dim..(k + 1) * dim]);
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

/// Sets entry (i, j) to `bound` and closes again; see [`crate::dbm::constrain`].
///
/// Requires: closed, `bound` tighter than the entry and consistent with the one back.
#[inline]
pub(crate) fn tighten(dbm: &mut [Bound], dim: usize, i: usize, j: usize, bound: Bound) {
    with_dimension!(dim, [2 3 4], N => tighten_fixed::<N>(dbm, i, j, bound),
        _ => tighten_dispatched(dbm, dim, i, j, bound));
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2"))]
fn tighten_dispatched(dbm: &mut [Bound], dim: usize, i: usize, j: usize, bound: Bound) {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => tighten_fixed::<N>(dbm, i, j, bound),
        _ => tighten_any(dbm, dim, i, j, bound));
}

// The shortest way from a to b over the new edge is a → i → j → b. Row j and column i do not change, since a cycle over
// the new edge is not negative; so one pass in any order is enough.

#[inline(always)]
fn tighten_fixed<const N: usize>(dbm: &mut [Bound], i: usize, j: usize, bound: Bound) {
    let (rows, _) = dbm.as_chunks_mut::<N>();
    let from_j = rows[j].map(|rest| bound.plus(rest));
    for row in rows.iter_mut().take(N) {
        let first = row[i];
        relax_restored(row, first, &from_j);
    }
}

#[inline(always)]
fn tighten_any(dbm: &mut [Bound], dim: usize, i: usize, j: usize, bound: Bound) {
    let mut copy = RowCopy::new(dim);
    let from_j = copy.of(&dbm[j * dim..(j + 1) * dim]);
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

/// Whether every entry of `a` is at least that of `b`.
#[inline]
pub(crate) fn all_at_least(a: &[Bound], b: &[Bound]) -> bool {
    all_at_least_in_chunks::<Bound, 32>(a, b)
}

#[inline(always)]
fn all_at_least_in_chunks<T: Ord, const CHUNK: usize>(a: &[T], b: &[T]) -> bool {
    let at_least = |a: &[T], b: &[T]| a.iter().zip(b).fold(true, |all, (a, b)| all & (a >= b));
    let (a_chunks, a_rest) = a.as_chunks::<CHUNK>();
    let (b_chunks, b_rest) = b.as_chunks::<CHUNK>();
    a_chunks.iter().zip(b_chunks).all(|(a, b)| at_least(a, b)) && at_least(a_rest, b_rest)
}

macro_rules! packed_at_least {
    ($name:ident, $type:ty) => {
        /// Whether every entry of `a` is at least that of `b`.
        #[inline]
        pub(crate) fn $name(a: &[$type], b: &[$type]) -> bool {
            all_at_least_in_chunks::<$type, 32>(a, b)
        }
    };
}

packed_at_least!(all_at_least_i8, i8);
packed_at_least!(all_at_least_i16, i16);
packed_at_least!(all_at_least_i32, i32);
