//! Random numbers: the same on every machine, and for each run its own.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Random numbers of one run.
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Those of a run. Streams of different runs have nothing to do with each other.
    pub(crate) fn for_run(seed: u64, run: u64) -> Random {
        // `seed_from_u64` mixes by SplitMix64, so that neighbours share nothing.
        let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32)
            ^ run.wrapping_mul(0xD1B5_4A32_D192_ED03);
        Random(Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(run)))
    }

    /// A number of the unit interval, 1 excluded.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A number between 0 and 1, both excluded.
    pub(crate) fn open_unit(&mut self) -> f64 {
        ((self.0.next_u64() >> 12) as f64 + 0.5) * (1.0 / (1u64 << 52) as f64)
    }

    /// An index below `n`, uniform up to a bias of `n / 2^64`. Requires: `n > 0`.
    pub(crate) fn index(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }
}
