//! The inner loops: branch-free over rows, so that they become vector code.
//!
//! Each kernel is written once, always inlined, for rows of a known length and for rows of any length. Loops of known
//! length need no remainder loop, which in small dimensions costs more than the work, so the kernels are instantiated
//! for each dimension up to 16. All that is compiled twice, for the baseline of the platform and for AVX2, and chosen
//! at run time by `multiversion`; in the smallest dimensions the choice would cost more than it saves.

mod close;
mod compare;
mod forget;

pub(crate) use close::{close, tighten, two_steps};
pub(crate) use compare::{alu_covers, at_least};
pub(crate) use forget::{Relaxed, close_relaxed, extra_lu_plus};

use crate::bound::{Bound, add_finite};

/// Words from here on are infinite in the middle of a kernel: infinity plus up to two finite bounds is not below it, and
/// a finite bound of a closed matrix is, as long as constants are within [`Bound::MAX_CONSTANT`]. So sums need no test
/// for infinity, if it is restored at the end.
const INFINITE: i32 = 1 << 29;

/// Evaluates an expression with `$N` as a constant equal to `$dim`, for the dimensions worth code of their own.
macro_rules! with_dimension {
    ($dim:expr, [$($n:literal)*], $N:ident => $fixed:expr, _ => $any:expr) => {
        match $dim {
            $($n => {
                const $N: usize = $n;
                $fixed
            })*
            _ => $any,
        }
    };
}

use with_dimension;

/// Restores infinity from any infinite word.
#[inline(always)]
fn restored(word: i32) -> Bound {
    if word >= INFINITE {
        Bound::INFINITY
    } else {
        Bound::from_raw(word)
    }
}

/// The sums of a bound with those of a row, without a test for infinity.
#[inline(always)]
fn sums(first: Bound, rest: &[Bound]) -> impl Iterator<Item = i32> {
    rest.iter().map(move |rest| add_finite(first.raw(), rest.raw()))
}

/// `row[j] = min(row[j], first + rest[j])`, leaving infinite words.
#[inline(always)]
fn relax(row: &mut [Bound], first: Bound, rest: &[Bound]) {
    for (entry, sum) in row.iter_mut().zip(sums(first, rest)) {
        *entry = Bound::from_raw(entry.raw().min(sum));
    }
}

/// `row[j] = min(row[j], first + rest[j])`.
#[inline(always)]
fn relax_restored(row: &mut [Bound], first: Bound, rest: &[Bound]) {
    for (entry, sum) in row.iter_mut().zip(sums(first, rest)) {
        *entry = (*entry).tighter(restored(sum));
    }
}

/// Restores infinity in a whole slice.
#[inline(always)]
fn restore(row: &mut [Bound]) {
    for entry in row {
        *entry = restored(entry.raw());
    }
}

/// A slice of any length, on the stack up to `MOST`, which all but models of very many clocks keep to.
pub(crate) struct Buffer<T, const MOST: usize> {
    small: [T; MOST],
    large: Vec<T>,
}

impl<T: Copy, const MOST: usize> Buffer<T, MOST> {
    #[inline(always)]
    pub(crate) fn new(len: usize, value: T) -> Self {
        Buffer {
            small: [value; MOST],
            large: if len > MOST { vec![value; len] } else { Vec::new() },
        }
    }

    /// The first `len` elements. Requires: `len` as in `new`.
    #[inline(always)]
    pub(crate) fn slice(&mut self, len: usize) -> &mut [T] {
        if len <= MOST {
            &mut self.small[..len]
        } else {
            &mut self.large[..len]
        }
    }

    /// Copies a slice of the length given to `new` here.
    #[inline(always)]
    fn copy_of(&mut self, from: &[T]) -> &mut [T] {
        let copy = self.slice(from.len());
        copy.copy_from_slice(from);
        copy
    }
}
