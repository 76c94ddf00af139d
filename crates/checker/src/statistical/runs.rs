//! Runs of a query, folded in the order of their numbers.

use super::parameters::Parameters;
use super::question::{Form, Side};
use super::watch::{self, Outside, Watched};
use crate::control::Control;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use zonewalk_report::statistics::{BoundInfo, Estimate, HistogramInfo, Hypothesis, Kind, SeriesInfo};
use zonewalk_sampling::{Arithmetic, Bound, ConditionId, RunError, Sampler};
use zonewalk_statistics::comparison::{Comparison, Side as Larger};
use zonewalk_statistics::fold::{Ended, in_order};
use zonewalk_statistics::histogram::Histogram;
use zonewalk_statistics::mean::Mean;
use zonewalk_statistics::monitor::Observed;
use zonewalk_statistics::proportion::Tally;
use zonewalk_statistics::stop::StopRule;
use zonewalk_statistics::test::{Decision, Sprt};

/// What a fold came to.
pub(super) struct Made {
    pub(super) estimate: Estimate,
    /// Whether the query is satisfied; `None` where that is not decided.
    pub(super) satisfied: Option<bool>,
    /// A run that shows something, and whether it is one that reaches the condition that was looked for.
    pub(super) sample: Option<Sample>,
}

pub(super) struct Sample {
    pub(super) number: u64,
    pub(super) instant: f64,
}

/// Why runs ended early.
enum Cut {
    Error(Box<RunError>),
    Outside(&'static str),
    MaxRuns,
}

/// How runs are made for a query.
pub(super) struct Runs<'a> {
    pub(super) seed: u64,
    pub(super) threads: usize,
    pub(super) conditions: usize,
    pub(super) outside: Outside<'a>,
    pub(super) control: &'a Control,
    pub(super) parameters: Parameters,
}

/// The second side of a comparison has a stream of its own.
const SECOND: u64 = 0x9E37_79B9_7F4A_7C15;

