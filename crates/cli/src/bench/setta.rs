//! Kiviriga, Larsen and Nyman, "Randomized Refinement Checking of Timed I/O Automata", SETTA 2020.

mod attempts;
mod measure;
mod paper;
mod render;
mod row;

use super::svg::{Axis, Chart, Series};
use crate::config::{BenchConfig, BenchFormat};
use crate::output::Output;
use crate::status::Error;
use measure::{Effort, Measured};
use paper::{FIGURE, TABLES, Table};
use render::{Column, Line};
use row::Row;
use serde_json::Value;
use zonewalk::{Control, Schedule};

/// Violations for each cell unless given, and with `--quick`.
const VIOLATIONS: (u64, u64) = (100, 5);

/// The number of the table of probabilities: its figures are measured in attempts.
const ATTEMPTS: u32 = 1;

/// The numbers of its tables and of its figure.
pub(super) fn numbers() -> impl Iterator<Item = u32> {
    std::iter::once(ATTEMPTS).chain(TABLES.iter().map(|table| table.number))
}

/// Measures tables row by row.
pub(super) fn run(
    config: &BenchConfig,
    numbers: &[u32],
    control: &Control,
    output: &mut Output,
) -> Result<Vec<Value>, Error> {
    let (all, quick) = VIOLATIONS;
    let effort = Effort {
        violations: config.seeds.unwrap_or(if config.quick { quick } else { all }),
        timeout: config.timeout,
        schedule: config.schedule.unwrap_or(Schedule::Paper),
    };
    let mut documents = Vec::new();
    if numbers.contains(&ATTEMPTS) {
        documents.push(attempts::run(config, &effort, control, output)?);
    }
    let mut tables = TABLES
        .iter()
        .filter(|table| numbers.contains(&table.number))
        .peekable();
    if config.format == BenchFormat::Md && tables.peek().is_some() {
        output.result(&render::legend(&effort))?;
    }
    for table in tables {
        documents.push(one(config, table, &effort, control, output)?);
    }
    Ok(documents)
}

/// Measures a table.
fn one(
    config: &BenchConfig,
    table: &Table,
    effort: &Effort,
    control: &Control,
    output: &mut Output,
) -> Result<Value, Error> {
    let is_md = config.format == BenchFormat::Md;
    let all = table.columns.iter().copied().enumerate();
    let columns: Vec<Column> = all.filter(|(_, name)| config.wants_column(name)).collect();
    if is_md {
        output.result(&render::header(table.title, &columns))?;
    }
    let mut lines = Vec::new();
    for (name, paper) in chosen(table, config.quick) {
        if !config.wants_row(name) {
            continue;
        }
        if control.is_interrupted() {
            break;
        }
        let line = measure(&columns, (name, &paper), effort, control)?;
        if is_md {
            output.result(&render::line(&line, effort))?;
            output.flush()?;
        }
        lines.push(line);
    }
    if is_md {
        output.result(&render::counts(table, &columns, &lines))?;
        output.result(&render::footer(effort, &lines))?;
        output.flush()?;
    }
    if table.number == FIGURE {
        plot(config, table, &columns, &lines)?;
    }
    Ok(render::document(table, &columns, &lines, effort))
}

/// The rows to measure: all of them, or of each group the proof and the first violation.
fn chosen(table: &Table, quick: bool) -> Vec<(&'static str, Vec<&'static str>)> {
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
    rows
}

fn measure(
    columns: &[Column],
    (name, paper): (&'static str, &[&'static str]),
    effort: &Effort,
    control: &Control,
) -> Result<Line, Error> {
    let Some(row) = Row::new(name) else {
        return Err(Error::new(format_args!("{name} is no model")));
    };
    let mut ours: Vec<Option<Measured>> = Vec::new();
    let mut subject = row.load()?;
    for (place, (_, column)) in columns.iter().enumerate() {
        let Some(search) = row::search(column) else {
            return Err(Error::new(format_args!("{column} is no search")));
        };
        // Two tools of the paper may stand beside one of our searches.
        let same = columns[..place]
            .iter()
            .position(|(_, other)| row::search(other) == Some(search));
        let measured = match same {
            Some(same) => ours[same].clone(),
            None if control.is_interrupted() || search.0.walks() && row.holds() => None,
            None => Some(measure::measure(&mut subject, &row, search, effort, control)?),
        };
        ours.push(measured);
    }
    Ok(Line {
        name,
        paper: columns
            .iter()
            .filter_map(|&(at, _)| paper.get(at).copied())
            .collect(),
        ours,
        load: subject.load,
    })
}

/// Draws times by nodes, if plots are wanted.
fn plot(config: &BenchConfig, table: &Table, columns: &[Column], lines: &[Line]) -> Result<(), Error> {
    let Some(folder) = &config.svg else {
        return Ok(());
    };
    let nodes = |line: &Line| {
        line.name
            .split('-')
            .nth(1)?
            .strip_prefix('N')?
            .parse::<f64>()
            .ok()
    };
    let series = |(place, (_, name)): (usize, &Column)| {
        let point = |line: &Line| Some((nodes(line)?, line.ours[place].as_ref()?.mean()?));
        Series {
            name: (*name).to_owned(),
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
    chart.write(folder, &format!("setta-{FIGURE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_rows() {
        let names = |number: u32| {
            let table = TABLES.iter().find(|table| table.number == number).unwrap();
            let rows = chosen(table, true);
            rows.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names(3).len(), 4);
        assert_eq!(names(4)[..2], ["Milner-N50-d20-v0", "Milner-N50-d20-v2"]);
        assert_eq!((names(5).len(), names(6).len(), names(FIGURE).len()), (10, 4, 1));
    }
}
