//! `Pr[…](…) >= Pr[…](…)`: pairs of runs.

use super::tally::ProbabilityTally;
use super::{Runs, StatisticalAnswer, Steps};
use crate::options::statistics::Parameters;
use crate::statistical::watch;
use crate::statistical_query::Side;
use std::ops::ControlFlow;
use zonewalk_report::statistics::{Hypothesis, Kind};
use zonewalk_sampling::{RunError, Sampler};
use zonewalk_statistics::comparison::{Comparison, Side as Larger};
use zonewalk_statistics::proportion::Tally;

/// The second side of a comparison has a stream of its own.
const SECOND: u64 = 0x9E37_79B9_7F4A_7C15;

/// A run for each side.
struct Pair {
    truths: [Option<bool>; 2],
    steps: u64,
}

impl Steps for Pair {
    fn steps(&self) -> u64 {
        self.steps
    }
}

impl Runs<'_> {
    pub(super) fn comparison<S: Sampler>(
        &self,
        first: &Side,
        second: &Side,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<StatisticalAnswer, Box<RunError>> {
        let Parameters {
            alpha, beta, u0, u1, ..
        } = self.parameters;
        let comparison = Comparison::new(u0, u1, alpha, beta);
        let mut comparisons = [comparison, comparison];
        let mut larger = [None, None];
        let mut tallies = [Tally::default(), Tally::default()];
        let (cut, made) = self.fold(
            make,
            Some(self.parameters.most_of_tests()),
            |sampler, number, over| {
                let interrupt = (over, &self.interrupt);
                let one = watch::side(sampler, (self.seed, number), first, self.conditions, interrupt)?;
                let other = (self.seed ^ SECOND, number);
                let two = watch::side(sampler, other, second, self.conditions, interrupt)?;
                Some(one.and_then(|one| {
                    let two = two?;
                    Ok(Pair {
                        truths: [one.truth, two.truth],
                        steps: one.steps + two.steps,
                    })
                }))
            },
            |_, pair| {
                let [one, two] = pair.truths;
                tallies[0].count(one);
                tallies[1].count(two);
                self.control.see_runs(tallies[0].runs, Some(tallies[0].satisfied));
                for (index, comparison) in comparisons.iter_mut().enumerate() {
                    if larger[index].is_none() {
                        // What is not known speaks for one side, then for the other.
                        larger[index] =
                            comparison.count(one.unwrap_or(index == 0), two.unwrap_or(index == 1));
                    }
                }
                if larger.iter().all(Option::is_some) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let cut = ProbabilityTally::default().cut(cut)?;
        let decided = larger[0].filter(|_| larger[0] == larger[1]);
        let satisfied = decided.map(|side| side == Larger::First);
        let mut estimate = self.estimate(
            Kind::Comparison,
            (&first.bound, &first.over),
            made,
            "double dichotomy",
        );
        estimate.runs = tallies[0].runs;
        estimate.satisfied = Some(tallies[0].satisfied);
        estimate.satisfied_second = Some(tallies[1].satisfied);
        estimate.undecided = tallies[0].undecided + tallies[1].undecided;
        estimate.value = satisfied.map(f64::from);
        estimate.confidence = Some(1.0 - if satisfied == Some(true) { beta } else { alpha });
        estimate.hypothesis = Some(Hypothesis {
            p0: u0,
            p1: u1,
            alpha,
            beta,
        });
        estimate.cut = cut;
        Ok(StatisticalAnswer {
            made,
            satisfied,
            sample: None,
            estimate,
        })
    }
}
