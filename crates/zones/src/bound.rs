//! Bounds of clock differences: a constant with `<` or `<=`, or no bound at all.

use std::fmt;

/// The right-hand side of `x − y ≺ c`, where `≺` is `<` or `<=`, in one word: `raw = 2c | weak`.
///
/// The weak bit is set for `<=`. With this encoding the order of the words is the order of the constraints
/// (a smaller bound admits fewer points), so minimum, inclusion and emptiness are plain integer comparisons.
///
/// ```
/// use zonewalk_zones::Bound;
/// assert!(Bound::lt(3) < Bound::le(3) && Bound::le(3) < Bound::lt(4) && Bound::lt(4) < Bound::INFINITY);
/// assert_eq!(Bound::le(3).plus(Bound::lt(-1)), Bound::lt(2));
/// ```
#[repr(transparent)]
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bound(i32);

impl Bound {
    /// No bound. Half of the largest word, so that two of them can be added without overflow.
    pub const INFINITY: Bound = Bound(i32::MAX >> 1);
    /// `<= 0`: the diagonal of a non-empty matrix, and the bound of `0 − x` for a clock that may be zero.
    pub const LE_ZERO: Bound = Bound(1);
    /// `< 0`: on the diagonal, the mark of an empty zone.
    pub const LT_ZERO: Bound = Bound(0);
    /// The largest `|c|` of a finite bound for which the sum of any two bounds is exact and finite.
    ///
    /// Entries of a closed matrix are sums along paths of constraints, so a caller must keep the entries, not
    /// only the constants of a model, within it. Constants of a model up to `MAX_CONSTANT / dim` are always safe with extrapolation, after which
    /// an entry is at most `dim − 1` times the largest; a search without it can ask
    /// [`dbm::magnitude`](crate::dbm::magnitude).
    pub const MAX_CONSTANT: i32 = (1 << 27) - 1;

    /// `<= c`. Requires `|c| <= MAX_CONSTANT`.
    #[inline]
    pub const fn le(c: i32) -> Bound {
        debug_assert!(
            c.unsigned_abs() <= Self::MAX_CONSTANT as u32,
            "constant out of range"
        );
        Bound(c << 1 | 1)
    }

    /// `< c`. Requires `|c| <= MAX_CONSTANT`.
    #[inline]
    pub const fn lt(c: i32) -> Bound {
        debug_assert!(
            c.unsigned_abs() <= Self::MAX_CONSTANT as u32,
            "constant out of range"
        );
        Bound(c << 1)
    }

    /// `< c` if `strict`, else `<= c`. Requires `|c| <= MAX_CONSTANT`.
    #[inline]
    pub const fn new(c: i32, strict: bool) -> Bound {
        if strict { Self::lt(c) } else { Self::le(c) }
    }

    /// The bound with this encoding; the inverse of [`raw`](Self::raw).
    #[inline]
    pub const fn from_raw(raw: i32) -> Bound {
        Bound(raw)
    }

    /// The encoding `2c | weak`.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The constant `c`. Meaningless for [`INFINITY`](Self::INFINITY).
    #[inline]
    pub const fn constant(self) -> i32 {
        self.0 >> 1
    }

    /// Whether the comparison is `<`. Infinity counts as not strict.
    #[inline]
    pub const fn is_strict(self) -> bool {
        self.0 & 1 == 0
    }

    /// Whether nothing is bounded.
    #[inline]
    pub const fn is_infinite(self) -> bool {
        self.0 == Self::INFINITY.0
    }

    /// The bound of `x − z` that follows from this one of `x − y` and `other` of `y − z`: the constants add up,
    /// strict if one of them is, infinite if one of them is.
    #[inline]
    pub const fn plus(self, other: Bound) -> Bound {
        if self.is_infinite() || other.is_infinite() {
            Self::INFINITY
        } else {
            let sum = Bound(add_finite(self.0, other.0));
            debug_assert!(sum.0 < Self::INFINITY.0, "sum of bounds out of range");
            sum
        }
    }

    /// The bound of `y − x` that holds exactly where this one of `x − y` does not:
    /// not `x − y <= c` is `y − x < −c`. Requires a finite bound (the complement of no bound is empty).
    #[inline]
    #[must_use]
    pub const fn complement(self) -> Bound {
        debug_assert!(!self.is_infinite(), "no bound has no complement");
        Bound(1 - self.0)
    }

    /// The tighter of two bounds.
    #[inline]
    #[must_use]
    pub const fn tighter(self, other: Bound) -> Bound {
        if self.0 < other.0 { self } else { other }
    }
}

/// Sum of two finite raw bounds: `2(a+b)`, plus one for each weak bit, of which at most one may stay,
/// and only if both were set.
#[inline(always)]
pub(crate) const fn add_finite(a: i32, b: i32) -> i32 {
    // Wrapping, because an overflow check in the kernels would keep them from being vectorised in test builds.
    a.wrapping_add(b).wrapping_sub((a | b) & 1)
}

impl fmt::Display for Bound {
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
        for c in [-Bound::MAX_CONSTANT, -7, -1, 0, 1, 7, Bound::MAX_CONSTANT] {
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
        let max = Bound::MAX_CONSTANT;
        for (a, b) in [(max, max), (-max, -max), (max, -max), (3, -5)] {
            for (s, t) in [(false, false), (false, true), (true, false), (true, true)] {
                let sum = Bound::new(a, s).plus(Bound::new(b, t));
                assert_eq!((sum.constant(), sum.is_strict()), (a + b, s || t));
                assert!(sum < Bound::INFINITY);
            }
        }
        assert_eq!(Bound::INFINITY.plus(Bound::lt(-max)), Bound::INFINITY);
        assert_eq!(Bound::le(-1).plus(Bound::INFINITY), Bound::INFINITY);
        assert_eq!(Bound::INFINITY.plus(Bound::INFINITY), Bound::INFINITY);
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
        assert_eq!(Bound::INFINITY.to_string(), "< inf");
    }
}
