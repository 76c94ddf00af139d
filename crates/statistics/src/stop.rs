//! When enough runs have been made for an estimate of a probability, or of a mean.

use crate::mean::Mean;
use crate::proportion::{Tally, is_within, lower, upper};

/// A stop rule. It looks at prefixes of the runs, in the order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopRule {
    /// UPPAAL 5: as soon as no end of the interval is farther than epsilon from k/n.
    Sequential,
    /// UPPAAL 4.1.26: as soon as the interval is not wider than twice epsilon, one-sided where all runs agree.
    OneSided,
    /// Enough runs that k/n is off by more than epsilon with probability at most alpha, for every p (Hoeffding 1963).
    Chernoff,
    /// A fixed number of runs.
    Fixed(u64),
}

impl StopRule {
    /// Name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            StopRule::Sequential => "clopper-pearson sequential",
            StopRule::OneSided => "clopper-pearson one-sided",
            StopRule::Chernoff => "chernoff",
            StopRule::Fixed(_) => "clopper-pearson fixed",
        }
    }

    /// The number of runs, where it does not depend on their outcomes.
    pub fn fixed(self, alpha: f64, epsilon: f64) -> Option<u64> {
        match self {
            StopRule::Fixed(runs) => Some(runs),
            StopRule::Chernoff => Some(libm::ceil(libm::log(2.0 / alpha) / (2.0 * epsilon * epsilon)) as u64),
            StopRule::Sequential | StopRule::OneSided => None,
        }
    }

    /// Whether these runs are enough. Undecided runs count as one outcome and as the other: both must be near.
    pub fn is_enough(self, tally: &Tally, alpha: f64, epsilon: f64) -> bool {
        let Tally {
            runs,
            satisfied,
            undecided,
        } = *tally;
        if runs == 0 {
            return false;
        }
        if let Some(fixed) = self.fixed(alpha, epsilon) {
            return runs >= fixed;
        }
        match self {
            StopRule::OneSided => {
                let agree = satisfied == runs || satisfied + undecided == 0;
                let tail = if agree { alpha } else { alpha / 2.0 };
                upper(satisfied + undecided, runs, tail) - lower(satisfied, runs, tail) <= 2.0 * epsilon
            }
            _ => {
                is_within(satisfied, runs, alpha / 2.0, epsilon)
                    && (undecided == 0 || is_within(satisfied + undecided, runs, alpha / 2.0, epsilon))
            }
        }
    }
}

/// A stop rule for means. It looks at prefixes of the runs, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeanRule {
    /// As soon as half the width of Student's interval is at most epsilon times the span of the values seen, after as many values
    /// as show that one beyond that span has a probability of epsilon at most. For values 0 and 1 that is the precision of
    /// probabilities; for any others it is the same whatever their unit is.
    Sequential,
    /// A fixed number of runs.
    Fixed(u64),
}

/// Number of values up to which each of them is followed by a look at the interval; of more, each hundredth or so.
const EACH: u64 = 128;

/// More runs whose values are not known leave nothing to estimate.
const UNKNOWN: u64 = 100;

