//! How walks differ from each other: delays and depth (FMICS 2021, section 2, "Choosing delay" and "Random walk depth").

use crate::coverage::Grain;
use crate::random::Random;
use crate::state::Window;

/// How likely the bounds of a window are, in percent; what is left goes to the inside of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// The earliest instant.
    pub lower: u8,
    /// The latest instant.
    pub upper: u8,
}

/// Table 3 of the paper: the distribution changes on each unsuccessful walk.
pub const ADAPTIVE: [Distribution; 11] = [
    Distribution { lower: 60, upper: 40 },
    Distribution { lower: 70, upper: 30 },
    Distribution { lower: 80, upper: 20 },
    Distribution { lower: 90, upper: 10 },
    Distribution { lower: 100, upper: 0 },
    Distribution { lower: 0, upper: 100 },
    Distribution { lower: 10, upper: 90 },
    Distribution { lower: 20, upper: 80 },
    Distribution { lower: 30, upper: 70 },
    Distribution { lower: 40, upper: 60 },
    Distribution { lower: 40, upper: 40 },
];

/// How delays are chosen from the window of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Delays {
    /// The eleven distributions of the paper's Table 3, one a walk, then again.
    #[default]
    Adaptive,
    /// Uniformly from the window.
    Uniform,
    /// 40 % lower bound, 20 % inside, 40 % upper bound.
    Predefined,
}

/// How a walk differs from the others, but for its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) distribution: Option<Distribution>,
    /// A window without an end has no upper bound to take: it is entered as early as possible, or else cut where nothing
    /// new happens.
    pub(crate) is_prompt: bool,
    /// What RLC and RLC-A count.
    pub(crate) grain: Grain,
    /// Walks of one generation share the counters of RLC-A.
    pub(crate) generation: u64,
}

/// Binary logarithm of the steps of the first walks.
const FIRST_DEPTH: u32 = 4;
/// The same of the first walks of which there is one cycle of distributions.
const LAST_SHORT_DEPTH: u32 = 8;
/// Binary logarithm of the steps that a walk never exceeds unless asked for.
const LAST_DEPTH: u32 = 18;

impl Delays {
    /// The distribution of a walk; `None` for uniform delays.
    pub fn distribution(self, walk: u64) -> Option<Distribution> {
        match self {
            Delays::Adaptive => Some(ADAPTIVE[(walk % ADAPTIVE.len() as u64) as usize]),
            Delays::Uniform => None,
            Delays::Predefined => Some(Distribution { lower: 40, upper: 40 }),
        }
    }

    /// The manner of a walk. What the paper leaves open takes turns, a cycle of distributions each: three cycles with the
    /// three grains and windows without an end cut late, then three with these entered early. RLC-A begins to count anew
    /// with each three: counters that are kept for ever lead into patterns that never end.
    pub(crate) fn manner(self, walk: u64) -> Manner {
        let cycle = walk / ADAPTIVE.len() as u64;
        let grains = Grain::ALL.len() as u64;
        Manner {
            distribution: self.distribution(walk),
            is_prompt: self == Delays::Adaptive && cycle / grains % 2 == 1,
            grain: Grain::ALL[(cycle % grains) as usize],
            generation: cycle / grains,
        }
    }
}

/// The depth of a walk: `fixed`, or 2^4 doubling up to 2^18. Up to 2^8 each depth has as many cycles of eleven walks as give
/// it as many steps as that one; from then on there is one, and after it a sixth as many steps go into short walks again.
///
/// The paper's "batch of random walks" leaves open how many there are. With one cycle a depth, a model whose walks have
/// their one chance at the beginning gets some fifty chances before walks become long, and few afterwards.
pub fn depth(walk: u64, fixed: Option<u32>) -> u32 {
    fixed.unwrap_or_else(|| {
        let cycle = walk / ADAPTIVE.len() as u64;
        // 2^4 cycles of the first depth, 2^3 of the next one, and so on down to 1: 31 in all. Where 31 to 16 are left it is
        // the first, where 15 to 8 are left the second.
        let short = LAST_SHORT_DEPTH - FIRST_DEPTH;
        let all_short = (2u64 << short) - 1;
        let bits = match all_short.checked_sub(cycle) {
            None | Some(0) => long_depth(cycle - all_short),
            Some(left) => LAST_SHORT_DEPTH - left.ilog2(),
        };
        1 << bits
    })
}

/// Binary logarithm of the depth of a cycle after the short ones: a long one followed by 1 short one, a longer one followed by
/// 2 short ones, then 4 and so on.
fn long_depth(cycle: u64) -> u32 {
    let (mut level, mut at) = (0, cycle);
    let last = LAST_DEPTH - LAST_SHORT_DEPTH - 1;
    while level < last && at > 1 << level {
        at -= 1 + (1 << level);
        level += 1;
    }
    // The last depth comes again and again.
    match at % (1 + (1 << level)) {
        0 => LAST_SHORT_DEPTH + 1 + level,
        // Each depth twice as often as the next one: 2^5, 2^6, 2^5, 2^7, 2^5, …
        short => (FIRST_DEPTH + 1 + short.trailing_zeros()).min(LAST_SHORT_DEPTH),
    }
}

