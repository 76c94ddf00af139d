//! `simulate […] { … }`: curves.

use super::seen::{Seen, wide};
use super::{Answer, Runs};
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
    ) -> Result<Answer, Box<RunError>> {
        let runs = self.parameters.runs.unwrap_or(runs);
        let observed: Vec<_> = curves.iter().map(|(observed, _)| *observed).collect();
        let keep = filter.and_then(|(_, keep)| keep);
        let condition = filter.map(|(condition, _)| condition);
        let mut seen = Seen::default();
        let mut series = Vec::new();
        let (cut, made) = self.fold(
            make,
            self.parameters.max_runs,
            |sampler, number, over| {
                let asked = (&observed[..], condition);
                watch::curves(sampler, (self.seed, number), bound, asked, (over, &self.outside))
            },
            |number, mut watched| {
                for (points, (_, text)) in std::mem::take(&mut watched.series).into_iter().zip(curves) {
                    series.push(SeriesInfo {
                        expression: (*text).to_owned(),
                        run: number,
                        points: thin(points, self.parameters.resolution),
                    });
                }
                seen.count(number, &watched);
                let satisfied = filter.map(|_| seen.tally.satisfied);
                self.control.see_runs(seen.tally.runs, satisfied);
                let is_full = keep.is_some_and(|keep| seen.tally.satisfied >= keep);
                if is_full || seen.tally.runs >= runs {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let cut = seen.cut(cut)?;
        let mut estimate = self.estimate(Kind::Simulation, (bound, over), made, "clopper-pearson fixed");
        estimate.runs = seen.tally.runs;
        estimate.undecided = seen.tally.undecided;
        if filter.is_some() {
            let interval = seen.tally.interval(self.parameters.alpha);
            estimate.wide = Some(wide(&seen.tally));
            estimate.value = Some(seen.tally.share());
            estimate.interval = Some([interval.lo, interval.hi]);
            estimate.half_width = Some(interval.half_width());
            estimate.confidence = Some(1.0 - self.parameters.alpha);
            estimate.satisfied = Some(seen.tally.satisfied);
        } else {
            estimate.method = "none";
        }
        estimate.series = series;
        estimate.cut = cut;
        Ok(Answer {
            made,
            satisfied: cut.is_none().then_some(true),
            sample: None,
            estimate,
        })
    }
}
