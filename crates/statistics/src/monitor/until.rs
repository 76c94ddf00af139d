//! `p U q`: q holds at some instant, and p at all instants before the first such.

use std::ops::ControlFlow;
use zonewalk_sampling::{ConditionId, Monitor, Piece, RunError};

/// Looks for q, while p holds.
#[derive(Clone, Debug)]
pub struct Until {
    p: ConditionId,
    q: ConditionId,
    /// Value of the bounded quantity when q came.
    pub hit: Option<f64>,
    /// When that was, as time.
    pub instant: Option<f64>,
    room: Vec<(f64, f64)>,
}

impl Until {
    /// Watches for `q` while `p` holds.
    pub fn new(p: ConditionId, q: ConditionId) -> Until {
        Until {
            p,
            q,
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

/// Whether intervals, in order, cover everything from one instant to another.
pub(super) fn cover(intervals: &[(f64, f64)], from: f64, to: f64) -> bool {
    intervals.iter().any(|&(start, end)| start <= from && to <= end)
}

impl Monitor for Until {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        self.room.clear();
        piece.holds(self.q, &mut self.room)?;
        let met = self.room.first().map(|&(at, _)| at);
        let until = met.unwrap_or(piece.to());
        self.room.clear();
        piece.holds(self.p, &mut self.room)?;
        // Where q holds from the beginning on, p need not hold at all.
        let holds = met == Some(piece.from()) || cover(&self.room, piece.from(), until);
        match met {
            Some(at) if holds => {
                self.hit = Some(piece.progress(at)?);
                self.instant = Some(at);
            }
            None if holds => return Ok(ControlFlow::Continue(())),
            _ => {}
        }
        Ok(ControlFlow::Break(()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Written, show};
    use super::*;

    fn holds(p: &[(f64, f64)], q: &[(f64, f64)]) -> bool {
        let piece = Written {
            steps: 0,
            from: 0.0,
            to: 10.0,
            holds: vec![p.to_vec(), q.to_vec()],
            lines: Vec::new(),
        };
        let mut until = Until::new(ConditionId(0), ConditionId(1));
        show(&mut [piece], &mut until);
        until.hit.is_some()
    }

    #[test]
    fn p_holds_before_q() {
        assert!(holds(&[(0.0, 5.0)], &[(5.0, 10.0)]));
        assert!(!holds(&[(0.0, 5.0)], &[(5.1, 10.0)]));
        assert!(!holds(&[(0.0, 10.0)], &[]));
        assert!(holds(&[], &[(0.0, 10.0)]));
        assert!(!holds(&[(0.0, 2.0), (3.0, 5.0)], &[(5.0, 10.0)]));
    }
}
