//! How walks differ from each other: delays and depth (FMICS 2021, section 2, "Choosing delay" and "Random walk depth").
//!
//! [`Schedule::Paper`] is what the paper prints. [`Schedule::Tuned`] is ours.

use crate::heuristic::coverage::Granularity;
use crate::time::Window;
use zonewalk_numbers::Random;

/// How likely the bounds of a window are, in percent; what is left goes to the inside of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// The earliest instant.
    pub lower: u8,
    /// The latest instant.
    pub upper: u8,
}

impl Distribution {
    /// `None` when that is more than everything.
    pub fn new(lower: u8, upper: u8) -> Option<Distribution> {
        let is_possible = lower.checked_add(upper).is_some_and(|sum| sum <= 100);
        is_possible.then_some(Distribution { lower, upper })
    }
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
    /// Always the same distribution, which the user has chosen.
    Fixed(Distribution),
}

/// The paper's schedule of walks, or ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Schedule {
    /// Ours: short walks keep their share, what the paper leaves open takes turns, and walks that are in vain end early.
    #[default]
    Tuned,
    /// The walks of FMICS 2021 as they are printed, and nothing else. What the paper does not say is settled in one way:
    /// - a cycle has eleven walks, whatever distributions they have;
    /// - the sending edge whose coverage counts is that of a process, whatever it selects (`Grain::Process`);
    /// - the upper bound of a window without an end is where nothing new happens, one unit beyond the largest constant;
    /// - the goal is looked for in the states that the run passes through, while time passes too.
    Paper,
}

impl Schedule {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Schedule::Tuned => "tuned",
            Schedule::Paper => "paper",
        }
    }

    /// The depth of a walk, unless it is `fixed`.
    pub fn depth(self, walk: u64, fixed: Option<u32>) -> u32 {
        fixed.unwrap_or_else(|| match self {
            Schedule::Tuned => tuned_depth(walk),
            Schedule::Paper => cycle_depth(walk / ADAPTIVE.len() as u64),
        })
    }

    /// The parameters of a walk.
    pub(crate) fn parameters(self, delays: Delays, walk: u64) -> WalkParameters {
        match self {
            Schedule::Tuned => delays.parameters(walk),
            Schedule::Paper => WalkParameters {
                distribution: delays.distribution(walk),
                is_prompt: false,
                grain: Granularity::Process,
                generation: 0,
                turned: 0,
            },
        }
    }
}

/// How a walk differs from the others, but for its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WalkParameters {
    pub(crate) distribution: Option<Distribution>,
    /// A window without an end has no upper bound to take: it is entered as early as possible, or else cut where nothing
    /// new happens.
    pub(crate) is_prompt: bool,
    /// Unit that RLC and RLC-A count.
    pub(crate) grain: Granularity,
    /// Walks of one generation share the counters of RLC-A.
    pub(crate) generation: u64,
    /// Percentage of processes that have the distribution turned round, for COM.
    pub(crate) turned: u8,
}

/// Binary logarithm of the steps of the first walks.
const FIRST_DEPTH: u32 = 4;
/// Depth of the first walks of which there is one cycle of distributions.
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
            Delays::Fixed(distribution) => Some(distribution),
        }
    }

    /// The parameters of a tuned walk. What the paper leaves open takes turns, a cycle of distributions each: three cycles with the
    /// three grains and windows without an end cut late, then three with these entered early. RLC-A begins to count anew
    /// with each three: counters that are kept forever lead into patterns that never end.
    pub(crate) fn parameters(self, walk: u64) -> WalkParameters {
        let cycle = walk / ADAPTIVE.len() as u64;
        let grains = Granularity::ALL.len() as u64;
        WalkParameters {
            distribution: self.distribution(walk),
            is_prompt: self == Delays::Adaptive && cycle / grains % 2 == 1,
            grain: Granularity::ALL[(cycle % grains) as usize],
            generation: cycle / grains,
            turned: 0,
        }
    }
}

/// More cycles of each depth from 2^4 on, after one of each up to 2^9: depths up to 2^6 then have as many steps as 2^8, and 2^7 to
/// 2^9 as many as 2^10.
const MORE_CYCLES: [u64; 6] = [15, 7, 3, 7, 3, 1];

/// The depth of a tuned walk: 2^4 doubling up to 2^18, eleven walks of each. After 2^9 the depths up to there get more
/// walks, and after each depth from then on a third as many steps go into short walks again.
///
/// The paper's "batch of random walks" leaves open how many there are. With one cycle a depth, a model whose walks have
/// their one chance at the beginning gets some fifty chances before walks become long, and few afterwards.
fn tuned_depth(walk: u64) -> u32 {
    let first = MORE_CYCLES.len() as u64;
    let cycle = walk / ADAPTIVE.len() as u64;
    let Some(mut at) = cycle.checked_sub(first) else {
        return 1 << (FIRST_DEPTH + cycle as u32);
    };
    for (level, count) in (FIRST_DEPTH..).zip(MORE_CYCLES) {
        match at.checked_sub(count) {
            None => return 1 << level,
            Some(left) => at = left,
        }
    }
    1 << long_depth(at + 1)
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
        // Each depth twice as often as the next one: 2^6, 2^7, 2^6, 2^8, 2^6, … 2^9.
        short => (FIRST_DEPTH + 2 + short.trailing_zeros()).min(LAST_SHORT_DEPTH + 1),
    }
}

