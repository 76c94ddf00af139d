//! The numbers that statistical queries depend on: those of the command line before those that a query records before the
//! defaults.

use zonewalk_statistics::histogram::Buckets;

/// Options as given; `None` stands for the one that the query records, or the default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StatisticsOptions {
    /// 1 - confidence of intervals; the probability of tests to reject what holds.
    pub alpha: Option<f64>,
    /// The probability of tests to accept what does not hold.
    pub beta: Option<f64>,
    /// Half the width of intervals for probabilities.
    pub epsilon: Option<f64>,
    /// How far below the threshold a test is indifferent.
    pub lower_delta: Option<f64>,
    /// How far above.
    pub upper_delta: Option<f64>,
    /// The ratio of odds below which the first of two probabilities is larger.
    pub u0: Option<f64>,
    /// The ratio above which the second is.
    pub u1: Option<f64>,
    /// Number of runs for each probability.
    pub runs: Option<u64>,
    /// No more runs than that.
    pub max_runs: Option<u64>,
    /// Only the run with this number is made again.
    pub only_run: Option<u64>,
    /// The smallest step of the integrator.
    pub discretization: Option<f64>,
    /// The local error of the integrator.
    pub truncation_error: Option<f64>,
    /// Its error per unit of time.
    pub truncation_time_error: Option<f64>,
    /// Number of buckets of histograms; 0 for as many as fit the number of values.
    pub histogram_bar_count: Option<u32>,
    /// Width of a bucket; 0 for one that fits.
    pub histogram_bar_width: Option<f64>,
    /// Columns to which curves are thinned.
    pub resolution: Option<u32>,
}

/// The numbers of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Parameters {
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
    pub(crate) epsilon: f64,
    pub(crate) lower_delta: f64,
    pub(crate) upper_delta: f64,
    pub(crate) u0: f64,
    pub(crate) u1: f64,
    pub(crate) runs: Option<u64>,
    pub(crate) max_runs: Option<u64>,
    /// The number of the first run.
    pub(crate) first_run: u64,
    pub(crate) buckets: Buckets,
    pub(crate) discretization: f64,
    pub(crate) truncation_error: f64,
    pub(crate) truncation_time_error: f64,
    pub(crate) resolution: u32,
}

/// Runs after which a test ends that two equal probabilities would keep going for ever.
const MOST_OF_TESTS: u64 = 10_000_000;

impl Parameters {
    pub(crate) fn new(options: &StatisticsOptions, recorded: &[(String, String)]) -> Parameters {
        let written = |name: &str| {
            let value = recorded.iter().rev().find(|(key, _)| key == name);
            value.and_then(|(_, value)| value.trim().parse::<f64>().ok())
        };
        // What a file records must make sense, as what the command line gives does.
        let share = |v: &f64| *v > 0.0 && *v < 1.0;
        let distance = |v: &f64| *v >= 0.0 && *v < 1.0;
        let ratio = |v: &f64| *v > 0.0 && v.is_finite();
        let natural = |v: &f64| *v >= 0.0 && v.is_finite();
        let number = |given: Option<f64>, name: &str, fits: &dyn Fn(&f64) -> bool, default: f64| {
            given.or_else(|| written(name).filter(fits)).unwrap_or(default)
        };
        Parameters {
            alpha: number(options.alpha, "--alpha", &share, 0.05),
            beta: number(options.beta, "--beta", &share, 0.05),
            epsilon: number(options.epsilon, "--epsilon", &share, 0.05),
            lower_delta: number(options.lower_delta, "--lower-delta", &distance, 0.01),
            upper_delta: number(options.upper_delta, "--upper-delta", &distance, 0.01),
            u0: number(options.u0, "--u0", &ratio, 0.9),
            u1: number(options.u1, "--u1", &ratio, 1.1),
            runs: options.only_run.map(|_| 1).or(options.runs),
            max_runs: options.only_run.map(|_| 1).or(options.max_runs),
            first_run: options.only_run.unwrap_or(0),
            buckets: Buckets {
                count: number(
                    options.histogram_bar_count.map(f64::from),
                    "--histogram-bar-count",
                    &natural,
                    0.0,
                )
                .min(10_000.0) as u32,
                width: number(options.histogram_bar_width, "--histogram-bar-width", &ratio, 0.0),
            },
            discretization: number(options.discretization, "--discretization", &ratio, 0.01),
            truncation_error: number(options.truncation_error, "--truncation-error", &ratio, 0.01),
            truncation_time_error: number(
                options.truncation_time_error,
                "--truncation-time-error",
                &ratio,
                0.01,
            ),
            resolution: number(
                options.resolution.map(f64::from),
                "--resolution",
                &natural,
                4000.0,
            )
            .max(1.0) as u32,
        }
    }

    /// Runs of a test at most.
    pub(crate) fn most_of_tests(&self) -> u64 {
        self.max_runs.unwrap_or(MOST_OF_TESTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_goes_first_then_the_file() {
        let recorded = [("--alpha", "0.01"), ("--epsilon", "0.2"), ("--beta", "much")];
        let recorded = recorded.map(|(k, v)| (k.to_owned(), v.to_owned()));
        let options = StatisticsOptions {
            epsilon: Some(0.1),
            ..StatisticsOptions::default()
        };
        let parameters = Parameters::new(&options, &recorded);
        assert_eq!(
            (parameters.alpha, parameters.beta, parameters.epsilon),
            (0.01, 0.05, 0.1)
        );
    }
}
