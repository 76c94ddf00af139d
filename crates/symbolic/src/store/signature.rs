//! Signatures: sixteen bounds of a zone in seven bits each, so that most pairs of zones are told apart by one subtraction.
//!
//! A zone that includes another has no smaller bound anywhere. The map to seven bits keeps the order, up to equality, so one
//! signature must then be no smaller than the other in any of its parts. The eighth bit of each part is free: it takes the
//! borrow of the subtraction.

use multiversion::multiversion;
use zonewalk_zones::{Bound, Word};

/// Sixteen bounds of a zone, the first eight apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signature(u64, u64);

const GUARDS: u64 = 0x8080_8080_8080_8080;
const PARTS: usize = 16;

/// Whether no part of the first word is below that of the second.
#[inline(always)]
fn dominates(one: u64, other: u64) -> bool {
    ((one | GUARDS) - other) & GUARDS == GUARDS
}

impl Signature {
    /// Whether a zone with this signature may include one with the other.
    #[inline]
    pub(super) fn may_include(self, other: Signature) -> bool {
        dominates(self.0, other.0) && dominates(self.1, other.1)
    }
}

/// Signatures side by side, their first words apart: these decide nearly always.
#[derive(Clone, Debug, Default)]
pub(super) struct Signatures {
    first: Vec<u64>,
    second: Vec<u64>,
}

impl Signatures {
    pub(super) fn push(&mut self, signature: Signature) {
        self.first.push(signature.0);
        self.second.push(signature.1);
    }

    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.first.swap(a, b);
        self.second.swap(a, b);
    }

    pub(super) fn swap_remove(&mut self, at: usize) {
        self.first.swap_remove(at);
        self.second.swap_remove(at);
    }

    pub(super) fn get(&self, at: usize) -> Signature {
        Signature(self.first[at], self.second[at])
    }

    /// The first signature from `at` on whose zone may include that of another or be included in it.
    pub(super) fn near(&self, signature: Signature, at: usize) -> Option<usize> {
        let mut at = at;
        loop {
            at += first_near(self.first.get(at..)?, signature.0)?;
            let other = self.get(at);
            if other.may_include(signature) || signature.may_include(other) {
                return Some(at);
            }
            at += 1;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        (self.first.capacity() + self.second.capacity()) * size_of::<u64>()
    }
}

/// The first word that dominates another or is dominated by it.
#[multiversion(targets("x86_64+avx2", "x86_64+sse4.2"))]
fn first_near(words: &[u64], word: u64) -> Option<usize> {
    const STRIDE: usize = 16;
    let chunks = words.chunks_exact(STRIDE);
    let rest = words.len() - chunks.remainder().len();
    for (number, chunk) in chunks.enumerate() {
        // No branch within a stretch, so that several words are compared at once.
        let mut is_near = 0;
        for &other in chunk {
            let above = ((other | GUARDS) - word) & GUARDS;
            let below = ((word | GUARDS) - other) & GUARDS;
            is_near |= u64::from(above == GUARDS) | u64::from(below == GUARDS);
        }
        if is_near != 0 {
            let found = chunk
                .iter()
                .position(|&other| dominates(other, word) || dominates(word, other));
            return found.map(|at| number * STRIDE + at);
        }
    }
    let found = words[rest..]
        .iter()
        .position(|&other| dominates(other, word) || dominates(word, other));
    found.map(|at| rest + at)
}

/// How signatures are made.
#[derive(Clone, Debug)]
pub(super) struct Signer {
    /// Bounds are divided by two to this power; what does not fit then is as good as the largest or smallest value.
    shift: u32,
    /// By dimension: the entries that count, those against zero first.
    picks: Vec<Vec<u32>>,
}

impl Signer {
    /// For zones whose constants mostly lie below a number.
    pub(super) fn new(magnitude: i64) -> Signer {
        // A bound has one bit more than its constant, and its sign.
        let bits = 66 - (magnitude.max(1) as u64).leading_zeros();
        Signer {
            shift: bits.saturating_sub(7),
            picks: Vec::new(),
        }
    }

    /// Finds the entries that count for a dimension.
    pub(super) fn prepare(&mut self, dim: usize) {
        while self.picks.len() <= dim {
            self.picks.push(picks(self.picks.len()));
        }
    }

    /// The signature of a zone. Requires: its dimension was prepared.
    pub(super) fn sign<W: Word>(&self, zone: &[Bound<W>], dim: usize) -> Signature {
        let mut signature = 0u128;
        for (part, &pick) in self.picks[dim].iter().enumerate() {
            let bound = zone[pick as usize];
            let value = if bound.is_infinite() {
                127
            } else {
                (bound.raw() >> self.shift)
                    .plus(W::from(64))
                    .clamp(W::ZERO, W::from(126))
                    .into()
            };
            signature |= (value as u128) << (8 * part);
        }
        Signature(signature as u64, (signature >> 64) as u64)
    }
}

/// In some models the bounds against zero tell zones apart, in others the differences: each word has some of both, and
/// differences of neighbours first, which come from each other's clocks least often.
fn picks(dim: usize) -> Vec<u32> {
    let mut against_zero = (1..dim).flat_map(|i| [i, i * dim]);
    let apart = |by: usize| (1..dim.saturating_sub(by)).map(move |i| (i, i + by));
    let mut others = (1..dim)
        .flat_map(apart)
        .flat_map(|(i, j)| [i * dim + j, j * dim + i]);
    let mut all = Vec::with_capacity(PARTS);
    while all.len() < PARTS {
        let before = all.len();
        all.extend(against_zero.by_ref().take(2));
        all.extend(others.by_ref().take(2));
        if all.len() == before {
            break;
        }
    }
    all.truncate(PARTS);
    all.into_iter().map(|pick| pick as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_never_denies_an_inclusion() {
        let mut signer = Signer::new(5);
        signer.prepare(2);
        let zone = |upper: i32, lower: i32| {
            [
                Bound::LE_ZERO,
                Bound::le(-lower),
                Bound::le(upper),
                Bound::LE_ZERO,
            ]
        };
        let sign = |upper, lower| signer.sign(&zone(upper, lower), 2);
        let (large, small, far) = (sign(5, 1), sign(4, 2), sign(500, 2));
        assert!(large.may_include(small) && !small.may_include(large));
        assert!(large.may_include(large));
        assert!(far.may_include(small));
        let endless: [Bound; 4] = [Bound::LE_ZERO, Bound::LE_ZERO, Bound::INFINITY, Bound::LE_ZERO];
        let endless = signer.sign(&endless, 2);
        assert!(endless.may_include(far) && !far.may_include(endless));
    }

    /// Every place from every beginning, in stretches and after them.
    #[test]
    fn the_next_near_one_is_found() {
        let mut signatures = Signatures::default();
        let far = Signature(0x0010_7000_0000_0000, 0);
        let asked = Signature(0x0070_1000_0000_0000, 5);
        for at in 0..53 {
            signatures.push(if at % 19 == 7 { asked } else { far });
        }
        for from in 0..60 {
            let expected = (from..53).find(|at| at % 19 == 7);
            assert_eq!(signatures.near(asked, from), expected, "from {from}");
        }
        // The second word may still tell them apart.
        let other = Signature(asked.0 + 1, 4);
        assert_eq!(signatures.near(other, 0), None);
    }

    #[test]
    fn no_clocks_no_parts() {
        let mut signer = Signer::new(0);
        signer.prepare(1);
        let nothing = signer.sign::<i32>(&[Bound::LE_ZERO], 1);
        assert!(nothing.may_include(nothing));
        assert_eq!(picks(9).len(), PARTS);
    }
}
