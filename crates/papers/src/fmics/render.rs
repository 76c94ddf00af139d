//! Tables for people and for programs.

use super::column::Column;
use super::lengths;
use super::measure::{Length, Measured};
use super::paper::Table;
use crate::grid::{digits, number};
use crate::model::Effort;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// Measurements of a row.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// The paper's cells.
    pub(super) paper: Vec<&'static str>,
    /// Whether it is the paper's own model, so that the times may be compared.
    pub(super) is_papers: bool,
    /// Ours, by column.
    pub(super) ours: Vec<OwnCell>,
}

/// A cell of ours.
#[derive(Clone, Debug)]
pub(super) enum OwnCell {
    Measured(Measured),
    /// Measured again in this longer box.
    Again(Measured, Duration),
    /// Why it was not measured.
    Not(&'static str),
}

impl OwnCell {
    pub(super) fn measured(&self) -> Option<&Measured> {
        match self {
            OwnCell::Measured(measured) | OwnCell::Again(measured, _) => Some(measured),
            OwnCell::Not(_) => None,
        }
    }

    /// Whether a seed did not find it.
    pub(super) fn has_failed(&self) -> bool {
        let failed = |measured: &Measured| (measured.times.len() as u64) < measured.tried;
        self.measured().is_some_and(failed)
    }

    /// The box, where it is not that of the table.
    fn longer(&self) -> Option<f64> {
        match self {
            OwnCell::Again(_, time) => Some(time.as_secs_f64()),
            OwnCell::Measured(_) | OwnCell::Not(_) => None,
        }
    }

    /// Word for a number that was not measured.
    pub(super) fn why_not(&self) -> &'static str {
        match self {
            OwnCell::Measured(_) | OwnCell::Again(..) => "nf",
            OwnCell::Not(why) => why,
        }
    }
}

/// Meaning of the cells.
pub(super) fn legend(effort: &Effort, retry: Option<Duration>) -> String {
    let again = retry.map(|time| {
        let time = time.as_secs_f64();
        format!(
            " A cell that says so was tried again with {time} s for each seed: one where a seed failed and the paper has a number."
        )
    });
    format!(
        "SEM, RET, RLC and RLC-A are the paper's walks; those called tuned are the same by our schedule. Cells of the first table: the mean time per find, \
         with the time of the seeds that failed / what the paper printed, which is such a mean (how many times faster ours is). The second table has the median over the seeds that \
         found it, and how many failed. Seconds of the processor for loading and searching on one thread, {} s for each seed at most; after two failures and no find a walk is given up, other searches \
         after one.{}\nnf: not found; (2 of 5): found by two of five seeds; maybe: by the over-approximation of clocks \
         that stop; no model: it was not published; no such search: zonewalk lacks it; not supported: the search does not support the \
         model; not run: it is not in the results.\n",
        effort.timeout.as_secs_f64(),
        again.unwrap_or_default(),
    )
}

/// The title of a table and of its columns.
pub(super) fn header(table: &Table, columns: &[Column]) -> String {
    if table.number == lengths::TABLE {
        titles(table.number, table.title, &lengths::COLUMNS)
    } else {
        titles(table.number, table.title, &names(columns))
    }
}

fn names(columns: &[Column]) -> Vec<&str> {
    columns.iter().map(|column| column.title.as_str()).collect()
}

pub(super) fn titles(number: u32, title: &str, columns: &[&str]) -> String {
    let mut text = format!("\n### Table {number}: {title}\n\n| model |");
    for column in columns {
        // Writing to a string cannot fail.
        let _ = write!(text, " {column} |");
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(columns.len()));
    text.push('\n');
    text
}

/// The machines and options of the measurements.
pub(super) fn footer(rows: &[Row], effort: &Effort, places: &str) -> String {
    let cells = || rows.iter().flat_map(|row| &row.ours);
    let measured = || cells().filter_map(OwnCell::measured);
    let found: usize = measured().map(|ours| ours.times.len()).sum();
    let tried: u64 = measured().map(|ours| ours.tried).sum();
    format!(
        "\n{} of {} cells were measured; {found} of {tried} searches found the target. Seeds 1 to {}, one thread. {places}.\n",
        measured().count(),
        cells().count(),
        effort.seeds
    )
}

/// One line.
pub(super) fn row(table: &Table, row: &Row) -> String {
    let mut text = format!("| {} |", row.name);
    let cells = if table.number == lengths::TABLE {
        lengths::beside(row).to_vec()
    } else {
        let cells = row.paper.iter().zip(&row.ours);
        cells
            .map(|(paper, ours)| time(paper, ours, row.is_papers))
            .collect()
    };
    for cell in cells {
        let _ = write!(text, " {cell} |");
    }
    text.push('\n');
    text
}

/// Table in numbers that do not depend on the machine: how many steps, or states, a find took.
pub(super) fn counts(table: &Table, columns: &[Column], rows: &[Row]) -> String {
    let title = "median number of steps of walks, or of states explored by BFS, DFS and RDFS, where all seeds found it";
    let mut text = titles(table.number, title, &names(columns));
    for row in rows {
        let _ = write!(text, "| {} |", row.name);
        for ours in &row.ours {
            let count = ours.measured().and_then(Measured::median_count);
            let _ = match count {
                Some(count) => write!(text, " {count} |"),
                None => write!(text, " – |"),
            };
        }
        text.push('\n');
    }
    text
}

/// Table by our metric: medians, with the number of seeds that failed.
pub(super) fn medians(table: &Table, columns: &[Column], rows: &[Row]) -> String {
    let title = "median time over the seeds that found it, in seconds of the processor; how many failed";
    let mut text = titles(table.number, title, &names(columns));
    for row in rows {
        let _ = write!(text, "| {} |", row.name);
        for ours in &row.ours {
            let _ = write!(text, " {} |", median(ours));
        }
        text.push('\n');
    }
    text
}

