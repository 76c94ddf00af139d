//! The rows of the model's `gantt` section over a run.

use super::Scale;
use crate::document::Row;
use zonewalk_numbers::rational::Rational;
use zonewalk_reference::gantt::Bar;
use zonewalk_reference::{Interpreter, State};

/// Steps times bars that are evaluated.
const EFFORT: usize = 2_000_000;

/// A chart under construction.
#[derive(Default)]
pub(super) struct Chart<'m> {
    rows: Vec<Line<'m>>,
    now: Option<Rational>,
    /// What went wrong; the chart ends there.
    trouble: Option<String>,
}

struct Line<'m> {
    name: String,
    bars: Vec<Bar<'m>>,
    shown: Vec<(Rational, Rational, i64)>,
}

impl<'m> Chart<'m> {
    pub(super) fn new(interpreter: &Interpreter<'m>, steps: usize, notes: &mut Vec<String>) -> Self {
        let rows = match interpreter.gantt() {
            Ok(rows) => rows,
            Err(error) => {
                notes.push(format!("the gantt section cannot be drawn: {error}"));
                return Chart::default();
            }
        };
        let bars: usize = rows.iter().map(|row| row.bars.len()).sum();
        if bars.saturating_mul(steps) > EFFORT {
            notes.push(format!(
                "the gantt section has {bars} bars, too many for {steps} steps"
            ));
            return Chart::default();
        }
        let rows = rows.into_iter().map(|row| Line {
            name: row.name,
            bars: row.bars,
            shown: Vec::new(),
        });
        Chart {
            rows: rows.collect(),
            ..Chart::default()
        }
    }

    /// Time passes in a state; not at all, perhaps.
    pub(super) fn pass(&mut self, interpreter: &Interpreter<'_>, state: &State, delay: Rational) {
        if self.rows.is_empty() || self.trouble.is_some() {
            return;
        }
        let passed = self.try_pass(interpreter, state, delay);
        self.trouble = passed.err();
    }

    fn try_pass(
        &mut self,
        interpreter: &Interpreter<'_>,
        state: &State,
        delay: Rational,
    ) -> Result<(), String> {
        let now = self.now.unwrap_or(Rational::ZERO);
        for row in &mut self.rows {
            for bar in &row.bars {
                let windows = bar
                    .shows(interpreter, state, delay)
                    .map_err(|error| error.to_string())?;
                if windows.is_empty() {
                    continue;
                }
                let color = bar.color(interpreter, state).map_err(|error| error.to_string())?;
                for window in windows.iter() {
                    let (from, _) = window.lower();
                    let to = window.upper().map_or(delay, |(to, _)| to);
                    let from = now.plus(from).map_err(|error| error.to_string())?;
                    let to = now.plus(to).map_err(|error| error.to_string())?;
                    match row.shown.last_mut() {
                        Some(last) if last.1 == from && last.2 == i64::from(color) => last.1 = to,
                        _ => row.shown.push((from, to, color.into())),
                    }
                }
            }
        }
        self.now = Some(now.plus(delay).map_err(|error| error.to_string())?);
        Ok(())
    }

    pub(super) fn times(&self) -> impl Iterator<Item = Rational> {
        self.rows
            .iter()
            .flat_map(|row| &row.shown)
            .flat_map(|&(from, to, _)| [from, to])
    }

    pub(super) fn finish(self, scale: &Scale) -> Vec<Row> {
        let rows = self.rows.into_iter().map(|row| Row {
            name: row.name,
            bars: row
                .shown
                .into_iter()
                .map(|(from, to, color)| (scale.timed(from), scale.timed(to), color))
                .collect(),
        });
        rows.collect()
    }
}
