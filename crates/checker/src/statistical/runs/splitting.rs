//! `Pr[…](<> p)` by importance splitting: independent estimates, and Student's interval for their mean.

use super::tally::{ProbabilityTally, WIDE};
use super::{Runs, Sample, StatisticalAnswer, StatisticalError, Steps};
use crate::statistical_query::{Levels, Side};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use zonewalk_report::statistics::{Kind, LevelInfo, SplittingInfo};
use zonewalk_sampling::{ConditionId, Restart, RunError};
use zonewalk_statistics::mean::Mean;
use zonewalk_statistics::splitting::{Replication, Splitting, StopFlags, replicate};
use zonewalk_syntax::diagnostic::Diagnostic;

/// Independent estimates. Their mean is nearly normal, and its spread is estimated with 31 degrees of freedom.
const ESTIMATES: u64 = 32;

/// Runs for each level, in all estimates together.
const RUNS: u64 = 32_000;

impl Runs<'_> {
    /// How a question is split.
    pub(in crate::statistical) fn split(
        &self,
        side: &Side,
        goal: ConditionId,
        levels: &Levels<'_>,
    ) -> Splitting {
        let runs = self.parameters.runs.or(side.runs).unwrap_or(RUNS);
        Splitting {
            goal,
            level: levels.expression,
            bound: side.bound,
            effort: runs.div_ceil(ESTIMATES).max(1),
        }
    }

    pub(super) fn splitting<S: Restart>(
        &self,
        side: &Side,
        goal: ConditionId,
        levels: &Levels<'_>,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<StatisticalAnswer, StatisticalError> {
        let of = self.split(side, goal, levels);
        let mut seen = Estimates::default();
        let (cut, made) = self.fold(
            make,
            None,
            |sampler, number, over| {
                let interrupt = StopFlags {
                    flags: [over, self.interrupt.interrupted],
                    is_late: self.interrupt.is_late,
                };
                replicate(sampler, (self.seed, number), &of, &interrupt)
            },
            |number, replication| {
                seen.count(number, replication);
                self.control.see_runs(seen.runs, None);
                if seen.low.count >= ESTIMATES {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let cut = ProbabilityTally::default().cut(cut)?;
        if cut.is_none() && !seen.has_risen {
            return Err(StatisticalError::Question(Box::new(never_rises(levels, &seen))));
        }
        let alpha = self.parameters.alpha;
        let mut estimate = self.estimate(
            Kind::Probability,
            (&side.bound, &side.over),
            made,
            "importance splitting",
        );
        estimate.runs = seen.runs;
        estimate.undecided = seen.undecided;
        estimate.path = side.path;
        estimate.first_hit = seen.first_hit;
        let is_met = seen.high.greatest > 0.0;
        if is_met {
            estimate.value = Some(seen.low.mean);
            estimate.interval = seen.interval(alpha);
            estimate.wide = seen.interval(WIDE);
            estimate.half_width = estimate.interval.map(|[lo, hi]| 0.5 * (hi - lo));
            estimate.confidence = Some(1.0 - alpha);
        }
        estimate.cut = cut.or((!is_met).then_some(
            "no run has met the goal, so nothing is known about its probability; more runs (--runs) or finer levels may help",
        ));
        estimate.sample_run = seen.sample.as_ref().map(|sample| sample.number);
        estimate.splitting = Some(SplittingInfo {
            levels: levels.text.to_owned(),
            estimates: seen.low.count,
            effort: of.effort,
            stages: seen.stages.into_values().collect(),
        });
        Ok(StatisticalAnswer {
            made,
            satisfied: estimate.cut.is_none().then_some(true),
            sample: seen.sample,
            estimate,
        })
    }
}

/// Estimates that were seen.
#[derive(Default)]
struct Estimates {
    /// Undecided runs count as not satisfied.
    low: Mean,
    /// They count as satisfied.
    high: Mean,
    runs: u64,
    undecided: u64,
    has_risen: bool,
    start: f64,
    first_hit: Option<f64>,
    sample: Option<Sample>,
    /// By level: the order of doubles that are whole numbers is that of integers.
    stages: BTreeMap<i64, LevelInfo>,
}

impl Steps for Replication {
    fn steps(&self) -> u64 {
        self.steps
    }
}

impl Estimates {
    fn count(&mut self, number: u64, made: Replication) {
        self.low.add(made.low);
        self.high.add(made.high);
        self.runs += made.runs;
        self.has_risen |= made.has_risen;
        self.start = made.start;
        self.first_hit = match (self.first_hit, made.first_hit) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let effort = made.runs / made.stages.len().max(1) as u64;
        for stage in &made.stages {
            self.undecided += stage.undecided;
            let level = self.stages.entry(stage.level as i64).or_insert(LevelInfo {
                level: stage.level,
                runs: 0,
                entered: 0,
                hits: 0,
            });
            level.runs += effort;
            level.entered += stage.entered;
            level.hits += stage.hits;
        }
        if self.sample.is_none()
            && let Some(way) = made.sample
        {
            self.sample = Some(Sample {
                number,
                instant: way.instant,
                way: Some(way),
            });
        }
    }

    /// The interval for the mean: its lower end takes undecided runs for not satisfied, its upper end for satisfied.
    fn interval(&self, alpha: f64) -> Option<[f64; 2]> {
        let (low, high) = (self.low.interval(alpha), self.high.interval(alpha));
        let lo = low.map_or(self.low.mean, |low| low.lo.max(0.0));
        let hi = high.map_or(self.high.mean, |high| high.hi.min(1.0));
        (low.is_some() || high.is_some()).then_some([lo, hi])
    }
}

fn never_rises(levels: &Levels<'_>, seen: &Estimates) -> Diagnostic {
    let message = format!(
        "the level never rises: `{}` was {} at the beginning and below {} in all {} runs",
        levels.text,
        zonewalk_report::statistics::six(seen.start),
        zonewalk_report::statistics::six(seen.start.floor() + 1.0),
        seen.runs
    );
    Diagnostic::error("levels", levels.span, message).help(
        "levels are the whole values of an expression that grows towards the goal, such as the length of a queue; scale it if it is a fraction",
    )
}
