//! `Pr[…](…) >= p`: a sequential test.

use super::tally::ProbabilityTally;
use super::{Runs, StatisticalAnswer};
use crate::options::statistics::Parameters;
use crate::statistical::watch;
use crate::statistical_query::Side;
use std::ops::ControlFlow;
use zonewalk_report::statistics::{Hypothesis, Kind};
use zonewalk_sampling::{RunError, Sampler};
use zonewalk_statistics::test::{Decision, Sprt};

impl Runs<'_> {
    pub(super) fn test<S: Sampler>(
        &self,
        side: &Side,
        threshold: f64,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<StatisticalAnswer, Box<RunError>> {
        let Parameters {
            alpha,
            beta,
            lower_delta,
            upper_delta,
            ..
        } = self.parameters;
        let sprt = Sprt::new(threshold, lower_delta, upper_delta, alpha, beta);
        // Undecided runs count as one outcome in the first, and as the other in the second: both must agree.
        let mut tests = [sprt, sprt];
        let mut decisions = [None, None];
        let mut tally = ProbabilityTally::default();
        let (cut, made) = self.fold(
            make,
            Some(self.parameters.most_of_tests()),
            |sampler, number, over| {
                let run = (self.seed, number);
                watch::side(sampler, run, side, self.conditions, (over, &self.interrupt))
            },
            |number, watched| {
                for (index, test) in tests.iter_mut().enumerate() {
                    if decisions[index].is_none() {
                        decisions[index] = test.count(watched.truth.unwrap_or(index == 0));
                    }
                }
                tally.count(number, &watched);
                self.control
                    .see_runs(tally.counts.runs, Some(tally.counts.satisfied));
                if decisions.iter().all(Option::is_some) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let cut = tally.cut(cut)?;
        let decided = decisions[0].filter(|_| decisions[0] == decisions[1]);
        let satisfied = decided.map(|decision| decision == Decision::AtLeast);
        let mut estimate = self.estimate(
            Kind::Test,
            (&side.bound, &side.over),
            made,
            "sequential probability ratio test",
        );
        tally.record_in(&mut estimate, side, &self.parameters);
        estimate.interval = None;
        estimate.half_width = None;
        estimate.value = satisfied.map(f64::from);
        let right = if satisfied == Some(true) { beta } else { alpha };
        estimate.confidence = Some(1.0 - right);
        estimate.hypothesis = Some(Hypothesis {
            p0: sprt.p0,
            p1: sprt.p1,
            alpha,
            beta,
        });
        estimate.cut = cut.or(satisfied
            .is_none()
            .then_some("undecided runs leave the answer open"));
        Ok(StatisticalAnswer {
            made,
            satisfied,
            sample: tally.sample,
            estimate,
        })
    }
}
