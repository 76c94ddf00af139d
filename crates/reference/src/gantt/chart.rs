//! The bars of a whole run.

use super::Bar;
use crate::interpreter::{Interpreter, State};
use zonewalk_numbers::rational::Rational;

/// Steps times bars that are evaluated.
const EFFORT: usize = 2_000_000;

/// The rows of the model's `gantt` sections, collected while a run is repeated.
#[derive(Clone, Debug)]
pub struct Chart<'m> {
    rows: Vec<ChartRow<'m>>,
    now: Rational,
    trouble: Option<String>,
}

/// A row with what it shows.
#[derive(Clone, Debug)]
pub struct ChartRow<'m> {
    /// Its title.
    pub name: String,
    /// From, to, number of the colour; in the order of time.
    pub shown: Vec<(Rational, Rational, i32)>,
    bars: Vec<Bar<'m>>,
}

impl<'m> Chart<'m> {
    /// The chart of a run that begins at time 0, with room for a number of steps.
    pub fn new(interpreter: &Interpreter<'m>, steps: usize) -> Self {
        let in_trouble = |trouble: String| Chart {
            rows: Vec::new(),
            now: Rational::ZERO,
            trouble: Some(trouble),
        };
        let rows = match interpreter.gantt() {
            Ok(rows) => rows,
            Err(error) => return in_trouble(format!("the gantt section cannot be drawn: {error}")),
        };
        let bars: usize = rows.iter().map(|row| row.bars.len()).sum();
        if bars.saturating_mul(steps) > EFFORT {
            return in_trouble(format!(
                "the gantt section has {bars} bars, too many for {steps} steps"
            ));
        }
        let rows = rows.into_iter().map(|row| ChartRow {
            name: row.name,
            bars: row.bars,
            shown: Vec::new(),
        });
        Chart {
            rows: rows.collect(),
            now: Rational::ZERO,
            trouble: None,
        }
    }

    /// Time passes in a state; not at all, perhaps. Requires: `delay` is possible there.
    pub fn pass(&mut self, interpreter: &Interpreter<'_>, state: &State, delay: Rational) {
        if self.rows.is_empty() || self.trouble.is_some() {
            return;
        }
        if let Err(error) = self.try_pass(interpreter, state, delay) {
            self.trouble = Some(format!(
                "the rows of the gantt section end at time {}: {error}",
                self.now
            ));
        }
    }

    fn try_pass(
        &mut self,
        interpreter: &Interpreter<'_>,
        state: &State,
        delay: Rational,
    ) -> Result<(), crate::Error> {
        for row in &mut self.rows {
            for bar in &row.bars {
                let windows = bar.shows(interpreter, state, delay)?;
                if windows.is_empty() {
                    continue;
                }
                let color = bar.color(interpreter, state)?;
                for window in windows.iter() {
                    let (from, _) = window.lower();
                    let to = window.upper().map_or(delay, |(to, _)| to);
                    let (from, to) = (self.now.plus(from)?, self.now.plus(to)?);
                    match row.shown.last_mut() {
                        Some(last) if last.1 == from && last.2 == color => last.1 = to,
                        _ => row.shown.push((from, to, color)),
                    }
                }
            }
        }
        self.now = self.now.plus(delay)?;
        Ok(())
    }

    /// The rows so far.
    pub fn rows(&self) -> &[ChartRow<'m>] {
        &self.rows
    }

    /// Why there are none, or why they end before the run does.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }
}