impl Runs<'_> {
    pub(super) fn answer<S: Sampler>(
        &self,
        form: &Form<'_>,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<Made, Box<RunError>> {
        match form {
            Form::Probability(side) => self.probability(side, make),
            Form::Test { side, threshold } => self.test(side, *threshold, make),
            Form::Comparison(first, second) => self.comparison(first, second, make),
            Form::Expectation {
                bound,
                over,
                runs,
                is_maximum,
                observed,
            } => self.expectation((bound, over), *runs, (*observed, *is_maximum), make),
            Form::Simulation {
                bound,
                over,
                runs,
                curves,
                filter,
            } => self.simulation((bound, over), *runs, curves, *filter, make),
        }
    }

    /// Makes runs until `see` has enough or there are `most` of them. How it was cut, if it was.
    fn fold<S: Sampler, T: Send>(
        &self,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
        most: Option<u64>,
        work: impl Fn(&mut S, u64, &AtomicBool) -> Option<Result<T, RunError>> + Sync,
        mut see: impl FnMut(u64, T) -> ControlFlow<()>,
    ) -> (Option<Cut>, Arithmetic) {
        let mut cut = None;
        let mut arithmetic = Arithmetic::Exact;
        let begin = |_: &AtomicBool| make();
        let one = |worker: &mut Result<S, RunError>, number: u64, over: &AtomicBool| match worker {
            Ok(sampler) => {
                let outcome = work(sampler, number, over)?;
                Some((outcome, sampler.arithmetic()))
            }
            Err(error) => Some((Err(error.clone()), Arithmetic::Exact)),
        };
        if most == Some(0) {
            return (Some(Cut::MaxRuns), arithmetic);
        }
        let ended = in_order(self.threads, begin, one, |number, (outcome, by)| {
            arithmetic = by;
            self.control.walks.walks.fetch_add(1, Ordering::Relaxed);
            match outcome {
                Err(error) => {
                    cut = Some(Cut::Error(Box::new(error)));
                    ControlFlow::Break(())
                }
                Ok(outcome) => {
                    see(number, outcome)?;
                    if most.is_some_and(|most| number + 1 >= most) {
                        cut = Some(Cut::MaxRuns);
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                }
            }
        });
        if let Ended::Interrupted(_) = ended {
            let is_interrupted = self.outside.interrupted.load(Ordering::Relaxed);
            cut = Some(Cut::Outside(if is_interrupted {
                "interrupted"
            } else {
                "the time limit was reached"
            }));
        }
        (cut, arithmetic)
    }

    fn probability<S: Sampler>(
        &self,
        side: &Side,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<Made, Box<RunError>> {
        let Parameters { alpha, epsilon, .. } = self.parameters;
        let rule = match side.runs.or(self.parameters.runs) {
            Some(runs) => StopRule::Fixed(runs),
            None => StopRule::Sequential,
        };
        let mut seen = Seen::default();
        let (cut, arithmetic) = self.fold(
            make,
            self.parameters.max_runs,
            |sampler, number, over| {
                let run = (self.seed, number);
                watch::side(sampler, run, side, self.conditions, (over, &self.outside))
            },
            |number, watched| {
                seen.count(number, &watched);
                if rule.is_enough(&seen.tally, alpha, epsilon) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let cut = seen.cut(cut)?;
        let mut estimate = self.estimate(
            Kind::Probability,
            (&side.bound, &side.over),
            arithmetic,
            rule.name(),
        );
        seen.tell(&mut estimate, side, &self.parameters);
        estimate.cut = cut;
        Ok(Made {
            satisfied: cut.is_none().then_some(true),
            sample: seen.sample,
            estimate,
        })
    }

    fn test<S: Sampler>(
        &self,
        side: &Side,
        threshold: f64,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<Made, Box<RunError>> {
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
        let mut seen = Seen::default();
        let (cut, arithmetic) = self.fold(
            make,
            Some(self.parameters.most_of_tests()),
            |sampler, number, over| {
                let run = (self.seed, number);
                watch::side(sampler, run, side, self.conditions, (over, &self.outside))
            },
            |number, watched| {
                for (index, test) in tests.iter_mut().enumerate() {
                    if decisions[index].is_none() {
                        decisions[index] = test.count(watched.truth.unwrap_or(index == 0));
                    }
                }
                seen.count(number, &watched);
                if decisions.iter().all(Option::is_some) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let cut = seen.cut(cut)?;
        let decided = decisions[0].filter(|_| decisions[0] == decisions[1]);
        let satisfied = decided.map(|decision| decision == Decision::AtLeast);
        let mut estimate = self.estimate(
            Kind::Test,
            (&side.bound, &side.over),
            arithmetic,
            "sequential probability ratio test",
        );
        seen.tell(&mut estimate, side, &self.parameters);
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
        Ok(Made {
            satisfied,
            sample: seen.sample,
            estimate,
        })
    }

    fn comparison<S: Sampler>(
        &self,
        first: &Side,
        second: &Side,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<Made, Box<RunError>> {
        let Parameters {
            alpha, beta, u0, u1, ..
        } = self.parameters;
        let comparison = Comparison::new(u0, u1, alpha, beta);
        let mut comparisons = [comparison, comparison];
        let mut larger = [None, None];
        let mut tallies = [Tally::default(), Tally::default()];
        let (cut, arithmetic) = self.fold(
            make,
            Some(self.parameters.most_of_tests()),
            |sampler, number, over| {
                let outside = (over, &self.outside);
                let one = watch::side(sampler, (self.seed, number), first, self.conditions, outside)?;
                let other = (self.seed ^ SECOND, number);
                let two = watch::side(sampler, other, second, self.conditions, outside)?;
                Some(one.and_then(|one| Ok((one.truth, two?.truth))))
            },
            |_, (one, two)| {
                tallies[0].count(one);
                tallies[1].count(two);
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
        let cut = Seen::default().cut(cut)?;
        let decided = larger[0].filter(|_| larger[0] == larger[1]);
        let satisfied = decided.map(|side| side == Larger::First);
        let mut estimate = self.estimate(
            Kind::Comparison,
            (&first.bound, &first.over),
            arithmetic,
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
        Ok(Made {
            satisfied,
            sample: None,
            estimate,
        })
    }

    fn expectation<S: Sampler>(
        &self,
        (bound, over): (&Bound, &str),
        runs: u64,
        asked: (Observed, bool),
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<Made, Box<RunError>> {
        let runs = self.parameters.runs.unwrap_or(runs);
        let mut mean = Mean::default();
        let mut values = Vec::new();
        let mut undecided = 0;
        let mut made = 0;
        let (cut, arithmetic) = self.fold(
            make,
            self.parameters.max_runs,
            |sampler, number, over| {
                watch::extreme(sampler, (self.seed, number), bound, asked, (over, &self.outside))
            },
            |_, watched| {
                made += 1;
                match watched.value {
                    Some(value) => {
                        mean.add(value);
                        values.push(value);
                    }
                    None => undecided += 1,
                }
                if made >= runs {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let mut seen = Seen::default();
        let cut = seen.cut(cut)?;
        let alpha = self.parameters.alpha;
        let mut estimate = self.estimate(Kind::Expectation, (bound, over), arithmetic, "student");
        estimate.runs = made + seen.tally.undecided;
        estimate.undecided = undecided + seen.tally.undecided;
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
        Ok(Made {
            satisfied: estimate.cut.is_none().then_some(true),
            sample: None,
            estimate,
        })
    }

    fn simulation<S: Sampler>(
        &self,
        (bound, over): (&Bound, &str),
        runs: u64,
        curves: &[(Observed, &str)],
        filter: Option<(ConditionId, Option<u64>)>,
        make: &(impl Fn() -> Result<S, RunError> + Sync),
    ) -> Result<Made, Box<RunError>> {
        let runs = self.parameters.runs.unwrap_or(runs);
        let observed: Vec<_> = curves.iter().map(|(observed, _)| *observed).collect();
        let keep = filter.and_then(|(_, keep)| keep);
        let condition = filter.map(|(condition, _)| condition);
        let mut seen = Seen::default();
        let mut series = Vec::new();
        let (cut, arithmetic) = self.fold(
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
                        points,
                    });
                }
                seen.count(number, &watched);
                let is_full = keep.is_some_and(|keep| seen.tally.satisfied >= keep);
                if is_full || seen.tally.runs >= runs {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let cut = seen.cut(cut)?;
        let mut estimate = self.estimate(
            Kind::Simulation,
            (bound, over),
            arithmetic,
            "clopper-pearson fixed",
        );
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
        Ok(Made {
            satisfied: cut.is_none().then_some(true),
            sample: None,
            estimate,
        })
    }

    /// An estimate of nothing yet.
    fn estimate(
        &self,
        kind: Kind,
        (bound, over): (&Bound, &str),
        arithmetic: Arithmetic,
        method: &'static str,
    ) -> Estimate {
        let limit = match *bound {
            Bound::Time(limit) | Bound::Clock { limit, .. } => limit,
            Bound::Steps(steps) => steps as f64,
        };
        Estimate {
            kind,
            value: None,
            interval: None,
            confidence: None,
            half_width: None,
            runs: 0,
            satisfied: None,
            satisfied_second: None,
            undecided: 0,
            method,
            engine: match arithmetic {
                Arithmetic::Exact => "exact",
                Arithmetic::Double => "f64",
                Arithmetic::Integrated => "ode",
            },
            bound: BoundInfo {
                over: over.to_owned(),
                limit,
            },
            histogram: None,
            first_hit: None,
            mean_of_satisfying: None,
            hypothesis: None,
            sample_run: None,
            series: Vec::new(),
            wide: None,
            path: "",
            is_maximum: false,
            cut: None,
        }
    }
}

/// Runs that were seen, of which each satisfies a formula or does not.
#[derive(Default)]
struct Seen {
    tally: Tally,
    /// What the bound counts, when conditions were met.
    hits: Vec<f64>,
    /// The first run that met one.
    sample: Option<Sample>,
}

impl Seen {
    fn count(&mut self, number: u64, watched: &Watched) {
        self.tally.count(watched.truth);
        self.hits.extend(watched.hit);
        if let Some(instant) = watched.instant
            && self.sample.is_none()
        {
            self.sample = Some(Sample { number, instant });
        }
    }

    /// What ended the runs early; the run that was not finished is not decided.
    ///
    /// # Errors
    /// The model is wrong.
    fn cut(&mut self, cut: Option<Cut>) -> Result<Option<&'static str>, Box<RunError>> {
        match cut {
            None => Ok(None),
            Some(Cut::Error(error)) => Err(error),
            Some(Cut::MaxRuns) => Ok(Some("the limit on runs was reached")),
            Some(Cut::Outside(why)) => {
                self.tally.count(None);
                Ok(Some(why))
            }
        }
    }

    fn tell(&self, estimate: &mut Estimate, side: &Side, parameters: &Parameters) {
        let interval = self.tally.interval(parameters.alpha);
        estimate.wide = Some(wide(&self.tally));
        estimate.value = Some(self.tally.share());
        estimate.interval = Some([interval.lo, interval.hi]);
        estimate.half_width = Some(interval.half_width());
        estimate.confidence = Some(1.0 - parameters.alpha);
        estimate.runs = self.tally.runs;
        estimate.satisfied = Some(self.tally.satisfied);
        estimate.undecided = self.tally.undecided;
        estimate.path = side.path;
        let of = if side.is_negated { "violations" } else { "hits" };
        estimate.histogram = histogram(&self.hits, of, parameters);
        estimate.first_hit = self.hits.iter().copied().reduce(f64::min);
        let mut mean = Mean::default();
        self.hits.iter().for_each(|hit| mean.add(*hit));
        estimate.mean_of_satisfying = (mean.count > 0).then_some(mean.mean);
        estimate.sample_run = self.sample.as_ref().map(|sample| sample.number);
    }
}

/// The level of intervals that are compared with recorded ones.
const WIDE: f64 = 0.001;

fn wide(tally: &Tally) -> [f64; 2] {
    let interval = tally.interval(WIDE);
    [interval.lo, interval.hi]
}

fn histogram(values: &[f64], of: &'static str, parameters: &Parameters) -> Option<HistogramInfo> {
    let histogram = Histogram::new(values, parameters.buckets)?;
    let least = values.iter().copied().reduce(f64::min)?;
    let greatest = values.iter().copied().reduce(f64::max)?;
    Some(HistogramInfo {
        from: histogram.from,
        width: histogram.width,
        counts: histogram.counts,
        of,
        span: [least, greatest],
    })
}
