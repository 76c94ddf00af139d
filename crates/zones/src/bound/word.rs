//! The machine words that bounds are kept in.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Shr};

use super::kernels::Kernels;

/// An integer that bounds are kept in: 32 bits, or 64 where sums of constants do not fit.
///
/// Arithmetic wraps without a check, since one in the kernels would keep them from being vectorised in test builds. It
/// never does as long as entries stay within [`MAX_CONSTANT`](Self::MAX_CONSTANT), which debug assertions check for each
/// matrix.
pub trait Word:
    Copy
    + Ord
    + Hash
    + Debug
    + Display
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shr<u32, Output = Self>
    + From<i32>
    + From<bool>
    + Into<i64>
    + Kernels
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The least word.
    const MIN: Self;
    /// The greatest word.
    const MAX: Self;
    /// No bound: half of the greatest word.
    const INFINITY: Self;
    /// Words from here on are infinite in the middle of a kernel: infinity plus up to two finite bounds is not below it,
    /// and a finite bound of a closed matrix is, as long as constants are within [`MAX_CONSTANT`](Self::MAX_CONSTANT).
    /// Sums need no test for infinity, if it is restored at the end.
    const INFINITE: Self;
    /// Minus infinity, as the constant of a clock that is never compared from some side.
    const NO_BOUND: Self = Self::MIN;
    /// See [`Bound::MAX_CONSTANT`](crate::Bound::MAX_CONSTANT).
    const MAX_CONSTANT: Self;

    /// The sum.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// The word of this value; `None` where it does not fit.
    fn from_i64(value: i64) -> Option<Self>;

    /// The low bits of a value.
    fn truncated(value: i64) -> Self;
}

macro_rules! word {
    ($type:ty) => {
        impl Word for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const MIN: Self = <$type>::MIN;
            const MAX: Self = <$type>::MAX;
            const INFINITY: Self = <$type>::MAX >> 1;
            const INFINITE: Self = 1 << (<$type>::BITS - 3);
            const MAX_CONSTANT: Self = (1 << (<$type>::BITS - 5)) - 1;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn from_i64(value: i64) -> Option<Self> {
                value.try_into().ok()
            }

            #[inline(always)]
            fn truncated(value: i64) -> Self {
                value as Self
            }
        }
    };
}

word!(i32);
word!(i64);
