//! Random numbers that are the same on every machine, for ever.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// A named generator: a seed rebuilds a walk years later, which library defaults do not promise.
#[derive(Clone, Debug)]
pub(super) struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The generator of walk number `walk` of a search with this seed. Walks are independent of each other and of the thread
    /// that makes them.
    pub(super) fn for_walk(seed: u64, walk: u64) -> Self {
        // `seed_from_u64` mixes with SplitMix64, so that neighbours share nothing.
        let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32)
            ^ walk.wrapping_mul(0xD1B5_4A32_D192_ED03);
        Random(Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(walk)))
    }

    /// A number below `n`, uniform up to a bias of `n / 2^64`. Requires: `n > 0`.
    #[inline]
    pub(super) fn below(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0);
        ((u128::from(self.0.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// The same for indices.
    #[inline]
    pub(super) fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }

    /// An integer of the closed interval. Requires: `lo <= hi`.
    #[inline]
    pub(super) fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo) as u64 + 1) as i64
    }

    /// A number of the unit interval, 1 excluded.
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Exponentially distributed with rate 1.
    ///
    /// Von Neumann's method: it needs comparisons alone, whereas the last digit of a logarithm depends on the machine.
    pub(super) fn exponential(&mut self) -> f64 {
        let mut whole = 0.0;
        loop {
            let first = self.unit();
            let (mut last, mut is_odd) = (first, true);
            // A descending run of odd length has probability exp(-first).
            loop {
                let next = self.unit();
                if next >= last {
                    break;
                }
                (last, is_odd) = (next, !is_odd);
            }
            if is_odd {
                return whole + first;
            }
            whole += 1.0;
        }
    }
}
