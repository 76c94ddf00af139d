//! Tables of measured numbers beside those of a paper, for people and for programs.

use super::model::Effort;
use serde_json::{Value, json};
use std::fmt::Write as _;
use zonewalk::measure::Estimate;

/// A table.
pub(super) struct Grid {
    /// Its name on the command line.
    pub(super) id: String,
    pub(super) title: String,
    /// What its lines are called.
    pub(super) lines: &'static str,
    pub(super) columns: Vec<String>,
}

/// What was measured, and what the paper says: a number, a word, or nothing.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    /// A mean; `None` where nothing could be measured.
    Mean(Option<Estimate>, &'static str),
    /// A share, shown in percent.
    Share(Option<Estimate>, &'static str),
    /// So many of so many.
    Count(u64, u64),
}

impl Grid {
    /// The titles.
    pub(super) fn header(&self) -> String {
        let mut text = format!("\n### {}\n\n| {} |", self.title, self.lines);
        for column in &self.columns {
            // Writing to a string cannot fail.
            let _ = write!(text, " {column} |");
        }
        text.push_str("\n|---|");
        text.push_str(&"---|".repeat(self.columns.len()));
        text.push('\n');
        text
    }

    /// All of it for programs.
    pub(super) fn document(&self, lines: &[(String, Vec<Cell>)], effort: &Effort) -> Value {
        let line = |(name, cells): &(String, Vec<Cell>)| {
            let cells: Vec<_> = self
                .columns
                .iter()
                .zip(cells)
                .map(|(c, cell)| cell.json(c))
                .collect();
            json!({(self.lines): name, "cells": cells})
        };
        json!({
            "table": self.id,
            "title": self.title,
            "seeds": effort.seeds,
            "rows": lines.iter().map(line).collect::<Vec<_>>(),
        })
    }
}

/// One line for people.
pub(super) fn line(name: &str, cells: &[Cell]) -> String {
    let mut text = format!("| {name} |");
    for cell in cells {
        let _ = write!(text, " {} |", cell.text());
    }
    text.push('\n');
    text
}

impl Cell {
    fn text(&self) -> String {
        let (ours, paper) = match self {
            Cell::Count(found, of) => return format!("{found} of {of}"),
            Cell::Mean(None, paper) | Cell::Share(None, paper) => ("–".to_owned(), paper),
            Cell::Mean(Some(mean), paper) => (mean_text(mean), paper),
            Cell::Share(Some(share), paper) => {
                let percent = |value: f64| format!("{:.1}", value * 100.0);
                let (low, high) = (percent(share.low), percent(share.high));
                (format!("{} ({low}–{high})", percent(share.value)), paper)
            }
        };
        if paper.is_empty() {
            ours
        } else {
            format!("{ours} / {paper}")
        }
    }

    fn json(&self, column: &str) -> Value {
        let (estimate, paper) = match self {
            Cell::Count(found, of) => return json!({"column": column, "value": found, "of": of}),
            Cell::Mean(estimate, paper) | Cell::Share(estimate, paper) => (estimate, paper),
        };
        let end = |value: fn(&Estimate) -> f64| estimate.as_ref().map(value).filter(|v| v.is_finite());
        json!({
            "column": column,
            "value": end(|e| e.value),
            "low": end(|e| e.low),
            "high": end(|e| e.high),
            "paper": match paper.parse::<f64>() {
                Ok(number) => json!(number),
                Err(_) if paper.is_empty() => Value::Null,
                Err(_) => json!(paper),
            },
        })
    }
}

fn mean_text(mean: &Estimate) -> String {
    let half = mean.high - mean.value;
    if half.is_finite() && half > 0.0 {
        format!("{} ± {}", digits(mean.value), digits(half))
    } else if half <= 0.0 && mean.value.fract() <= 0.0 {
        // A count.
        format!("{:.0}", mean.value)
    } else {
        digits(mean.value)
    }
}

/// A number that was measured once.
pub(super) fn exactly(value: f64) -> Estimate {
    Estimate {
        value,
        low: value,
        high: value,
    }
}

/// Three significant digits.
pub(super) fn digits(number: f64) -> String {
    match number {
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n if n >= 1.0 => format!("{n:.2}"),
        n if n >= 0.1 => format!("{n:.3}"),
        n if n >= 0.001 || n <= 0.0 => format!("{n:.4}"),
        n => format!("{n:.6}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, low: f64, high: f64) -> Option<Estimate> {
        Some(Estimate { value, low, high })
    }

    #[test]
    fn cells_for_people_and_programs() {
        let mean = Cell::Mean(estimate(216.4, 200.4, 232.4), "216");
        assert_eq!(mean.text(), "216 ± 16.0 / 216");
        assert_eq!(
            mean.json("states"),
            json!({"column": "states", "value": 216.4, "low": 200.4, "high": 232.4, "paper": 216.0})
        );
        let single = Cell::Mean(estimate(7.0, f64::NEG_INFINITY, f64::INFINITY), "oom");
        assert_eq!(single.text(), "7.00 / oom");
        assert_eq!(single.json("t")["high"], Value::Null);
        assert_eq!(Cell::Mean(Some(exactly(20.0)), "").text(), "20");
        assert_eq!(Cell::Mean(Some(exactly(1.5)), "2").text(), "1.50 / 2");
        let share = Cell::Share(estimate(0.307, 0.279, 0.336), "");
        assert_eq!(share.text(), "30.7 (27.9–33.6)");
        assert_eq!(Cell::Share(None, "31").text(), "– / 31");
        assert_eq!(line("a", &[Cell::Count(2, 3)]), "| a | 2 of 3 |\n");
    }
}
