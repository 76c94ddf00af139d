//! Estimates that model files record.

use super::Estimate;

/// The interval of a recorded value: `0.0553542 ± 0.0388717 (95% CI)`, `≥ 0.950056 (95% CI)`, `≤ 0.0499441 (95% CI)`, `≈ 100`.
/// `None` for what is no such value.
pub fn recorded(text: &str) -> Option<[f64; 2]> {
    let text = text.split(" (").next()?.trim();
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    if let Some(lo) = text.strip_prefix('≥') {
        return Some([number(lo)?, f64::INFINITY]);
    }
    if let Some(hi) = text.strip_prefix('≤') {
        return Some([f64::NEG_INFINITY, number(hi)?]);
    }
    if let Some(value) = text.strip_prefix('≈') {
        let value = number(value)?;
        return Some([value, value]);
    }
    let (middle, half) = text.split_once('±')?;
    let (middle, half) = (number(middle)?, number(half)?);
    Some([middle - half, middle + half])
}

/// Whether an estimate agrees with a recorded one: an interval of 99.9 % meets the recorded interval. `None` where there is
/// nothing to compare.
pub fn agrees(estimate: &Estimate, text: &str) -> Option<bool> {
    let ([lo, hi], [from, to]) = (estimate.wide?, recorded(text)?);
    // Printed numbers have six digits.
    let slack = 1e-5 * (lo.abs().max(hi.abs()));
    Some(lo - slack <= to && from <= hi + slack)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_recorded_values() {
        let near = |text: &str, lo: f64, hi: f64| {
            let [a, b] = recorded(text).expect("it is a value");
            (a == lo || (a - lo).abs() < 1e-9) && (b == hi || (b - hi).abs() < 1e-9)
        };
        assert!(near("0.0553542 ± 0.0388717 (95% CI)", 0.016_482_5, 0.094_225_9));
        assert!(near("≥ 0.950056 (95% CI)", 0.950_056, f64::INFINITY));
        assert!(near("≤ 0.0499441 (95% CI)", f64::NEG_INFINITY, 0.049_944_1));
        assert!(near("≈ 100", 100.0, 100.0));
        assert_eq!(recorded("success"), None);
    }
}
