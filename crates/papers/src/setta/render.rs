//! Tables for people and for programs.

use super::measure::{Count, Effort, Measured};
use super::paper::Table;
use super::row::STEPS;
use crate::columns::Column;
use crate::grid::{digits, number};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Measurements of a row.
pub(super) struct Line {
    pub(super) name: &'static str,
    /// The paper's cells.
    pub(super) paper: Vec<&'static str>,
    /// Ours, by column.
    pub(super) ours: Vec<OwnCell>,
}

/// A cell of ours.
#[derive(Clone, Debug)]
pub(super) enum OwnCell {
    Measured(Measured),
    /// The refinement holds, and walks prove nothing.
    NothingToFind,
    /// It is not in the results.
    NotRun,
}

impl OwnCell {
    pub(super) fn measured(&self) -> Option<&Measured> {
        match self {
            OwnCell::Measured(measured) => Some(measured),
            OwnCell::NothingToFind | OwnCell::NotRun => None,
        }
    }

    /// Why there is no number.
    fn missing(&self) -> Option<&'static str> {
        match self {
            // Without a box that ended it was interrupted.
            OwnCell::Measured(measured) if measured.found == 0 && measured.failed > 0 => Some("nf"),
            OwnCell::Measured(measured) => (measured.found == 0).then_some("interrupted"),
            OwnCell::NothingToFind => Some("–"),
            OwnCell::NotRun => Some("not run"),
        }
    }
}

/// Meaning of the cells.
pub(super) fn legend(effort: &Effort) -> String {
    format!(
        "Cells of the first table: mean time per violation in seconds of the processor / what the paper printed, which is such a mean (how many times faster ours is). \
         Up to {} violations are searched for in {} s a cell, each with a seed of its own, the first with seed 1. Time includes \
         a last search that the end of the box cuts short; the number of violations found stands in parentheses then. nf: no \
         violation in the box. –: there is none to be found, or the paper printed nothing; not run: it is not in the results. Beside ECDAR stands our complete search (symbolic), with checking \
         the preconditions; v0: the time of a proof. The second table has the median over the seeds that ended, and how many did not: our metric, which the paper does not have; \
         not kept: measured before the results had the time of each seed.\n",
        effort.violations,
        effort.timeout.as_secs_f64()
    )
}

/// The machines and options of the measurements.
pub(super) fn footer(lines: &[Line], places: &str) -> String {
    let walks = format!(
        "Walks of at most {STEPS}: ours, as the paper has a fixed number and does not print it; those called tuned have different depths in turns, as by default."
    );
    let measured = || {
        lines
            .iter()
            .flat_map(|line| line.ours.iter().filter_map(OwnCell::measured))
    };
    let failed: u64 = measured().map(|measured| measured.failed).sum();
    let cells = measured().count();
    let found: u64 = measured().map(|measured| measured.found).sum();
    let wall: f64 = measured().map(|measured| measured.wall.as_secs_f64()).sum();
    let cpu: f64 = measured().map(|measured| measured.cpu.as_secs_f64()).sum();
    let loads = measured().map(|measured| measured.load.as_secs_f64());
    let slowest = loads.fold(0.0, f64::max);
    format!(
        "\n{found} violations and proofs in {cells} cell{}; {failed} of the boxes ended during a search. {walks} Seeds from 1 on, one thread, which had the processor for {:.0} % of the \
         time. Reading a model and building both sides is not counted: {} s at most. {places}.\n",
        if cells == 1 { "" } else { "s" },
        100.0 * cpu.max(0.0) / wall.max(f64::MIN_POSITIVE),
        digits(slowest),
    )
}

/// The title of a table and of its columns.
pub(super) fn header(title: &str, columns: &[Column]) -> String {
    let mut text = format!("\n### {title}\n\n| model |");
    for column in columns {
        // Writing to a string cannot fail.
        let _ = write!(text, " {} |", column.title);
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(columns.len()));
    text.push('\n');
    text
}

/// One line.
pub(super) fn line(line: &Line, effort: &Effort) -> String {
    let cells = line.paper.iter().zip(&line.ours);
    row(line.name, cells.map(|(paper, ours)| time(paper, ours, effort)))
}

/// Table by our metric: medians, with the number of searches that failed.
pub(super) fn medians(table: &Table, columns: &[Column], lines: &[Line]) -> String {
    let (number, _) = table.title.split_once(':').unwrap_or_default();
    let title = format!(
        "{number}: median time of a violation, or of a proof, over the seeds that ended, in seconds of the processor; how many did not"
    );
    let mut text = header(&title, columns);
    for line in lines {
        text.push_str(&row(line.name, line.ours.iter().map(median)));
    }
    text
}

fn median(ours: &OwnCell) -> String {
    let why = || ours.missing().unwrap_or("not kept").to_owned();
    let measured = ours.measured().and_then(|ours| Some((ours, ours.median()?)));
    let Some((ours, median)) = measured else {
        return why();
    };
    match ours.failed {
        0 => digits(median),
        failed => format!("{} ({failed} of {} failed)", digits(median), ours.found + failed),
    }
}

