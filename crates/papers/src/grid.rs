//! Tables of measured numbers beside those of a paper, for people and for programs.

use super::model::Effort;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Write as _;
use zonewalk_checker::measure::Estimate;

/// A table.
pub(super) struct Grid {
    /// Its name on the command line.
    pub(super) id: String,
    pub(super) title: String,
    /// Name of its lines.
    pub(super) lines: &'static str,
    pub(super) columns: Vec<String>,
}

/// Measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Number {
    /// A mean; `None` where nothing could be measured.
    Mean(Option<Spread>),
    /// A share, shown in percent.
    Share(Option<Spread>),
    /// A share: count and total.
    Count(u64, u64),
    /// A verdict.
    Word(String),
    /// Why nothing was measured.
    Missing(String),
}

/// A number with its interval of confidence; without ends where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Spread {
    pub(super) value: f64,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<Estimate> for Spread {
    fn from(estimate: Estimate) -> Self {
        let end = |value: f64| value.is_finite().then_some(value);
        Spread {
            value: estimate.value,
            low: end(estimate.low),
            high: end(estimate.high),
        }
    }
}

impl Number {
    pub(super) fn mean(estimate: Option<Estimate>) -> Number {
        Number::Mean(estimate.map(Spread::from))
    }

    pub(super) fn share(estimate: Option<Estimate>) -> Number {
        Number::Share(estimate.map(Spread::from))
    }

    /// One that was measured once.
    pub(super) fn exactly(value: f64) -> Number {
        Number::Mean(Some(Spread {
            value,
            low: Some(value),
            high: Some(value),
        }))
    }
}

/// Word for a number that is not in the results.
const NOT_RUN: &str = "not run";

/// Measurement beside the paper's: a number, a word, or nothing.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Nothing where it was not measured.
    pub(super) ours: Option<Number>,
    pub(super) paper: &'static str,
}

/// A line: what was measured, or why it was not, beside what the paper says.
pub(super) fn beside(ours: Option<&[Number]>, paper: &[&'static str]) -> Vec<Cell> {
    let cell = |(i, &paper): (usize, &&'static str)| Cell {
        ours: ours.and_then(|ours| ours.get(i)).cloned(),
        paper,
    };
    paper.iter().enumerate().map(cell).collect()
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
    pub(super) fn document(&self, lines: &[(String, Vec<Cell>)], effort: &Effort, places: &str) -> Value {
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
            "threads": 1,
            "timeout_s": effort.timeout.as_secs_f64(),
            "machine": places,
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
        let percent = |value: f64| format!("{:.1}", value * 100.0);
        let ours = match &self.ours {
            None => NOT_RUN.to_owned(),
            Some(Number::Mean(None) | Number::Share(None)) => "–".to_owned(),
            Some(Number::Count(found, of)) => format!("{found} of {of}"),
            Some(Number::Word(word) | Number::Missing(word)) => word.clone(),
            Some(Number::Mean(Some(mean))) => mean_text(mean),
            Some(Number::Share(Some(share))) => match (share.low, share.high) {
                (Some(low), Some(high)) => {
                    format!("{} ({}–{})", percent(share.value), percent(low), percent(high))
                }
                _ => percent(share.value),
            },
        };
        if self.paper.is_empty() {
            ours
        } else {
            format!("{ours} / {}", self.paper)
        }
    }

    fn json(&self, column: &str) -> Value {
        let spread = match &self.ours {
            Some(Number::Count(found, of)) => return json!({"column": column, "value": found, "of": of}),
            Some(Number::Word(word)) => {
                return json!({"column": column, "value": word, "paper": number(self.paper)});
            }
            Some(Number::Missing(why)) => {
                return json!({"column": column, "value": null, "missing": why, "paper": number(self.paper)});
            }
            None => {
                return json!({"column": column, "value": null, "missing": NOT_RUN, "paper": number(self.paper)});
            }
            Some(Number::Mean(None) | Number::Share(None)) => {
                return json!({"column": column, "value": null, "missing": "none", "paper": number(self.paper)});
            }
            Some(Number::Mean(Some(spread)) | Number::Share(Some(spread))) => spread,
        };
        json!({
            "column": column,
            "value": spread.value,
            "low": spread.low,
            "high": spread.high,
            "paper": number(self.paper),
        })
    }
}

/// Number that a paper printed, for programs: text where it is not a number.
pub(super) fn number(paper: &str) -> Value {
    match paper.parse::<f64>() {
        Ok(number) => json!(number),
        Err(_) if paper.is_empty() => Value::Null,
        Err(_) => json!(paper),
    }
}

fn mean_text(mean: &Spread) -> String {
    match mean.high.map(|high| high - mean.value) {
        Some(half) if half > 0.0 => format!("{} ± {}", digits(mean.value), digits(half)),
        // A count.
        Some(_) if mean.value.fract() <= 0.0 => format!("{:.0}", mean.value),
        _ => digits(mean.value),
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

    fn cell(ours: Number, paper: &'static str) -> Cell {
        Cell {
            ours: Some(ours),
            paper,
        }
    }

    fn estimate(value: f64, low: f64, high: f64) -> Option<Estimate> {
        Some(Estimate { value, low, high })
    }

    #[test]
    fn cells_for_people_and_programs() {
        let mean = cell(Number::mean(estimate(216.4, 200.4, 232.4)), "216");
        assert_eq!(mean.text(), "216 ± 16.0 / 216");
        assert_eq!(
            mean.json("states"),
            json!({"column": "states", "value": 216.4, "low": 200.4, "high": 232.4, "paper": 216.0})
        );
        let single = cell(
            Number::mean(estimate(7.0, f64::NEG_INFINITY, f64::INFINITY)),
            "oom",
        );
        assert_eq!(single.text(), "7.00 / oom");
        assert_eq!(single.json("t")["high"], Value::Null);
        assert_eq!(cell(Number::exactly(20.0), "").text(), "20");
        assert_eq!(cell(Number::exactly(1.5), "2").text(), "1.50 / 2");
        let share = cell(Number::share(estimate(0.307, 0.279, 0.336)), "");
        assert_eq!(share.text(), "30.7 (27.9–33.6)");
        assert_eq!(cell(Number::Share(None), "31").text(), "– / 31");
        let cells = beside(Some(&[Number::Count(2, 3)]), &["", "5"]);
        assert_eq!(line("a", &cells), "| a | 2 of 3 | not run / 5 |\n");
        assert_eq!(cells[1].json("states")["missing"], "not run");
        assert_eq!(cell(Number::Share(None), "31").json("success")["missing"], "none");
        let missing = cell(Number::Missing("no file".to_owned()), "");
        assert_eq!(missing.text(), "no file");
        assert_eq!(
            missing.json("runs"),
            json!({"column": "runs", "value": null, "missing": "no file", "paper": null})
        );
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let numbers = [
            Number::Count(2, 3),
            Number::Share(None),
            Number::mean(estimate(7.0, f64::NEG_INFINITY, f64::INFINITY)),
        ];
        let text = serde_json::to_string(&numbers).expect("numbers");
        assert_eq!(
            text,
            r#"[{"count":[2,3]},{"share":null},{"mean":{"value":7.0,"low":null,"high":null}}]"#
        );
        assert_eq!(
            serde_json::from_str::<[Number; 3]>(&text).expect("the same"),
            numbers
        );
    }
}
