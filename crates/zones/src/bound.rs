//! Bounds of clock differences: a constant with `<` or `<=`, or no bound at all.

mod kernels;
pub mod word;

pub(crate) use kernels::{Kernels, MASKED, Relaxed};
use std::fmt;
use word::Word;

/// The right-hand side of `x − y ≺ c`, where `≺` is `<` or `<=`, in one word: `raw = 2c | weak`.
///
/// The weak bit is set for `<=`. With this encoding the order of the words is the order of the constraints
/// (a smaller bound admits fewer points), so minimum, inclusion and emptiness are plain integer comparisons.
///
/// The word has 32 bits unless said otherwise. Constants beyond [`MAX_CONSTANT`](Self::MAX_CONSTANT) need `Bound<i64>`.
///
/// ```
/// use zonewalk_zones::Bound;
/// assert!(Bound::lt(3) < Bound::le(3) && Bound::le(3) < Bound::lt(4) && Bound::lt(4) < Bound::INFINITY);
/// assert_eq!(Bound::le(3).plus(Bound::lt(-1)), Bound::lt(2));
/// assert_eq!(Bound::le(3_000_000_000_i64).plus(Bound::lt(-1)), Bound::lt(2_999_999_999));
/// ```
#[repr(transparent)]
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bound<W = i32>(W);

impl<W: Word> Bound<W> {
    /// No bound. Half of the largest word, so that two of them can be added without overflow.
    pub const INFINITY: Bound<W> = Bound(W::INFINITY);
    /// `<= 0`: the diagonal of a non-empty matrix, and the bound of `0 − x` for a clock that may be zero.
    pub const LE_ZERO: Bound<W> = Bound(W::ONE);
    /// `< 0`: on the diagonal, the mark of an empty zone.
    pub const LT_ZERO: Bound<W> = Bound(W::ZERO);
    /// The largest `|c|` of a finite bound for which the sum of any two bounds is exact and finite: 2²⁷ − 1 in 32 bits,
    /// 2⁵⁹ − 1 in 64.
    ///
    /// Entries of a closed matrix are sums along paths of constraints, so a caller must keep the entries, not
    /// only the constants of a model, within it. Constants of a model up to `MAX_CONSTANT / dim` are always safe with extrapolation, after which
    /// an entry is at most `dim − 1` times the largest; a search without it can ask
    /// [`dbm::magnitude`](crate::dbm::magnitude).
    pub const MAX_CONSTANT: W = W::MAX_CONSTANT;

    /// `<= c`. Requires `|c| <= MAX_CONSTANT`.
    #[inline(always)]
    pub fn le(c: W) -> Bound<W> {
        Bound::new(c, false)
    }

    /// `< c`. Requires `|c| <= MAX_CONSTANT`.
    #[inline(always)]
    pub fn lt(c: W) -> Bound<W> {
        Bound::new(c, true)
    }

    /// `< c` if `strict`, else `<= c`. Requires `|c| <= MAX_CONSTANT`.
    #[inline(always)]
    pub fn new(c: W, strict: bool) -> Bound<W> {
        debug_assert!(
            c <= W::MAX_CONSTANT && c >= W::ZERO.minus(W::MAX_CONSTANT),
            "constant out of range"
        );
        Bound(c.plus(c) | W::from(!strict))
    }

    /// The bound with this encoding; the inverse of [`raw`](Self::raw).
    #[inline(always)]
    pub const fn from_raw(raw: W) -> Bound<W> {
        Bound(raw)
    }

    /// The encoding `2c | weak`.
    #[inline(always)]
    pub const fn raw(self) -> W {
        self.0
    }

    /// The constant `c`. Meaningless for [`INFINITY`](Self::INFINITY).
    #[inline(always)]
    pub fn constant(self) -> W {
        self.0 >> 1
    }

    /// Whether the comparison is `<`. Infinity counts as not strict.
    #[inline(always)]
    pub fn is_strict(self) -> bool {
        self.0 & W::ONE == W::ZERO
    }

    /// Whether nothing is bounded.
    #[inline(always)]
    pub fn is_infinite(self) -> bool {
        self.0 == W::INFINITY
    }

    /// The bound of `x − z` that follows from this one of `x − y` and `other` of `y − z`: the constants add up,
    /// strict if one of them is, infinite if one of them is.
    #[inline]
    pub fn plus(self, other: Bound<W>) -> Bound<W> {
        if self.is_infinite() || other.is_infinite() {
            Self::INFINITY
        } else {
            let sum = Bound(add_finite(self.0, other.0));
            debug_assert!(sum.0 < W::INFINITY, "sum of bounds out of range");
            sum
        }
    }

