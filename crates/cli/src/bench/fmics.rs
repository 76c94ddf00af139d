//! Kiviriga, Larsen and Nyman, "Randomized Reachability Analysis in UPPAAL", FMICS 2021.

mod measure;
mod paper;
mod render;
mod row;

use super::model::{Effort, Source, Subject};
use super::results::Key;
use super::session::Session;
use crate::config::BenchConfig;
use crate::status::Error;
use measure::Measured;
use paper::{TABLES, Table};
use render::{Ours, Row};
use serde_json::Value;
use zonewalk::{Search, TraceWish};

/// Seeds for each cell unless given, and with `--quick`.
const SEEDS: (u64, u64) = (5, 1);

/// Seconds for each seed, and with `--quick`.
const SECONDS: (u64, u64) = (60, 3);

/// A column: its place in the paper's table, and its title.
type Column = (usize, &'static str);

/// The numbers of its tables.
pub(super) fn numbers() -> impl Iterator<Item = u32> {
    TABLES.iter().map(|table| table.number)
}

/// Measures tables row by row.
pub(super) fn run(session: &mut Session<'_>, numbers: &[u32]) -> Result<Vec<Value>, Error> {
    let effort = Effort::new(session.config, SEEDS, SECONDS);
    let mut documents = Vec::new();
    session.print(&render::legend(&effort))?;
    for table in TABLES.iter().filter(|table| numbers.contains(&table.number)) {
        let columns = columns(table, session.config);
        session.print(&render::header(table, &columns))?;
        let mut rows = Vec::new();
        for (name, cells) in chosen(table, session.config) {
            let row = measure(session, table, &columns, (name, &cells), &effort)?;
            session.print(&render::row(table, &row))?;
            rows.push(row);
        }
        if table.number != render::LENGTHS {
            session.print(&render::counts(table, &columns, &rows))?;
        }
        let places = session.places();
        session.print(&render::footer(&rows, &effort, &places))?;
        documents.push(render::document(table, &columns, &rows, &effort));
    }
    Ok(documents)
}

/// The rows to measure: all of them, those asked for, or the first one of each family of models.
fn chosen(table: &Table, config: &BenchConfig) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut rows: Vec<_> = table.rows().filter(|(name, _)| config.wants_row(name)).collect();
    if config.quick {
        rows.dedup_by_key(|(name, _)| row::split(name).0);
    }
    rows
}

/// The columns to measure, with their places in the paper's table.
fn columns(table: &Table, config: &BenchConfig) -> Vec<Column> {
    let all = table.columns.iter().copied().enumerate();
    // Lengths of traces belong together.
    all.filter(|(_, name)| table.number == render::LENGTHS || config.wants_column(name))
        .collect()
}

fn measure(
    session: &mut Session<'_>,
    table: &Table,
    columns: &[Column],
    (name, paper): (&'static str, &[&'static str]),
    effort: &Effort,
) -> Result<Row, Error> {
    let models = session.config.models.as_deref();
    let source = match models {
        Some(models) => row::published(models, table.number, name),
        None => row::generated(table.number, name),
    };
    let is_papers = models.is_some();
    let mut subject: Option<Subject> = None;
    let mut ours = Vec::new();
    for (_, column) in columns {
        ours.push(match (&source, column.to_lowercase().parse::<Search>()) {
            (None, _) => Ours::Not("no model"),
            (_, Err(_)) => Ours::Not("no such search"),
            (Some(source), Ok(search)) => cell(
                session,
                table,
                (name, column),
                search,
                source,
                &mut subject,
                effort,
            )?,
        });
    }
    Ok(Row {
        name,
        paper: columns
            .iter()
            .map(|&(at, _)| paper.get(at).copied().unwrap_or_default())
            .collect(),
        is_papers,
        ours,
    })
}

fn cell(
    session: &mut Session<'_>,
    table: &Table,
    (row, column): (&str, &str),
    search: Search,
    source: &Source,
    subject: &mut Option<Subject>,
    effort: &Effort,
) -> Result<Ours, Error> {
    // Table 5 is about traces, and compares the first one of RET with what effort makes of it.
    let trace = if table.number == render::LENGTHS {
        TraceWish::Some
    } else {
        TraceWish::None
    };
    let key = Key {
        table: format!("fmics-{}", table.number),
        row: row.to_owned(),
        column: column.to_owned(),
        settings: effort.settings(source),
    };
    let at_most = effort.timeout * effort.seeds as u32;
    let measured: Option<Option<Measured>> = session.cell(key, at_most, |control| {
        let subject = match subject {
            Some(subject) => subject,
            none => none.insert(Subject::load(source)?),
        };
        measure::measure(subject, search, trace, effort, control)
    })?;
    Ok(match measured {
        Some(Some(measured)) => Ours::Measured(measured),
        Some(None) => Ours::Not("not supported"),
        None => Ours::Not("not run"),
    })
}
