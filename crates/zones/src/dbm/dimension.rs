//! Dropping and adding clocks.

use super::{assert_closed, set_universal};
use crate::bound::Bound;
use crate::bound::word::Word;

/// Writes the projection of the zone to the clocks `keep` (without the reference clock, which always stays) to `out`:
/// clock `k + 1` of `out` is clock `keep[k]`.
///
/// Requires: closed; `keep` without repetition and without 0; `out` has `(keep.len() + 1)²` entries.
/// Ensures: `out` closed.
pub fn project<W: Word>(dbm: &[Bound<W>], dim: usize, keep: &[usize], out: &mut [Bound<W>]) {
    assert_closed(dbm, dim);
    let small = keep.len() + 1;
    debug_assert_eq!(out.len(), small * small);
    let kept = || std::iter::once(0).chain(keep.iter().copied());
    // Every entry of a closed matrix is exact by itself, so leaving out the others loses nothing.
    for (row, i) in out.chunks_exact_mut(small).zip(kept()) {
        for (bound, j) in row.iter_mut().zip(kept()) {
            *bound = dbm[i * dim + j];
        }
    }
    assert_closed(out, small);
}

/// The counterpart of [`project`]: writes to `out`, of dimension `out_dim`, the zone whose clock `place[k]` is clock
/// `k + 1` of `dbm` and whose other clocks have any non-negative value.
///
/// Requires: `dbm` closed, of dimension `place.len() + 1`, clocks not negative; `place` without repetition and
/// without 0. Ensures: `out` closed.
pub fn expand<W: Word>(dbm: &[Bound<W>], place: &[usize], out: &mut [Bound<W>], out_dim: usize) {
    let dim = place.len() + 1;
    assert_closed(dbm, dim);
    set_universal(out, out_dim);
    // x − z for a free z is bounded by x − 0, since z may be zero.
    for (k, &i) in place.iter().enumerate() {
        out[i * out_dim..(i + 1) * out_dim].fill(dbm[(k + 1) * dim]);
    }
    let placed = || std::iter::once(0).chain(place.iter().copied());
    for (row, i) in dbm.chunks_exact(dim).zip(placed()) {
        for (bound, j) in row.iter().zip(placed()) {
            out[i * out_dim + j] = *bound;
        }
    }
    assert_closed(out, out_dim);
}
