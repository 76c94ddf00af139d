//! How good states are, and how close walks have come to the goal.

use super::archive::Quality;
use super::distance::{Distance, Distances, FARTHEST};
use super::robustness::{Largest, Robustness};
use crate::plan::WalkPlan;
use crate::search::{Closest, Margin};
use crate::walker::Walker;
use zonewalk_network::predicate::NormalForm;

/// Measures of the way to a goal.
#[derive(Debug)]
pub(crate) struct Measure {
    distance: Option<Distance>,
    robustness: Option<Robustness>,
}

impl Measure {
    /// `None` where there is nothing to measure.
    pub(crate) fn new(plan: &WalkPlan<'_>, form: &NormalForm) -> Option<Measure> {
        let measure = Measure {
            distance: Distance::new(plan, form),
            robustness: Robustness::new(plan, form),
        };
        (measure.distance.is_some() || measure.robustness.is_some()).then_some(measure)
    }
}

/// Measurements of a walk, and the best of all walks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    distances: Distances,
    least: Option<u64>,
    largest: Largest,
}

impl Reading {
    /// A walk begins.
    pub(crate) fn begin(&mut self, measure: &Measure, walker: &mut Walker<'_>) {
        if let Some(distance) = &measure.distance {
            let away = distance.begin(walker.plan, &mut walker.state.memory, &mut self.distances);
            self.least = Some(self.least.map_or(away, |least| least.min(away)));
        }
    }

    /// After a step.
    #[inline]
    pub(crate) fn follow(&mut self, measure: &Measure, walker: &mut Walker<'_>) -> Quality {
        let mut quality = Quality {
            closeness: FARTHEST,
            share: 0,
        };
        if let Some(distance) = &measure.distance {
            let last = walker.record.steps.len() - 1;
            let (parts, memory) = (walker.record.step(last).0, &mut walker.state.memory);
            let away = distance.follow(walker.plan, parts, memory, &mut self.distances);
            self.least = self.least.map(|least| least.min(away));
            quality.closeness -= away;
        }
        if let Some(robustness) = &measure.robustness {
            let now = robustness.largest(walker);
            quality.share = now.score();
            for seen in [now, robustness.at_last(walker)] {
                if seen.share > self.largest.share {
                    self.largest = seen;
                }
            }
        }
        quality
    }

    /// How close all walks have come.
    pub(crate) fn closest(&self, plan: &WalkPlan<'_>, measure: Option<&Measure>) -> Option<Closest> {
        let robustness = measure?.robustness.as_ref();
        let point = robustness.and_then(|robustness| robustness.points.get(self.largest.point as usize));
        Some(Closest {
            distance: self.least,
            margin: point.filter(|_| self.largest.share > 0).map(|point| Margin {
                process: point.process,
                clock: point.clock,
                value: self.largest.value,
                bound: point.ticks,
                unit: plan.unit,
            }),
        })
    }
}
