//! Comparing matrices.

use super::{Buffer, with_dimension};
use crate::bound::Bound;
use crate::bound::word::Word;

/// Entries that are compared without a branch.
const CHUNK: usize = 32;

/// Whether every entry of `a` is at least that of `b`.
///
/// Not dispatched: wider vectors gained nothing measurable, and most comparisons of a search fail in the first chunk.
#[inline]
pub(crate) fn at_least<T: Ord>(a: &[T], b: &[T]) -> bool {
    let in_chunk = |a: &[T], b: &[T]| a.iter().zip(b).fold(true, |all, (a, b)| all & (a >= b));
    let (a_chunks, a_rest) = a.as_chunks::<CHUNK>();
    let (b_chunks, b_rest) = b.as_chunks::<CHUNK>();
    a_chunks.iter().zip(b_chunks).all(|(a, b)| in_chunk(a, b)) && in_chunk(a_rest, b_rest)
}

/// See [`crate::extrapolation::alu_includes`].
#[inline]
pub(crate) fn alu_covers<W: Word>(a: &[Bound<W>], b: &[Bound<W>], dim: usize, l: &[W], u: &[W]) -> bool {
    with_dimension!(dim, [2 3 4], N => alu_covers_fixed::<W, N>(a, b, l, u),
        _ => W::alu_covers(a, b, dim, l, u))
}

#[inline(always)]
pub(super) fn alu_covers_large<W: Word>(
    a: &[Bound<W>],
    b: &[Bound<W>],
    dim: usize,
    l: &[W],
    u: &[W],
) -> bool {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => alu_covers_fixed::<W, N>(a, b, l, u), _ => {
        let mut limits = Buffer::<W, 64>::new(dim, W::MIN);
        let limits = limits.slice(dim);
        alu_limits(limits, &b[..dim], u);
        a.chunks_exact(dim).zip(b.chunks_exact(dim)).zip(l).all(|((a, b), l)| alu_covers_row(a, b, *l, limits))
    })
}

#[inline(always)]
fn alu_covers_fixed<W: Word, const N: usize>(a: &[Bound<W>], b: &[Bound<W>], l: &[W], u: &[W]) -> bool {
    let (a, _) = a.as_chunks::<N>();
    let (b, _) = b.as_chunks::<N>();
    let mut limits = [W::MIN; N];
    if let (Some(reference), Some(u)) = (b.first(), u.first_chunk::<N>()) {
        alu_limits(&mut limits, reference, u);
    }
    a.iter()
        .zip(b)
        .zip(l)
        .all(|((a, b), l)| alu_covers_row(a, b, *l, &limits))
}

/// The lower bounds b(0,x) that are at least `<= −u[x]`; for other clocks `x` a word that nothing is below.
#[inline(always)]
fn alu_limits<W: Word>(limits: &mut [W], reference: &[Bound<W>], u: &[W]) {
    for ((limit, lower), u) in limits.iter_mut().zip(reference).zip(u) {
        let within = (*u != W::NO_BOUND) & (lower.raw() >= W::ONE.minus(u.plus(*u)));
        *limit = if within { lower.raw() } else { W::MIN };
    }
}

/// Whether row `y` has no witness against inclusion: no `x` with `a(y,x) < b(y,x)` and `a(y,x) + (<, −l[y])` below the limit.
#[inline(always)]
fn alu_covers_row<W: Word>(a: &[Bound<W>], b: &[Bound<W>], l: W, limits: &[W]) -> bool {
    if l == W::NO_BOUND {
        return true;
    }
    let (twice, weak) = (l.plus(l), W::ONE);
    // The sum with a strict bound drops the weak bit. An infinite a(y,x) is not below any b(y,x).
    a.iter()
        .zip(b)
        .zip(limits)
        .fold(true, |covered, ((a, b), limit)| {
            covered & ((a >= b) | (a.raw().minus(a.raw() & weak).minus(twice) >= *limit))
        })
}
