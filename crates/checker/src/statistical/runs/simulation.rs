//! `simulate […] { … }`: curves.

use super::tally::{ProbabilityTally, wide};
use super::{Runs, StatisticalAnswer};
use crate::statistical::watch;
use std::ops::ControlFlow;
use zonewalk_report::statistics::{Kind, SeriesInfo};
use zonewalk_sampling::{Bound, ConditionId, RunError, Sampler};
use zonewalk_statistics::monitor::Observed;
use zonewalk_statistics::thin;

impl Runs<'_> {
    pub(super) fn simulation<S: Sampler>(
        &self,
        (bound, over): (&Bound, &str),
        runs: u64,
        curves: &[(Observed, &str)],
        filter: Option<(ConditionId, Option<u64>)>,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<StatisticalAnswer, Box<RunError>> {
        let runs = self.parameters.runs.unwrap_or(runs);
        let observed: Vec<_> = curves.iter().map(|(observed, _)| *observed).collect();
        let keep = filter.and_then(|(_, keep)| keep);
        let condition = filter.map(|(condition, _)| condition);
        let mut tally = ProbabilityTally::default();
        let mut series = Vec::new();
        let (cut, made) = self.fold(
            make,
            self.parameters.max_runs,
            |sampler, number, over| {
                let asked = (&observed[..], condition);
                watch::curves(
                    sampler,
                    (self.seed, number),
                    bound,
                    asked,
                    (over, &self.interrupt),
                )
            },
            |number, mut watched| {
                for (points, (_, text)) in std::mem::take(&mut watched.series).into_iter().zip(curves) {
                    series.push(SeriesInfo {
                        expression: (*text).to_owned(),
                        run: number,
                        points: thin(points, self.parameters.resolution),
                    });
                }
                tally.count(number, &watched);
                let satisfied = filter.map(|_| tally.counts.satisfied);
                self.control.see_runs(tally.counts.runs, satisfied);
                let is_full = keep.is_some_and(|keep| tally.counts.satisfied >= keep);
                if is_full || tally.counts.runs >= runs {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let cut = tally.cut(cut)?;
        let mut estimate = self.estimate(Kind::Simulation, (bound, over), made, "clopper-pearson fixed");
        estimate.runs = tally.counts.runs;
        estimate.undecided = tally.counts.undecided;
        if filter.is_some() {
            let interval = tally.counts.interval(self.parameters.alpha);
            estimate.wide = Some(wide(&tally.counts));
            estimate.value = Some(tally.counts.share());
            estimate.interval = Some([interval.lo, interval.hi]);
            estimate.half_width = Some(interval.half_width());
            estimate.confidence = Some(1.0 - self.parameters.alpha);
            estimate.satisfied = Some(tally.counts.satisfied);
        } else {
            estimate.method = "none";
        }
        estimate.series = series;
        estimate.cut = cut;
        Ok(StatisticalAnswer {
            made,
            satisfied: cut.is_none().then_some(true),
            sample: None,
            estimate,
        })
    }
}
