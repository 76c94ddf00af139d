//! Intervals for a probability, after Clopper and Pearson (Biometrika 26, 1934).

use crate::beta::{inverse, regularised};

/// Outcomes of runs, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Runs.
    pub runs: u64,
    /// Number of runs that satisfy the formula.
    pub satisfied: u64,
    /// Number of runs whose verdict is unknown.
    pub undecided: u64,
}

impl Tally {
    /// Counts a run.
    pub fn count(&mut self, truth: Option<bool>) {
        self.runs += 1;
        match truth {
            Some(true) => self.satisfied += 1,
            Some(false) => {}
            None => self.undecided += 1,
        }
    }

    /// The share of satisfied runs; what is undecided counts as not satisfied.
    pub fn share(&self) -> f64 {
        self.satisfied as f64 / self.runs.max(1) as f64
    }

    /// The interval at a level of confidence of 1 - `alpha`. Undecided runs widen it: its lower end takes all of them for not
    /// satisfied, its upper end for satisfied.
    pub fn interval(&self, alpha: f64) -> Interval {
        Interval {
            lo: lower(self.satisfied, self.runs, alpha / 2.0),
            hi: upper(self.satisfied + self.undecided, self.runs, alpha / 2.0),
        }
    }
}

/// A closed interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub lo: f64,
    /// Its upper end.
    pub hi: f64,
}

impl Interval {
    /// Whether a number is in it.
    pub fn contains(&self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Whether they have a number in common.
    pub fn meets(&self, other: &Interval) -> bool {
        self.lo <= other.hi && other.lo <= self.hi
    }

    /// Half of its width.
    pub fn half_width(&self) -> f64 {
        0.5 * (self.hi - self.lo)
    }

    /// Its middle.
    pub fn middle(&self) -> f64 {
        0.5 * (self.hi + self.lo)
    }
}

/// The lower end for `k` of `n`, below which the truth is with probability `tail` at most.
pub fn lower(k: u64, n: u64, tail: f64) -> f64 {
    if k == 0 || n == 0 {
        return 0.0;
    }
    inverse(tail, k as f64, (n - k + 1) as f64)
}

/// The upper end.
pub fn upper(k: u64, n: u64, tail: f64) -> f64 {
    if k >= n {
        return 1.0;
    }
    inverse(1.0 - tail, (k + 1) as f64, (n - k) as f64)
}

/// Whether the interval for `k` of `n` ends no farther than `epsilon` from k/n on both sides. Two values of the distribution
/// function say so, without an inverse.
pub(crate) fn is_within(k: u64, n: u64, tail: f64, epsilon: f64) -> bool {
    let share = k as f64 / n as f64;
    let below = share - epsilon;
    let above = share + epsilon;
    let is_low = k == 0 || below <= 0.0 || regularised(below, k as f64, (n - k + 1) as f64) <= tail;
    // k of n at most has the probability 1 - I(k+1, n-k).
    let is_high = k >= n || above >= 1.0 || 1.0 - regularised(above, (k + 1) as f64, (n - k) as f64) <= tail;
    is_low && is_high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(satisfied: u64, runs: u64) -> Interval {
        let tally = Tally {
            runs,
            satisfied,
            undecided: 0,
        };
        tally.interval(0.05)
    }

    fn is_near(value: f64, printed: f64) -> bool {
        (value - printed).abs() <= 0.5e-6
    }

    /// Oracle 30: intervals that UPPAAL has recorded.
    #[test]
    fn recorded_intervals() {
        assert!(is_near(interval(72, 72).lo, 0.950_056) && interval(72, 72).hi == 1.0);
        assert!(is_near(interval(0, 72).hi, 0.049_944_1) && interval(0, 72).lo == 0.0);
        let six = interval(6, 135);
        assert!(
            is_near(six.lo, 0.016_482_5) && is_near(six.hi, 0.094_225_9),
            "{six:?}"
        );
        let nine = interval(9, 153);
        assert!(is_near(nine.middle(), 0.067_987_2) && is_near(nine.half_width(), 0.040_739_5));
        let most = interval(63, 100);
        assert!(
            is_near(most.lo, 0.527_648) && is_near(most.hi, 0.724_433),
            "{most:?}"
        );
    }

    #[test]
    fn undecided_runs_widen_the_interval() {
        let sure = interval(40, 100);
        let tally = Tally {
            runs: 100,
            satisfied: 40,
            undecided: 5,
        };
        let wide = tally.interval(0.05);
        assert_eq!(wide.lo, sure.lo);
        assert_eq!(wide.hi, interval(45, 100).hi);
    }

    #[test]
    fn nothing_is_known_without_runs() {
        assert_eq!(Tally::default().interval(0.05), Interval { lo: 0.0, hi: 1.0 });
    }
}