fn median(ours: &OwnCell) -> String {
    let Some(measured) = ours.measured() else {
        return ours.why_not().to_owned();
    };
    let failed = measured.tried - measured.times.len() as u64;
    match (measured.median(), failed) {
        (Some(median), 0) => digits(median),
        (Some(median), _) => format!("{} ({failed} of {} failed)", digits(median), measured.tried),
        (None, _) => format!("– ({failed} of {failed} failed)"),
    }
}

/// The metric of the paper beside what it printed.
fn time(paper: &str, ours: &OwnCell, is_papers: bool) -> String {
    let longer = ours.longer().map(|time| format!(" in {time} s"));
    let longer = longer.unwrap_or_default();
    let Some(measured) = ours.measured() else {
        return format!("{} / {paper}", ours.why_not());
    };
    let Some(mean) = measured.mean() else {
        return format!("nf{longer} / {paper}");
    };
    let found = measured.times.len() as u64;
    let partly = if found < measured.tried {
        format!(" ({found} of {})", measured.tried)
    } else {
        String::new()
    };
    let maybe = if measured.is_maybe { " (maybe)" } else { "" };
    let ratio = paper
        .parse::<f64>()
        .ok()
        .filter(|_| is_papers)
        .map(|paper| paper / mean);
    let ratio = ratio
        .map(|ratio| format!(" ({}×)", digits(ratio)))
        .unwrap_or_default();
    let printed = if paper.is_empty() {
        String::new()
    } else {
        format!(" / {paper}")
    };
    format!("{}{partly}{longer}{maybe}{printed}{ratio}", digits(mean))
}

/// A table for programs.
pub(super) fn document(
    table: &Table,
    columns: &[Column],
    rows: &[Row],
    effort: &Effort,
    places: &str,
) -> Value {
    let cell = |(column, (paper, ours)): (&Column, (&&str, &OwnCell))| {
        let missing = match ours {
            OwnCell::Measured(_) | OwnCell::Again(..) => None,
            OwnCell::Not(why) => Some(why),
        };
        let longer = ours.longer();
        let ours = ours.measured();
        json!({
            "search": column.title,
            "paper": number(paper),
            "missing": missing,
            "median_s": ours.and_then(Measured::median),
            "mean_s": ours.and_then(Measured::mean),
            "median_count": ours.and_then(Measured::median_count),
            "found": ours.map(|ours| ours.times.len()),
            "maybe": ours.map(|ours| ours.is_maybe),
            "tried": ours.map(|ours| ours.tried),
            "timeout_s": longer.or(ours.map(|_| effort.timeout.as_secs_f64())),
            "traces": ours.map(|ours| {
                let trace = |trace: &Length| {
                    json!({
                        "found_steps": trace.found,
                        "steps": trace.steps,
                        "found_duration": trace.duration,
                        "shrink_s": trace.shrink_s,
                    })
                };
                ours.traces.iter().map(trace).collect::<Vec<_>>()
            }),
        })
    };
    let row = |row: &Row| {
        let cells = columns.iter().zip(row.paper.iter().zip(&row.ours));
        json!({"model": row.name, "cells": cells.map(cell).collect::<Vec<_>>()})
    };
    json!({
        "table": format!("fmics-{}", table.number),
        "title": table.title,
        "seeds": effort.seeds,
        "threads": 1,
        "timeout_s": effort.timeout.as_secs_f64(),
        "machine": places,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells() {
        let ours = Measured {
            times: vec![0.01, 0.02, 0.06],
            tried: 3,
            lost: 0.0,
            counts: vec![100, 300, 800],
            traces: [10, 20, 30]
                .map(|found| Length {
                    found,
                    steps: found / 4,
                    duration: 1.5 * found as f64,
                    shrink_s: 0.2,
                })
                .to_vec(),
            is_maybe: false,
        };
        assert_eq!(
            time("14.1", &OwnCell::Measured(ours.clone()), true),
            "0.0300 / 14.1 (470×)"
        );
        assert_eq!(
            time("14.1", &OwnCell::Measured(ours.clone()), false),
            "0.0300 / 14.1"
        );
        assert_eq!(time("nf", &OwnCell::Measured(ours.clone()), true), "0.0300 / nf");
        assert_eq!(time("14.1", &OwnCell::Not("no model"), true), "no model / 14.1");
        assert_eq!(median(&OwnCell::Measured(ours.clone())), "0.0200");
        assert_eq!(median(&OwnCell::Not("no model")), "no model");
        // Ten seconds that two seeds spent in vain are shared by the three finds.
        let partly = Measured {
            tried: 5,
            lost: 10.0,
            ..ours.clone()
        };
        assert_eq!(
            time("36", &OwnCell::Measured(partly.clone()), true),
            "3.36 (3 of 5) / 36 (10.7×)"
        );
        assert_eq!(
            median(&OwnCell::Measured(partly.clone())),
            "0.0200 (2 of 5 failed)"
        );
        assert_eq!((ours.median_count(), partly.median_count()), (Some(300), None));
        let none = Measured {
            tried: 2,
            ..Measured::default()
        };
        assert_eq!(time("2", &OwnCell::Measured(none.clone()), true), "nf / 2");
        assert_eq!(median(&OwnCell::Measured(none.clone())), "– (2 of 2 failed)");
        let longer = Duration::from_secs(20);
        assert_eq!(time("2", &OwnCell::Again(none, longer), true), "nf in 20 s / 2");
        assert_eq!(
            time("36", &OwnCell::Again(partly, longer), true),
            "3.36 (3 of 5) in 20 s / 36 (10.7×)"
        );
    }
}
