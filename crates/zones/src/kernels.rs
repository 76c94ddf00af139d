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
pub(crate) use forget::{close_relaxed, extra_lu_plus};

use multiversion::multiversion;

use crate::bound::word::Word;
use crate::bound::{Bound, Kernels, Relaxed, add_finite};

/// Defines functions that are compiled for the baseline of the platform and for AVX2, by the code of the same name.
macro_rules! dispatched {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? = $code:path;)*) => {
        $(
            #[inline(always)]
            fn $name($($argument: $type),*) $(-> $result)? {
                #[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2"))]
                fn chosen($($argument: $type),*) $(-> $result)? {
                    $code($($argument),*)
                }
                chosen($($argument),*)
            }
        )*
    };
}

macro_rules! kernels {
    ($word:ty) => {
        impl Kernels for $word {
            dispatched! {
                fn close(dbm: &mut [Bound<$word>], dim: usize) -> bool = close::close_large;
                fn tighten(dbm: &mut [Bound<$word>], dim: usize, i: usize, j: usize, bound: Bound<$word>)
                    = close::tighten_large;
                fn two_steps(steps: &[Bound<$word>], dim: usize, out: &mut [Bound<$word>]) = close::two_steps_any;
                fn alu_covers(a: &[Bound<$word>], b: &[Bound<$word>], dim: usize, l: &[$word], u: &[$word]) -> bool
                    = compare::alu_covers_large;
                fn close_rows(dbm: &mut [Bound<$word>], dim: usize, relaxed: Relaxed) = forget::close_rows_large;
                fn extra_lu_plus(dbm: &mut [Bound<$word>], dim: usize, l: &[$word], u: &[$word]) -> bool
                    = forget::extra_lu_plus_large;
            }
        }
    };
}

kernels!(i32);
kernels!(i64);

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
fn restored<W: Word>(word: W) -> Bound<W> {
    if word >= W::INFINITE {
        Bound::INFINITY
    } else {
        Bound::from_raw(word)
    }
}

/// The sums of a bound with those of a row, without a test for infinity.
#[inline(always)]
fn sums<W: Word>(first: Bound<W>, rest: &[Bound<W>]) -> impl Iterator<Item = W> {
    rest.iter().map(move |rest| add_finite(first.raw(), rest.raw()))
}

/// `row[j] = min(row[j], first + rest[j])`, leaving infinite words.
#[inline(always)]
fn relax<W: Word>(row: &mut [Bound<W>], first: Bound<W>, rest: &[Bound<W>]) {
    for (entry, sum) in row.iter_mut().zip(sums(first, rest)) {
        *entry = Bound::from_raw(entry.raw().min(sum));
    }
}

/// `row[j] = min(row[j], first + rest[j])`.
#[inline(always)]
fn relax_restored<W: Word>(row: &mut [Bound<W>], first: Bound<W>, rest: &[Bound<W>]) {
    for (entry, sum) in row.iter_mut().zip(sums(first, rest)) {
        *entry = (*entry).tighter(restored(sum));
    }
}

/// Restores infinity in a whole slice.
#[inline(always)]
fn restore<W: Word>(row: &mut [Bound<W>]) {
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
