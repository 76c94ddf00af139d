//! Gantt charts: a row for each process with its locations over time, and the rows of the model's `gantt` section.

mod svg;
mod text;

use crate::select::{Selection, Unknown};
use std::collections::HashMap;
use zonewalk_report::trace::{End, Time, Trace};

/// A Gantt chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Gantt {
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
    /// Meaning of the horizontal axis.
    pub axis: Axis,
    /// First and last position on the axis.
    pub span: (f64, f64),
    /// Start of the cycle, if the run is infinite.
    pub cycle: Option<f64>,
    /// Notes about omitted parts.
    pub notes: Vec<String>,
}

/// Meaning of the horizontal axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The time of the model.
    Time,
    /// The numbers of the steps: of a run in which no time passes.
    Steps,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The process, or the title of the model's own row.
    pub name: String,
    /// Its bars, each beginning where the one before it ends or later.
    pub bars: Vec<Bar>,
}

/// A stretch of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Start position.
    pub from: f64,
    /// End position.
    pub to: f64,
    /// The location, or the colour's number.
    pub label: String,
    /// Colour class: bars with equal numbers share a colour.
    pub colour: usize,
}

impl Gantt {
    /// Rows of a chart, at most.
    pub const ROWS: usize = 200;

    /// The chart of a part of a run, with rows of the model's own above those of the processes. They are about time: a chart over steps
    /// has none.
    ///
    /// # Errors
    /// Steps or processes that are asked for and not there.
    pub fn new(trace: &Trace, selection: &Selection, own: Vec<Row>) -> Result<Gantt, Unknown> {
        let steps = selection.steps(trace)?;
        let mut shown = selection.processes(trace)?;
        let mut notes = Vec::new();
        let numbers: HashMap<&str, usize> = trace
            .initial
            .locations
            .iter()
            .enumerate()
            .map(|(index, at)| (at.process.as_str(), index))
            .collect();
        if shown.len() > Self::ROWS {
            let more = shown.len() - Self::ROWS;
            // Those that move are of more interest than those that do not.
            let mut moves = vec![false; numbers.len()];
            for edge in trace.steps[steps.clone()].iter().flat_map(|step| &step.edges) {
                if let Some(&index) = numbers.get(edge.process.as_str()) {
                    moves[index] = true;
                }
            }
            shown.sort_by_key(|&index| (!moves[index], index));
            shown.truncate(Self::ROWS);
            shown.sort_unstable();
            notes.push(format!("{more} more processes are not shown"));
        }
        let last = trace.steps.last().map_or(Time::ZERO, |step| step.time);
        let whole = last.to_f64() + trace.last_delay.to_f64();
        let axis = if whole > 0.0 { Axis::Time } else { Axis::Steps };
        let place = |index: usize| match axis {
            Axis::Time => trace.steps[index].time.to_f64(),
            Axis::Steps => (index + 1) as f64,
        };
        let begin = match steps.start {
            0 => 0.0,
            start => place(start - 1),
        };
        let is_end = steps.end == trace.steps.len();
        let end = match axis {
            Axis::Time if is_end => whole,
            Axis::Steps if is_end => (trace.steps.len() + 1) as f64,
            _ => place(steps.end),
        };
        let mut rows: Vec<Row> = shown
            .iter()
            .map(|&index| Row {
                name: trace.initial.locations[index].process.clone(),
                bars: Vec::new(),
            })
            .collect();
        let mut row_of = vec![None; numbers.len()];
        for (row, &index) in shown.iter().enumerate() {
            row_of[index] = Some(row);
        }
        let mut colours = Colours::default();
        // Where each shown process is, and since when.
        let mut now: Vec<(&str, f64)> = shown
            .iter()
            .map(|&index| (trace.initial.locations[index].location.as_str(), begin))
            .collect();
        for (index, step) in trace.steps[..steps.end].iter().enumerate() {
            let at = if index < steps.start { begin } else { place(index) };
            for edge in &step.edges {
                let row = numbers
                    .get(edge.process.as_str())
                    .and_then(|&number| row_of[number]);
                let Some(row) = row else { continue };
                let (location, since) = now[row];
                if location != edge.target {
                    if at > since {
                        rows[row].bars.push(colours.bar(since, at, location));
                    }
                    now[row] = (&edge.target, at);
                }
            }
        }
        for (row, (location, since)) in rows.iter_mut().zip(now) {
            // A location that is entered at the very end is what the run is about, often.
            row.bars.push(colours.bar(since, end, location));
        }
        let own = own.into_iter().filter(|_| axis == Axis::Time).map(|row| Row {
            bars: row
                .bars
                .into_iter()
                .filter_map(|bar| clip(bar, begin, end))
                .collect(),
            ..row
        });
        let cycle = match trace.end {
            End::Cycle { start, .. } => {
                let from = if start == 0 { 0.0 } else { place(start - 1) };
                (from >= begin && from <= end).then_some(from)
            }
            _ => None,
        };
        Ok(Gantt {
            rows: own.chain(rows).collect(),
            axis,
            span: (begin, end),
            cycle,
            notes,
        })
    }
}

/// The part of a bar inside a span.
fn clip(bar: Bar, begin: f64, end: f64) -> Option<Bar> {
    let (from, to) = (bar.from.max(begin), bar.to.min(end));
    (from <= to).then_some(Bar { from, to, ..bar })
}

/// Numbers of locations by name, so that equal names have equal colours.
#[derive(Default)]
struct Colours<'t>(HashMap<&'t str, usize>);

impl<'t> Colours<'t> {
    fn bar(&mut self, from: f64, to: f64, location: &'t str) -> Bar {
        let next = self.0.len();
        Bar {
            from,
            to,
            label: location.to_owned(),
            colour: *self.0.entry(location).or_insert(next),
        }
    }
}

/// Round numbers from one end to the other, about as many as asked for.
fn ticks((begin, end): (f64, f64), about: usize) -> Vec<f64> {
    let range = end - begin;
    if range <= 0.0 || !range.is_finite() {
        return vec![begin];
    }
    let rough = range / about.max(1) as f64;
    let magnitude = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| factor * magnitude >= rough)
        .unwrap_or(10.0);
    let step = factor * magnitude;
    let first = (begin / step).ceil() as i64;
    let last = (end / step + 1e-9).floor() as i64;
    (first..=last.min(first + 1000))
        .map(|number| number as f64 * step)
        .collect()
}

/// A number for an axis.
fn number(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}