impl MeanRule {
    /// Name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            MeanRule::Sequential => "student sequential",
            MeanRule::Fixed(_) => "student",
        }
    }

    /// Whether these values are enough, given the number of runs whose values are not known.
    pub fn is_enough(self, mean: &Mean, unknown: u64, alpha: f64, epsilon: f64) -> bool {
        if let MeanRule::Fixed(runs) = self {
            return mean.count + unknown >= runs;
        }
        if unknown >= UNKNOWN {
            return true;
        }
        let is_due = mean.count <= EACH || mean.count.is_multiple_of(mean.count / EACH);
        if !is_due || mean.count == 0 || !is_within(0, mean.count, alpha / 2.0, epsilon) {
            return false;
        }
        let span = mean.greatest - mean.least;
        mean.half_width(alpha).is_none_or(|half| half <= epsilon * span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(satisfied: u64, runs: u64) -> Tally {
        Tally {
            runs,
            satisfied,
            undecided: 0,
        }
    }

    /// The rule is equal to its definition by the ends of the interval.
    #[test]
    fn two_values_of_the_distribution_replace_two_inverses() {
        for epsilon in [0.05, 0.02] {
            for runs in (1..600).step_by(7) {
                for satisfied in (0..=runs).step_by(3) {
                    let interval = tally(satisfied, runs).interval(0.05);
                    let share = satisfied as f64 / runs as f64;
                    let by_ends = (share - interval.lo).max(interval.hi - share) <= epsilon;
                    let by_rule = StopRule::Sequential.is_enough(&tally(satisfied, runs), 0.05, epsilon);
                    assert_eq!(by_ends, by_rule, "{satisfied} of {runs}, {epsilon}");
                }
            }
        }
    }

    /// Run counts that UPPAAL has recorded: the rule stops there, and not one run earlier.
    #[test]
    fn recorded_run_counts() {
        for (satisfied, runs, alpha, epsilon) in [
            (72, 72, 0.05, 0.05),
            (0, 72, 0.05, 0.05),
            (6, 135, 0.05, 0.05),
            (9, 153, 0.05, 0.05),
            (528, 528, 0.01, 0.01),
            (605, 6266, 0.01, 0.01),
            (5562, 6140, 0.01, 0.01),
            (9833, 13608, 0.01, 0.01),
            (8260, 16687, 0.01, 0.01),
            (246, 316, 0.05, 0.05),
        ] {
            let is_enough = |s, n| StopRule::Sequential.is_enough(&tally(s, n), alpha, epsilon);
            assert!(is_enough(satisfied, runs), "{satisfied} of {runs}");
            // The run before was satisfied or not: one of the two must have been too few.
            let earlier = [(satisfied, runs - 1), (satisfied.saturating_sub(1), runs - 1)];
            assert!(
                earlier.iter().any(|&(s, n)| s <= n && !is_enough(s, n)),
                "{satisfied} of {runs}"
            );
        }
    }

    #[test]
    fn older_rules() {
        assert!(StopRule::OneSided.is_enough(&tally(29, 29), 0.05, 0.05));
        assert!(!StopRule::OneSided.is_enough(&tally(28, 28), 0.05, 0.05));
        assert!(StopRule::OneSided.is_enough(&tally(0, 7598), 0.0005, 0.0005));
        assert!(!StopRule::OneSided.is_enough(&tally(0, 7597), 0.0005, 0.0005));
        assert_eq!(StopRule::Chernoff.fixed(0.05, 0.05), Some(738));
        assert_eq!(StopRule::Fixed(10).fixed(0.05, 0.05), Some(10));
    }

    #[test]
    fn the_most_runs_by_default() {
        let is_always_enough = |n| (0..=n).all(|k| StopRule::Sequential.is_enough(&tally(k, n), 0.05, 0.05));
        assert!(is_always_enough(404) && !is_always_enough(403));
        let is_ever_enough = |n| (0..=n).any(|k| StopRule::Sequential.is_enough(&tally(k, n), 0.05, 0.05));
        assert!(is_ever_enough(72) && !is_ever_enough(71));
    }

    #[test]
    fn means_of_equal_values_need_as_many_runs_as_probabilities_of_0() {
        let is_enough = |count: u64| {
            let mut mean = Mean::default();
            (0..count).for_each(|_| mean.add(7.0));
            MeanRule::Sequential.is_enough(&mean, 0, 0.05, 0.05)
        };
        assert!(is_enough(72) && !is_enough(71));
    }

    /// Half of the values 0, half of them 1: as many as for a probability of one half, in any unit.
    #[test]
    fn the_precision_of_a_mean_is_a_share_of_the_span() {
        let needed = |unit: f64, epsilon: f64| {
            let mut mean = Mean::default();
            (0..1_000_000u64).find(|number| {
                mean.add(unit * (number % 2) as f64);
                MeanRule::Sequential.is_enough(&mean, 0, 0.05, epsilon)
            })
        };
        let runs = needed(1.0, 0.05).expect("it ends");
        assert!((370..400).contains(&runs), "{runs}");
        assert_eq!(needed(1000.0, 0.05), Some(runs));
        let runs = needed(1.0, 0.01).expect("it ends");
        assert!((9_500..9_800).contains(&runs), "{runs}");
    }

    #[test]
    fn means_without_values_end() {
        let none = Mean::default();
        assert!(!MeanRule::Sequential.is_enough(&none, UNKNOWN - 1, 0.05, 0.05));
        assert!(MeanRule::Sequential.is_enough(&none, UNKNOWN, 0.05, 0.05));
        assert!(MeanRule::Fixed(3).is_enough(&none, 3, 0.05, 0.05));
    }
}
