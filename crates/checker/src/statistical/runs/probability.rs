//! `Pr[…](…)`: the share of satisfied runs.

use super::seen::Seen;
use super::{Answer, Runs};
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
    ) -> Result<Answer, Box<RunError>> {
        let Parameters { alpha, epsilon, .. } = self.parameters;
        let rule = match self.parameters.runs.or(side.runs) {
            Some(runs) => StopRule::Fixed(runs),
            None => StopRule::Sequential,
        };
        let mut seen = Seen::default();
        let (cut, made) = self.fold(
            make,
            self.parameters.max_runs,
            |sampler, number, over| {
                let run = (self.seed, number);
                watch::side(sampler, run, side, self.conditions, (over, &self.outside))
            },
            |number, watched| {
                seen.count(number, &watched);
                self.control.see_runs(seen.tally.runs, Some(seen.tally.satisfied));
                if rule.is_enough(&seen.tally, alpha, epsilon) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let cut = seen.cut(cut)?;
        let mut estimate = self.estimate(Kind::Probability, (&side.bound, &side.over), made, rule.name());
        seen.tell(&mut estimate, side, &self.parameters);
        estimate.cut = cut;
        Ok(Answer {
            made,
            satisfied: cut.is_none().then_some(true),
            sample: seen.sample,
            estimate,
        })
    }
}
