//! Wald's double dichotomy: which of two probabilities is larger (Sequential Analysis, 1947, chapter 6).

/// Which side a comparison is decided for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first probability is larger, or they are about equal.
    First,
    /// The second one is larger.
    Second,
}

/// The comparison of p1 with p2 by pairs of runs. u = p2(1-p1) / (p1(1-p2)) is at most u0 where the first is larger, and at
/// least u1 where the second one is. Between them both answers are right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Where the first is larger.
    pub u0: f64,
    /// Where the second is larger.
    pub u1: f64,
    on_second: f64,
    on_either: f64,
    first: f64,
    second: f64,
    likelihood: f64,
    /// Pairs whose outcomes differ.
    pub unequal: u64,
}

impl Comparison {
    /// Creates a comparison without observations.
    pub fn new(u0: f64, u1: f64, alpha: f64, beta: f64) -> Comparison {
        Comparison {
            u0,
            u1,
            on_second: libm::log(u1 / u0),
            on_either: libm::log((1.0 + u1) / (1.0 + u0)),
            first: libm::log(beta / (1.0 - alpha)),
            second: libm::log((1.0 - beta) / alpha),
            likelihood: 0.0,
            unequal: 0,
        }
    }

    /// Counts a pair of runs, and says what is decided by then. Pairs of equal outcomes say nothing.
    pub fn count(&mut self, first: bool, second: bool) -> Option<Side> {
        if first != second {
            self.unequal += 1;
            self.likelihood -= self.on_either;
            if second {
                self.likelihood += self.on_second;
            }
        }
        if self.likelihood <= self.first {
            Some(Side::First)
        } else if self.likelihood >= self.second {
            Some(Side::Second)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flip(state: &mut u64, p: f64) -> bool {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        ((z >> 11) as f64 / (1u64 << 53) as f64) < p
    }

    fn decide(first: f64, second: f64, seed: u64) -> Side {
        let mut comparison = Comparison::new(0.9, 1.1, 0.05, 0.05);
        let mut state = seed << 32;
        loop {
            let pair = (flip(&mut state, first), flip(&mut state, second));
            if let Some(side) = comparison.count(pair.0, pair.1) {
                return side;
            }
        }
    }

    /// Oracle 31: wrong in 5 of 100 at most.
    #[test]
    fn error_rates() {
        let wrong = (0..1000).filter(|&s| decide(0.3, 0.2, s) == Side::Second).count();
        assert!(wrong <= 50, "{wrong}");
        let wrong = (0..1000).filter(|&s| decide(0.2, 0.3, s) == Side::First).count();
        assert!(wrong <= 50, "{wrong}");
    }
}
