//! Answers for every combination of some constants: one table, for people or as CSV.

use crate::palette::{Palette, Role};
use crate::statistics::{Kind, six};
use crate::verdict::text::{seconds, visible};
use crate::verdict::{Answer, QueryResult};
use std::fmt::Write as _;

/// The answer to a query for one combination.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The constants and their values.
    pub constants: &'a [(String, String)],
    /// The number of the query; `None` where the model itself cannot be used.
    pub number: Option<usize>,
    /// The answer.
    pub result: &'a QueryResult,
    /// There is no answer because of an error.
    pub is_error: bool,
}

/// Columns of a table that is printed row by row: the constants, the number of the query where there are several, the answer and
/// what it has cost.
#[derive(Clone, Debug)]
pub struct Columns {
    constants: Vec<(String, usize)>,
    /// The width of the numbers of queries, where there are several.
    number: Option<usize>,
}

/// Between columns.
const GAP: &str = "  ";

impl Columns {
    /// For these constants, each with the width of its widest value, and queries up to this number.
    pub fn new(constants: impl IntoIterator<Item = (String, usize)>, last_query: Option<usize>) -> Self {
        let widened = |(name, width): (String, usize)| {
            let width = width.max(name.chars().count());
            (name, width)
        };
        Columns {
            constants: constants.into_iter().map(widened).collect(),
            number: last_query.map(|number| number.to_string().len().max("query".len())),
        }
    }

    /// The names of the columns.
    pub fn header(&self) -> String {
        let mut line = String::new();
        for (name, width) in &self.constants {
            let _ = write!(line, "{name:>width$}{GAP}");
        }
        if let Some(width) = self.number {
            let _ = write!(line, "{:>width$}{GAP}", "query");
        }
        let _ = writeln!(
            line,
            "{:<19}{GAP}{:<8}{GAP}{:>10}{GAP}{:>12}{GAP}{:>7}{GAP}{:>8}",
            "verdict", "search", "states", "steps", "trace", "time"
        );
        line
    }

    /// A row.
    pub fn row(&self, row: &Row<'_>, palette: Palette) -> String {
        let mut line = String::new();
        for (index, (_, width)) in self.constants.iter().enumerate() {
            let value = row.constants.get(index).map_or("", |(_, value)| value.as_str());
            let _ = write!(line, "{:>width$}{GAP}", visible(value));
        }
        if let Some(width) = self.number {
            let number = row
                .number
                .map_or_else(|| "-".to_owned(), |number| number.to_string());
            let _ = write!(line, "{number:>width$}{GAP}");
        }
        let result = row.result;
        let (word, role) = verdict(row);
        let padding = " ".repeat(19usize.saturating_sub(word.chars().count()));
        let _ = write!(line, "{}{padding}{GAP}", palette.paint(role, &word));
        let trace = result.trace.as_ref().map(|trace| trace.steps.to_string());
        // Random runs store no states, and their transitions are not counted.
        let counted = |number: u64| match result.statistics {
            None => number.to_string(),
            Some(_) => "-".to_owned(),
        };
        let _ = write!(
            line,
            "{:<8}{GAP}{:>10}{GAP}{:>12}{GAP}{:>7}{GAP}{:>8}",
            result.search,
            counted(result.stats.states_explored),
            counted(result.stats.steps),
            trace.as_deref().unwrap_or("-"),
            seconds(result.cost.time_s)
        );
        if let Some(more) = remark(row) {
            let _ = write!(line, "{GAP}{}", visible(&more));
        }
        line.push('\n');
        line
    }
}

fn verdict(row: &Row<'_>) -> (String, Role) {
    if row.is_error {
        return ("error".to_owned(), Role::Bad);
    }
    let answer = row.result.verdict.unwrap_or(Answer::Unknown);
    let role = match answer {
        Answer::Satisfied => Role::Good,
        Answer::NotSatisfied => Role::Bad,
        _ => Role::Open,
    };
    // A number that was asked for is an answer.
    let estimate = row.result.statistics.as_deref();
    match estimate.and_then(|estimate| estimate.value) {
        Some(value) if answer == Answer::Unknown => (format!("about {}", six(value)), role),
        _ => (answer.word().to_owned(), role),
    }
}

