//! Signatures: sixteen bounds of a zone in seven bits each, so that most pairs of zones are told apart by one subtraction.
//!
//! A zone that includes another has no smaller bound anywhere. The map to seven bits keeps the order, up to equality, so one
//! signature must then be no smaller than the other in any of its parts. The eighth bit of each part is free: it takes the
//! borrow of the subtraction.

use zonewalk_zones::Bound;

/// Sixteen bounds of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Signature(u128);

const GUARDS: u128 = 0x8080_8080_8080_8080_8080_8080_8080_8080;
const PARTS: usize = 16;

impl Signature {
    /// Whether a zone with this signature may include one with the other.
    #[inline]
    pub(super) fn may_include(self, other: Signature) -> bool {
        ((self.0 | GUARDS) - other.0) & GUARDS == GUARDS
    }
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
    pub(super) fn new(magnitude: i32) -> Signer {
        // A bound has one bit more than its constant, and its sign.
        let bits = 34 - (magnitude.max(1) as u32).leading_zeros();
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
    pub(super) fn sign(&self, zone: &[Bound], dim: usize) -> Signature {
        let mut signature = 0;
        for (part, &pick) in self.picks[dim].iter().enumerate() {
            let bound = zone[pick as usize];
            let value = if bound.is_infinite() {
                127
            } else {
                ((bound.raw() >> self.shift) + 64).clamp(0, 126)
            };
            signature |= (value as u128) << (8 * part);
        }
        Signature(signature)
    }
}

fn picks(dim: usize) -> Vec<u32> {
    let against_zero = (1..dim).flat_map(|i| [i, i * dim]);
    let others = (1..dim).flat_map(|i| (1..dim).filter(move |&j| i != j).map(move |j| i * dim + j));
    against_zero
        .chain(others)
        .take(PARTS)
        .map(|pick| pick as u32)
        .collect()
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
        let endless = [Bound::LE_ZERO, Bound::LE_ZERO, Bound::INFINITY, Bound::LE_ZERO];
        let endless = signer.sign(&endless, 2);
        assert!(endless.may_include(far) && !far.may_include(endless));
    }

    #[test]
    fn no_clocks_no_parts() {
        let mut signer = Signer::new(0);
        signer.prepare(1);
        let nothing = signer.sign(&[Bound::LE_ZERO], 1);
        assert!(nothing.may_include(nothing));
        assert_eq!(picks(9).len(), PARTS);
    }
}
