//! The inner loops: branch-free over row slices, so that they become vector code.

use crate::bound::{Bound, add_finite};

const INFINITY: i32 = Bound::INFINITY.raw();

/// `row[j] = min(row[j], first + rest[j])`, where `first` is finite.
#[inline(always)]
fn relax(row: &mut [Bound], first: i32, rest: &[Bound]) {
    for (entry, rest) in row.iter_mut().zip(rest) {
        let rest = rest.raw();
        let sum = if rest == INFINITY {
            INFINITY
        } else {
            add_finite(first, rest)
        };
        *entry = Bound::from_raw(entry.raw().min(sum));
    }
}

/// Floyd–Warshall; see [`crate::dbm::close`].
pub(crate) fn close(dbm: &mut [Bound], dim: usize) -> bool {
    for k in 0..dim {
        let (before, at) = dbm.split_at_mut(k * dim);
        let (pivot, after) = at.split_at_mut(dim);
        for (i, row) in before
            .chunks_exact_mut(dim)
            .chain(after.chunks_exact_mut(dim))
            .enumerate()
        {
            let i = i + usize::from(i >= k);
            let first = row[k].raw();
            if first == INFINITY {
                continue;
            }
            relax(row, first, pivot);
            // Stopping at the first negative cycle also keeps entries from growing exponentially around it.
            if row[i] < Bound::LE_ZERO {
                dbm[0] = Bound::LT_ZERO;
                return false;
            }
        }
        if dbm[k * dim + k] < Bound::LE_ZERO {
            dbm[0] = Bound::LT_ZERO;
            return false;
        }
    }
    true
}

/// Floyd–Warshall for the rows below 64 that are in the mask; the others must be closed already.
///
/// Requires: no negative cycle.
pub(crate) fn close_rows(dbm: &mut [Bound], dim: usize, rows: u64) {
    for k in 0..dim {
        let (before, at) = dbm.split_at_mut(k * dim);
        let (pivot, after) = at.split_at_mut(dim);
        let mut left = rows & !(u64::from(k < 64) << (k & 63));
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            let row = if i < k {
                &mut before[i * dim..(i + 1) * dim]
            } else {
                &mut after[(i - k - 1) * dim..(i - k) * dim]
            };
            let first = row[k].raw();
            if first != INFINITY {
                relax(row, first, pivot);
            }
        }
    }
}

/// Sets entry (i, j) to `bound` and closes again; see [`crate::dbm::constrain`].
///
/// Requires: closed, `bound` tighter than the entry and consistent with it.
pub(crate) fn tighten(dbm: &mut [Bound], dim: usize, i: usize, j: usize, bound: Bound) {
    dbm[i * dim + j] = bound;
    let (before, at) = dbm.split_at_mut(j * dim);
    let (from_j, after) = at.split_at_mut(dim);
    for row in before.chunks_exact_mut(dim).chain(after.chunks_exact_mut(dim)) {
        let to_i = row[i].raw();
        if to_i == INFINITY {
            continue;
        }
        relax(row, add_finite(to_i, bound.raw()), from_j);
    }
}

/// Whether every entry of `a` is at least that of `b`.
#[inline]
pub(crate) fn all_at_least(a: &[Bound], b: &[Bound]) -> bool {
    let (a_chunks, a_rest) = a.as_chunks::<32>();
    let (b_chunks, b_rest) = b.as_chunks::<32>();
    a_chunks
        .iter()
        .zip(b_chunks)
        .all(|(a, b)| a.iter().zip(b).fold(true, |all, (a, b)| all & (a >= b)))
        && a_rest.iter().zip(b_rest).fold(true, |all, (a, b)| all & (a >= b))
}

macro_rules! packed_at_least {
    ($name:ident, $type:ty) => {
        /// Whether every entry of `a` is at least that of `b`.
        #[inline]
        pub(crate) fn $name(a: &[$type], b: &[$type]) -> bool {
            let (a_chunks, a_rest) = a.as_chunks::<32>();
            let (b_chunks, b_rest) = b.as_chunks::<32>();
            a_chunks
                .iter()
                .zip(b_chunks)
                .all(|(a, b)| a.iter().zip(b).fold(true, |all, (a, b)| all & (a >= b)))
                && a_rest
                    .iter()
                    .zip(b_rest)
                    .fold(true, |all, (a, b)| all & (a >= b))
        }
    };
}

packed_at_least!(all_at_least_i8, i8);
packed_at_least!(all_at_least_i16, i16);
packed_at_least!(all_at_least_i32, i32);
