//! The distributions of `random…()`.
//!
//! Methods are the textbook ones (Devroye, Non-Uniform Random Variate Generation, 1986), over functions that have the same last
//! digit on every machine.

use crate::code::Distribution;
use libm::{cos, exp, lgamma, log, pow, sin, sqrt};
use std::f64::consts::PI;
use zonewalk_numbers::Random;

/// Draws a number.
///
/// # Errors
/// An error in the parameters.
pub(crate) fn draw(distribution: Distribution, args: &[f64], random: &mut Random) -> Result<f64, String> {
    let arg = |i: usize| args.get(i).copied().unwrap_or(f64::NAN);
    if let Some(bad) = args.iter().find(|a| !a.is_finite()) {
        return Err(format!("a distribution with the parameter {bad}"));
    }
    let positive = |i: usize, what: &str| match arg(i) {
        x if x > 0.0 => Ok(x),
        x => Err(format!("a distribution whose {what} is {x}, not positive")),
    };
    Ok(match distribution {
        Distribution::Uniform => arg(0) * random.unit(),
        Distribution::Arcsine => {
            let s = sin(PI / 2.0 * random.unit());
            arg(0) + (arg(1) - arg(0)) * s * s
        }
        Distribution::Beta => {
            let (a, b) = (positive(0, "first shape")?, positive(1, "second shape")?);
            let x = gamma(a, random);
            x / (x + gamma(b, random))
        }
        Distribution::Gamma => positive(1, "scale")? * gamma(positive(0, "shape")?, random),
        Distribution::Normal => match arg(1) {
            sd if sd >= 0.0 => arg(0) + sd * normal(random),
            sd => return Err(format!("a normal distribution with the standard deviation {sd}")),
        },
        Distribution::Poisson => match arg(0) {
            mean if mean >= 0.0 => poisson(mean, random),
            mean => return Err(format!("a Poisson distribution with the mean {mean}")),
        },
        Distribution::Triangular => {
            let (from, mode, till) = (arg(0), arg(1), arg(2));
            if !(from <= mode && mode <= till) {
                return Err(format!(
                    "a triangular distribution from {from} to {till} with the mode {mode}"
                ));
            }
            triangular(from, mode, till, random.unit())
        }
        Distribution::Weibull => {
            let (shape, scale) = (positive(0, "shape")?, positive(1, "scale")?);
            scale * pow(-log(random.open_unit()), 1.0 / shape)
        }
    })
}

fn triangular(from: f64, mode: f64, till: f64, u: f64) -> f64 {
    let width = till - from;
    if width == 0.0 {
        from
    } else if u * width < mode - from {
        from + sqrt(u * width * (mode - from))
    } else {
        till - sqrt((1.0 - u) * width * (till - mode))
    }
}

/// Box and Muller; the second number of the pair is not kept, so that no draw depends on the one before.
fn normal(random: &mut Random) -> f64 {
    let radius = sqrt(-2.0 * log(random.open_unit()));
    radius * cos(2.0 * PI * random.unit())
}

/// Marsaglia and Tsang, ACM TOMS 26 (2000); shapes below 1 by a power of a uniform number.
fn gamma(shape: f64, random: &mut Random) -> f64 {
    if shape < 1.0 {
        let boost = pow(random.open_unit(), 1.0 / shape);
        return gamma(shape + 1.0, random) * boost;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / sqrt(9.0 * d);
    loop {
        let x = normal(random);
        let v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        let v = v * v * v;
        if log(random.open_unit()) < 0.5 * x * x + d - d * v + d * log(v) {
            return d * v;
        }
    }
}

/// Products of uniform numbers for small means; Atkinson's rejection (1979) for large ones.
fn poisson(mean: f64, random: &mut Random) -> f64 {
    if mean < 30.0 {
        let end = exp(-mean);
        let (mut product, mut count) = (random.open_unit(), 0.0);
        while product > end {
            product *= random.open_unit();
            count += 1.0;
        }
        return count;
    }
    let c = 0.767 - 3.36 / mean;
    let beta = PI / sqrt(3.0 * mean);
    let alpha = beta * mean;
    let k = log(c) - mean - log(beta);
    loop {
        let u = random.open_unit();
        let x = (alpha - log((1.0 - u) / u)) / beta;
        let n = libm::floor(x + 0.5);
        if n < 0.0 {
            continue;
        }
        let v = random.open_unit();
        let y = alpha - beta * x;
        let t = 1.0 + exp(y);
        if y + log(v / (t * t)) <= k + n * log(mean) - lgamma(n + 1.0) {
            return n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: u32 = 100_000;

    /// Asserts that draws are at most `limit` with a probability, within 4.5 standard errors.
    fn check(distribution: Distribution, args: &[f64], limit: f64, exact: f64) {
        let mut random = Random::for_walk(17, 4);
        let hits = (0..N).filter(|_| draw(distribution, args, &mut random).unwrap() <= limit);
        let share = hits.count() as f64 / f64::from(N);
        let error = sqrt(exact * (1.0 - exact) / f64::from(N));
        assert!(
            (share - exact).abs() < 4.5 * error,
            "{distribution:?} {args:?}: {share} instead of {exact}"
        );
    }

    /// Oracles 28 and 29, and the middle of the other distributions.
    #[test]
    fn draws_follow_their_distributions() {
        check(Distribution::Normal, &[0.0, 1.0], 1.0, 0.841_344_746_1);
        check(Distribution::Poisson, &[3.0], 0.0, 0.049_787_068_4);
        check(Distribution::Weibull, &[2.0, 1.0], 1.0, 0.632_120_558_8);
        check(Distribution::Gamma, &[2.0, 1.0], 2.0, 0.593_994_150_3);
        check(Distribution::Beta, &[2.0, 2.0], 0.25, 5.0 / 32.0);
        check(Distribution::Triangular, &[0.0, 1.0, 2.0], 0.5, 1.0 / 8.0);
        check(Distribution::Arcsine, &[0.0, 1.0], 0.25, 1.0 / 3.0);
        check(Distribution::Uniform, &[10.0], 4.0, 0.4);
        // A gamma distribution of shape 1/2 is half the square of a normal one: P(X <= 1/2) = P(|Z| <= 1).
        check(Distribution::Gamma, &[0.5, 1.0], 0.5, 0.682_689_492_1);
        // Poisson, mean 100: P(X <= 100), by summing the density.
        check(Distribution::Poisson, &[100.0], 100.0, 0.526_562_198_5);
    }

    #[test]
    fn parameters_that_cannot_be_are_refused() {
        let mut random = Random::for_walk(0, 0);
        let mut bad = |d, args: &[f64]| assert!(draw(d, args, &mut random).is_err(), "{d:?} {args:?}");
        bad(Distribution::Normal, &[0.0, -1.0]);
        bad(Distribution::Gamma, &[0.0, 1.0]);
        bad(Distribution::Poisson, &[-1.0]);
        bad(Distribution::Triangular, &[0.0, 3.0, 2.0]);
        bad(Distribution::Uniform, &[f64::NAN]);
    }
}
