//! Bounds of an expression from both sides: the zone graph proves that no run goes beyond its values, and runs that
//! were repeated reach theirs.

use super::value_set::{Cut, Span, ValueSet};
use zonewalk_reference::rational::Rational;
use zonewalk_report::verdict::{Quantity, Value};
use zonewalk_timing::Extremum;

/// One expression of a query.
pub(crate) struct KnownValues {
    pub(crate) quantity: Quantity,
    pub(crate) is_integer: bool,
    /// Every value lies in here.
    pub(crate) bound: ValueSet,
    /// All of these are values.
    pub(crate) reached: ValueSet,
}

/// Values that are looked for, by comparison with whole numbers: the number, and whether it is excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) low: Option<(i32, bool)>,
    pub(crate) high: Option<(i32, bool)>,
}

impl KnownValues {
    /// Whether both sides agree on what is asked for.
    pub(crate) fn is_exact(&self) -> bool {
        match self.quantity {
            _ if self.bound.is_empty() => true,
            Quantity::Sup => self.reached.high() == self.bound.high(),
            Quantity::Inf => self.reached.low() == self.bound.low(),
            Quantity::Bounds => self.bound.minus(&self.reached).is_empty(),
        }
    }

    /// Values that would change what is known, those at the ends first.
    pub(crate) fn missing(&self) -> Vec<Range> {
        if self.is_exact() {
            return Vec::new();
        }
        match self.quantity {
            Quantity::Sup => {
                let low = self.reached.high().flatten().or_else(|| self.bound.low());
                let range = low.and_then(|low| range(low, None));
                range.into_iter().collect()
            }
            Quantity::Inf => {
                // Below what is reached, or anything.
                match self.reached.low() {
                    Some(high) => range_below(high).into_iter().collect(),
                    None => vec![Range::default()],
                }
            }
            Quantity::Bounds => {
                let mut gaps = self.bound.minus(&self.reached);
                if gaps.len() > 1 {
                    gaps.rotate_right(1);
                }
                let ranges = gaps.iter().filter_map(|gap| range(gap.low, gap.high));
                ranges.filter(|range| !range.is_empty(self.is_integer)).collect()
            }
        }
    }

    /// The values next to the end that is asked for, as the zone graph has it; `None` without one.
    pub(crate) fn outermost(&self) -> Option<Range> {
        match self.quantity {
            Quantity::Sup => {
                let high = self.bound.high()??;
                let number = i32::try_from(high.0.floor()).ok()?;
                let low = match high.1 {
                    true => (number, false),
                    // Integers end before the next one; clocks come arbitrarily close.
                    false => (number.checked_sub(1)?, !self.is_integer),
                };
                Some(Range {
                    low: Some(low),
                    high: None,
                })
            }
            Quantity::Inf => {
                let low = self.bound.low()?;
                let number = i32::try_from(low.0.floor()).ok()?;
                let high = match low.1 {
                    false => (number, false),
                    true => (number.checked_add(1)?, true),
                };
                Some(Range {
                    low: None,
                    high: Some(high),
                })
            }
            Quantity::Bounds => None,
        }
    }

    /// In which directions a path is followed to its last value.
    pub(crate) fn aims(&self) -> &'static [Extremum] {
        match self.quantity {
            Quantity::Sup => &[Extremum::Highest],
            Quantity::Inf => &[Extremum::Lowest],
            Quantity::Bounds => &[Extremum::Highest, Extremum::Lowest],
        }
    }

    /// Whether a value is better than another one for a run to be shown.
    pub(crate) fn prefers(&self, new: Rational, old: Rational) -> bool {
        match self.quantity {
            Quantity::Sup | Quantity::Bounds => new > old,
            Quantity::Inf => new < old,
        }
    }

    /// In words.
    pub(crate) fn to_value(&self, expression: String, is_certain: bool, is_shown: bool) -> Value {
        let text = |set: &ValueSet| match self.quantity {
            Quantity::Sup => set.high().map(|high| self.highest(high)),
            Quantity::Inf => set.low().map(|low| self.lowest(low)),
            Quantity::Bounds if set.is_empty() => None,
            Quantity::Bounds => {
                let parts: Vec<_> = set.spans().iter().map(|span| self.interval(span)).collect();
                Some(parts.join(", "))
            }
        };
        Value {
            expression,
            value: text(&self.bound).unwrap_or_else(|| "no state satisfies the condition".to_owned()),
            reached: text(&self.reached),
            certain: is_certain,
            quantity: self.quantity,
            is_bounded: self.bound.high().is_none_or(|high| high.is_some()),
            is_shown,
        }
    }

    fn highest(&self, high: Option<Cut>) -> String {
        match high {
            None => "no bound".to_owned(),
            Some(cut) => match self.last(cut) {
                (value, true) => value.to_string(),
                (value, false) => format!("< {value}"),
            },
        }
    }

    fn lowest(&self, (value, is_open): Cut) -> String {
        match is_open {
            false => value.to_string(),
            true => format!("> {value}"),
        }
    }

    /// The last value before a cut, and whether it is one.
    fn last(&self, (value, is_behind): Cut) -> (Rational, bool) {
        match value.minus(Rational::ONE) {
            Ok(before) if self.is_integer && !is_behind => (before, true),
            _ => (value, is_behind),
        }
    }

    /// `5`, `[0, 3]`, `(2, 8)`, `[9, no bound)`
    fn interval(&self, span: &Span) -> String {
        let (low, is_open) = span.low;
        let open = if is_open { '(' } else { '[' };
        match span.high.map(|high| self.last(high)) {
            None => format!("{open}{low}, no bound)"),
            Some((high, true)) if high == low && !is_open => low.to_string(),
            Some((high, is_attained)) => {
                let close = if is_attained { ']' } else { ')' };
                format!("{open}{low}, {high}{close}")
            }
        }
    }
}

