//! The arguments of statistical queries.

use std::path::PathBuf;
use zonewalk_checker::StatisticsOptions;

/// Parameters of statistical queries. Each one not given is the query's own, or the default.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = super::group::STATISTICS)]
pub(crate) struct StatisticsArgs {
    /// 1 - the confidence of intervals; how often tests may reject what holds [default: 0.05]
    #[arg(long, short_alias = 'a', value_name = "PROBABILITY", value_parser = share)]
    pub(crate) alpha: Option<f64>,

    /// How often tests may accept what does not hold [default: 0.05]
    #[arg(long, short_alias = 'B', value_name = "PROBABILITY", value_parser = share)]
    pub(crate) beta: Option<f64>,

    /// Half the width of intervals for probabilities [default: 0.05]
    #[arg(long, short_alias = 'E', value_name = "PROBABILITY", value_parser = share)]
    pub(crate) epsilon: Option<f64>,

    /// How far below its threshold a test is indifferent [default: 0.01]
    #[arg(long, value_name = "PROBABILITY", value_parser = distance)]
    pub(crate) lower_delta: Option<f64>,

    /// How far above its threshold a test is indifferent [default: 0.01]
    #[arg(long, value_name = "PROBABILITY", value_parser = distance)]
    pub(crate) upper_delta: Option<f64>,

    /// Ratio of odds up to which the first of two probabilities counts as larger [default: 0.9]
    #[arg(long, value_name = "RATIO", value_parser = positive)]
    pub(crate) u0: Option<f64>,

    /// Ratio of odds from which on the second of them does [default: 1.1]
    #[arg(long, value_name = "RATIO", value_parser = positive)]
    pub(crate) u1: Option<f64>,

    /// Number of runs for each estimate [default: as many as it needs, or as the query says]
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) runs: Option<u64>,

    /// Give up after so many runs
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) max_runs: Option<u64>,

    /// Make only the run with this number again, as it was among all with the same seed
    #[arg(long, value_name = "N", conflicts_with_all = ["runs", "max_runs", "levels"])]
    pub(crate) only_run: Option<u64>,

    /// Smallest step of the integrator, where rates depend on clocks [default: 0.01]
    #[arg(long, value_name = "TIME", value_parser = positive)]
    pub(crate) discretization: Option<f64>,

    /// Error of one step of the integrator [default: 0.01]
    #[arg(long, value_name = "ERROR", value_parser = positive)]
    pub(crate) truncation_error: Option<f64>,

    /// Error of the integrator per unit of time [default: 0.01]
    #[arg(long, value_name = "ERROR", value_parser = positive)]
    pub(crate) truncation_time_error: Option<f64>,

    /// Estimate a rare event `Pr[bound](<> p)` by importance splitting: EXPR grows on the way to p,
    /// and its whole values are the levels. --runs N makes N runs for each level [default: 32000]
    #[arg(long, value_name = "EXPR")]
    pub(crate) levels: Option<String>,

    /// Number of buckets in histograms; 0 for as many as fit [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) histogram_bar_count: Option<u32>,

    /// Width of the buckets in histograms; 0 for what fits [default: 0]
    #[arg(long, value_name = "WIDTH", value_parser = at_least_0)]
    pub(crate) histogram_bar_width: Option<f64>,

    /// Thin curves to so many columns [default: 4000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) resolution: Option<u32>,

    /// Draw curves and histograms of statistical queries to this file: .svg, or .csv for a table; for
    /// several queries the name gets their numbers
    #[arg(long, value_name = "FILE", value_parser = plot)]
    pub(crate) plot: Option<PathBuf>,
}

impl StatisticsArgs {
    pub(crate) fn options(&self) -> StatisticsOptions {
        StatisticsOptions {
            alpha: self.alpha,
            beta: self.beta,
            epsilon: self.epsilon,
            lower_delta: self.lower_delta,
            upper_delta: self.upper_delta,
            u0: self.u0,
            u1: self.u1,
            runs: self.runs,
            max_runs: self.max_runs,
            only_run: self.only_run,
            discretization: self.discretization,
            truncation_error: self.truncation_error,
            truncation_time_error: self.truncation_time_error,
            histogram_bar_count: self.histogram_bar_count,
            histogram_bar_width: self.histogram_bar_width,
            resolution: self.resolution,
        }
    }
}

/// A file of curves or a histogram.
fn plot(value: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("svg" | "csv") => Ok(path),
        _ => Err("the name of the file must end in .svg (a drawing) or .csv (a table)".to_owned()),
    }
}

fn number(value: &str, what: &str, fits: impl Fn(f64) -> bool) -> Result<f64, String> {
    value
        .parse()
        .ok()
        .filter(|v| fits(*v))
        .ok_or_else(|| format!("expected {what}"))
}

fn share(value: &str) -> Result<f64, String> {
    number(value, "a number between 0 and 1, such as 0.05", |v| {
        v > 0.0 && v < 1.0
    })
}

fn distance(value: &str) -> Result<f64, String> {
    number(value, "a number from 0 up to 1, such as 0.01", |v| {
        (0.0..1.0).contains(&v)
    })
}

fn positive(value: &str) -> Result<f64, String> {
    number(value, "a number above 0", |v| v > 0.0 && v.is_finite())
}

fn at_least_0(value: &str) -> Result<f64, String> {
    number(value, "a number of at least 0", |v| v >= 0.0 && v.is_finite())
}

fn count(value: &str) -> Result<u64, String> {
    value
        .parse()
        .ok()
        .filter(|runs| *runs > 0)
        .ok_or_else(|| "expected a number of runs of at least 1".to_owned())
}
