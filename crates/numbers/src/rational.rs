//! Exact fractions. Results that do not fit are reported, never rounded.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A fraction in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i128,
    /// Positive.
    denominator: i128,
}

/// A fraction whose parts are beyond 127 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("time value too large")
    }
}

impl std::error::Error for TooLarge {}

impl Rational {
    /// 0
    pub const ZERO: Rational = Rational {
        numerator: 0,
        denominator: 1,
    };

    /// 1
    pub const ONE: Rational = Rational {
        numerator: 1,
        denominator: 1,
    };

    /// `numerator / denominator`.
    ///
    /// # Errors
    /// [`TooLarge`] for a denominator of 0 too.
    pub fn new(numerator: i128, denominator: i128) -> Result<Self, TooLarge> {
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return Err(TooLarge);
        }
        if denominator == 1 {
            return Ok(Rational {
                numerator,
                denominator,
            });
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128;
        let sign = denominator.signum();
        Ok(Rational {
            numerator: sign * numerator / divisor,
            denominator: sign * denominator / divisor,
        })
    }

    /// The part above the line.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The part below the line; positive.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// -1, 0 or 1.
    pub fn signum(self) -> i32 {
        self.numerator.signum() as i32
    }

    /// The largest integer that is not larger.
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// The sum.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn plus(self, other: Rational) -> Result<Self, TooLarge> {
        if self.denominator == other.denominator {
            let sum = self.numerator.checked_add(other.numerator).ok_or(TooLarge)?;
            return Rational::new(sum, self.denominator);
        }
        if self.denominator == 1 || other.denominator == 1 {
            let (whole, part) = if self.denominator == 1 {
                (self.numerator, other)
            } else {
                (other.numerator, self)
            };
            let whole = whole.checked_mul(part.denominator).ok_or(TooLarge)?;
            // A divisor of the new numerator and the denominator would be one of the old numerator, too.
            return Ok(Rational {
                numerator: part
                    .numerator
                    .checked_add(whole)
                    .filter(|&n| n != i128::MIN)
                    .ok_or(TooLarge)?,
                denominator: part.denominator,
            });
        }
        let left = self.numerator.checked_mul(other.denominator).ok_or(TooLarge)?;
        let right = other.numerator.checked_mul(self.denominator).ok_or(TooLarge)?;
        let denominator = self.denominator.checked_mul(other.denominator).ok_or(TooLarge)?;
        Rational::new(left.checked_add(right).ok_or(TooLarge)?, denominator)
    }

    /// The difference.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn minus(self, other: Rational) -> Result<Self, TooLarge> {
        self.plus(other.negated())
    }

    /// The product.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn times(self, other: Rational) -> Result<Self, TooLarge> {
        let numerator = self.numerator.checked_mul(other.numerator).ok_or(TooLarge)?;
        let denominator = self.denominator.checked_mul(other.denominator).ok_or(TooLarge)?;
        Rational::new(numerator, denominator)
    }

    /// The quotient.
    ///
    /// # Errors
    /// When it does not fit, or when `other` is 0.
    pub fn over(self, other: Rational) -> Result<Self, TooLarge> {
        let numerator = self.numerator.checked_mul(other.denominator).ok_or(TooLarge)?;
        let denominator = self.denominator.checked_mul(other.numerator).ok_or(TooLarge)?;
        Rational::new(numerator, denominator)
    }

    /// With the opposite sign. `new` keeps the one integer out that has no opposite.
    #[must_use]
    pub fn negated(self) -> Self {
        Rational {
            numerator: -self.numerator,
            denominator: self.denominator,
        }
    }
}

impl From<i32> for Rational {
    fn from(i: i32) -> Self {
        Rational {
            numerator: i128::from(i),
            denominator: 1,
        }
    }
}