/// The first walks that are long.
pub(crate) const FIRST_LONG: std::ops::Range<u64> = {
    let cycle = (LAST_SHORT_DEPTH - FIRST_DEPTH + 1) as u64;
    let walks = ADAPTIVE.len() as u64;
    cycle * walks..(cycle + 1) * walks
};

/// Where the first long walks end by themselves and have no more steps than this, no depth has to end the others. A walk of
/// 2^5 steps where the longest has 100 gives no more chances at the beginning of a run, but fewer at its end.
pub(crate) const SOON: u64 = 1 << LAST_SHORT_DEPTH;

/// The depth of walks that end by themselves.
pub(crate) const ENOUGH: u32 = 2 << LAST_SHORT_DEPTH;

/// The depth of a cycle where every depth has one.
pub fn cycle_depth(cycle: u64) -> u32 {
    1 << u64::from(FIRST_DEPTH)
        .saturating_add(cycle)
        .min(u64::from(LAST_DEPTH))
}

/// An instant of a window that has some. A draw for the inside excludes the bounds, as the paper does, unless there is
/// nothing else. Where a bound is strict its place is taken by a point a little inside: not the nearest one of the grid,
/// because a later window may have to fit in between.
#[inline(always)]
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
    if point < distribution.lower {
        earliest(window, unit)
    } else if point < distribution.lower + distribution.upper || hi - lo <= 3 {
        if hi & 1 == 0 {
            hi
        } else {
            (hi - 1 - margin(window, unit)).max(lo + (lo & 1))
        }
    } else {
        inside(random)
    }
}

/// The lower bound of a window that has instants, or the point that takes its place.
#[inline(always)]
pub(crate) fn earliest(window: Window, unit: i64) -> i64 {
    let Window { lo, hi } = window;
    if lo & 1 == 0 {
        lo
    } else {
        (lo + 1 + margin(window, unit)).min(hi & !1)
    }
}

#[inline(always)]
fn margin(window: Window, unit: i64) -> i64 {
    (unit >> STRICT_MARGIN).min((window.hi - window.lo) / 2) & !1
}

/// How far inside a strict bound the point lies that takes its place: 2^-6 units.
const STRICT_MARGIN: u32 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_doubles_after_each_batch() {
        let bits = |cycle: u64| tuned_depth(11 * cycle).ilog2();
        let cycles: Vec<u32> = (0..6).map(bits).collect();
        assert_eq!(cycles, [4, 5, 6, 7, 8, 9]);
        let cycles: Vec<u32> = (6..42).map(bits).collect();
        let expected = [15, 7, 3, 7, 3, 1].into_iter().zip(4..);
        let expected: Vec<u32> = expected.flat_map(|(n, bits)| vec![bits; n]).collect();
        assert_eq!(cycles, expected);
        let cycles: Vec<u32> = (42..53).map(bits).collect();
        assert_eq!(cycles, [6, 10, 6, 7, 11, 6, 7, 6, 8, 12, 6]);
        assert!((0..2000).all(|w| tuned_depth(w) == tuned_depth(w / 11 * 11)));
        assert_eq!(Schedule::Tuned.depth(0, Some(7)), 7);
        assert_eq!(
            [0, 1, 14, u64::MAX].map(cycle_depth),
            [1 << 4, 1 << 5, 1 << 18, 1 << 18]
        );
    }

    #[test]
    fn short_walks_have_their_share_for_ever() {
        let long: Vec<u64> = (0..4000).filter(|&c| tuned_depth(11 * c) > 1 << 9).collect();
        assert_eq!(long[..4], [43, 46, 51, 60]);
        // All of 2^18, in the end.
        assert!(long[8..].iter().all(|&c| tuned_depth(11 * c) == 1 << 18));
        for pair in long.windows(2).skip(3) {
            let short: u64 = (pair[0] + 1..pair[1])
                .map(|c| u64::from(tuned_depth(11 * c)))
                .sum();
            let share = f64::from(tuned_depth(11 * pair[0])) / short as f64;
            assert!((2.7..4.0).contains(&share), "{share}");
        }
        assert!(tuned_depth(u64::MAX) <= 1 << 18);
    }

    #[test]
    fn the_first_long_walks_are_one_cycle() {
        assert_eq!(FIRST_LONG, 55..66);
        assert!(FIRST_LONG.into_iter().all(|walk| tuned_depth(walk) == ENOUGH));
        assert!((0..55).all(|walk| u64::from(tuned_depth(walk)) <= SOON));
    }

    #[test]
    fn manners_take_turns() {
        let turns: Vec<(Granularity, bool)> = (0..7)
            .map(|cycle| Delays::Adaptive.parameters(11 * cycle + cycle))
            .map(|parameters| (parameters.grain, parameters.is_prompt))
            .collect();
        let late = Granularity::ALL.map(|grain| (grain, false));
        let prompt = Granularity::ALL.map(|grain| (grain, true));
        assert_eq!(turns[..3], late);
        assert_eq!(turns[3..6], prompt);
        assert_eq!(turns[6], late[0]);
        let generations = [0, 32, 33, 65, 66].map(|walk| Delays::Adaptive.parameters(walk).generation);
        assert_eq!(generations, [0, 0, 1, 1, 2]);
        assert!((0..100).all(|walk| !Delays::Predefined.parameters(walk).is_prompt));
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
