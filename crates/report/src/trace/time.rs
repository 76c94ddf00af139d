//! The numbers of traces.

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;
use zonewalk_numbers::Rational;

/// A number as reports write it: an integer or a fraction in lowest terms, or a double where a run is computed in doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(Number);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Exact(Rational),
    /// The bits of a double.
    Double(u64),
}

impl Time {
    /// Time zero.
    pub const ZERO: Time = Time(Number::Exact(Rational::ZERO));

    /// The fraction in lowest terms; `None` when the denominator is 0.
    pub fn new(numerator: i128, denominator: i128) -> Option<Time> {
        Rational::new(numerator, denominator).ok().map(Time::from)
    }

    /// A double.
    pub fn double(value: f64) -> Time {
        // `-0.0` is 0.
        let value = if value == 0.0 { 0.0 } else { value };
        Time(Number::Double(value.to_bits()))
    }

    /// As a double.
    pub fn to_f64(self) -> f64 {
        match self.0 {
            Number::Exact(value) => value.numerator() as f64 / value.denominator() as f64,
            Number::Double(bits) => f64::from_bits(bits),
        }
    }

    /// The part above the line; of a double what is left of the point.
    pub fn numerator(self) -> i128 {
        match self.0 {
            Number::Exact(value) => value.numerator(),
            Number::Double(bits) => f64::from_bits(bits) as i128,
        }
    }

    /// The part below the line; positive.
    pub fn denominator(self) -> i128 {
        match self.0 {
            Number::Exact(value) => value.denominator(),
            Number::Double(_) => 1,
        }
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.to_f64() == 0.0
    }

    /// The sum; `None` where it does not fit.
    pub fn plus(self, other: Time) -> Option<Time> {
        match (self.0, other.0) {
            (Number::Exact(a), Number::Exact(b)) => a.plus(b).ok().map(Time::from),
            _ => Some(Time::double(self.to_f64() + other.to_f64())),
        }
    }

    /// Whether it is less than another one.
    pub fn is_less_than(self, other: Time) -> bool {
        match (self.0, other.0) {
            (Number::Exact(a), Number::Exact(b)) => a < b,
            _ => self.to_f64() < other.to_f64(),
        }
    }
}

impl From<Rational> for Time {
    fn from(value: Rational) -> Self {
        Time(Number::Exact(value))
    }
}

impl From<i32> for Time {
    fn from(value: i32) -> Self {
        Time::from(Rational::from(value))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Number::Exact(value) => fmt::Display::fmt(&value, f),
            // Through `pad`, so that a width in the format string works.
            Number::Double(bits) => f.pad(&f64::from_bits(bits).to_string()),
        }
    }
}

impl Serialize for Time {
    /// An integer as a number, a fraction as a string: a floating-point number would not be exact. Doubles are numbers.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Number::Double(bits) = self.0 {
            return serializer.serialize_f64(f64::from_bits(bits));
        }
        match i64::try_from(self.numerator()) {
            Ok(integer) if self.denominator() == 1 => serializer.serialize_i64(integer),
            _ => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Time {
    /// Reads the form written by [`Serialize`]: an integer, or a text such as `7/2`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;

        impl Visitor<'_> for Written {
            type Value = Time;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer or a fraction such as \"7/2\"")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Time, E> {
                Ok(Time::from(Rational::from(value)))
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

        deserializer.deserialize_any(Written)
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

    #[test]
    fn doubles() {
        let double = Time::double(0.1).plus(Time::from(1)).unwrap();
        assert_eq!(
            (double, double.to_string()),
            (Time::double(1.1), "1.1".to_owned())
        );
        // Trace files that are read have exact times.
        assert!(serde_json::from_str::<Time>("2.5").is_err());
        assert_eq!(serde_json::to_string(&Time::double(2.5)).unwrap(), "2.5");
        assert!(Time::double(-0.0).is_zero() && Time::double(0.5).is_less_than(1.into()));
    }
}
