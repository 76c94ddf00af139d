//! Random numbers that are the same on every machine, forever.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// A named generator, xoshiro256++: a seed repeats a walk or a search years later, which library defaults do not promise.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The generator of this seed. Neighbouring seeds share nothing: `seed_from_u64` mixes with SplitMix64.
    pub fn new(seed: u64) -> Self {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The generator of walk number `walk` of a run with this seed. Walks are independent of each other and of the
    /// thread that makes them.
    pub fn for_walk(seed: u64, walk: u64) -> Self {
        let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32)
            ^ walk.wrapping_mul(0xD1B5_4A32_D192_ED03);
        Random::new(mixed.wrapping_add(walk))
    }

    /// A number below `n`, uniform up to a bias of `n / 2^64`. Requires: `n > 0`.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0);
        ((u128::from(self.0.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// A uniformly chosen index below `n`. Requires: `n > 0`.
    #[inline]
    pub fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }

    /// An integer of the closed interval. Requires: `lo <= hi`.
    #[inline]
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo) as u64 + 1) as i64
    }

    /// Puts the items into an order of which each is equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }

    /// A number of the unit interval, 1 excluded.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A number between 0 and 1, both excluded.
    #[inline]
    pub fn open_unit(&mut self) -> f64 {
        ((self.0.next_u64() >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
    }

    /// Exponentially distributed with this rate. Requires: `rate > 0`.
    ///
    /// Von Neumann's method: it needs comparisons alone, whereas the last digit of a logarithm depends on the machine.
    pub fn exponential(&mut self, rate: f64) -> f64 {
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
                return (whole + first) / rate;
            }
            whole += 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_fixed() {
        let mut a = Random::for_walk(1, 0);
        let first: Vec<u64> = (0..4).map(|_| a.below(1000)).collect();
        let mut b = Random::for_walk(1, 0);
        assert_eq!(first, (0..4).map(|_| b.below(1000)).collect::<Vec<_>>());
        let mut c = Random::for_walk(1, 1);
        assert_ne!(first, (0..4).map(|_| c.below(1000)).collect::<Vec<_>>());
    }

    #[test]
    fn draws_are_uniform() {
        let mut r = Random::for_walk(7, 3);
        let mut counts = [0u32; 5];
        for _ in 0..50_000 {
            counts[r.index(5)] += 1;
        }
        assert!(counts.iter().all(|c| c.abs_diff(10_000) < 500), "{counts:?}");
        assert!((0..1000).all(|_| (3..=5).contains(&r.between(3, 5))));
    }

    #[test]
    fn exponential_draws_have_their_mean_and_their_tail() {
        let mut r = Random::for_walk(2, 5);
        let draws: Vec<f64> = (0..100_000).map(|_| r.exponential(4.0)).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        assert!((mean - 0.25).abs() < 0.004, "{mean}");
        for (bound, share) in [(0.1, 0.6703), (0.25, 0.3679), (1.0, 0.0183)] {
            let beyond = draws.iter().filter(|d| **d > bound).count() as f64 / 1e5;
            assert!((beyond - share).abs() < 0.008, "{bound}: {beyond}");
        }
    }

    #[test]
    fn shuffles_are_uniform() {
        let mut random = Random::new(5);
        let mut counts = std::collections::BTreeMap::<[u8; 3], u32>::new();
        for _ in 0..60_000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *counts.entry(items).or_default() += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|c| c.abs_diff(10_000) < 500), "{counts:?}");
    }
}
