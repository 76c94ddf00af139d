//! Wald's sequential test of a probability against a threshold (Annals of Mathematical Statistics 16, 1945).

/// Which hypothesis a test accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The probability is at least the threshold.
    AtLeast,
    /// The probability is less than the threshold.
    Less,
}

/// The test of p >= p0 against p <= p1, where p1 < p0 leave a region of indifference between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The upper end of the region of indifference.
    pub p0: f64,
    /// Its lower end.
    pub p1: f64,
    /// The probability to reject what holds.
    pub alpha: f64,
    /// The probability to accept what does not.
    pub beta: f64,
    on_true: f64,
    on_false: f64,
    accepts: f64,
    rejects: f64,
    likelihood: f64,
}

/// Probabilities are kept this far from 0 and 1, so that each has a logarithm.
const EDGE: f64 = 1e-12;

impl Sprt {
    /// The test whether a probability is at least `threshold`.
    pub fn new(threshold: f64, lower_delta: f64, upper_delta: f64, alpha: f64, beta: f64) -> Sprt {
        let p0 = (threshold + upper_delta).clamp(EDGE, 1.0 - EDGE);
        let p1 = (threshold - lower_delta).clamp(EDGE, 1.0 - EDGE);
        Sprt {
            p0,
            p1,
            alpha,
            beta,
            on_true: libm::log(p1 / p0),
            on_false: libm::log((1.0 - p1) / (1.0 - p0)),
            accepts: libm::log(beta / (1.0 - alpha)),
            rejects: libm::log((1.0 - beta) / alpha),
            likelihood: 0.0,
        }
    }

    /// Counts a run, and says what is decided by then.
    pub fn count(&mut self, truth: bool) -> Option<Decision> {
        self.likelihood += if truth { self.on_true } else { self.on_false };
        if self.likelihood <= self.accepts {
            Some(Decision::AtLeast)
        } else if self.likelihood >= self.rejects {
            Some(Decision::Less)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plain generator for tests (SplitMix64).
    pub(crate) struct Coin(pub(crate) u64);

    impl Coin {
        pub(crate) fn flip(&mut self, p: f64) -> bool {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^= z >> 31;
            ((z >> 11) as f64 / (1u64 << 53) as f64) < p
        }
    }

    fn decide(p: f64, threshold: f64, seed: u64) -> Decision {
        let mut test = Sprt::new(threshold, 0.01, 0.01, 0.05, 0.05);
        let mut coin = Coin(seed << 32);
        loop {
            if let Some(decision) = test.count(coin.flip(p)) {
                return decision;
            }
        }
    }

    /// Oracle 31: wrong in 5 of 100 at most.
    #[test]
    fn error_rates() {
        let wrong = |threshold, right| (0..1000).filter(|&s| decide(0.3, threshold, s) != right).count();
        assert!(wrong(0.2, Decision::AtLeast) <= 50);
        assert!(wrong(0.4, Decision::Less) <= 50);
        // At the edge of the region of indifference, where the rates are what was asked for.
        let edge = wrong(0.29, Decision::AtLeast);
        assert!((20..=60).contains(&edge), "{edge}");
        let edge = wrong(0.31, Decision::Less);
        assert!((20..=60).contains(&edge), "{edge}");
    }

    #[test]
    fn thresholds_at_the_ends_are_clipped() {
        let mut certain = Sprt::new(1.0, 0.01, 0.01, 0.05, 0.05);
        // One run to the contrary decides.
        assert_eq!(certain.count(false), Some(Decision::Less));
        let mut certain = Sprt::new(1.0, 0.01, 0.01, 0.05, 0.05);
        assert_eq!(
            (0..1000).find_map(|_| certain.count(true)),
            Some(Decision::AtLeast)
        );
    }
}
