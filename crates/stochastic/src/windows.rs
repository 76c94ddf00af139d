//! Sets of instants: when a condition holds, as time passes from now on.

use smallvec::{SmallVec, smallvec};

/// An interval of instants; an open end is not part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) lo_open: bool,
    pub(crate) hi_open: bool,
}

impl Interval {
    fn is_empty(&self) -> bool {
        self.lo > self.hi || (self.lo == self.hi && (self.lo_open || self.hi_open))
    }
}

/// Disjoint intervals from 0 on, the earliest first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Windows(SmallVec<[Interval; 2]>);

impl Windows {
    /// At every instant.
    pub(crate) fn always() -> Windows {
        Windows::from(0.0, false)
    }

    /// At none.
    pub(crate) fn never() -> Windows {
        Windows(SmallVec::new())
    }

    pub(crate) fn constant(holds: bool) -> Windows {
        if holds {
            Windows::always()
        } else {
            Windows::never()
        }
    }

    /// The window from an instant to infinity.
    pub(crate) fn from(lo: f64, open: bool) -> Windows {
        let (lo, lo_open) = if lo < 0.0 { (0.0, false) } else { (lo, open) };
        Windows::one(Interval {
            lo,
            lo_open,
            hi: f64::INFINITY,
            hi_open: false,
        })
    }

    /// Up to an instant.
    pub(crate) fn until(hi: f64, open: bool) -> Windows {
        Windows::one(Interval {
            lo: 0.0,
            lo_open: false,
            hi,
            hi_open: open,
        })
    }

    /// One interval, if it is one.
    pub(crate) fn one(interval: Interval) -> Windows {
        if interval.is_empty() {
            Windows::never()
        } else {
            Windows(smallvec![interval])
        }
    }

    /// Adds an interval that begins where the last one ends, or later.
    pub(crate) fn push(&mut self, interval: Interval) {
        if interval.is_empty() {
            return;
        }
        if let Some(last) = self.0.last_mut()
            && last.hi == interval.lo
            && !(last.hi_open && interval.lo_open)
        {
            last.hi = interval.hi;
            last.hi_open = interval.hi_open;
            return;
        }
        self.0.push(interval);
    }

    pub(crate) fn is_never(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn intervals(&self) -> &[Interval] {
        &self.0
    }

    /// The first instant, or the limit of the first ones.
    pub(crate) fn first(&self) -> Option<f64> {
        self.0.first().map(|i| i.lo)
    }

    /// Time for which the condition keeps holding from now on; `None` if it does not hold now.
    pub(crate) fn end(&self) -> Option<f64> {
        let first = self.0.first()?;
        (first.lo == 0.0 && !first.lo_open).then_some(first.hi)
    }

    pub(crate) fn and(&self, other: &Windows) -> Windows {
        let mut both = Windows::never();
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.0.get(i), other.0.get(j)) {
            let (lo, lo_open) = match a.lo.total_cmp(&b.lo) {
                std::cmp::Ordering::Less => (b.lo, b.lo_open),
                std::cmp::Ordering::Greater => (a.lo, a.lo_open),
                std::cmp::Ordering::Equal => (a.lo, a.lo_open || b.lo_open),
            };
            let (hi, hi_open) = match a.hi.total_cmp(&b.hi) {
                std::cmp::Ordering::Less => (a.hi, a.hi_open),
                std::cmp::Ordering::Greater => (b.hi, b.hi_open),
                std::cmp::Ordering::Equal => (a.hi, a.hi_open || b.hi_open),
            };
            let part = Interval {
                lo,
                hi,
                lo_open,
                hi_open,
            };
            if !part.is_empty() {
                both.0.push(part);
            }
            // The one that ends first has nothing more to give.
            if a.hi < b.hi || (a.hi == b.hi && a.hi_open) {
                i += 1;
            } else {
                j += 1;
            }
        }
        both
    }

    pub(crate) fn not(&self) -> Windows {
        let mut rest = Windows::never();
        let (mut lo, mut lo_open) = (0.0, false);
        for interval in &self.0 {
            let gap = Interval {
                lo,
                lo_open,
                hi: interval.lo,
                hi_open: !interval.lo_open,
            };
            if !gap.is_empty() {
                rest.0.push(gap);
            }
            (lo, lo_open) = (interval.hi, !interval.hi_open);
        }
        if lo < f64::INFINITY {
            rest.0.push(Interval {
                lo,
                lo_open,
                hi: f64::INFINITY,
                hi_open: false,
            });
        }
        rest
    }

    pub(crate) fn or(&self, other: &Windows) -> Windows {
        self.not().and(&other.not()).not()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(windows: &Windows, t: f64) -> bool {
        let inside =
            |i: &Interval| (i.lo < t || (i.lo == t && !i.lo_open)) && (t < i.hi || (t == i.hi && !i.hi_open));
        windows.0.iter().any(inside)
    }

    /// All sets made of two bounds, asked at their ends and between them.
    #[test]
    fn sets_of_instants_are_a_boolean_algebra() {
        let mut sets = vec![Windows::always(), Windows::never()];
        for at in [0.0, 1.0, 2.0] {
            for open in [false, true] {
                sets.push(Windows::from(at, open));
                sets.push(Windows::until(at, open));
            }
        }
        let pairs: Vec<Windows> = sets
            .iter()
            .flat_map(|a| sets.iter().flat_map(move |b| [a.and(b), a.or(b)]))
            .collect();
        for a in &pairs {
            for b in pairs.iter().step_by(7) {
                for t in [0.0, 0.5, 1.0, 1.5, 2.0, 2.5] {
                    assert_eq!(contains(&a.and(b), t), contains(a, t) && contains(b, t));
                    assert_eq!(contains(&a.or(b), t), contains(a, t) || contains(b, t));
                    assert_eq!(contains(&a.not(), t), !contains(a, t));
                }
            }
        }
    }

    #[test]
    fn a_strict_bound_and_its_opposite_share_no_instant() {
        assert!(
            Windows::from(1.0, false)
                .and(&Windows::until(1.0, true))
                .is_never()
        );
        assert_eq!(Windows::from(1.0, true).first(), Some(1.0));
        assert_eq!(Windows::until(3.0, false).end(), Some(3.0));
        assert_eq!(Windows::from(1.0, false).end(), None);
    }
}
