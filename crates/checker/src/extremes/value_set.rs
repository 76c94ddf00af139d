//! Sets of values of an expression, with exact ends.
//!
//! An integer `n` stands for all numbers from `n` up to `n + 1`, so that neighbours join and one kind of set does for
//! integers and clocks.

use zonewalk_reference::rational::Rational;
use zonewalk_symbolic::extremes::{Endpoint, Extent};

/// A cut through the line of values: just before a value, or, where it is true, just after it.
pub(crate) type Cut = (Rational, bool);

/// Values that follow each other without a gap; never none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) low: Cut,
    /// `None` when they have no bound.
    pub(crate) high: Option<Cut>,
}

/// A set of values: spans that do not touch, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ValueSet(Vec<Span>);

/// The cut just after a value: of an integer, where the next one begins.
fn behind(value: Rational, is_integer: bool) -> Cut {
    match value.plus(Rational::ONE) {
        Ok(next) if is_integer => (next, false),
        _ => (value, true),
    }
}

fn is_before(a: Option<Cut>, b: Option<Cut>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a < b,
        (a, b) => a.is_some() && b.is_none(),
    }
}

impl Span {
    /// A single value.
    pub(crate) fn point(value: Rational, is_integer: bool) -> Span {
        Span {
            low: (value, false),
            high: Some(behind(value, is_integer)),
        }
    }

    /// Becomes all values from the least to the greatest of two spans.
    pub(crate) fn join(&mut self, other: Span) {
        self.low = self.low.min(other.low);
        if is_before(self.high, other.high) {
            self.high = other.high;
        }
    }
}

impl ValueSet {
    /// Values of an extent that a search of the zone graph has found. What is not settled beyond the last value has no bound.
    pub(crate) fn of_extent(extent: &Extent, is_integer: bool) -> ValueSet {
        let mut set = ValueSet::default();
        let last = extent.intervals.len().saturating_sub(1);
        for (number, interval) in extent.intervals.iter().enumerate() {
            let low = (interval.low.value.into(), !interval.low.is_attained);
            let high = |end: Endpoint| match end.is_attained {
                true => behind(end.value.into(), is_integer),
                false => (end.value.into(), false),
            };
            let is_open = !extent.is_certain && number == last;
            let high = interval.high.filter(|_| !is_open).map(high);
            set.add(Span { low, high });
        }
        set
    }

    pub(crate) fn spans(&self) -> &[Span] {
        &self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where it begins.
    pub(crate) fn low(&self) -> Option<Cut> {
        self.0.first().map(|span| span.low)
    }

    /// Where it ends; the outer `None` without any value, the inner one without a bound.
    pub(crate) fn high(&self) -> Option<Option<Cut>> {
        self.0.last().map(|span| span.high)
    }

    /// Adds values.
    pub(crate) fn add(&mut self, mut new: Span) {
        let touches =
            |span: &Span| !is_before(span.high, Some(new.low)) && !is_before(new.high, Some(span.low));
        let (joined, apart): (Vec<Span>, Vec<Span>) = self.0.iter().partition(|span| touches(span));
        for span in joined {
            new.join(span);
        }
        self.0 = apart;
        let at = self.0.partition_point(|span| span.low < new.low);
        self.0.insert(at, new);
    }

    /// The values that are not in another set.
    pub(crate) fn minus(&self, other: &ValueSet) -> Vec<Span> {
        let mut rest = Vec::new();
        for span in &self.0 {
            let mut from = Some(span.low);
            let is_hole =
                |hole: &&Span| is_before(Some(span.low), hole.high) && is_before(Some(hole.low), span.high);
            for hole in other.0.iter().filter(is_hole) {
                if let Some(low) = from.filter(|low| *low < hole.low) {
                    rest.push(Span {
                        low,
                        high: Some(hole.low),
                    });
                }
                from = hole.high;
            }
            if let Some(low) = from.filter(|low| is_before(Some(*low), span.high)) {
                rest.push(Span { low, high: span.high });
            }
        }
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewalk_symbolic::extremes::Interval;

    fn at(value: i32) -> Rational {
        value.into()
    }

    fn closed(low: i32, high: i32) -> Span {
        Span {
            low: (at(low), false),
            high: Some((at(high), true)),
        }
    }

    #[test]
    fn spans_join_where_they_touch() {
        let mut set = ValueSet::default();
        set.add(closed(0, 2));
        set.add(closed(5, 8));
        assert_eq!(set.spans().len(), 2);
        let gap = Span {
            low: (at(2), true),
            high: Some((at(5), false)),
        };
        let all = ValueSet(vec![closed(0, 9)]);
        assert_eq!(
            all.minus(&set),
            [
                gap,
                Span {
                    low: (at(8), true),
                    high: Some((at(9), true))
                }
            ]
        );
        set.add(gap);
        assert_eq!(set.spans(), [closed(0, 8)]);
        set.add(Span {
            low: (at(8), true),
            high: None,
        });
        assert_eq!(set.high(), Some(None));
        assert_eq!(all.minus(&set), []);
    }

    #[test]
    fn integers_are_next_to_each_other() {
        let end = |value| Endpoint {
            value,
            is_attained: true,
        };
        let extent = Extent {
            intervals: vec![Interval {
                low: end(1),
                high: Some(end(3)),
            }],
            has_gaps: false,
            is_certain: true,
        };
        let mut reached = ValueSet::default();
        for value in [1, 3] {
            reached.add(Span::point(at(value), true));
        }
        let missing = ValueSet::of_extent(&extent, true).minus(&reached);
        assert_eq!(
            missing,
            [Span {
                low: (at(2), false),
                high: Some((at(3), false))
            }]
        );
    }

    #[test]
    fn what_is_not_settled_has_no_bound() {
        let end = |value| Endpoint {
            value,
            is_attained: true,
        };
        let extent = Extent {
            intervals: vec![Interval {
                low: end(1),
                high: Some(end(3)),
            }],
            has_gaps: false,
            is_certain: false,
        };
        assert_eq!(ValueSet::of_extent(&extent, false).high(), Some(None));
    }
}