    /// The bound of `y − x` that holds exactly where this one of `x − y` does not:
    /// not `x − y <= c` is `y − x < −c`. Requires a finite bound (the complement of no bound is empty).
    #[inline]
    #[must_use]
    pub fn complement(self) -> Bound<W> {
        debug_assert!(!self.is_infinite(), "no bound has no complement");
        Bound(W::ONE.minus(self.0))
    }

    /// The tighter of two bounds.
    #[inline(always)]
    #[must_use]
    pub fn tighter(self, other: Bound<W>) -> Bound<W> {
        if self.0 < other.0 { self } else { other }
    }

    /// The bound in words of another width; `None` where it does not fit.
    #[inline]
    pub fn to_width<V: Word>(self) -> Option<Bound<V>> {
        if self.is_infinite() {
            return Some(Bound::INFINITY);
        }
        let constant = V::from_i64(self.constant().into())?;
        let fits = constant <= V::MAX_CONSTANT && constant >= V::ZERO.minus(V::MAX_CONSTANT);
        fits.then(|| Bound::new(constant, self.is_strict()))
    }
}

/// Sum of two finite raw bounds: `2(a+b)`, plus one for each weak bit, of which at most one may stay,
/// and only if both were set.
#[inline(always)]
pub(crate) fn add_finite<W: Word>(a: W, b: W) -> W {
    a.plus(b).minus((a | b) & W::ONE)
}

impl<W: Word> fmt::Display for Bound<W> {
    /// The comparison as it is written after a difference: `<= 5`, `< 3`, `< inf`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_infinite() {
            return f.write_str("< inf");
        }
        write!(
            f,
            "{} {}",
            if self.is_strict() { "<" } else { "<=" },
            self.constant()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_round_trips() {
        let max = Bound::<i32>::MAX_CONSTANT;
        for c in [-max, -7, -1, 0, 1, 7, max] {
            for strict in [false, true] {
                let bound = Bound::new(c, strict);
                assert_eq!((bound.constant(), bound.is_strict()), (c, strict));
                assert_eq!(Bound::from_raw(bound.raw()), bound);
                assert!(bound < Bound::INFINITY);
            }
        }
        assert_eq!(Bound::LE_ZERO, Bound::le(0));
        assert_eq!(Bound::LT_ZERO, Bound::lt(0));
    }

    #[test]
    fn sums_are_exact_to_the_limit() {
        let max = Bound::<i32>::MAX_CONSTANT;
        for (a, b) in [(max, max), (-max, -max), (max, -max), (3, -5)] {
            for (s, t) in [(false, false), (false, true), (true, false), (true, true)] {
                let sum = Bound::new(a, s).plus(Bound::new(b, t));
                assert_eq!((sum.constant(), sum.is_strict()), (a + b, s || t));
                assert!(sum < Bound::INFINITY);
            }
        }
        assert_eq!(Bound::INFINITY.plus(Bound::lt(-max)), Bound::INFINITY);
        assert_eq!(Bound::le(-1).plus(Bound::INFINITY), Bound::INFINITY);
        assert_eq!(Bound::<i32>::INFINITY.plus(Bound::INFINITY), Bound::INFINITY);
    }

    #[test]
    fn wide_sums_are_exact_to_the_limit() {
        let max = Bound::<i64>::MAX_CONSTANT;
        for (a, b) in [(max, max), (-max, -max), (max, -max), (i64::from(i32::MAX), -5)] {
            for (s, t) in [(false, false), (false, true), (true, false), (true, true)] {
                let sum = Bound::new(a, s).plus(Bound::new(b, t));
                assert_eq!((sum.constant(), sum.is_strict()), (a + b, s || t));
                assert!(sum < Bound::INFINITY);
            }
        }
        assert_eq!(Bound::INFINITY.plus(Bound::lt(-max)), Bound::INFINITY);
    }

    #[test]
    fn widths() {
        let large = i64::from(Bound::<i32>::MAX_CONSTANT);
        for constant in [-large, -1, 0, 1, large] {
            let bound = Bound::lt(constant);
            assert_eq!(bound.to_width::<i32>().and_then(Bound::to_width), Some(bound));
        }
        for constant in [large + 1, -large - 1, i64::from(i32::MAX), 1 << 40] {
            assert_eq!(Bound::le(constant).to_width::<i32>(), None);
        }
        assert_eq!(Bound::<i64>::INFINITY.to_width::<i32>(), Some(Bound::INFINITY));
    }

    #[test]
    fn complement_is_the_negation() {
        for c in -3..=3 {
            assert_eq!(Bound::le(c).complement(), Bound::lt(-c));
            assert_eq!(Bound::lt(c).complement(), Bound::le(-c));
        }
    }

    #[test]
    fn text() {
        assert_eq!(Bound::le(-2).to_string(), "<= -2");
        assert_eq!(Bound::lt(4).to_string(), "< 4");
        assert_eq!(Bound::<i32>::INFINITY.to_string(), "< inf");
    }
}
