//! Comparing zones with each other and with points, and hashing them.

use crate::bound::Bound;
use crate::bound::word::Word;
use crate::kernels;

/// How two zones lie to each other.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Relation {
    /// Both sets contain the same points.
    Equal,
    /// The first is strictly inside the second.
    Subset,
    /// The second is strictly inside the first.
    Superset,
    /// Each has a point that the other has not.
    Incomparable,
}

/// Whether `a ⊇ b`.
/// Requires: both closed and of one dimension.
#[inline]
pub fn includes<W: Word>(a: &[Bound<W>], b: &[Bound<W>]) -> bool {
    debug_assert_eq!(a.len(), b.len());
    kernels::at_least(a, b)
}

/// Whether `a` and `b` are the same zone.
/// Requires: both closed and of one dimension.
#[inline]
pub fn equal<W: Word>(a: &[Bound<W>], b: &[Bound<W>]) -> bool {
    a == b
}

/// How `a` lies to `b`.
/// Requires: both closed and of one dimension.
pub fn relation<W: Word>(a: &[Bound<W>], b: &[Bound<W>]) -> Relation {
    match (includes(a, b), includes(b, a)) {
        (true, true) => Relation::Equal,
        (true, false) => Relation::Superset,
        (false, true) => Relation::Subset,
        (false, false) => Relation::Incomparable,
    }
}

/// Whether the zone contains the point at which clock `x` has the rational value `point[x] / scale`.
///
/// Requires: closed or at least consistent, `scale > 0`, `point.len() == dim` and `point[0] == 0`. O(dim²), exact.
pub fn contains<W: Word>(dbm: &[Bound<W>], dim: usize, point: &[i64], scale: i64) -> bool {
    debug_assert_eq!(dbm.len(), dim * dim);
    debug_assert!(scale > 0 && point.len() == dim && point[0] == 0);
    dbm.chunks_exact(dim).zip(point).all(|(row, left)| {
        row.iter().zip(point).all(|(bound, right)| {
            let difference = i128::from(*left) - i128::from(*right);
            let limit = i128::from(bound.constant().into()) * i128::from(scale);
            bound.is_infinite() || difference < limit || (difference == limit && !bound.is_strict())
        })
    })
}

/// A hash of the entries that is the same in every run and on every machine.
/// Equal zones have equal hashes if both are closed.
#[inline]
pub fn hash<W: Word>(dbm: &[Bound<W>]) -> u64 {
    // Folded multiplication over four entries at a time, as in wyhash: two independent lanes hide its latency. Words of
    // 64 bits are folded to half of that first.
    const KEYS: [u64; 4] = [
        0x9e37_79b9_7f4a_7c15,
        0xe703_7ed1_a0b4_28db,
        0x8ebc_6af0_9c88_c6e3,
        0x5899_65cc_7537_4cc3,
    ];
    let half = |bound: Bound<W>| {
        let raw: i64 = bound.raw().into();
        let raw = raw as u64;
        // The upper half of a word of 32 bits that has been extended repeats its sign and says nothing.
        let upper = if size_of::<W>() > 4 { raw >> 32 } else { 0 };
        u64::from((raw ^ upper.wrapping_mul(KEYS[1])) as u32)
    };
    let pair = |low: Bound<W>, high: Bound<W>| half(low) | half(high) << 32;
    let mut lanes = [KEYS[0] ^ dbm.len() as u64, KEYS[1]];
    let (chunks, rest) = dbm.as_chunks::<8>();
    for c in chunks {
        lanes[0] = fold(pair(c[0], c[1]) ^ KEYS[2], pair(c[2], c[3]) ^ lanes[0]);
        lanes[1] = fold(pair(c[4], c[5]) ^ KEYS[3], pair(c[6], c[7]) ^ lanes[1]);
    }
    for bound in rest {
        lanes[0] = fold(lanes[0] ^ half(*bound), KEYS[2]);
    }
    fold(lanes[0] ^ KEYS[3], lanes[1] ^ KEYS[2])
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
