//! `E[…](max: e)`: the mean of an expression.

use super::tally::{ProbabilityTally, WIDE, histogram};
use super::{Runs, StatisticalAnswer};
use crate::options::statistics::Parameters;
use crate::statistical::watch;
use std::ops::ControlFlow;
use zonewalk_report::statistics::Kind;
use zonewalk_sampling::{Bound, RunError, Sampler};
use zonewalk_statistics::mean::Mean;
use zonewalk_statistics::monitor::Observed;
use zonewalk_statistics::stop::MeanRule;

impl Runs<'_> {
    pub(super) fn expectation<S: Sampler>(
        &self,
        (bound, over): (&Bound, &str),
        runs: Option<u64>,
        asked: (Observed, bool),
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<StatisticalAnswer, Box<RunError>> {
        let mut mean = Mean::default();
        let mut values = Vec::new();
        let mut undecided = 0;
        let rule = match runs {
            Some(runs) => MeanRule::Fixed(runs),
            None => MeanRule::Sequential,
        };
        let Parameters { alpha, epsilon, .. } = self.parameters;
        let mut count = 0;
        let (cut, made) = self.fold(
            make,
            self.parameters.max_runs,
            |sampler, number, over| {
                watch::extreme(
                    sampler,
                    (self.seed, number),
                    bound,
                    asked,
                    (over, &self.interrupt),
                )
            },
            |_, watched| {
                count += 1;
                self.control.see_runs(count, None);
                match watched.value {
                    Some(value) => {
                        mean.add(value);
                        values.push(value);
                    }
                    None => undecided += 1,
                }
                if rule.is_enough(&mean, undecided, alpha, epsilon) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let mut tally = ProbabilityTally::default();
        let cut = tally.cut(cut)?;
        let mut estimate = self.estimate(Kind::Expectation, (bound, over), made, rule.name());
        estimate.runs = count + tally.counts.undecided;
        estimate.undecided = undecided + tally.counts.undecided;
        estimate.is_maximum = asked.1;
        estimate.value = (mean.count > 0).then_some(mean.mean);
        // The values of runs that were cut are not known: no interval holds without them.
        if undecided == 0 {
            estimate.half_width = mean.half_width(alpha);
            estimate.wide = mean
                .interval(WIDE)
                .map(|i| [i.lo, i.hi])
                .or(estimate.value.map(|value| [value, value]));
            estimate.interval = mean.interval(alpha).map(|i| [i.lo, i.hi]);
            estimate.confidence = Some(1.0 - alpha);
        }
        estimate.histogram = histogram(&values, "values", &self.parameters);
        estimate.cut = cut.or((undecided > 0).then_some("some runs reached the limit on steps"));
        Ok(StatisticalAnswer {
            made,
            satisfied: estimate.cut.is_none().then_some(true),
            sample: None,
            estimate,
        })
    }
}
