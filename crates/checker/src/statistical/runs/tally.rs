//! Counts of runs that satisfy a formula, and the part of an estimate that follows from them.

use super::{Cut, Sample};
use crate::options::statistics::Parameters;
use crate::statistical::watch::Watched;
use crate::statistical_query::Side;
use zonewalk_report::statistics::{Estimate, HistogramInfo};
use zonewalk_sampling::RunError;
use zonewalk_statistics::histogram::Histogram;
use zonewalk_statistics::mean::Mean;
use zonewalk_statistics::proportion::Tally;

/// Runs that were seen, of which each satisfies a formula or does not.
#[derive(Default)]
pub(super) struct ProbabilityTally {
    pub(super) counts: Tally,
    /// Values of the bounded quantity when conditions were met.
    hits: Vec<f64>,
    /// The first run that met one.
    pub(super) sample: Option<Sample>,
    /// The first one that satisfies a formula that has no such instant.
    example: Option<u64>,
}

impl ProbabilityTally {
    pub(super) fn count(&mut self, number: u64, watched: &Watched) {
        self.counts.count(watched.truth);
        self.hits.extend(watched.hit);
        if watched.truth == Some(true) {
            self.example.get_or_insert(number);
        }
        if let Some(instant) = watched.instant
            && self.sample.is_none()
        {
            self.sample = Some(Sample {
                number,
                instant,
                way: None,
            });
        }
    }

    /// Counts an early end of the runs; the run that was not finished is not decided.
    ///
    /// # Errors
    /// The model is wrong.
    pub(super) fn cut(&mut self, cut: Option<Cut>) -> Result<Option<&'static str>, Box<RunError>> {
        match cut {
            None => Ok(None),
            Some(Cut::Error(error)) => Err(error),
            Some(Cut::MaxRuns) => Ok(Some("the limit on runs was reached")),
            Some(Cut::Interrupted(why)) => {
                self.counts.count(None);
                Ok(Some(why))
            }
        }
    }

    pub(super) fn record_in(&self, estimate: &mut Estimate, side: &Side, parameters: &Parameters) {
        let interval = self.counts.interval(parameters.alpha);
        estimate.wide = Some(wide(&self.counts));
        estimate.value = Some(self.counts.share());
        estimate.interval = Some([interval.lo, interval.hi]);
        estimate.half_width = Some(interval.half_width());
        estimate.confidence = Some(1.0 - parameters.alpha);
        estimate.runs = self.counts.runs;
        estimate.satisfied = Some(self.counts.satisfied);
        estimate.undecided = self.counts.undecided;
        estimate.path = side.path;
        let of = if side.is_negated { "violations" } else { "hits" };
        estimate.histogram = histogram(&self.hits, of, parameters);
        if let Some(histogram) = &mut estimate.histogram {
            histogram.band = band(&histogram.counts, &self.counts, parameters.alpha);
        }
        estimate.first_hit = self.hits.iter().copied().reduce(f64::min);
        let mut mean = Mean::default();
        self.hits.iter().for_each(|hit| mean.add(*hit));
        estimate.mean_of_satisfying = (mean.count > 0).then_some(mean.mean);
        let of_formula = self.example.filter(|_| side.path.is_empty());
        estimate.sample_run = self.sample.as_ref().map(|sample| sample.number).or(of_formula);
    }
}

/// The level of intervals that are compared with recorded ones.
pub(super) const WIDE: f64 = 0.001;

pub(super) fn wide(tally: &Tally) -> [f64; 2] {
    let interval = tally.interval(WIDE);
    [interval.lo, interval.hi]
}

pub(super) fn histogram(values: &[f64], of: &'static str, parameters: &Parameters) -> Option<HistogramInfo> {
    let histogram = Histogram::new(values, parameters.buckets)?;
    let least = values.iter().copied().reduce(f64::min)?;
    let greatest = values.iter().copied().reduce(f64::max)?;
    Some(HistogramInfo {
        from: histogram.from,
        width: histogram.width,
        counts: histogram.counts,
        of,
        span: [least, greatest],
        band: Vec::new(),
    })
}

/// The intervals for the probabilities of a hit up to the end of each bucket.
fn band(counts: &[u64], all: &Tally, alpha: f64) -> Vec<[f64; 2]> {
    let up_to = counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    let interval = |satisfied| Tally { satisfied, ..*all }.interval(alpha);
    up_to.map(interval).map(|of| [of.lo, of.hi]).collect()
}
