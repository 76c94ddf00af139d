//! Expected values, with Student's intervals.

use crate::beta::inverse;
use crate::proportion::Interval;

/// Values so far, by Welford's update, which loses no digits to cancellation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// Number of values.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// The sum of the squares of their distances from the mean.
    squares: f64,
    /// The least of them; 0 while there is none.
    pub least: f64,
    /// The greatest of them.
    pub greatest: f64,
}

impl Mean {
    /// Counts a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        if self.count == 1 {
            (self.least, self.greatest) = (value, value);
        }
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
        let off = value - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (value - self.mean);
    }

    /// The deviation of the values, over n-1.
    pub fn deviation(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        libm::sqrt(self.squares / (self.count - 1) as f64)
    }

    /// Half the width of the interval for the mean at confidence 1 - `alpha`. `None` where the values say nothing of their
    /// spread: there are fewer than two, or they are all equal.
    pub fn half_width(&self, alpha: f64) -> Option<f64> {
        if self.count < 2 || self.least == self.greatest {
            return None;
        }
        let freedom = (self.count - 1) as f64;
        Some(student(alpha, freedom) * self.deviation() / libm::sqrt(self.count as f64))
    }

    /// The interval for the mean.
    pub fn interval(&self, alpha: f64) -> Option<Interval> {
        let half = self.half_width(alpha)?;
        Some(Interval {
            lo: self.mean - half,
            hi: self.mean + half,
        })
    }
}

/// The quantile of Student's distribution with the probability `alpha` outside ±t.
fn student(alpha: f64, freedom: f64) -> f64 {
    // P(|T| <= t) = I_y(1/2, freedom/2) with y = t²/(freedom + t²).
    let y = inverse(1.0 - alpha, 0.5, 0.5 * freedom);
    libm::sqrt(freedom * y / (1.0 - y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_tables() {
        for (freedom, alpha, t) in [
            (1.0, 0.05, 12.706_204_736_432_095),
            (2.0, 0.05, 4.302_652_729_911_275),
            (9.0, 0.05, 2.262_157_162_740_992),
            (49.0, 0.05, 2.009_575_234_489_209),
            (999.0, 0.05, 1.962_341_461_133_449_7),
            (999.0, 0.001, 3.300_292_440_35),
        ] {
            assert!(
                (student(alpha, freedom) - t).abs() < 1e-8,
                "{freedom}: {}",
                student(alpha, freedom)
            );
        }
    }

    /// A recorded interval: 1000 runs, s = 2.62335, ± 0.162791.
    #[test]
    fn a_recorded_half_width() {
        let half = student(0.05, 999.0) * 2.623_35 / 1000f64.sqrt();
        assert!((half - 0.162_791).abs() < 1e-6, "{half}");
    }

    #[test]
    fn means() {
        let mut mean = Mean::default();
        assert_eq!(mean.half_width(0.05), None);
        for value in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            mean.add(value);
        }
        assert!((mean.mean - 5.0).abs() < 1e-15);
        assert!((mean.deviation() - (32.0f64 / 7.0).sqrt()).abs() < 1e-14);
        assert_eq!((mean.least, mean.greatest), (2.0, 9.0));
        let mut equal = Mean::default();
        (0..5).for_each(|_| equal.add(100.0));
        assert_eq!((equal.mean, equal.half_width(0.05)), (100.0, None));
    }
}
