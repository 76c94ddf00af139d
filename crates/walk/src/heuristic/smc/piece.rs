//! A state of a run in exact time, from now to an instant, for those who watch the run.

use super::sample::{Explain, SampleError};
use crate::Stop;
use crate::goal::Watch;
use crate::plan::WalkPlan;
use crate::state::State;
use crate::state::refresh::Instants;
use crate::time::Window;
use zonewalk_network::Measure;
use zonewalk_network::ids::ClockId;
use zonewalk_product::Valuation;
use zonewalk_sampling::{Bound, ConditionId, ExpressionId, Piece, RunError};

/// The clock that a measure is; `None` for integers.
pub(super) fn clock_of(
    plan: &WalkPlan<'_>,
    state: &mut State,
    measure: &Measure,
) -> Result<Option<ClockId>, Stop> {
    let Measure::Clock { setup, clock, .. } = *measure else {
        return Ok(None);
    };
    let context = plan.network.global_context();
    let mut instants = Instants::new(plan, state);
    if let Some(setup) = setup {
        instants.execute(setup, &context)?;
    }
    let number = instants.memory()[context.address(clock)];
    Ok(Some(ClockId(number as u32)))
}

/// A state, from now to an instant.
pub(super) struct StatePiece<'a, 'p> {
    pub(super) plan: &'a WalkPlan<'p>,
    pub(super) state: &'a mut State,
    pub(super) to: i64,
    pub(super) steps: u64,
    pub(super) watches: &'a mut [Watch<'p>],
    pub(super) measures: &'a [Measure],
    pub(super) windows: &'a mut Vec<Window>,
    pub(super) bound: &'a Bound,
    pub(super) explain: &'a Explain<'a>,
}

impl StatePiece<'_, '_> {
    fn units(&self, ticks: i64) -> f64 {
        ticks as f64 / self.plan.unit as f64
    }

    fn error(&self, stop: Stop) -> RunError {
        let (kind, message, span) = (self.explain)(&SampleError::Stop(stop));
        RunError {
            kind,
            message,
            span,
            // The caller knows the number of the run.
            run: 0,
            time: self.units(self.state.clocks.now),
            steps: self.steps,
        }
    }

    /// An expression now, and what it gains in a unit of time.
    fn line(&mut self, measure: &Measure) -> Result<(f64, f64), Stop> {
        if let Some(clock) = clock_of(self.plan, self.state, measure)? {
            let clocks = &self.state.clocks;
            let runs = clocks.values[clock.index()].runs;
            return Ok((self.units(clocks.value(clock)), if runs { 1.0 } else { 0.0 }));
        }
        let Measure::Integer { setup, value, .. } = *measure else {
            return Ok((0.0, 0.0));
        };
        let context = self.plan.network.global_context();
        let mut instants = Instants::new(self.plan, self.state);
        if let Some(setup) = setup {
            instants.execute(setup, &context)?;
        }
        Ok((f64::from(instants.memory()[context.address(value)]), 0.0))
    }
}

impl Piece for StatePiece<'_, '_> {
    fn from(&self) -> f64 {
        self.units(self.state.clocks.now)
    }

    fn to(&self) -> f64 {
        self.units(self.to)
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn holds(&mut self, condition: ConditionId, into: &mut Vec<(f64, f64)>) -> Result<(), RunError> {
        self.windows.clear();
        let watch = &mut self.watches[condition.0];
        let found = watch.windows(self.plan, self.state, self.to, self.windows);
        found.map_err(|stop| self.error(stop))?;
        for window in self.windows.iter().filter(|window| !window.is_empty()) {
            let (first, last) = (
                window.lo + (window.lo & 1),
                (window.hi + (window.hi & 1)).min(self.to),
            );
            into.push((self.units(first), self.units(last)));
        }
        Ok(())
    }

    fn values(&mut self, expression: ExpressionId, into: &mut Vec<(f64, f64)>) -> Result<(), RunError> {
        let measures = self.measures;
        let (start, slope) = self
            .line(&measures[expression.0])
            .map_err(|stop| self.error(stop))?;
        let (from, to) = (self.from(), self.to());
        into.push((from, start));
        if to > from {
            into.push((to, start + slope * (to - from)));
        }
        Ok(())
    }

    fn progress(&mut self, at: f64) -> Result<f64, RunError> {
        match *self.bound {
            Bound::Time(_) => Ok(at),
            Bound::Steps(_) => Ok(self.steps as f64),
            Bound::Clock { clock, .. } => {
                let measures = self.measures;
                let (start, slope) = self.line(&measures[clock.0]).map_err(|stop| self.error(stop))?;
                Ok(start + slope * (at - self.from()))
            }
        }
    }
}
