//! Numbers for people.

/// Six significant digits, as C++ streams write them: `0.950056`, `1e-05`, `100`.
pub fn six(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 {
            "0".to_owned()
        } else {
            value.to_string()
        };
    }
    // In this form the exponent is that of the rounded number.
    let scientific = format!("{value:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(digits), exponent.abs());
    }
    let decimals = (5 - exponent).max(0) as usize;
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

/// Without zeros at the end.
fn trimmed(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

/// A confidence in percent: `95%`.
pub fn percent(confidence: f64) -> String {
    format!("{}%", six(100.0 * confidence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits() {
        for (value, text) in [
            (0.950_056_3, "0.950056"),
            (0.049_944_1, "0.0499441"),
            (1.0, "1"),
            (100.0, "100"),
            (10.58, "10.58"),
            (123_456.7, "123457"),
            (1_234_567.0, "1.23457e+06"),
            (0.000_012, "1.2e-05"),
            (-2.5, "-2.5"),
            (0.999_999_9, "1"),
            (999_999.9, "1e+06"),
        ] {
            assert_eq!(six(value), text);
        }
        assert_eq!(
            (percent(0.95), percent(0.999)),
            ("95%".to_owned(), "99.9%".to_owned())
        );
    }
}
