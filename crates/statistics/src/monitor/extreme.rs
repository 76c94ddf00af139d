//! The greatest or least value of an expression along a run.

use super::Observed;
use super::until::cover;
use std::ops::ControlFlow;
use zonewalk_sampling::{Monitor, Piece, RunError};

/// Follows an expression.
#[derive(Clone, Debug)]
pub struct Extreme {
    observed: Observed,
    is_maximum: bool,
    /// Extreme value so far; `None` before the run.
    pub value: Option<f64>,
    room: Vec<(f64, f64)>,
}

impl Extreme {
    /// Watches the extreme value of an expression.
    pub fn new(observed: Observed, is_maximum: bool) -> Extreme {
        Extreme {
            observed,
            is_maximum,
            value: None,
            room: Vec::new(),
        }
    }

    /// At the beginning of a run.
    pub fn begin(&mut self) {
        self.value = None;
    }

    fn take(&mut self, value: f64) {
        let best = match self.value {
            Some(best) if self.is_maximum => best.max(value),
            Some(best) => best.min(value),
            None => value,
        };
        self.value = Some(best);
    }
}

impl Monitor for Extreme {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        self.room.clear();
        match self.observed {
            Observed::Value(expression) => {
                piece.values(expression, &mut self.room)?;
                for i in 0..self.room.len() {
                    self.take(self.room[i].1);
                }
            }
            Observed::Truth(condition) => {
                piece.holds(condition, &mut self.room)?;
                if !self.room.is_empty() {
                    self.take(1.0);
                }
                if !cover(&self.room, piece.from(), piece.to()) {
                    self.take(0.0);
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Written, show};
    use super::*;
    use zonewalk_sampling::{ConditionId, ExpressionId};

    #[test]
    fn ends_of_delays_count() {
        let piece = |from, to, start, slope, holds: &[(f64, f64)]| Written {
            steps: 0,
            from,
            to,
            holds: vec![holds.to_vec()],
            lines: vec![(start, slope)],
        };
        let extreme = |observed, is_maximum| {
            let mut run = [
                piece(0.0, 3.0, 1.0, 2.0, &[(0.0, 3.0)]),
                piece(3.0, 4.0, 0.0, -1.0, &[(3.0, 4.0)]),
            ];
            let mut extreme = Extreme::new(observed, is_maximum);
            show(&mut run, &mut extreme);
            extreme.value
        };
        assert_eq!(extreme(Observed::Value(ExpressionId(0)), true), Some(7.0));
        assert_eq!(extreme(Observed::Value(ExpressionId(0)), false), Some(-1.0));
        assert_eq!(extreme(Observed::Truth(ConditionId(0)), false), Some(1.0));
    }
}
