//! Tables for people and for programs.

use super::measure::Measured;
use super::paper::Table;
use crate::bench::grid::digits;
use crate::bench::model::Effort;
use serde_json::{Value, json};
use std::fmt::Write as _;
use zonewalk::Schedule;

/// What was measured of a row.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// The paper's cells.
    pub(super) paper: Vec<&'static str>,
    /// Whether it is the paper's own model, so that the times may be compared.
    pub(super) is_papers: bool,
    /// Ours, by column; `None` for searches that this version lacks and models that are not at hand.
    pub(super) ours: Vec<Option<Measured>>,
}

/// What the cells mean.
pub(super) fn legend(effort: &Effort) -> String {
    let seeds = effort.seeds;
    let schedule = match effort.schedule {
        Schedule::Tuned => "the tuned schedule, which is ours",
        Schedule::Paper => "the schedule of the paper",
    };
    format!(
        "Walks by {schedule}. Each cell: median · average of {seeds} seed{} (seconds of loading and searching on one thread) / what the paper \
         printed (how many times faster the median is).\nnf: not found within {} s; –: not measured; maybe: by the \
         over-approximation of clocks that stop.\n",
        if seeds == 1 { "" } else { "s" },
        effort.timeout.as_secs_f64()
    )
}

/// The title of a table and of its columns.
pub(super) fn header(table: &Table) -> String {
    let mut text = format!("\n### Table {}: {}\n\n| model |", table.number, table.title);
    for column in table.columns {
        // Writing to a string cannot fail.
        let _ = write!(text, " {column} |");
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(table.columns.len()));
    text.push('\n');
    text
}

/// One line.
pub(super) fn row(table: &Table, row: &Row) -> String {
    let mut text = format!("| {} |", row.name);
    for (column, (paper, ours)) in row.paper.iter().zip(&row.ours).enumerate() {
        let cell = if table.number == 5 {
            length(paper, row.ours.first().and_then(Option::as_ref), column)
        } else {
            time(paper, ours.as_ref(), row.is_papers)
        };
        let _ = write!(text, " {cell} |");
    }
    text.push('\n');
    text
}

fn time(paper: &str, ours: Option<&Measured>, is_papers: bool) -> String {
    let Some(ours) = ours else {
        return format!("– / {paper}");
    };
    let (Some(median), Some(average)) = (ours.median(), ours.average()) else {
        return format!("nf / {paper}");
    };
    let found = ours.times.len() as u64;
    let partly = if found < ours.tried {
        format!(" ({found} of {})", ours.tried)
    } else {
        String::new()
    };
    let maybe = if ours.is_maybe { " (maybe)" } else { "" };
    let ratio = paper
        .parse::<f64>()
        .ok()
        .filter(|_| is_papers)
        .map(|paper| paper / median);
    let ratio = ratio
        .map(|ratio| format!(" ({}×)", digits(ratio)))
        .unwrap_or_default();
    format!(
        "{} · {}{partly}{maybe} / {paper}{ratio}",
        digits(median),
        digits(average)
    )
}

/// Steps of the trace as found (first column), and after shrinking with the time that took (second).
fn length(paper: &str, ours: Option<&Measured>, column: usize) -> String {
    let traces = ours.map(|ours| ours.traces.as_slice()).unwrap_or_default();
    let Some((found, shrunk, seconds)) = traces.get(traces.len().saturating_sub(1) / 2) else {
        return format!("{} / {paper}", if ours.is_some() { "nf" } else { "–" });
    };
    match column {
        0 => format!("{found} / {paper}"),
        _ => format!("{shrunk} in {} s / {paper}", digits(*seconds)),
    }
}

/// A table for programs.
pub(super) fn document(table: &Table, rows: &[Row], effort: &Effort) -> Value {
    let cell = |(column, (paper, ours)): (&&str, (&&str, &Option<Measured>))| {
        json!({
            "search": column,
            "paper": paper.parse::<f64>().map_or_else(|_| json!(paper), |number| json!(number)),
            "median_s": ours.as_ref().and_then(Measured::median),
            "average_s": ours.as_ref().and_then(Measured::average),
            "found": ours.as_ref().map(|ours| ours.times.len()),
            "maybe": ours.as_ref().map(|ours| ours.is_maybe),
            "tried": ours.as_ref().map(|ours| ours.tried),
            "traces": ours.as_ref().map(|ours| {
                let trace = |&(found, shrunk, seconds): &(usize, usize, f64)| {
                    json!({"found_steps": found, "steps": shrunk, "shrink_s": seconds})
                };
                ours.traces.iter().map(trace).collect::<Vec<_>>()
            }),
        })
    };
    let row = |row: &Row| {
        let cells = table.columns.iter().zip(row.paper.iter().zip(&row.ours));
        json!({"model": row.name, "cells": cells.map(cell).collect::<Vec<_>>()})
    };
    json!({
        "table": format!("fmics-{}", table.number),
        "title": table.title,
        "seeds": effort.seeds,
        "schedule": effort.schedule.name(),
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
            traces: vec![(10, 4, 0.1), (20, 5, 0.2), (30, 6, 0.3)],
            is_maybe: false,
        };
        assert_eq!(time("14.1", Some(&ours), true), "0.0200 · 0.0300 / 14.1 (705×)");
        assert_eq!(time("14.1", Some(&ours), false), "0.0200 · 0.0300 / 14.1");
        assert_eq!(time("nf", Some(&ours), true), "0.0200 · 0.0300 / nf");
        assert_eq!(time("14.1", None, true), "– / 14.1");
        let partly = Measured {
            tried: 5,
            ..ours.clone()
        };
        assert_eq!(
            time("2", Some(&partly), true),
            "0.0200 · 0.0300 (3 of 5) / 2 (100×)"
        );
        assert_eq!(time("2", Some(&Measured::default()), true), "nf / 2");
        assert_eq!(length("6882", Some(&ours), 0), "20 / 6882");
        assert_eq!(length("560", Some(&ours), 1), "5 in 0.200 s / 560");
        assert_eq!(length("560", None, 1), "– / 560");
    }
}
