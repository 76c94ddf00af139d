//! Comparing matrices.

use multiversion::multiversion;

use super::{Buffer, with_dimension};
use crate::bound::Bound;
use crate::extrapolation::NO_BOUND;

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
pub(crate) fn alu_covers(a: &[Bound], b: &[Bound], dim: usize, l: &[i32], u: &[i32]) -> bool {
    with_dimension!(dim, [2 3 4], N => alu_covers_fixed::<N>(a, b, l, u),
        _ => alu_covers_dispatched(a, b, dim, l, u))
}

#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2"))]
fn alu_covers_dispatched(a: &[Bound], b: &[Bound], dim: usize, l: &[i32], u: &[i32]) -> bool {
    with_dimension!(dim, [5 6 7 8 9 10 11 12 13 14 15 16], N => alu_covers_fixed::<N>(a, b, l, u), _ => {
        let mut limits = Buffer::<i32, 64>::new(dim, i32::MIN);
        let limits = limits.slice(dim);
        alu_limits(limits, &b[..dim], u);
        a.chunks_exact(dim).zip(b.chunks_exact(dim)).zip(l).all(|((a, b), l)| alu_covers_row(a, b, *l, limits))
    })
}

#[inline(always)]
fn alu_covers_fixed<const N: usize>(a: &[Bound], b: &[Bound], l: &[i32], u: &[i32]) -> bool {
    let (a, _) = a.as_chunks::<N>();
    let (b, _) = b.as_chunks::<N>();
    let mut limits = [i32::MIN; N];
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
fn alu_limits(limits: &mut [i32], reference: &[Bound], u: &[i32]) {
    for ((limit, lower), u) in limits.iter_mut().zip(reference).zip(u) {
        let within = (*u != NO_BOUND) & (lower.raw() >= 1 - u.wrapping_mul(2));
        *limit = if within { lower.raw() } else { i32::MIN };
    }
}

/// Whether row `y` has no witness against inclusion: no `x` with a(y,x) < b(y,x) and a(y,x) + (<, −l[y]) below the limit.
#[inline(always)]
fn alu_covers_row(a: &[Bound], b: &[Bound], l: i32, limits: &[i32]) -> bool {
    if l == NO_BOUND {
        return true;
    }
    // The sum with a strict bound drops the weak bit. An infinite a(y,x) is not below any b(y,x).
    a.iter()
        .zip(b)
        .zip(limits)
        .fold(true, |covered, ((a, b), limit)| {
            covered & ((a >= b) | ((a.raw() & !1) - 2 * l >= *limit))
        })
}
