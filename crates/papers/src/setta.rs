//! Kiviriga, Larsen and Nyman, "Randomized Refinement Checking of Timed I/O Automata", SETTA 2020.

mod attempts;
mod measure;
mod paper;
mod render;
mod row;

use super::columns::{Column, columns};
use super::results::Key;
use super::session::Session;
use super::svg::{Axis, Chart, Series};
use crate::output::Error;
use measure::Effort;
use paper::{FIGURE, TABLES, Table};
use render::{Line, OwnCell};
use row::{Row, Subject};
use serde_json::Value;

/// Violations for each cell unless given, and with `--quick`.
const VIOLATIONS: (u64, u64) = (100, 5);

/// Seconds for each cell, and with `--quick`: most violations take milliseconds.
const SECONDS: (u64, u64) = (60, 1);

/// The number of the table of probabilities: its figures are measured in attempts.
const ATTEMPTS: u32 = 1;

/// The numbers of its tables and of its figure.
pub(super) fn numbers() -> impl Iterator<Item = u32> {
    std::iter::once(ATTEMPTS).chain(TABLES.iter().map(|table| table.number))
}

/// Measures tables row by row.
pub(super) fn run(session: &mut Session<'_>, numbers: &[u32]) -> Result<Vec<Value>, Error> {
    let config = session.config;
    let (all, quick) = VIOLATIONS;
    let effort = Effort {
        violations: config.seeds.unwrap_or(if config.quick { quick } else { all }),
        timeout: config.time(SECONDS),
    };
    let mut documents = Vec::new();
    if numbers.contains(&ATTEMPTS) {
        documents.push(attempts::run(session, &effort)?);
    }
    let mut tables = TABLES
        .iter()
        .filter(|table| numbers.contains(&table.number))
        .peekable();
    if tables.peek().is_some() {
        session.print(&render::legend(&effort))?;
    }
    for table in tables {
        documents.push(one(session, table, &effort)?);
    }
    Ok(documents)
}

/// Measures a table.
fn one(session: &mut Session<'_>, table: &Table, effort: &Effort) -> Result<Value, Error> {
    let config = session.config;
    let columns = columns(table.columns, row::has_schedules, config);
    session.print(&render::header(table.title, &columns))?;
    let mut lines = Vec::new();
    // Who names rows wants these.
    let is_quick = config.quick && config.rows.is_empty();
    for (name, paper) in chosen(table, is_quick).filter(|(name, _)| config.wants_row(name)) {
        let line = measure(session, table, &columns, (name, &paper), effort)?;
        session.print(&render::line(&line, effort))?;
        lines.push(line);
    }
    let places = session.places();
    session.print(&render::medians(table, &columns, &lines))?;
    session.print(&render::counts(table, &columns, &lines))?;
    session.print(&render::footer(&lines, &places))?;
    if table.number == FIGURE {
        plot(session, table, &columns, &lines)?;
    }
    Ok(render::document(table, &columns, &lines, effort, &places))
}

/// The rows to measure: all of them, or of each group the proof and the first violation.
fn chosen(table: &Table, quick: bool) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let mut rows: Vec<_> = table.rows().collect();
    if quick {
        let group = |name: &'static str| {
            // In the figure only N differs.
            let is_first = |c: char| {
                if table.number == FIGURE {
                    c == 'N'
                } else {
                    c == '-'
                }
            };
            (name.rfind(is_first).map(|at| &name[..at]), name.ends_with("-v0"))
        };
        rows.dedup_by_key(|(name, _)| group(name));
    }
    rows.into_iter()
}

fn measure(
    session: &mut Session<'_>,
    table: &Table,
    columns: &[Column],
    (name, paper): (&'static str, &[&'static str]),
    effort: &Effort,
) -> Result<Line, Error> {
    let Some(row) = Row::new(name) else {
        return Err(Error::new(format_args!("{name} is not a model")));
    };
    let mut ours: Vec<OwnCell> = Vec::new();
    let mut subject: Option<Subject> = None;
    let search = |column: &Column| row::search(column.name, column.schedule);
    for (place, column) in columns.iter().enumerate() {
        let Some(method) = search(column) else {
            return Err(Error::new(format_args!("{} is not a search", column.name)));
        };
        // Two tools of the paper may stand beside one of our searches.
        let same = columns[..place]
            .iter()
            .position(|other| search(other) == Some(method));
        ours.push(match same {
            Some(same) => ours[same].clone(),
            None if method.search.walks() && row.holds() => OwnCell::NothingToFind,
            None => {
                let key = Key {
                    table: format!("setta-{}", table.number),
                    row: name.to_owned(),
                    column: column.title.clone(),
                    settings: effort.settings(),
                };
                let measured = session.cell(key, effort.timeout, |control| {
                    let subject = match &mut subject {
                        Some(subject) => subject,
                        none => none.insert(row.load()?),
                    };
                    measure::measure(subject, &row, method, effort, control)
                })?;
                measured.map_or(OwnCell::NotRun, OwnCell::Measured)
            }
        });
    }
    Ok(Line {
        name,
        paper: columns
            .iter()
            .filter_map(|column| paper.get(column.place).copied())
            .collect(),
        ours,
    })
}

/// Draws times by nodes.
fn plot(session: &Session<'_>, table: &Table, columns: &[Column], lines: &[Line]) -> Result<(), Error> {
    let nodes = |line: &Line| {
        line.name
            .split('-')
            .nth(1)?
            .strip_prefix('N')?
            .parse::<f64>()
            .ok()
    };
    let series = |(place, column): (usize, &Column)| {
        let point = |line: &Line| Some((nodes(line)?, line.ours[place].measured()?.mean()?));
        Series {
            name: column.title.clone(),
            points: lines.iter().filter_map(point).collect(),
            is_line: true,
        }
    };
    let chart = Chart {
        title: table.title.to_owned(),
        x: Axis {
            label: "nodes",
            is_log: false,
        },
        y: Axis {
            label: "seconds",
            is_log: true,
        },
        series: columns.iter().enumerate().map(series).collect(),
    };
    session.plot(&format!("setta-{FIGURE}"), &chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_rows() {
        let names = |number: u32| {
            let table = TABLES.iter().find(|table| table.number == number).unwrap();
            chosen(table, true).map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names(3).len(), 4);
        assert_eq!(names(4)[..2], ["Milner-N50-d20-v0", "Milner-N50-d20-v2"]);
        assert_eq!((names(5).len(), names(6).len(), names(FIGURE).len()), (10, 4, 1));
    }
}
