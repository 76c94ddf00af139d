//! Estimates as tables.

use super::{Estimate, HistogramInfo};
use std::fmt::Write as _;

/// Curves, or a histogram, as comma-separated values; `None` where there is neither.
pub fn csv(estimate: &Estimate) -> Option<String> {
    if !estimate.series.is_empty() {
        let mut text = "run,expression,x,y\n".to_owned();
        for series in &estimate.series {
            let name = quoted(&series.expression);
            for (x, y) in &series.points {
                let _ = writeln!(text, "{},{name},{x},{y}", series.run);
            }
        }
        return Some(text);
    }
    let histogram = estimate.histogram.as_ref()?;
    let mut text = "from,to,count,probability,density,cumulative\n".to_owned();
    for row in rows(histogram, estimate) {
        let [from, to, count, probability, density, cumulative] = row;
        let _ = writeln!(text, "{from},{to},{count},{probability},{density},{cumulative}");
    }
    Some(text)
}

/// The buckets of a histogram: its ends, how many values are in it, which share of all runs that is, the same for a unit of the
/// axis, and the share of all runs up to its upper end.
pub(super) fn rows(histogram: &HistogramInfo, estimate: &Estimate) -> Vec<[f64; 6]> {
    let runs = estimate.runs.max(1) as f64;
    let mut sum = 0.0;
    let row = |(index, count): (usize, &u64)| {
        let from = histogram.from + histogram.width * index as f64;
        let share = *count as f64 / runs;
        sum += share;
        [
            from,
            from + histogram.width,
            *count as f64,
            share,
            share / histogram.width,
            sum,
        ]
    };
    histogram.counts.iter().enumerate().map(row).collect()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
