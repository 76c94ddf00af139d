//! Fractions as people read them.
//!
//! Runs have exact times, and the time of a random walk is a fraction such as `7604901/1048576`. Text for people has `≈7.2525` instead;
//! JSON and trace files have the fraction.

use std::borrow::Cow;

/// Fractions up to this denominator are read as they are.
const READABLE: i128 = 1000;
/// Decimals that are always enough.
const DECIMALS: usize = 4;
/// Digits kept of a number less than 1, not counting leading zeros.
const SIGNIFICANT: usize = 3;
/// Decimals at most, for what is next to an integer.
const MOST: usize = 18;

/// A text with decimals in place of unreadable fractions. They are rounded towards zero, and never to an integer: a value
/// close to a bound is not shown as the bound.
pub fn readable(text: &str) -> Cow<'_, str> {
    if !text.contains('/') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let is_digit = |c: char| c.is_ascii_digit();
        let start = rest[..at].trim_end_matches(is_digit).len();
        let below = &rest[at + 1..];
        let end = at + 1 + (below.len() - below.trim_start_matches(is_digit).len());
        let parts = (rest[start..at].parse().ok()).zip(rest[at + 1..end].parse().ok());
        match parts {
            Some((above, below)) if below > READABLE => {
                let (before, sign) = match rest[..start].strip_suffix('-') {
                    Some(before) => (before, "-"),
                    None => (&rest[..start], ""),
                };
                shown.push_str(&format!("{before}≈{sign}{}", decimal(above, below)));
            }
            _ => shown.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// A fraction in lowest terms that is not an integer, as a decimal that is not one either. Requires: `below` is positive, and `above` is
/// not negative.
fn decimal(above: i128, below: i128) -> String {
    let mut digits = String::new();
    let mut left = above % below;
    let needed = if above < below { SIGNIFICANT } else { 1 };
    let is_enough = |digits: &str| digits.len() >= DECIMALS && digits.trim_start_matches('0').len() >= needed;
    while !is_enough(&digits) && digits.len() < MOST {
        let Some(tenfold) = left.checked_mul(10) else {
            break;
        };
        digits.push_str(&(tenfold / below).to_string());
        left = tenfold % below;
    }
    format!("{}.{}", above / below, digits.trim_end_matches('0'))
        .trim_end_matches('.')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_that_nobody_can_read_become_decimals() {
        let pairs = [
            ("7604901/1048576", "≈7.2525"),
            ("-1/1048576", "≈-0.000000953"),
            ("5242881/1048576", "≈5.0000009"),
            ("5242879/1048576", "≈4.9999"),
            ("7/2, 999/1000 and 1/1001", "7/2, 999/1000 and ≈0.000999"),
            ("[0, 9/1024), (-2049/1024, 5]", "[0, ≈0.00878), (≈-2.0009, 5]"),
            ("c[1] / 2000, a/b, 3/, /4096", "c[1] / 2000, a/b, 3/, /4096"),
            (
                "170141183460469231731687303715884105727/2048",
                "≈83076749736557242056487941267521535.9995",
            ),
            (
                "1/99999999999999999999999999999999999999999",
                "1/99999999999999999999999999999999999999999",
            ),
        ];
        for (exact, shown) in pairs {
            assert_eq!(readable(exact), shown);
        }
    }
}
