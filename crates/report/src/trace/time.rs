//! Exact numbers.

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;
use zonewalk_numbers::Rational;

/// An exact number as reports write it: an integer, or a fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(Rational);

impl Time {
    /// Nothing.
    pub const ZERO: Time = Time(Rational::ZERO);

    /// The fraction in lowest terms; `None` when the denominator is 0.
    pub fn new(numerator: i128, denominator: i128) -> Option<Time> {
        Rational::new(numerator, denominator).ok().map(Time)
    }

    /// The part above the line.
    pub fn numerator(self) -> i128 {
        self.0.numerator()
    }

    /// The part below the line; positive.
    pub fn denominator(self) -> i128 {
        self.0.denominator()
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.0 == Rational::ZERO
    }

    /// The sum; `None` where it does not fit.
    pub fn plus(self, other: Time) -> Option<Time> {
        self.0.plus(other.0).ok().map(Time)
    }

    /// Whether it is less than another one.
    pub fn is_less_than(self, other: Time) -> bool {
        self.0 < other.0
    }
}

impl From<Rational> for Time {
    fn from(value: Rational) -> Self {
        Time(value)
    }
}

impl From<i32> for Time {
    fn from(value: i32) -> Self {
        Time(value.into())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Serialize for Time {
    /// An integer as a number, anything else as a string: a floating-point number would not be exact.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.numerator()) {
            Ok(integer) if self.denominator() == 1 => serializer.serialize_i64(integer),
            _ => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Time {
    /// What [`Serialize`] writes: an integer, or a text such as `7/2`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = Time;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer or a fraction such as \"7/2\"")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Time, E> {
                Ok(Time(value.into()))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Time, E> {
                Time::new(value.into(), 1).ok_or_else(|| E::custom("a number too large"))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Time, E> {
                let (above, below) = text.split_once('/').unwrap_or((text, "1"));
                let parts = above.trim().parse().ok().zip(below.trim().parse().ok());
                let time = parts.and_then(|(above, below)| Time::new(above, below));
                time.ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(Number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_terms_and_json() {
        let text = |n, d| serde_json::to_string(&Time::new(n, d).unwrap()).unwrap();
        assert_eq!(text(6, 4), "\"3/2\"");
        assert_eq!(text(-6, 3), "-2");
        assert_eq!(text(6, -4), "\"-3/2\"");
        assert_eq!(text(0, 7), "0");
        assert_eq!(text(i128::MAX, 1), format!("\"{}\"", i128::MAX));
        assert_eq!(Time::new(1, 0), None);
        assert_eq!(Time::new(i128::MIN, i128::MIN), None);
        assert_eq!(format!("{:>5}", Time::new(1, 2).unwrap()), "  1/2");
    }
}
