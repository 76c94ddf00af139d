//! The rows of the model's `gantt` section, as the script gets them.

use super::Scale;
use crate::document::Row;
use zonewalk_numbers::rational::Rational;
use zonewalk_reference::gantt::Chart;

/// All times that bars begin and end at.
pub(super) fn times<'c>(chart: &'c Chart<'_>) -> impl Iterator<Item = Rational> + 'c {
    let bars = chart.rows().iter().flat_map(|row| &row.shown);
    bars.flat_map(|&(from, to, _)| [from, to])
}

/// The rows. Requires: the scale includes all of their times.
pub(super) fn rows(chart: &Chart<'_>, scale: &Scale) -> Vec<Row> {
    let rows = chart.rows().iter().map(|row| Row {
        name: row.name.clone(),
        bars: row
            .shown
            .iter()
            .map(|&(from, to, color)| (scale.timed(from), scale.timed(to), color.into()))
            .collect(),
    });
    rows.collect()
}
