//! Gantt charts as characters.

use super::{Axis, Gantt, Row, number, ticks};
use crate::escape::cut;
use std::fmt::Write as _;

/// Rows that are printed, at most.
const ROWS: usize = 60;
/// Columns of a name, at most.
const NAME: usize = 20;

impl Gantt {
    /// Draws a row in this many columns: a stretch begins with `|` and the beginning of its name.
    pub fn to_text(&self, width: usize) -> String {
        let longest = self.rows.iter().map(|row| row.name.chars().count()).max();
        let name = longest.unwrap_or(0).clamp(4, NAME);
        let room = width.saturating_sub(name + 2).max(10);
        let mut text = String::new();
        for row in self.rows.iter().take(ROWS) {
            let line = format!("{:>name$}  {}", cut(&row.name, name), self.row(row, room));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let axis = match self.axis {
            Axis::Time => "time",
            Axis::Steps => "step",
        };
        let _ = writeln!(text, "{axis:>name$}  {}", self.scale(room).trim_end());
        if let Some(from) = self.cycle {
            let _ = writeln!(text, "(from {axis} {} on again and again)", number(from));
        }
        let hidden = self.rows.len().saturating_sub(ROWS);
        let rows = (hidden > 0).then(|| format!("{hidden} more rows are not shown"));
        for note in self.notes.iter().chain(&rows) {
            let _ = writeln!(text, "({note})");
        }
        text
    }

    /// The column of a place, among all columns.
    fn column(&self, at: f64, room: usize) -> usize {
        let (begin, end) = self.span;
        if end <= begin {
            return 0;
        }
        let share = ((at - begin) / (end - begin)).clamp(0.0, 1.0);
        (share * room as f64).round() as usize
    }

    fn row(&self, row: &Row, room: usize) -> String {
        let mut line = vec![' '; room];
        for bar in &row.bars {
            let from = self.column(bar.from, room).min(room - 1);
            let to = self.column(bar.to, room).max(from + 1);
            let mut stretch: Vec<char> = std::iter::repeat_n('─', to - from).collect();
            stretch[0] = '|';
            let label = cut(&bar.label, (to - from).saturating_sub(1));
            for (place, c) in stretch.iter_mut().skip(1).zip(label.chars()) {
                *place = c;
            }
            for (place, c) in line.iter_mut().skip(from).zip(stretch) {
                *place = c;
            }
        }
        line.into_iter().collect()
    }

    /// Round numbers below their places.
    fn scale(&self, room: usize) -> String {
        let mut line = vec![' '; room + 12];
        let mut free = 0;
        for tick in ticks(self.span, (room / 12).max(1)) {
            let label = number(tick);
            let at = self.column(tick, room);
            if at >= free && at + label.len() <= line.len() {
                for (place, c) in line.iter_mut().skip(at).zip(label.chars()) {
                    *place = c;
                }
                free = at + label.len() + 1;
            }
        }
        line.into_iter().take(room).collect()
    }
}