/// The depth of a cycle where every depth has one, and something else makes short walks.
pub fn cycle_depth(cycle: u64) -> u32 {
    1 << u64::from(FIRST_DEPTH)
        .saturating_add(cycle)
        .min(u64::from(LAST_DEPTH))
}

/// An instant of a window that has some. A draw for the inside excludes the bounds, as the paper does, unless there is
/// nothing else. Where a bound is strict its place is taken by a point a little inside: not the nearest one of the grid,
/// because a later window may have to fit in between.
#[inline]
pub(crate) fn choose(
    distribution: Option<Distribution>,
    window: Window,
    unit: i64,
    random: &mut Random,
) -> i64 {
    let Window { lo, hi } = window;
    if lo == hi {
        return lo;
    }
    let inside = |random: &mut Random| 2 * random.between((lo >> 1) + 1, (hi - 1) >> 1);
    let Some(distribution) = distribution else {
        return 2 * random.between((lo + 1) >> 1, hi >> 1);
    };
    let point = random.below(100) as u8;
    let margin = (unit >> STRICT_MARGIN).min((hi - lo) / 2) & !1;
    if point < distribution.lower {
        if lo & 1 == 0 {
            lo
        } else {
            (lo + 1 + margin).min(hi & !1)
        }
    } else if point < distribution.lower + distribution.upper || hi - lo <= 3 {
        if hi & 1 == 0 {
            hi
        } else {
            (hi - 1 - margin).max(lo + (lo & 1))
        }
    } else {
        inside(random)
    }
}

/// How far inside a strict bound the point lies that takes its place: 2^-6 units.
const STRICT_MARGIN: u32 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_doubles_after_each_batch() {
        let bits = |cycle: u64| depth(11 * cycle, None).ilog2();
        let cycles: Vec<u32> = (0..31).map(bits).collect();
        let expected = [16, 8, 4, 2, 1].into_iter().zip(4..);
        let expected: Vec<u32> = expected.flat_map(|(n, bits)| vec![bits; n]).collect();
        assert_eq!(cycles, expected);
        let cycles: Vec<u32> = (31..43).map(bits).collect();
        assert_eq!(cycles, [9, 5, 10, 5, 6, 11, 5, 6, 5, 7, 12, 5]);
        assert!((0..2000).all(|w| depth(w, None) == depth(w / 11 * 11, None)));
        assert_eq!(depth(0, Some(7)), 7);
        assert_eq!(
            [0, 1, 14, u64::MAX].map(cycle_depth),
            [1 << 4, 1 << 5, 1 << 18, 1 << 18]
        );
    }

    #[test]
    fn short_walks_have_their_share_for_ever() {
        let long: Vec<u64> = (31..4000).filter(|&c| depth(11 * c, None) > 1 << 8).collect();
        assert_eq!(long[..4], [31, 33, 36, 41]);
        // All of 2^18, in the end.
        assert!(long[9..].iter().all(|&c| depth(11 * c, None) == 1 << 18));
        for pair in long.windows(2).skip(4) {
            let short: u64 = (pair[0] + 1..pair[1])
                .map(|c| u64::from(depth(11 * c, None)))
                .sum();
            let share = f64::from(depth(11 * pair[0], None)) / short as f64;
            assert!((5.5..8.0).contains(&share), "{share}");
        }
        assert!(depth(u64::MAX, None) <= 1 << 18);
    }

    #[test]
    fn manners_take_turns() {
        let turns: Vec<(Grain, bool)> = (0..7)
            .map(|cycle| Delays::Adaptive.manner(11 * cycle + cycle))
            .map(|manner| (manner.grain, manner.is_prompt))
            .collect();
        let late = Grain::ALL.map(|grain| (grain, false));
        let prompt = Grain::ALL.map(|grain| (grain, true));
        assert_eq!(turns[..3], late);
        assert_eq!(turns[3..6], prompt);
        assert_eq!(turns[6], late[0]);
        let generations = [0, 32, 33, 65, 66].map(|walk| Delays::Adaptive.manner(walk).generation);
        assert_eq!(generations, [0, 0, 1, 1, 2]);
        assert!((0..100).all(|walk| !Delays::Predefined.manner(walk).is_prompt));
    }

    #[test]
    fn distributions_are_those_of_table_3() {
        let inside: Vec<u8> = ADAPTIVE.iter().map(|d| 100 - d.lower - d.upper).collect();
        assert_eq!(inside, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20]);
        let mut r = Random::for_walk(1, 1);
        let mut counts = [0u32; 3];
        for _ in 0..10_000 {
            match choose(Some(ADAPTIVE[10]), Window { lo: 0, hi: 1000 }, 1 << 21, &mut r) {
                0 => counts[0] += 1,
                1000 => counts[2] += 1,
                _ => counts[1] += 1,
            }
        }
        assert!(
            counts[0].abs_diff(4000) < 200 && counts[1].abs_diff(2000) < 200,
            "{counts:?}"
        );
    }
}
