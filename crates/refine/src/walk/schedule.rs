//! How walks differ from each other: how far they go, and how they choose their delays.

use crate::walk::plan::Window;
use crate::walk::random::Random;

/// How a walk chooses an instant of the window of its transition (section 3.2 and 3.4 of the paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Delays {
    /// The last instant or the first one. How likely the last one is changes from walk to walk: Algorithm 1.
    #[default]
    Adaptive,
    /// Any instant (RET-U, RCF-U).
    Uniform,
    /// The first one with 40 %, any with 20 %, the last one with 40 % (RET-PD, RCF-PD).
    Pd,
}

/// The delays of one walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// So many times out of ten the last instant, else the first one.
    Bounds(u8),
    Uniform,
    Pd,
}

/// Walks that share a depth: Algorithm 1 has eleven distributions, and each depth is to see all of them.
const CYCLE: u64 = 11;
/// Binary logarithm of the steps of the first walks.
const FIRST_DEPTH: u32 = 4;
/// The same of the longest walks.
const LAST_DEPTH: u32 = 18;

impl Delays {
    /// The manner of a walk. Algorithm 1 counts in tenths: 5, 6, … 10, 0, 1, … (added up in floating point they would never meet 1).
    pub(super) fn manner(self, walk: u64) -> Manner {
        match self {
            Delays::Adaptive => Manner::Bounds(((walk + 5) % CYCLE) as u8),
            Delays::Uniform => Manner::Uniform,
            Delays::Pd => Manner::Pd,
        }
    }
}

/// The steps that a walk may take. The paper leaves the number open; without one it grows.
///
/// Depths of 2^4, 2^5, and so on up to 2^18 take turns as in a binary counter, a cycle of eleven walks each: every depth has
/// twice as many walks as the next one, so that every depth up to the largest one so far gets the same share of all steps.
pub(super) fn depth(walk: u64, fixed: Option<u32>) -> u32 {
    fixed.unwrap_or_else(|| {
        let cycle = walk / CYCLE + 1;
        1 << (FIRST_DEPTH + cycle.trailing_zeros()).min(LAST_DEPTH)
    })
}

impl Manner {
    /// An instant of a window, on the grid. Requires: both ends are on the grid, and `lo <= hi`.
    #[inline]
    pub(super) fn choose(self, window: Window, random: &mut Random) -> i64 {
        let Window { lo, hi } = window;
        if lo == hi {
            return lo;
        }
        match self {
            Manner::Bounds(tenths) => {
                if random.below(10) < u64::from(tenths) {
                    hi
                } else {
                    lo
                }
            }
            Manner::Uniform => uniform(window, random),
            Manner::Pd => match random.below(10) {
                0..4 => lo,
                4..8 => hi,
                _ => uniform(window, random),
            },
        }
    }
}

/// Any instant of a window, on the grid.
#[inline]
pub(super) fn uniform(window: Window, random: &mut Random) -> i64 {
    2 * random.between(window.lo >> 1, window.hi >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_are_those_of_algorithm_1() {
        let tenths: Vec<Manner> = (0..12).map(|walk| Delays::Adaptive.manner(walk)).collect();
        let expected = [5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4, 5].map(Manner::Bounds);
        assert_eq!(tenths, expected);
    }

    #[test]
    fn depths_take_turns() {
        let bits: Vec<u32> = (0..8).map(|cycle| depth(11 * cycle, None).ilog2()).collect();
        assert_eq!(bits, [4, 5, 4, 6, 4, 5, 4, 7]);
        assert!((0..10_000).all(|walk| depth(walk, None) == depth(walk / 11 * 11, None)));
        assert_eq!(depth(11 * ((1 << 40) - 1), None), 1 << 18);
        assert_eq!(depth(7, Some(3)), 3);
    }

    #[test]
    fn predefined_delays_have_their_shares() {
        let mut random = Random::for_walk(1, 1);
        let mut counts = [0u32; 3];
        for _ in 0..10_000 {
            match Manner::Pd.choose(Window { lo: 0, hi: 2_000_000 }, &mut random) {
                0 => counts[0] += 1,
                2_000_000 => counts[2] += 1,
                _ => counts[1] += 1,
            }
        }
        assert!(
            counts[0].abs_diff(4000) < 200 && counts[1].abs_diff(2000) < 200,
            "{counts:?}"
        );
    }
}
