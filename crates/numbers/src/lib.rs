//! Numbers that engines, the judge and reports share.
//!
//! [`Rational`] is an exact fraction, [`Random`] a generator whose draws are the same on every machine and in every version.

#![warn(missing_docs)]

pub mod random;
pub mod rational;

pub use random::Random;
pub use rational::{Rational, TooLarge};

/// The greatest common divisor; 0 of two zeros.
pub fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}
