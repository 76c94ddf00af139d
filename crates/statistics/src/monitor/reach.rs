//! `<> p`. `[] p` is that `<> !p` does not hold.

use std::ops::ControlFlow;
use zonewalk_sampling::{ConditionId, Monitor, Piece, RunError};

/// Looks for the first instant at which a condition holds.
#[derive(Clone, Debug)]
pub struct Reach {
    condition: ConditionId,
    /// Value of the bounded quantity at that instant.
    pub hit: Option<f64>,
    /// Instant at which the condition was reached.
    pub instant: Option<f64>,
    room: Vec<(f64, f64)>,
}

impl Reach {
    /// Watches for a condition.
    pub fn new(condition: ConditionId) -> Reach {
        Reach {
            condition,
            hit: None,
            instant: None,
            room: Vec::new(),
        }
    }

    /// At the beginning of a run.
    pub fn begin(&mut self) {
        (self.hit, self.instant) = (None, None);
    }
}

impl Monitor for Reach {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        self.room.clear();
        piece.holds(self.condition, &mut self.room)?;
        let Some(&(at, _)) = self.room.first() else {
            return Ok(ControlFlow::Continue(()));
        };
        self.hit = Some(piece.progress(at)?);
        self.instant = Some(at);
        Ok(ControlFlow::Break(()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Written, show};
    use super::*;

    #[test]
    fn the_first_instant_counts() {
        let piece = |from, to, holds: &[(f64, f64)]| Written {
            steps: 0,
            from,
            to,
            holds: vec![holds.to_vec()],
            lines: Vec::new(),
        };
        let mut run = [piece(0.0, 2.0, &[]), piece(2.0, 9.0, &[(3.0, 4.0), (5.0, 9.0)])];
        let mut reach = Reach::new(ConditionId(0));
        assert!(show(&mut run, &mut reach));
        assert_eq!(reach.hit, Some(3.0));
        reach.begin();
        assert!(!show(&mut run[..1], &mut reach));
        assert_eq!(reach.hit, None);
    }
}
