//! The regularised incomplete beta function and its inverse.

/// I_x(a, b): the distribution function of the beta distribution. Requires: `a > 0`, `b > 0`.
///
/// By the continued fraction of Abramowitz and Stegun 26.5.8, evaluated by Lentz's method. It converges fast on the side of
/// the mean that the symmetry I_x(a, b) = 1 - I_{1-x}(b, a) chooses.
pub(crate) fn regularised(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let ln_front =
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x);
    let front = libm::exp(ln_front);
    if x < (a + 1.0) / (a + b + 2.0) {
        front * continued_fraction(x, a, b) / a
    } else {
        1.0 - front * continued_fraction(1.0 - x, b, a) / b
    }
}

fn continued_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const ENOUGH: f64 = 1e-16;
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut product = d;
    // It needs about the square root of the larger parameter.
    for m in 1..100_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        product *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        let factor = d * c;
        product *= factor;
        if (factor - 1.0).abs() < ENOUGH {
            break;
        }
    }
    product
}

/// The x with I_x(a, b) = p, by halving: slow, certain, and the same everywhere. Requires: `0 <= p <= 1`.
pub(crate) fn inverse(p: f64, a: f64, b: f64) -> f64 {
    if p <= 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return 1.0;
    }
    let (mut lo, mut hi) = (0.0, 1.0);
    loop {
        let middle: f64 = 0.5 * (lo + hi);
        if middle <= lo || middle >= hi {
            return middle;
        }
        if regularised(middle, a, b) < p {
            lo = middle;
        } else {
            hi = middle;
        }
        if hi - lo <= 1e-16 * hi {
            return 0.5 * (lo + hi);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_binomial_sum_for_whole_numbers() {
        // I_x(k, n-k+1) = P(at least k of n).
        for (n, k, x) in [(5u32, 2u32, 0.3f64), (12, 12, 0.9), (20, 1, 0.01), (30, 17, 0.5)] {
            let mut sum = 0.0;
            let mut term = (1.0 - x).powi(n as i32);
            for i in 0..=n {
                if i >= k {
                    sum += term;
                }
                term *= f64::from(n - i) / f64::from(i + 1) * x / (1.0 - x);
            }
            let value = regularised(x, f64::from(k), f64::from(n - k + 1));
            assert!((value - sum).abs() < 1e-12, "{n} {k} {x}: {value} {sum}");
        }
    }

    #[test]
    fn closed_forms() {
        // I_x(1, b) = 1-(1-x)^b, I_x(a, 1) = x^a, I_x(1/2, 1/2) = 2/π·asin √x.
        assert!((regularised(0.2, 1.0, 7.0) - (1.0 - 0.8f64.powi(7))).abs() < 1e-14);
        assert!((regularised(0.2, 3.0, 1.0) - 0.008).abs() < 1e-15);
        let arcsine = 2.0 / std::f64::consts::PI * 0.3f64.sqrt().asin();
        assert!((regularised(0.3, 0.5, 0.5) - arcsine).abs() < 1e-14);
    }

    #[test]
    fn the_inverse_inverts() {
        for (a, b) in [
            (1.0, 72.0),
            (6.0, 130.0),
            (0.5, 499.5),
            (50_000.0, 50_001.0),
            (3.0, 1e6),
        ] {
            for p in [1e-6, 0.025, 0.5, 0.975] {
                let x = inverse(p, a, b);
                assert!(
                    (regularised(x, a, b) - p).abs() < 1e-9 * (1.0 + p),
                    "{a} {b} {p}: {x}"
                );
            }
        }
    }
}
