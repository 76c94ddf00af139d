//! `Pr[…](…)`: the share of satisfied runs.

use super::tally::ProbabilityTally;
use super::{Runs, StatisticalAnswer};
use crate::options::statistics::Parameters;
use crate::statistical::watch;
use crate::statistical_query::Side;
use std::ops::ControlFlow;
use zonewalk_report::statistics::Kind;
use zonewalk_sampling::{RunError, Sampler};
use zonewalk_statistics::stop::StopRule;

impl Runs<'_> {
    pub(super) fn probability<S: Sampler>(
        &self,
        side: &Side,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<StatisticalAnswer, Box<RunError>> {
        let Parameters { alpha, epsilon, .. } = self.parameters;
        let rule = match self.parameters.runs.or(side.runs) {
            Some(runs) => StopRule::Fixed(runs),
            None => StopRule::Sequential,
        };
        let mut tally = ProbabilityTally::default();
        let (cut, made) = self.fold(
            make,
            self.parameters.max_runs,
            |sampler, number, over| {
                let run = (self.seed, number);
                watch::side(sampler, run, side, self.conditions, (over, &self.interrupt))
            },
            |number, watched| {
                tally.count(number, &watched);
                self.control
                    .see_runs(tally.counts.runs, Some(tally.counts.satisfied));
                if rule.is_enough(&tally.counts, alpha, epsilon) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let cut = tally.cut(cut)?;
        let mut estimate = self.estimate(Kind::Probability, (&side.bound, &side.over), made, rule.name());
        tally.record_in(&mut estimate, side, &self.parameters);
        estimate.cut = cut;
        Ok(StatisticalAnswer {
            made,
            satisfied: cut.is_none().then_some(true),
            sample: tally.sample,
            estimate,
        })
    }
}