impl From<i64> for Rational {
    fn from(i: i64) -> Self {
        Rational {
            numerator: i128::from(i),
            denominator: 1,
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    /// Where products could overflow, compares whole parts first, then the reciprocals of what is left, the other way
    /// round.
    fn cmp(&self, other: &Self) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        let fits = |i: i128| i64::try_from(i).is_ok();
        if [self, other]
            .iter()
            .all(|r| fits(r.numerator) && fits(r.denominator))
        {
            return (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator));
        }
        let (mut a, mut b) = (
            (self.numerator, self.denominator),
            (other.numerator, other.denominator),
        );
        let mut reversed = false;
        loop {
            let whole = a.0.div_euclid(a.1).cmp(&b.0.div_euclid(b.1));
            let (rest_a, rest_b) = (a.0.rem_euclid(a.1), b.0.rem_euclid(b.1));
            let order = match (whole, rest_a, rest_b) {
                (Ordering::Equal, 0, 0) => Ordering::Equal,
                (Ordering::Equal, 0, _) => Ordering::Less,
                (Ordering::Equal, _, 0) => Ordering::Greater,
                (Ordering::Equal, ..) => {
                    (a, b) = ((a.1, rest_a), (b.1, rest_b));
                    reversed = !reversed;
                    continue;
                }
                (order, ..) => order,
            };
            return if reversed { order.reverse() } else { order };
        }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Through `pad`, so that a width in the format string works.
        if self.denominator == 1 {
            f.pad(&self.numerator.to_string())
        } else {
            f.pad(&format!("{}/{}", self.numerator, self.denominator))
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotANumber;

impl fmt::Display for NotANumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a number such as 3, 7/2 or 1.25")
    }
}

impl std::error::Error for NotANumber {}

impl FromStr for Rational {
    type Err = NotANumber;

    /// Reads `3`, `-7/2`, `1.25`.
    fn from_str(text: &str) -> Result<Self, NotANumber> {
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        let (negative, magnitude) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (numerator, denominator) = if let Some((above, below)) = magnitude.split_once('/') {
            if !digits(above) || !digits(below) {
                return Err(NotANumber);
            }
            (above.parse(), below.parse())
        } else {
            let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
            if !digits(whole) || !(fraction.is_empty() || digits(fraction)) || fraction.len() > 30 {
                return Err(NotANumber);
            }
            (
                format!("{whole}{fraction}").parse(),
                Ok(10i128.pow(fraction.len() as u32)),
            )
        };
        let (Ok(numerator), Ok(denominator)) = (numerator, denominator) else {
            return Err(NotANumber);
        };
        let value = Rational::new(numerator, denominator).map_err(|_| NotANumber)?;
        Ok(if negative { value.negated() } else { value })
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        // Division of 64 bits is many times faster, and nearly all numbers are that small.
        if let (Ok(mut x), Ok(mut y)) = (u64::try_from(a), u64::try_from(b)) {
            while y != 0 {
                (x, y) = (y, x % y);
            }
            return u128::from(x);
        }
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn arithmetic_is_exact() {
        assert_eq!(r("1/3").plus(r("1/6")), Ok(r("1/2")));
        assert_eq!(r("1/3").minus(r("1/3")), Ok(Rational::ZERO));
        assert_eq!(r("2/3").times(r("-3/4")), Ok(r("-1/2")));
        assert_eq!(r("2/3").over(r("-4/3")), Ok(r("-1/2")));
        assert_eq!(r("1").over(Rational::ZERO), Err(TooLarge));
        assert_eq!(r("6/4").to_string(), "3/2");
        assert_eq!(r("-7/2").floor(), -4);
        assert_eq!(r("1.25"), r("5/4"));
        assert_eq!(r("5/4").plus(r("-2")), Ok(r("-3/4")));
        assert_eq!(r("3").plus(r("1/2")), Ok(r("7/2")));
        assert_eq!(Rational::new(3, -6), Ok(r("-1/2")));
    }

    #[test]
    fn order_does_not_overflow() {
        assert!(r("1/3") < r("1/2"));
        assert!(r("-1/2") < r("-1/3"));
        assert!(r("7/3") > r("2"));
        let largest = Rational::from(i64::MAX);
        assert!(largest.over(r("3")).unwrap() < largest.over(r("2")).unwrap());
        assert!(largest.plus(r("1/2")).unwrap() > largest.plus(r("1/3")).unwrap());
        let big = i128::MAX;
        let (a, b) = (
            Rational::new(big, big - 1).unwrap(),
            Rational::new(big - 1, big - 2).unwrap(),
        );
        assert!(a < b);
        assert_eq!(a.plus(b), Err(TooLarge));
    }

    #[test]
    fn bad_numbers_are_refused() {
        for text in ["", "x", "1/0", "1/", "/2", ".5", "--1", "1e3", "1/-2", " 1"] {
            assert_eq!(text.parse::<Rational>(), Err(NotANumber), "{text}");
        }
    }
}
