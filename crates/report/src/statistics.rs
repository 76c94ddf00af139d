//! Answers to statistical queries: estimates, tests, curves.

mod csv;
mod number;
mod recorded;
mod svg;
pub(crate) mod text;

pub use csv::csv;
pub use number::{percent, six};
pub use recorded::{agrees, recorded};
pub use svg::svg;
pub use text::{lines, verifyta};

use serde::Serialize;

/// The answer to a statistical query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Kind of the query.
    pub kind: Kind,
    /// The estimate itself: the share of satisfied runs, or the mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// An interval that holds the true value with this confidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// The confidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Half of the width of the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
    /// Runs, or pairs of runs.
    pub runs: u64,
    /// Number of runs that satisfy the formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub satisfied: Option<u64>,
    /// Comparisons: number of runs that satisfy the formula of the second side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub satisfied_second: Option<u64>,
    /// Number of runs whose verdict is unknown.
    pub undecided: u64,
    /// How the number of runs and the interval were chosen.
    pub method: &'static str,
    /// How the runs were computed.
    pub engine: &'static str,
    /// Bound on the length of the runs.
    pub bound: BoundInfo,
    /// The share of satisfied runs over what the bound counts, or values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub histogram: Option<HistogramInfo>,
    /// When the first of the satisfied runs hit, by what the bound counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_hit: Option<f64>,
    /// When satisfied runs hit, on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_of_satisfying: Option<f64>,
    /// Hypothesis, if the query is a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hypothesis: Option<Hypothesis>,
    /// A run that shows what was asked for, or what speaks against it, by its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_run: Option<u64>,
    /// Curves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<SeriesInfo>,
    /// Details of importance splitting, if it was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splitting: Option<SplittingInfo>,
    /// An interval of 99.9 %, to compare with recorded ones.
    #[serde(skip)]
    pub wide: Option<[f64; 2]>,
    /// Queries about a path: its operator, `<>`, `[]` or `U`; empty for formulas with times.
    #[serde(skip)]
    pub path: &'static str,
    /// Expected values: whether the largest rather than the smallest value is meant.
    #[serde(skip)]
    pub is_maximum: bool,
    /// Reason the runs were cut short, if they were.
    #[serde(skip)]
    pub cut: Option<&'static str>,
}

/// Kinds of statistical queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Kind {
    Probability,
    Test,
    Comparison,
    Expectation,
    Simulation,
}

/// Bound on the length of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoundInfo {
    /// `time`, `steps`, or the text of a clock.
    pub over: String,
    /// The last value within the bound.
    pub limit: f64,
}

/// Values in buckets of one width.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HistogramInfo {
    /// Where the first bucket begins.
    pub from: f64,
    /// How wide each is.
    pub width: f64,
    /// Number of values in each bucket.
    pub counts: Vec<u64>,
    /// Meaning of the values: `hits`, `violations` or `values`.
    pub of: &'static str,
    /// The least and the greatest value.
    pub span: [f64; 2],
    /// By bucket the interval, at the level of the estimate, for the probability of a hit up to its upper end; none where values are counted.
    #[serde(skip)]
    pub band: Vec<[f64; 2]>,
}

/// The two hypotheses of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hypothesis {
    /// Accepted as "satisfied": the least probability; of a comparison the largest ratio of odds.
    pub p0: f64,
    /// Accepted as "not satisfied".
    pub p1: f64,
    /// The probability to reject the first where it holds.
    pub alpha: f64,
    /// The probability to accept it where the second holds.
    pub beta: f64,
}

/// How a probability was estimated by importance splitting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SplittingInfo {
    /// The expression whose whole values are the levels.
    pub levels: String,
    /// Independent estimates; the value is their mean.
    pub estimates: u64,
    /// Runs of each estimate for each level.
    pub effort: u64,
    /// Counts of runs by level, over all estimates together.
    pub stages: Vec<LevelInfo>,
}

/// Runs on their way to a level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LevelInfo {
    /// The value that they should have reached.
    pub level: f64,
    /// Number of runs made.
    pub runs: u64,
    /// Number of runs that reached the level.
    pub entered: u64,
    /// Number of runs that met the goal before.
    pub hits: u64,
}

/// A curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeriesInfo {
    /// Plotted expression.
    pub expression: String,
    /// The number of the run.
    pub run: u64,
    /// Its points; it is straight between them.
    pub points: Vec<(f64, f64)>,
}

impl HistogramInfo {
    /// Number of values in all buckets.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}