impl Range {
    /// Whether all of it is in another range that is open at the same side.
    pub(crate) fn lies_within(&self, other: &Range) -> bool {
        let key = |(number, is_strict): (i32, bool)| 2 * i64::from(number) + i64::from(is_strict);
        let below = |(number, is_strict): (i32, bool)| 2 * i64::from(number) - i64::from(is_strict);
        match (self.low, other.low, self.high, other.high) {
            (Some(own), Some(other), None, None) => key(own) >= key(other),
            (None, None, Some(own), Some(other)) => below(own) <= below(other),
            (None, None, Some(_), None) => true,
            _ => false,
        }
    }

    /// The range that begins half way between the beginnings of two; `None` when there is nothing between them.
    pub(crate) fn half_way_to(&self, other: &Range) -> Option<Range> {
        let middle = |a: i32, b: i32| {
            let middle = (i64::from(a) + i64::from(b)).div_euclid(2);
            i32::try_from(middle).ok().filter(|m| *m != a && *m != b)
        };
        match (self.low, other.low, self.high, other.high) {
            (Some((own, _)), Some((other, _)), None, None) => Some(Range {
                low: Some((middle(own, other)?, false)),
                high: None,
            }),
            (None, None, Some((own, _)), Some((other, _))) => Some(Range {
                low: None,
                high: Some((middle(own, other)?, false)),
            }),
            _ => None,
        }
    }

    fn is_empty(&self, is_integer: bool) -> bool {
        let (Some((low, low_strict)), Some((high, high_strict))) = (self.low, self.high) else {
            return false;
        };
        let (low, high) = (i64::from(low), i64::from(high));
        if is_integer {
            return low + i64::from(low_strict) > high - i64::from(high_strict);
        }
        low > high || (low == high && (low_strict || high_strict))
    }
}

/// Range after a cut and before another one. A cut that is not a whole number moves inwards to the next one.
fn range(low: Cut, high: Option<Cut>) -> Option<Range> {
    let high = match high {
        None => None,
        Some(high) => range_below(high)?.high,
    };
    let (value, is_behind) = low;
    let floor = value.floor();
    let low = match value.denominator() {
        1 => (floor, is_behind),
        _ => (floor + 1, false),
    };
    Some(Range {
        low: Some((i32::try_from(low.0).ok()?, low.1)),
        high,
    })
}

fn range_below((value, is_behind): Cut) -> Option<Range> {
    let is_strict = value.denominator() == 1 && !is_behind;
    Some(Range {
        low: None,
        high: Some((i32::try_from(value.floor()).ok()?, is_strict)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(value: i32) -> Rational {
        value.into()
    }

    /// Where it begins and whether that is excluded, where it ends and whether that is included.
    type SpanEnds = (i32, bool, Option<(i32, bool)>);

    fn set(spans: &[SpanEnds]) -> ValueSet {
        let mut set = ValueSet::default();
        for &(low, is_open, high) in spans {
            set.add(Span {
                low: (at(low), is_open),
                high: high.map(|(value, is_attained)| (at(value), is_attained)),
            });
        }
        set
    }

    fn known(quantity: Quantity, bound: ValueSet, reached: ValueSet) -> KnownValues {
        KnownValues {
            quantity,
            is_integer: false,
            bound,
            reached,
        }
    }

    #[test]
    fn ends_and_gaps_are_told() {
        let all = set(&[
            (0, false, Some((0, true))),
            (2, true, Some((8, false))),
            (9, false, None),
        ]);
        let text = |quantity| {
            let known = known(quantity, all.clone(), ValueSet::default());
            known.to_value("x".to_owned(), true, false).value
        };
        assert_eq!(text(Quantity::Bounds), "0, (2, 8), [9, no bound)");
        assert_eq!(text(Quantity::Inf), "0");
        assert_eq!(text(Quantity::Sup), "no bound");
    }

    #[test]
    fn what_is_looked_for_lies_between_the_two_sides() {
        let bound = set(&[(0, false, Some((13, true)))]);
        let half = Rational::new(15, 2).expect("it is small");
        let mut reached = ValueSet::default();
        let above = |low, strict| Range {
            low: Some((low, strict)),
            high: None,
        };
        let sup = |reached: &ValueSet| known(Quantity::Sup, bound.clone(), reached.clone()).missing();
        assert_eq!(sup(&reached), [above(0, false)]);
        reached.add(Span {
            low: (at(3), false),
            high: Some((half, true)),
        });
        assert_eq!(sup(&reached), [above(8, false)]);
        reached.add(Span {
            low: (at(3), false),
            high: Some((at(8), false)),
        });
        assert_eq!(sup(&reached), [above(8, false)]);
        reached.add(Span {
            low: (at(3), false),
            high: Some((at(8), true)),
        });
        assert_eq!(sup(&reached), [above(8, true)]);
        let below = |high, strict| Range {
            low: None,
            high: Some((high, strict)),
        };
        let inf = known(Quantity::Inf, bound.clone(), reached.clone());
        assert_eq!(inf.missing(), [below(3, true)]);
        assert_eq!(inf.outermost(), Some(below(0, false)));
        let all = known(Quantity::Bounds, bound.clone(), reached.clone());
        let gap = Range {
            low: Some((0, false)),
            high: Some((3, true)),
        };
        let end = Range {
            low: Some((8, true)),
            high: Some((13, false)),
        };
        assert_eq!(all.missing(), [end, gap]);
        reached.add(Span {
            low: (at(8), false),
            high: Some((at(13), true)),
        });
        assert_eq!(sup(&reached), []);
    }
}
