//! Sets of values as separate intervals.
//!
//! Values of clocks come in regions: an integer `n` has the number `2n`, the gap after it `2n + 1`. Then two intervals
//! belong together exactly if their numbers are next to each other, as with integers.

use zonewalk_zones::{Bound, Word, dbm};

/// An end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Where it ends.
    pub value: i64,
    /// Whether that is a value itself: `<= 8`, not `< 8`.
    pub is_attained: bool,
}

/// Values that follow each other without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least one.
    pub low: Endpoint,
    /// The greatest one; `None` when they have no bound.
    pub high: Option<Endpoint>,
}

/// The values of a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Separate intervals, increasing; none when no state fulfils the condition.
    pub intervals: Vec<Interval>,
    /// Whether the last interval, which has no bound, may have gaps: ever larger values are reached one after the other.
    pub has_gaps: bool,
    /// Whether that is certain for what was wished. Otherwise there may be more.
    pub is_certain: bool,
}

impl Extent {
    /// The least value; `None` without any.
    pub fn lowest(&self) -> Option<Endpoint> {
        self.intervals.first().map(|interval| interval.low)
    }

    /// The greatest value; the outer `None` without any, the inner one without a bound.
    pub fn highest(&self) -> Option<Option<Endpoint>> {
        self.intervals.last().map(|interval| interval.high)
    }
}

/// A set of numbers of regions, or of integers.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// Increasing, never next to each other.
    intervals: Vec<(i64, i64)>,
    /// Everything from here on is a value, as far as endless delays tell.
    endless: Option<i64>,
}

const NO_END: i64 = i64::MAX;

impl Values {
    pub(super) fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Whether the last interval has no end.
    pub(super) fn has_no_end(&self) -> bool {
        self.intervals.last().is_some_and(|interval| interval.1 == NO_END)
    }

    /// Whether a delay without end from a value up to a number makes everything beyond a value. What begins beyond it may
    /// begin later than it seems, since regions do not tell values there apart.
    pub(super) fn covers_from(&self, number: i64) -> bool {
        self.endless.is_some_and(|low| low <= 2 * number)
    }

    pub(super) fn add_integer(&mut self, value: i32) {
        self.add(i64::from(value), i64::from(value));
    }

    /// Adds the values of a clock in a zone up to a number; true when some lie beyond.
    pub(super) fn add_clock<W: Word>(
        &mut self,
        zone: &[Bound<W>],
        dim: usize,
        index: usize,
        ceiling: i64,
    ) -> bool {
        let most = 2 * ceiling;
        let low = lowest(zone, index);
        let upper = dbm::upper(zone, dim, index);
        let high = if upper.is_infinite() {
            NO_END
        } else {
            2 * upper.constant().into() - i64::from(upper.is_strict())
        };
        if low <= most {
            self.add(low, high.min(most));
        }
        high > most
    }

    /// Adds the values of a clock in a zone from whose points time can pass forever.
    pub(super) fn add_endless<W: Word>(&mut self, zone: &[Bound<W>], index: usize, ceiling: i64) {
        let low = lowest(zone, index).min(2 * ceiling + 1);
        self.endless = Some(self.endless.map_or(low, |known| known.min(low)));
        self.add(low, NO_END);
    }

    /// Adds an interval.
    fn add(&mut self, low: i64, high: i64) {
        // Those before end too early to be joined with it.
        let start = self.intervals.partition_point(|i| i.1.saturating_add(1) < low);
        let end = self.intervals.partition_point(|i| i.0 <= high.saturating_add(1));
        let (mut low, mut high) = (low, high);
        if start < end {
            low = low.min(self.intervals[start].0);
            high = high.max(self.intervals[end - 1].1);
        }
        self.intervals.splice(start..end, [(low, high)]);
    }

    /// The intervals with their ends. `beyond`: there are values above this number that are not in them.
    pub(super) fn into_extent(
        mut self,
        is_clock: bool,
        beyond: Option<i64>,
        is_unbounded: bool,
        is_certain: bool,
    ) -> Extent {
        let mut has_gaps = false;
        if let Some(ceiling) = beyond.filter(|_| is_unbounded && !self.has_no_end()) {
            self.add(2 * ceiling + 1, NO_END);
            has_gaps = true;
        }
        let endpoint = |number: i64, is_low: bool| {
            if !is_clock {
                return Endpoint {
                    value: number,
                    is_attained: true,
                };
            }
            // A gap begins after its integer and ends before the next one.
            let is_gap = number % 2 != 0;
            let value = number / 2 + i64::from(is_gap && !is_low);
            Endpoint {
                value,
                is_attained: !is_gap,
            }
        };
        let interval = |&(low, high): &(i64, i64)| Interval {
            low: endpoint(low, true),
            high: (high != NO_END).then(|| endpoint(high, false)),
        };
        Extent {
            intervals: self.intervals.iter().map(interval).collect(),
            has_gaps,
            is_certain,
        }
    }
}

/// The number of the least region of a clock in a zone.
fn lowest<W: Word>(zone: &[Bound<W>], index: usize) -> i64 {
    // The entry bounds 0 − x.
    let lower = zone[index];
    -2 * lower.constant().into() + i64::from(lower.is_strict())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_join() {
        let mut values = Values::default();
        for value in [5, 1, 9, 2, 6, 4] {
            values.add_integer(value);
        }
        assert_eq!(values.intervals, [(1, 2), (4, 6), (9, 9)]);
        values.add_integer(3);
        assert_eq!(values.intervals, [(1, 6), (9, 9)]);
        values.add(0, 20);
        assert_eq!(values.intervals, [(0, 20)]);
        values.add(30, NO_END);
        values.add(25, 28);
        assert_eq!(values.intervals, [(0, 20), (25, 28), (30, NO_END)]);
        assert!(values.has_no_end());
    }

    #[test]
    fn gaps_are_open_intervals() {
        let mut values = Values::default();
        values.add(1, 3);
        values.add(6, 6);
        let extent = values.into_extent(true, None, false, true);
        let point = |value, is_attained| Endpoint { value, is_attained };
        assert_eq!(
            extent.intervals,
            [
                Interval {
                    low: point(0, false),
                    high: Some(point(2, false))
                },
                Interval {
                    low: point(3, true),
                    high: Some(point(3, true))
                },
            ]
        );
    }
}
