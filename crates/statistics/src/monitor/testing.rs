//! Runs that tests write down.

use std::ops::ControlFlow;
use zonewalk_sampling::{ConditionId, ExpressionId, Monitor, Piece, RunError};

/// A piece of which everything is written down.
pub(crate) struct Written {
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Transitions before it.
    pub(crate) steps: u64,
    /// By condition.
    pub(crate) holds: Vec<Vec<(f64, f64)>>,
    /// By expression: what it is at the beginning, and what it gains in a unit of time.
    pub(crate) lines: Vec<(f64, f64)>,
}

impl Piece for Written {
    fn from(&self) -> f64 {
        self.from
    }

    fn to(&self) -> f64 {
        self.to
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn holds(&mut self, condition: ConditionId, into: &mut Vec<(f64, f64)>) -> Result<(), RunError> {
        into.extend(&self.holds[condition.0]);
        Ok(())
    }

    fn values(&mut self, expression: ExpressionId, into: &mut Vec<(f64, f64)>) -> Result<(), RunError> {
        let (start, slope) = self.lines[expression.0];
        into.push((self.from, start));
        if self.to > self.from {
            into.push((self.to, start + slope * (self.to - self.from)));
        }
        Ok(())
    }

    fn progress(&mut self, at: f64) -> Result<f64, RunError> {
        Ok(at)
    }
}

/// Shows a run to a monitor, as far as it wants to see it. Whether it has seen enough.
pub(crate) fn show(run: &mut [Written], monitor: &mut dyn Monitor) -> bool {
    let sees = |piece: &mut Written| matches!(monitor.piece(piece), Ok(ControlFlow::Break(())));
    run.iter_mut().any(sees)
}
