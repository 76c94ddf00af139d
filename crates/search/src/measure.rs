//! Many runs of a random search with different seeds, summed up.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Result of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Whether it found what it looked for.
    pub found: bool,
    /// States visited.
    pub states: u64,
    /// Steps of the trace found.
    pub trace: u64,
}

/// A number with the interval that holds the true value with a confidence of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Values that were measured, in ascending order.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample(Vec<f64>);

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl Sample {
    /// Takes the values in any order.
    pub fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Sample(values)
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mean with Student's interval; infinitely wide for a single value, nothing for none.
    pub fn mean(&self) -> Option<Estimate> {
        if self.0.is_empty() {
            return None;
        }
        let n = self.0.len() as f64;
        let value = self.0.iter().sum::<f64>() / n;
        let squares: f64 = self.0.iter().map(|v| (v - value) * (v - value)).sum();
        let half = if n < 2.0 {
            f64::INFINITY
        } else {
            student(n - 1.0) * (squares / (n - 1.0) / n).sqrt()
        };
        Some(Estimate {
            value,
            low: value - half,
            high: value + half,
        })
    }

    /// The value below which this share of the values lies, interpolated. Requires: `0.0 <= share <= 1.0`.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let last = self.0.len().checked_sub(1)?;
        let place = share * last as f64;
        let below = (place.floor() as usize).min(last);
        let above = (below + 1).min(last);
        Some(self.0[below] + (self.0[above] - self.0[below]) * (place - below as f64))
    }
}

/// The 97.5 % quantile of Student's distribution: Fisher's expansion, whose error is below 2 % from 3 degrees of
/// freedom on; exact values for fewer.
fn student(degrees: f64) -> f64 {
    if degrees < 3.0 {
        return if degrees < 2.0 { 12.706 } else { 4.303 };
    }
    let z3 = Z.powi(3);
    let z5 = Z.powi(5);
    let z7 = Z.powi(7);
    Z + (z3 + Z) / (4.0 * degrees)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * Z) / (96.0 * degrees.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * Z) / (384.0 * degrees.powi(3))
}

/// The share of successes with Wilson's interval, which stays within 0 and 1 and is sound near them. Nothing for no
/// trial.
pub fn share(successes: usize, trials: usize) -> Option<Estimate> {
    if trials == 0 {
        return None;
    }
    let n = trials as f64;
    let value = successes as f64 / n;
    let scale = 1.0 + Z * Z / n;
    let middle = (value + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (value * (1.0 - value) / n + Z * Z / (4.0 * n * n)).sqrt();
    Some(Estimate {
        value,
        low: (middle - half).max(0.0),
        high: (middle + half).min(1.0),
    })
}

/// Many runs, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Runs made.
    pub runs: usize,
    /// Runs that found what they looked for.
    pub found: usize,
    /// States visited by those that found it.
    pub states: Sample,
    /// Traces of those that found it.
    pub traces: Sample,
}

impl Summary {
    /// Sums up.
    pub fn new(trials: &[Trial]) -> Self {
        let of = |value: fn(&Trial) -> u64| {
            Sample::new(
                trials
                    .iter()
                    .filter(|t| t.found)
                    .map(|t| value(t) as f64)
                    .collect(),
            )
        };
        Summary {
            runs: trials.len(),
            found: trials.iter().filter(|t| t.found).count(),
            states: of(|t| t.states),
            traces: of(|t| t.trace),
        }
    }

    /// The share of runs that found what they looked for.
    pub fn success(&self) -> Option<Estimate> {
        share(self.found, self.runs)
    }
}

/// Makes a run for each seed, on this many threads (at least one). The result does not depend on their number.
pub fn measure<T: Send>(seeds: Range<u64>, threads: usize, run: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let mut trials = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return trials;
            }
            trials.push((seed, run(seed)));
        }
    };
    let mut trials = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut trials = work();
        for other in others {
            match other.join() {
                Ok(list) => trials.extend(list),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        trials
    });
    trials.sort_by_key(|(seed, _)| *seed);
    trials.into_iter().map(|(_, trial)| trial).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, within: f64) -> bool {
        (a - b).abs() <= within
    }

    #[test]
    fn means_have_students_interval() {
        let sample = Sample::new(vec![4.0, 1.0, 3.0, 2.0, 5.0]);
        let mean = sample.mean().unwrap();
        // Standard deviation 1.5811, 4 degrees of freedom: 2.7764.
        assert!(
            close(mean.value, 3.0, 1e-12) && close(mean.high - 3.0, 1.9632, 0.02),
            "{mean:?}"
        );
        assert_eq!(sample.quantile(0.5), Some(3.0));
        assert_eq!(sample.quantile(0.125), Some(1.5));
        assert_eq!(sample.quantile(1.0), Some(5.0));
        assert!(Sample::new(vec![]).mean().is_none() && Sample::new(vec![]).quantile(0.5).is_none());
        assert!(Sample::new(vec![7.0]).mean().unwrap().high.is_infinite());
        for (degrees, quantile) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (10.0, 2.228),
            (30.0, 2.042),
        ] {
            assert!(
                close(student(degrees), quantile, 0.07),
                "{degrees}: {}",
                student(degrees)
            );
        }
    }

    #[test]
    fn shares_have_wilsons_interval() {
        let none = share(0, 10).unwrap();
        assert!(
            none.value == 0.0 && none.low == 0.0 && close(none.high, 0.2775, 1e-3),
            "{none:?}"
        );
        let half = share(50, 100).unwrap();
        assert!(
            close(half.low, 0.4038, 1e-3) && close(half.high, 0.5962, 1e-3),
            "{half:?}"
        );
        assert!(share(0, 0).is_none());
    }

    #[test]
    fn threads_do_not_change_the_result() {
        let run = |seed: u64| Trial {
            found: seed > 19,
            states: seed * 10,
            trace: seed,
        };
        let one = measure(5..50, 1, run);
        assert_eq!(one, measure(5..50, 3, run));
        let summary = Summary::new(&one);
        assert_eq!((summary.runs, summary.found, summary.states.len()), (45, 30, 30));
    }
}
