//! Runs of a model as plain data: which edges, with which values of selects, after which delays.
//!
//! Neutral about the origin of a run: walks and searches of the zone graph make it, the reference interpreter judges it, reports put
//! it into words. A run says nothing of states, because they follow from it.
//!
//! # Other forms of runs
//!
//! Other forms of runs are there for a reason: `network::Transition` is a transition by edge instances, before it is put
//! into the terms of the model; `walk::Record` is what a walk writes down in every step, without allocating;
//! `timing::TimedPath` has the conditions on delays, and `Schedule` the delays alone; `tioa::Run` is about two systems,
//! one of which follows the other, and `refine::walk::Record` is its form while walks are made shorter;
//! `report::trace::Trace` has names and states for readers.

#![warn(missing_docs)]

mod ends;

pub use ends::WalkEndCounts;

use zonewalk_model::ids::{EdgeId, ProcessId};
use zonewalk_numbers::{Rational, TooLarge};

/// A run from the initial state: exact, in ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Ticks per unit of time; positive.
    pub unit: i64,
    /// Delays and transitions.
    pub steps: Vec<Step>,
    /// The delay after the last transition, in ticks.
    pub last_delay: i64,
}

/// A delay, then a transition. Delays are ticks of a [`Run`], or fractions of a unit of time where single steps are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<D = i64> {
    /// The delay before the transition.
    pub delay: D,
    /// The edges: the initiator's, then the receivers' in the order of the processes; without `!` or `?` all in that order.
    pub parts: Vec<Part>,
}

/// An edge that takes part in a transition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The process.
    pub process: ProcessId,
    /// The edge, in the process's template.
    pub edge: EdgeId,
    /// One value for each of its selects, in the order of the label.
    pub selects: Vec<i32>,
}

impl Run {
    /// The run that stays in the initial state.
    pub const EMPTY: Run = Run {
        unit: 1,
        steps: Vec::new(),
        last_delay: 0,
    };

    /// The sum of all delays, in ticks.
    pub fn duration(&self) -> i64 {
        self.steps.iter().map(|step| step.delay).sum::<i64>() + self.last_delay
    }
}

impl Step {
    /// The step with its delay in units of time.
    ///
    /// # Errors
    /// When there are no ticks in a unit.
    pub fn in_units(&self, unit: i64) -> Result<Step<Rational>, TooLarge> {
        Ok(Step {
            delay: Rational::new(self.delay.into(), unit.into())?,
            parts: self.parts.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_add_up_and_become_fractions() {
        let step = |delay| Step {
            delay,
            parts: Vec::new(),
        };
        let run = Run {
            unit: 4,
            steps: vec![step(2), step(5)],
            last_delay: 1,
        };
        assert_eq!(run.duration(), 8);
        assert_eq!(Run::EMPTY.duration(), 0);
        let delays = run
            .steps
            .iter()
            .map(|step| step.in_units(run.unit).unwrap().delay.to_string());
        assert_eq!(delays.collect::<Vec<_>>(), ["1/2", "5/4"]);
        assert_eq!(run.steps[0].in_units(0), Err(TooLarge));
    }
}
