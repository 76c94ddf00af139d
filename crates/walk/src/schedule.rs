//! How walks differ from each other: delays and depth (FMICS 2021, section 2, "Choosing delay" and "Random walk depth").

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

/// Binary logarithm of the steps of the first walks; one more after each cycle of distributions.
const FIRST_DEPTH: u32 = 4;
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
}

/// The depth of a walk: `fixed`, or 2^4 doubling after each cycle of eleven walks up to 2^18.
pub fn depth(walk: u64, fixed: Option<u32>) -> u32 {
    fixed.unwrap_or_else(|| {
        let cycle = walk / ADAPTIVE.len() as u64;
        1 << (u64::from(FIRST_DEPTH) + cycle).min(u64::from(LAST_DEPTH))
    })
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
    fn depth_doubles_after_each_cycle() {
        assert_eq!([0, 10, 11, 22].map(|w| depth(w, None)), [16, 16, 32, 64]);
        assert_eq!(
            [11 * 14 - 1, 11 * 14, 11 * 100, u64::MAX].map(|w| depth(w, None)),
            [1 << 17, 1 << 18, 1 << 18, 1 << 18]
        );
        assert_eq!(depth(0, Some(7)), 7);
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
