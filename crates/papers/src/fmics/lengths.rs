//! Table 5: how long traces are. The paper has averages, so means stand beside them; medians have a table of their own.

use super::measure::Length;
use super::paper::Table;
use super::render::{OwnCell, Row, titles};
use crate::grid::digits;
use crate::model::Effort;
use std::fmt::Write as _;

/// The number of the table.
pub(super) const TABLE: u32 = 5;

/// Beside the columns of the paper stands what ours cost.
pub(super) const COLUMNS: [&str; 6] = [
    "RET",
    "RET-S",
    "RET shrunk, which is ours",
    "seconds of shrinking",
    "time of the run, RET",
    "the same, RET-F",
];

/// Meaning of the cells.
pub(super) fn legend(effort: &Effort) -> String {
    format!(
        "Cells of the first table: the mean number of steps over the seeds that found a trace / what the paper printed, which is an average, too. \
         The second table has the medians. RET: the first trace; RET-S and RET-F: the shortest and the fastest after {} s of the processor for each \
         seed, on one thread, by the paper's walks; nothing is shrunk in these columns. RET shrunk: the first trace after shrinking, as zonewalk does \
         it by default.\nnf: not found; (2 of 3): found by two of three seeds; no model: it was not published; not run: it is not in the results.\n",
        effort.timeout.as_secs_f64(),
    )
}

/// The means of a row beside what the paper printed.
pub(super) fn beside(row: &Row) -> [String; 6] {
    let mut cells = lengths(&row.ours, mean);
    // What the paper has no column for stands alone.
    let printed = row.paper.iter().filter(|paper| !paper.is_empty());
    for (cell, (ours, paper)) in cells.iter_mut().zip(row.ours.iter().zip(printed)) {
        let measured = ours
            .measured()
            .filter(|of| !of.traces.is_empty() && ours.has_failed());
        if let Some(measured) = measured {
            *cell += &format!(" ({} of {})", measured.traces.len(), measured.tried);
        }
        *cell += &format!(" / {paper}");
    }
    cells
}

/// Table of lengths by our metric: medians.
pub(super) fn medians(table: &Table, rows: &[Row]) -> String {
    let title = "medians over the seeds that found a trace";
    let mut text = titles(table.number, title, &COLUMNS);
    for row in rows {
        let cells = lengths(&row.ours, middle);
        let _ = writeln!(text, "| {} | {} |", row.name, cells.join(" | "));
    }
    text
}

/// One number for several.
type Metric = fn(&[f64]) -> Option<f64>;

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn middle(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(values.len().checked_sub(1)? / 2).copied()
}

/// Traces of RET with what shrinking makes of them, the shortest ones, and the fastest.
fn lengths(ours: &[OwnCell], metric: Metric) -> [String; 6] {
    let of = |column: usize, value: fn(&Length) -> f64| {
        let traces = &ours.get(column)?.measured()?.traces;
        metric(&traces.iter().map(value).collect::<Vec<_>>())
    };
    let none = |column: usize| ours.get(column).map_or("", OwnCell::why_not).to_owned();
    let shown = |column: usize, value: fn(&Length) -> f64| {
        of(column, value).map_or_else(|| none(column), |value| format!("{value:.0}"))
    };
    [
        shown(0, |l| l.found as f64),
        shown(1, |l| l.steps as f64),
        shown(0, |l| l.steps as f64),
        of(0, |l| l.shrink_s).map_or_else(|| none(0), digits),
        shown(0, |l| l.duration),
        shown(2, |l| l.duration),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fmics::measure::Measured;
    use crate::fmics::paper::TABLES;

    fn measured(tried: u64) -> OwnCell {
        let traces = [100, 200, 900].map(|steps| Length {
            found: steps,
            steps: steps / 4,
            duration: 1.5 * steps as f64,
            shrink_s: 0.2,
        });
        OwnCell::Measured(Measured {
            times: vec![0.1; 3],
            tried,
            traces: traces.to_vec(),
            ..Measured::default()
        })
    }

    /// The paper has averages, and so has what stands beside them.
    #[test]
    fn lengths_beside_the_paper_are_means() {
        let table = TABLES.iter().find(|table| table.number == TABLE);
        let table = table.expect("the paper has it");
        let row = Row {
            name: "Herschel-f68",
            paper: vec!["6882", "560", ""],
            is_papers: true,
            ours: vec![measured(3), measured(5), measured(3)],
        };
        let means = ["400 / 6882", "100 (3 of 5) / 560", "100", "0.200", "600", "600"];
        assert_eq!(beside(&row), means);
        let medians = medians(table, &[row]);
        assert!(
            medians.contains("### Table 5: medians over the seeds"),
            "{medians}"
        );
        assert!(
            medians.ends_with("| Herschel-f68 | 200 | 50 | 50 | 0.200 | 300 | 300 |\n"),
            "{medians}"
        );
    }

    #[test]
    fn a_model_that_is_missing_has_no_lengths() {
        let not = OwnCell::Not("no model");
        assert_eq!(lengths(&[not.clone(), not.clone(), not], mean), ["no model"; 6]);
    }
}
