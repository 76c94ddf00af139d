//! How good states are, and how close walks have come to the goal.

use super::archive::Quality;
use super::distance::{Distance, Distances, FARTHEST};
use super::robustness::{Largest, Robustness};
use crate::plan::WalkPlan;
use crate::walker::Walker;
use zonewalk_network::ids::{ClockId, ProcessId};
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

/// How close walks got to a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closest {
    /// The least distance by locations and data; `None` where the goal has none.
    pub distance: Option<u64>,
    /// The largest part of a lower bound that a clock has reached, in a guard of an edge that may make the goal true.
    pub margin: Option<Margin>,
}

/// Progress of a clock towards a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The process that has the edge.
    pub process: ProcessId,
    /// The clock.
    pub clock: ClockId,
    /// Its value, in ticks.
    pub value: i64,
    /// The bound, in ticks.
    pub bound: i64,
    /// Ticks per unit of time.
    pub unit: i64,
}

impl Closest {
    /// Adds the best of other walks.
    pub fn join(&mut self, other: &Closest) {
        self.distance = self.distance.into_iter().chain(other.distance).min();
        let is_larger = |a: &Margin, b: &Margin| {
            i128::from(a.value) * i128::from(b.bound) > i128::from(b.value) * i128::from(a.bound)
        };
        self.margin = match (self.margin, other.margin) {
            (Some(own), Some(theirs)) if is_larger(&theirs, &own) => Some(theirs),
            (own, theirs) => own.or(theirs),
        };
    }
}