/// Further remarks: values, an interval, or the reason for a missing answer.
fn remark(row: &Row<'_>) -> Option<String> {
    let result = row.result;
    if let Some(values) = &result.values {
        let text = values
            .iter()
            .map(|value| format!("{}: {}", value.expression, value.in_words()));
        return Some(text.collect::<Vec<_>>().join("; "));
    }
    let Some(estimate) = result.statistics.as_deref() else {
        return result.reason.clone();
    };
    let runs = format!("{} runs", estimate.runs);
    let text = match (estimate.kind, estimate.value, estimate.interval) {
        (Kind::Test | Kind::Comparison, ..) | (_, None, _) => runs,
        (_, Some(value), Some([low, high])) => {
            format!("{} in [{}, {}], {runs}", six(value), six(low), six(high))
        }
        (_, Some(value), None) => format!("{}, {runs}", six(value)),
    };
    Some(match &result.reason {
        Some(reason) => format!("{text}: {reason}"),
        None => text,
    })
}

/// The first line of the table as CSV (RFC 4180): the constants come first.
pub fn csv_header<'a>(constants: impl IntoIterator<Item = &'a str>) -> String {
    let fields = constants.into_iter().chain(CSV_COLUMNS);
    csv_line(fields)
}

/// The columns after those of the constants.
const CSV_COLUMNS: [&str; 21] = [
    "query_number",
    "query",
    "verdict",
    "proof",
    "search",
    "seed",
    "threads",
    "time_s",
    "search_s",
    "cpu_s",
    "walks",
    "steps",
    "states_explored",
    "states_stored",
    "transitions",
    "trace_steps",
    "trace_duration",
    "value",
    "interval_low",
    "interval_high",
    "reason",
];

/// A line of the table as CSV.
pub fn csv_row(row: &Row<'_>) -> String {
    let result = row.result;
    let estimate = result.statistics.as_deref();
    let interval = estimate.and_then(|estimate| estimate.interval);
    let value = match (&result.values, estimate.and_then(|estimate| estimate.value)) {
        (Some(values), _) => match values.as_slice() {
            [value] => value.value.clone(),
            values => {
                let text = values
                    .iter()
                    .map(|value| format!("{}: {}", value.expression, value.value));
                text.collect::<Vec<_>>().join("; ")
            }
        },
        (None, Some(value)) => value.to_string(),
        (None, None) => String::new(),
    };
    let verdict = if row.is_error {
        "error"
    } else {
        result.verdict.unwrap_or(Answer::Unknown).word()
    };
    let trace = result.trace.as_ref();
    let number = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    let fields: [String; CSV_COLUMNS.len()] = [
        row.number.map_or_else(String::new, |number| number.to_string()),
        result.query.clone().unwrap_or_default(),
        verdict.to_owned(),
        result.proof.to_string(),
        result.search.clone(),
        result.seed.to_string(),
        result.threads.to_string(),
        result.cost.time_s.to_string(),
        result.cost.search_s.to_string(),
        result.cost.cpu_s.to_string(),
        result.stats.walks.to_string(),
        result.stats.steps.to_string(),
        result.stats.states_explored.to_string(),
        result.stats.states_stored.to_string(),
        result.stats.transitions.to_string(),
        trace.map_or_else(String::new, |trace| trace.steps.to_string()),
        trace.map_or_else(String::new, |trace| trace.duration.clone()),
        value,
        number(interval.map(|[low, _]| low)),
        number(interval.map(|[_, high]| high)),
        result.reason.clone().unwrap_or_default(),
    ];
    let constants = row.constants.iter().map(|(_, value)| value.as_str());
    csv_line(constants.chain(fields.iter().map(String::as_str)))
}

fn csv_line<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let mut line = String::new();
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            line.push(',');
        }
        if field.contains([',', '"', '\n', '\r']) {
            let _ = write!(line, "\"{}\"", field.replace('"', "\"\""));
        } else {
            line.push_str(field);
        }
    }
    line.push('\n');
    line
}
