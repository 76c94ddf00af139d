//! Stored zones in narrow integers: most models have constants that fit into a byte or two.
//!
//! The encoding is that of [`Bound`] cut to the width, with the largest value of the type as infinity. It keeps the
//! order, so inclusion is decided on the packed form, on two or four times as many entries at once.

use crate::bound::Bound;
use crate::bound::word::Word;
use crate::kernels;

/// An integer type that can hold bounds with small constants.
pub trait Narrow: Copy + Ord + std::fmt::Debug {
    /// No bound.
    const INFINITY: Self;
    /// The largest `|c|` of a finite bound that fits.
    const MAX_CONSTANT: i64;

    /// Whether every bound with `|c| <= max_constant` fits. Take [`dbm::magnitude`](crate::dbm::magnitude) of a zone,
    /// or a limit on all entries that extrapolation guarantees.
    #[inline]
    fn fits<W: Word>(max_constant: W) -> bool {
        max_constant.into() <= Self::MAX_CONSTANT
    }

    /// Packs one bound. Requires: infinite, or within [`MAX_CONSTANT`](Self::MAX_CONSTANT).
    fn from_bound<W: Word>(bound: Bound<W>) -> Self;

    /// The inverse of [`from_bound`](Self::from_bound). Requires: a bound of this width was packed.
    fn to_bound<W: Word>(self) -> Bound<W>;

    /// Whether every entry of `a` is at least that of `b`: `a ⊇ b` for packed closed matrices.
    /// Requires: equal lengths.
    fn includes(a: &[Self], b: &[Self]) -> bool;
}

macro_rules! narrow {
    ($type:ty) => {
        impl Narrow for $type {
            const INFINITY: Self = <$type>::MAX;
            // The least finite word is 2·(−c), the greatest 2c + 1, which must stay below infinity; words hold what
            // `Bound` holds.
            const MAX_CONSTANT: i64 = if size_of::<$type>() < size_of::<i32>() {
                (<$type>::MAX as i64 - 2) / 2
            } else {
                (1 << (<$type>::BITS - 5)) - 1
            };

            #[inline(always)]
            fn from_bound<W: Word>(bound: Bound<W>) -> Self {
                debug_assert!(
                    bound.is_infinite() || bound.constant().into().abs() <= <Self as Narrow>::MAX_CONSTANT
                );
                if size_of::<$type>() < size_of::<i32>() {
                    // Infinity is beyond every value of the narrow types, so saturation packs it, which is one instruction.
                    let (least, most) = (
                        W::truncated(<$type>::MIN as i64),
                        W::truncated(<$type>::MAX as i64),
                    );
                    return bound.raw().clamp(least, most).into() as $type;
                }
                if bound.is_infinite() {
                    <Self as Narrow>::INFINITY
                } else {
                    bound.raw().into() as $type
                }
            }

            #[inline(always)]
            fn to_bound<W: Word>(self) -> Bound<W> {
                if self == <Self as Narrow>::INFINITY {
                    Bound::INFINITY
                } else {
                    Bound::from_raw(W::truncated(self as i64))
                }
            }

            #[inline]
            fn includes(a: &[Self], b: &[Self]) -> bool {
                debug_assert_eq!(a.len(), b.len());
                kernels::at_least(a, b)
            }
        }
    };
}

narrow!(i8);
narrow!(i16);
narrow!(i32);
narrow!(i64);

/// Packs a matrix into `out`. Requires: equal lengths, every bound fits.
pub fn pack<W: Word, N: Narrow>(dbm: &[Bound<W>], out: &mut [N]) {
    debug_assert_eq!(dbm.len(), out.len());
    for (packed, bound) in out.iter_mut().zip(dbm) {
        *packed = N::from_bound(*bound);
    }
}

/// Appends a packed matrix to an arena. Requires: every bound fits.
pub fn append<W: Word, N: Narrow>(dbm: &[Bound<W>], arena: &mut Vec<N>) {
    arena.extend(dbm.iter().map(|bound| N::from_bound(*bound)));
}

/// Unpacks a matrix into `out`. Requires: equal lengths, packed from bounds of this width.
pub fn unpack<W: Word, N: Narrow>(packed: &[N], out: &mut [Bound<W>]) {
    debug_assert_eq!(packed.len(), out.len());
    for (bound, packed) in out.iter_mut().zip(packed) {
        *bound = packed.to_bound();
    }
}

/// Whether `a ⊇ b`; see [`Narrow::includes`].
#[inline]
pub fn includes<N: Narrow>(a: &[N], b: &[N]) -> bool {
    N::includes(a, b)
}

/// Whether every bound with `|c| <= max_constant` fits into `N`.
#[inline]
pub fn fits<N: Narrow>(max_constant: i64) -> bool {
    N::fits(max_constant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits<N: Narrow>() {
        let c = N::MAX_CONSTANT;
        let mut last = None;
        for bound in [
            Bound::lt(-c),
            Bound::le(-c),
            Bound::lt(0),
            Bound::le(0),
            Bound::le(c),
            Bound::INFINITY,
        ] {
            let packed = N::from_bound(bound);
            assert_eq!(packed.to_bound(), bound);
            assert!(last < Some(packed));
            last = Some(packed);
        }
        assert!(N::fits(c) && !N::fits(c + 1));
    }

    #[test]
    fn limits_of_each_width() {
        limits::<i8>();
        limits::<i16>();
        limits::<i32>();
        limits::<i64>();
        assert_eq!(
            (<i8 as Narrow>::MAX_CONSTANT, <i16 as Narrow>::MAX_CONSTANT),
            (62, 16_382)
        );
        assert_eq!(
            <i32 as Narrow>::MAX_CONSTANT,
            i64::from(Bound::<i32>::MAX_CONSTANT)
        );
        assert_eq!(<i64 as Narrow>::MAX_CONSTANT, Bound::<i64>::MAX_CONSTANT);
    }
}
