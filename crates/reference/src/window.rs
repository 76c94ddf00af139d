//! Sets of delays: finite unions of intervals with rational ends, open or closed.

use std::cmp::Ordering;
use std::fmt;
use zonewalk_numbers::rational::Rational;

/// A cut through the line of time, just before or just after a point, or beyond all of them. With cuts for ends,
/// open and closed intervals need no cases of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    Before(Rational),
    After(Rational),
    Infinity,
}

impl Cut {
    /// The point and on which side of it; `None` beyond all.
    pub(crate) fn point(self) -> Option<(Rational, bool)> {
        match self {
            Cut::Before(at) => Some((at, false)),
            Cut::After(at) => Some((at, true)),
            Cut::Infinity => None,
        }
    }
}

impl PartialOrd for Cut {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cut {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.point(), other.point()) {
            (Some(a), Some(b)) => a.cmp(&b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        }
    }
}

/// An interval of delays; never empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub(crate) lower: Cut,
    pub(crate) upper: Cut,
}

impl Window {
    /// The lower end and whether it belongs to the window.
    pub fn lower(&self) -> (Rational, bool) {
        // A window is not empty, so its lower cut is not beyond all points.
        self.lower
            .point()
            .map_or((Rational::ZERO, true), |(at, after)| (at, !after))
    }

    /// The upper end and whether it belongs to the window; `None` when the window has no end.
    pub fn upper(&self) -> Option<(Rational, bool)> {
        self.upper.point()
    }

    /// Whether a delay belongs to it.
    pub fn contains(&self, delay: Rational) -> bool {
        self.lower <= Cut::Before(delay) && Cut::After(delay) <= self.upper
    }

    /// Whether it is a single point.
    pub fn is_point(&self) -> bool {
        matches!((self.lower, self.upper), (Cut::Before(a), Cut::After(b)) if a == b)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lower, closed) = self.lower();
        write!(f, "{}{lower}, ", if closed { '[' } else { '(' })?;
        match self.upper() {
            Some((upper, closed)) => write!(f, "{upper}{}", if closed { ']' } else { ')' }),
            None => f.write_str("inf)"),
        }
    }
}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of delays: disjoint windows that do not touch, from left to right.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Windows(Vec<Window>);

impl Windows {
    /// No delay.
    pub fn none() -> Self {
        Windows(Vec::new())
    }

    /// Every delay from 0.
    pub fn all() -> Self {
        Windows::between(Cut::Before(Rational::ZERO), Cut::Infinity)
    }

    /// One delay.
    pub fn point(at: Rational) -> Self {
        Windows::between(Cut::Before(at), Cut::After(at))
    }

    /// From 0 to `end`, both included.
    pub fn up_to(end: Rational) -> Self {
        Windows::between(Cut::Before(Rational::ZERO), Cut::After(end))
    }

    /// From 0 to `end`, the end excluded.
    pub fn before(end: Rational) -> Self {
        Windows::between(Cut::Before(Rational::ZERO), Cut::Before(end))
    }

    pub(crate) fn between(lower: Cut, upper: Cut) -> Self {
        let mut windows = Windows::none();
        windows.push(lower, upper);
        windows
    }

    /// Adds an interval at the right end. Requires: it begins no earlier than the last one.
    pub(crate) fn push(&mut self, lower: Cut, upper: Cut) {
        if lower >= upper {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.upper >= lower => last.upper = last.upper.max(upper),
            _ => self.0.push(Window { lower, upper }),
        }
    }

    /// The windows, from left to right.
    pub fn iter(&self) -> impl Iterator<Item = &Window> {
        self.0.iter()
    }

    /// How many windows.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no delay in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a delay is in it.
    pub fn contains(&self, delay: Rational) -> bool {
        self.0.iter().any(|w| w.contains(delay))
    }

    /// The delays in both.
    #[must_use]
    pub fn and(&self, other: &Windows) -> Windows {
        let mut both = Windows::none();
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.0.get(i), other.0.get(j)) {
            both.push(a.lower.max(b.lower), a.upper.min(b.upper));
            if a.upper <= b.upper {
                i += 1;
            } else {
                j += 1;
            }
        }
        both
    }

    /// The delays in at least one.
    #[must_use]
    pub fn or(&self, other: &Windows) -> Windows {
        let mut all: Vec<Window> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_by_key(|w| w.lower);
        let mut either = Windows::none();
        for w in all {
            either.push(w.lower, w.upper);
        }
        either
    }

    /// The delays that are not in `other`.
    #[must_use]
    pub fn minus(&self, other: &Windows) -> Windows {
        let mut rest = Windows::none();
        for w in &self.0 {
            let mut from = w.lower;
            for hole in other.0.iter().filter(|h| h.upper > w.lower && h.lower < w.upper) {
                rest.push(from, hole.lower.min(w.upper));
                from = from.max(hole.upper);
            }
            rest.push(from, w.upper);
        }
        rest
    }

    /// The window that begins with delay 0, if there is one: how long something holds without a break.
    #[must_use]
    pub fn prefix(&self) -> Windows {
        let first = self.0.first().filter(|w| w.lower == Cut::Before(Rational::ZERO));
        Windows(first.copied().into_iter().collect())
    }

    /// Where the last window ends; `None` when there is no window.
    pub(crate) fn end(&self) -> Option<Cut> {
        self.0.last().map(|w| w.upper)
    }

    /// Where the first window begins, whether or not the point belongs to it.
    pub fn infimum(&self) -> Option<Rational> {
        self.0.first().map(|w| w.lower().0)
    }
}

impl fmt::Display for Windows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("never");
        }
        for (i, w) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" or ")?;
            }
            write!(f, "{w}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Windows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(i: i32) -> Rational {
        Rational::from(i)
    }

    /// `[a, b]`
    fn closed(a: i32, b: i32) -> Windows {
        Windows::between(Cut::Before(at(a)), Cut::After(at(b)))
    }

    /// `(a, b)`
    fn open(a: i32, b: i32) -> Windows {
        Windows::between(Cut::After(at(a)), Cut::Before(at(b)))
    }

    #[test]
    fn algebra() {
        let a = closed(0, 5).or(&closed(7, 9));
        assert_eq!(a.to_string(), "[0, 5] or [7, 9]");
        assert_eq!(a.and(&closed(4, 8)).to_string(), "[4, 5] or [7, 8]");
        assert_eq!(a.minus(&open(2, 8)).to_string(), "[0, 2] or [8, 9]");
        assert_eq!(a.minus(&closed(2, 3)).to_string(), "[0, 2) or (3, 5] or [7, 9]");
        assert_eq!(Windows::all().minus(&a).to_string(), "(5, 7) or (9, inf)");
        assert_eq!(closed(0, 2).or(&open(2, 3)).to_string(), "[0, 3)");
        assert_eq!(open(0, 2).or(&open(2, 3)).to_string(), "(0, 2) or (2, 3)");
        assert_eq!(open(2, 2), Windows::none());
        assert!(a.minus(&Windows::all()).is_empty());
        assert_eq!(a.prefix(), closed(0, 5));
        assert!(open(0, 1).prefix().is_empty());
        assert!(Windows::point(at(3)).iter().all(Window::is_point));
    }

    #[test]
    fn membership() {
        let w = open(0, 2).or(&closed(4, 4));
        for (d, inside) in [(0, false), (1, true), (2, false), (4, true), (5, false)] {
            assert_eq!(w.contains(at(d)), inside, "{d}");
        }
        assert_eq!(w.infimum(), Some(at(0)));
        assert_eq!(Windows::none().to_string(), "never");
    }
}
