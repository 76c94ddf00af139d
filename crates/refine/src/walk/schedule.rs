//! How walks differ from each other: how far they go, and how they choose their delays.

use crate::symbolic::pair::Pair;
use crate::walk::instant::Window;
use zonewalk_numbers::Random;

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
pub(super) enum DelayDistribution {
    /// Chance in tenths of the last instant, else the first one.
    Bounds(u8),
    Uniform,
    Pd,
}

/// Walks that share a depth: Algorithm 1 has eleven distributions, and each depth is to see all of them.
const CYCLE: u64 = 11;
/// Number of cycles of which one has a larger depth.
const SHORT: u64 = 8;
/// No walk is longer than that unless asked for.
const LONGEST: u32 = 1 << 18;

impl Delays {
    /// The distribution of a walk. Algorithm 1 counts in tenths: 5, 6, … 10, 0, 1, … (added up in floating point they would never meet 1).
    pub(super) fn distribution(self, walk: u64) -> DelayDistribution {
        match self {
            Delays::Adaptive => DelayDistribution::Bounds(((walk + 5) % CYCLE) as u8),
            Delays::Uniform => DelayDistribution::Uniform,
            Delays::Pd => DelayDistribution::Pd,
        }
    }
}

/// The steps of most walks: enough for every automaton of the left side to move several times.
pub(super) fn first_depth(pair: &Pair) -> u32 {
    16 + 24 * pair.left.parts.len().min(1 << 12) as u32
}

/// The steps that a walk may take. The paper leaves the number open.
///
/// Seven out of eight cycles of eleven walks have the first depth. The others have it doubled once, twice, and so on as in a binary
/// counter: every depth has twice as many walks as the next one, and so the same share of all steps. In the long run short walks
/// have about half of all steps. A violation that only walks from the beginning can find is found by them; one that needs longer
/// walks is found at a few times the cost of knowing how long.
pub(super) fn depth(walk: u64, fixed: Option<u32>, first: u32) -> u32 {
    fixed.unwrap_or_else(|| {
        let cycle = walk / CYCLE + 1;
        if !cycle.is_multiple_of(SHORT) {
            return first;
        }
        // Beyond 2^18 there is nothing to double.
        let doubled = (1 + (cycle / SHORT).trailing_zeros()).min(18);
        let depth = (u64::from(first) << doubled).min(LONGEST.into());
        first.max(depth as u32)
    })
}

impl DelayDistribution {
    /// An instant of a window, on the grid. Requires: both ends are on the grid, and `lo <= hi`.
    #[inline]
    pub(super) fn choose(self, window: Window, random: &mut Random) -> i64 {
        let Window { lo, hi } = window;
        if lo == hi {
            return lo;
        }
        match self {
            DelayDistribution::Bounds(tenths) => {
                if random.below(10) < u64::from(tenths) {
                    hi
                } else {
                    lo
                }
            }
            DelayDistribution::Uniform => uniform(window, random),
            DelayDistribution::Pd => match random.below(10) {
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
        let tenths: Vec<DelayDistribution> =
            (0..12).map(|walk| Delays::Adaptive.distribution(walk)).collect();
        let expected = [5, 6, 7, 8, 9, 10, 0, 1, 2, 3, 4, 5].map(DelayDistribution::Bounds);
        assert_eq!(tenths, expected);
    }

    #[test]
    fn depths_take_turns() {
        let of = |cycle: u64| depth(11 * cycle, None, 24);
        assert!((0..1000).all(|cycle| (of(cycle) == 24) == (cycle % 8 != 7)));
        let longer: Vec<u32> = (1..9).map(|turn| of(8 * turn - 1)).collect();
        assert_eq!(longer, [48, 96, 48, 192, 48, 96, 48, 384]);
        assert!((0..10_000).all(|walk| depth(walk, None, 24) == depth(walk / 11 * 11, None, 24)));
        assert_eq!(of((1 << 50) - 1), 1 << 18);
        assert_eq!(depth(7, Some(3), 24), 3);
    }

    #[test]
    fn predefined_delays_have_their_shares() {
        let mut random = Random::for_walk(1, 1);
        let mut counts = [0u32; 3];
        for _ in 0..10_000 {
            match DelayDistribution::Pd.choose(Window { lo: 0, hi: 2_000_000 }, &mut random) {
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