/// Table in numbers that do not depend on the machine.
pub(super) fn counts(table: &Table, columns: &[Column], lines: &[Line]) -> String {
    let (number, _) = table.title.split_once(':').unwrap_or_default();
    let title = format!(
        "{number}: mean number of steps per violation where none was cut short; pairs of locations and zones of proofs"
    );
    let mut text = header(&title, columns);
    for line in lines {
        let count = |ours: &OwnCell| match ours.measured().and_then(|ours| ours.count) {
            Some(Count::Steps(mean)) => format!("{mean:.0}"),
            Some(Count::Relation(pairs, zones)) => format!("{pairs} pairs, {zones} zones"),
            Some(Count::Run(steps)) => format!("run of {steps}"),
            None => "–".to_owned(),
        };
        text.push_str(&row(line.name, line.ours.iter().map(count)));
    }
    text
}

fn row(name: &str, cells: impl Iterator<Item = String>) -> String {
    let mut text = format!("| {name} |");
    for cell in cells {
        let _ = write!(text, " {cell} |");
    }
    text.push('\n');
    text
}

fn time(paper: &str, ours: &OwnCell, effort: &Effort) -> String {
    let (ours, mean) = match (ours, ours.measured().and_then(Measured::mean)) {
        (OwnCell::Measured(ours), Some(mean)) => (ours, mean),
        (OwnCell::NothingToFind, _) => return "–".to_owned(),
        _ => return format!("{} / {paper}", ours.missing().unwrap_or("–")),
    };
    let is_cut = ours.failed > 0 && ours.found < effort.violations;
    let found = if is_cut {
        format!(" ({})", ours.found)
    } else {
        String::new()
    };
    let ratio = match paper.parse::<f64>() {
        Ok(paper) => format!(" ({}×)", digits(paper / mean)),
        Err(_) => String::new(),
    };
    format!("{}{found} / {paper}{ratio}", digits(mean))
}

/// A table for programs.
pub(super) fn document(
    table: &Table,
    columns: &[Column],
    lines: &[Line],
    effort: &Effort,
    places: &str,
) -> Value {
    let count = |count: Count| match count {
        Count::Steps(mean) => json!({"mean_steps": mean}),
        Count::Relation(pairs, zones) => json!({"pairs": pairs, "zones": zones}),
        Count::Run(steps) => json!({"run_steps": steps}),
    };
    let cell = |(column, (paper, ours)): (&Column, (&&str, &OwnCell))| {
        let missing = match ours {
            OwnCell::NothingToFind => Some("nothing to find"),
            _ => ours.missing(),
        };
        let ours = ours.measured();
        json!({
            "column": column.title,
            "paper": number(paper),
            "missing": missing,
            "mean_s": ours.and_then(Measured::mean),
            "median_s": ours.and_then(Measured::median),
            "found": ours.map(|ours| ours.found),
            "failed": ours.map(|ours| ours.failed),
            "wall_s": ours.map(|ours| ours.wall.as_secs_f64()),
            "cpu_s": ours.map(|ours| ours.cpu.as_secs_f64()),
            "counts": ours.and_then(|ours| ours.count).map(count),
            "load_s": ours.map(|ours| ours.load.as_secs_f64()),
        })
    };
    let line = |line: &Line| {
        let cells = columns.iter().zip(line.paper.iter().zip(&line.ours));
        json!({
            "model": line.name,
            "cells": cells.map(cell).collect::<Vec<_>>(),
        })
    };
    json!({
        "table": format!("setta-{}", table.number),
        "title": table.title,
        "violations": effort.violations,
        "threads": 1,
        "machine": places,
        "rows": lines.iter().map(line).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn none_found() -> Measured {
        Measured {
            failed: 1,
            ..Measured::default()
        }
    }

    #[test]
    fn cells() {
        let effort = Effort {
            violations: 100,
            timeout: Duration::from_secs(10),
        };
        let ours = Measured {
            found: 100,
            failed: 0,
            wall: Duration::from_secs(5),
            cpu: Duration::from_secs(2),
            ..Measured::default()
        };
        let shown = |paper: &str, ours: Measured| time(paper, &OwnCell::Measured(ours), &effort);
        assert_eq!(shown("1.411", ours.clone()), "0.0200 / 1.411 (70.5×)");
        assert_eq!(shown("<100", ours.clone()), "0.0200 / <100");
        let cut = Measured {
            found: 4,
            failed: 1,
            ..ours.clone()
        };
        assert_eq!(shown("nf", cut.clone()), "0.500 (4) / nf");
        let none = Measured { found: 0, ..cut };
        assert_eq!(shown("nf", none.clone()), "nf / nf");
        let interrupted = Measured { failed: 0, ..none };
        assert_eq!(shown("nf", interrupted.clone()), "interrupted / nf");
        assert_eq!(time("–", &OwnCell::NothingToFind, &effort), "–");
        assert_eq!(time("nf", &OwnCell::NotRun, &effort), "not run / nf");
        // Three proofs are enough.
        let proofs = Measured {
            found: 3,
            micros: vec![300, 100, 400],
            ..ours
        };
        assert_eq!(shown("2.0", proofs.clone()), "0.667 / 2.0 (3.00×)");
        assert_eq!(median(&OwnCell::Measured(proofs.clone())), "0.000300");
        let cut = Measured { failed: 1, ..proofs };
        assert_eq!(median(&OwnCell::Measured(cut)), "0.000300 (1 of 4 failed)");
        assert_eq!(median(&OwnCell::Measured(none_found())), "nf");
        let before = Measured {
            found: 3,
            ..Measured::default()
        };
        assert_eq!(median(&OwnCell::Measured(before)), "not kept");
        assert_eq!(median(&OwnCell::NothingToFind), "–");
    }
}
