//! Curves of expressions over a run.

use std::ops::ControlFlow;
use zonewalk_sampling::{ConditionId, ExpressionId, Monitor, Piece, RunError};

/// Quantity plotted as a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// An expression.
    Value(ExpressionId),
    /// A condition: 1 where it holds, 0 elsewhere.
    Truth(ConditionId),
}

/// Points of a curve. A jump is two points at one place; straight stretches have only their ends.
pub type Series = Vec<(f64, f64)>;

/// Draws curves of several expressions over what the bound counts.
#[derive(Clone, Debug)]
pub struct Curves {
    observed: Vec<Observed>,
    /// By expression.
    pub series: Vec<Series>,
    room: Vec<(f64, f64)>,
}

impl Curves {
    /// At the beginning of a run.
    pub fn new(observed: &[Observed]) -> Curves {
        Curves {
            series: vec![Series::new(); observed.len()],
            observed: observed.to_vec(),
            room: Vec::new(),
        }
    }
}

/// Adds a point; one that lies on the line through the last two replaces the last one.
fn push(series: &mut Series, point: (f64, f64)) {
    if series.last() == Some(&point) {
        return;
    }
    if let [.., (x0, y0), (x1, y1)] = series[..] {
        let is_flat = y0 == y1 && y1 == point.1;
        // Slopes that agree but for rounding; vertical stretches do not go on.
        let is_straight = x0 < x1 && x1 < point.0 && {
            let (before, now) = ((y1 - y0) / (x1 - x0), (point.1 - y1) / (point.0 - x1));
            (before - now).abs() <= 1e-9 * before.abs().max(now.abs())
        };
        let is_vertical = x0 == x1 && x1 == point.0;
        if is_vertical || (x0 <= x1 && x1 <= point.0 && is_flat) || is_straight {
            series.pop();
            return push(series, point);
        }
    }
    series.push(point);
}

/// Where intervals hold, as a curve between 0 and 1.
fn truth(intervals: &[(f64, f64)], from: f64, to: f64) -> Series {
    let mut curve = Series::new();
    let mut at = from;
    for &(start, end) in intervals {
        if start > at {
            curve.extend([(at, 0.0), (start, 0.0)]);
        }
        curve.extend([(start, 1.0), (end, 1.0)]);
        at = end;
    }
    if at < to || intervals.is_empty() {
        curve.extend([(at, 0.0), (to, 0.0)]);
    }
    curve
}

impl Monitor for Curves {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        for (observed, series) in self.observed.iter().zip(&mut self.series) {
            self.room.clear();
            match *observed {
                Observed::Value(expression) => piece.values(expression, &mut self.room)?,
                Observed::Truth(condition) => {
                    piece.holds(condition, &mut self.room)?;
                    self.room = truth(&self.room, piece.from(), piece.to());
                }
            }
            for &(at, value) in &self.room {
                push(series, (piece.progress(at)?, value));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Written, show};
    use super::*;

    #[test]
    fn straight_lines_have_two_points_and_jumps_too() {
        let observed = [
            Observed::Value(ExpressionId(0)),
            Observed::Value(ExpressionId(1)),
            Observed::Truth(ConditionId(0)),
        ];
        let piece = |(from, to, n): (f64, f64, f64)| {
            let holds = if to >= 5.0 {
                vec![(from.max(5.0), to)]
            } else {
                vec![]
            };
            Written {
                steps: 0,
                from,
                to,
                holds: vec![holds],
                lines: vec![(n, 0.0), (2.0 * from, 2.0)],
            }
        };
        let mut run = [
            (0.0, 4.0, 0.0),
            (4.0, 4.0, 1.0),
            (4.0, 6.0, 2.0),
            (6.0, 10.0, 2.0),
        ]
        .map(piece);
        let mut curves = Curves::new(&observed);
        show(&mut run, &mut curves);
        assert_eq!(
            curves.series[0],
            [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (10.0, 2.0)]
        );
        assert_eq!(curves.series[1], [(0.0, 0.0), (10.0, 20.0)]);
        assert_eq!(
            curves.series[2],
            [(0.0, 0.0), (5.0, 0.0), (5.0, 1.0), (10.0, 1.0)]
        );
    }
}
