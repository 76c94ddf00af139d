//! Kiviriga, Larsen and Nyman, "Randomized Reachability Analysis in UPPAAL", FMICS 2021.

mod column;
mod lengths;
mod measure;
mod paper;
mod render;
mod row;
mod runs;
mod summary;

use super::model::{Effort, Model, Source, Subject};
use super::results::Key;
use super::session::Session;
use crate::config::Config;
use crate::output::Error;
use column::{Column, Method, columns};
use measure::Measured;
use paper::{TABLES, Table};
use render::{OwnCell, Row};
use serde_json::Value;
use zonewalk_checker::Schedule;

/// Seeds for each cell unless given, and with `--quick`.
const SEEDS: (u64, u64) = (5, 1);

/// Seconds for each seed, and with `--quick`.
const SECONDS: (u64, u64) = (60, 3);

/// The numbers of the table that sums up the others, and of the figure.
const SUMMARY: u32 = 1;
const FIGURE: u32 = 3;

/// The numbers of its tables and of its figure.
pub(super) fn numbers() -> impl Iterator<Item = u32> {
    [SUMMARY, FIGURE]
        .into_iter()
        .chain(TABLES.iter().map(|table| table.number))
}

/// Measures tables row by row.
pub(super) fn run(session: &mut Session<'_>, numbers: &[u32]) -> Result<Vec<Value>, Error> {
    let effort = Effort::new(session.config, SEEDS, SECONDS);
    let has_one_schedule = |number: &u32| [SUMMARY, FIGURE, lengths::TABLE].contains(number);
    if session.config.schedule == Some(Schedule::Tuned) && numbers.iter().any(has_one_schedule) {
        session.note("the walks of fmics-1, fmics-3 and fmics-5 are the paper's, whatever --schedule says");
    }
    let mut documents = Vec::new();
    if numbers.contains(&SUMMARY) {
        documents.push(summary::run(session, &effort)?);
    }
    if numbers.contains(&FIGURE) {
        documents.push(runs::run(session, &effort)?);
    }
    let tables = || TABLES.iter().filter(|table| numbers.contains(&table.number));
    if tables().any(|table| table.number != lengths::TABLE) {
        session.print(&render::legend(&effort, session.config.retry))?;
    }
    for table in tables() {
        if table.number == lengths::TABLE {
            session.print(&lengths::legend(&effort))?;
        }
        let columns = columns(table, session.config);
        session.print(&render::header(table, &columns))?;
        let mut rows = Vec::new();
        for (name, cells) in chosen(table, session.config) {
            let row = measure(session, table, &columns, (name, &cells), &effort)?;
            session.print(&render::row(table, &row))?;
            rows.push(row);
        }
        if table.number == lengths::TABLE {
            session.print(&lengths::medians(table, &rows))?;
        } else {
            session.print(&render::medians(table, &columns, &rows))?;
            session.print(&render::counts(table, &columns, &rows))?;
        }
        let places = session.places();
        session.print(&render::footer(&rows, &effort, &places))?;
        documents.push(render::document(table, &columns, &rows, &effort, &places));
    }
    Ok(documents)
}

/// The rows to measure: all of them, those asked for, or the first one of each family of models.
fn chosen(table: &Table, config: &Config) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut rows: Vec<_> = table.rows().filter(|(name, _)| config.wants_row(name)).collect();
    if config.quick {
        rows.dedup_by_key(|(name, _)| row::split(name).0);
    }
    rows
}

fn measure(
    session: &mut Session<'_>,
    table: &Table,
    columns: &[Column],
    (name, paper): (&'static str, &[&'static str]),
    effort: &Effort,
) -> Result<Row, Error> {
    let source = source(session.config, table.number, name);
    let is_papers = session.config.models.is_some();
    let mut subject: Option<Subject> = None;
    let mut ours = Vec::new();
    for column in columns {
        ours.push(match (&source, column.method) {
            (None, _) => OwnCell::Not("no model"),
            // A cycle is one of the authors' models.
            (_, Some(method)) if method.time_bound.is_some() && !is_papers => OwnCell::Not("no model"),
            (_, None) => OwnCell::Not("no such search"),
            (Some(source), Some(method)) => {
                let key = |effort: &Effort| Key {
                    table: format!("fmics-{}", table.number),
                    row: name.to_owned(),
                    column: column.title.clone(),
                    settings: effort.settings(source),
                };
                let first = cell(session, key(effort), method, source, &mut subject, effort)?;
                // More time is for what a search is known to find.
                let is_printed = paper
                    .get(column.place)
                    .is_some_and(|cell| cell.parse::<f64>().is_ok());
                match session.config.retry.filter(|_| is_printed && first.has_failed()) {
                    Some(timeout) => {
                        let longer = Effort { timeout, ..*effort };
                        match cell(session, key(&longer), method, source, &mut subject, &longer)? {
                            OwnCell::Measured(measured) => OwnCell::Again(measured, timeout),
                            _ => first,
                        }
                    }
                    None => first,
                }
            }
        });
    }
    Ok(Row {
        name,
        paper: columns
            .iter()
            .map(|column| paper.get(column.place).copied().unwrap_or_default())
            .collect(),
        is_papers,
        ours,
    })
}

/// The model of a row: the authors' if their folder is given, and otherwise ours.
fn source(config: &Config, table: u32, row: &str) -> Option<Source> {
    let Some(models) = &config.models else {
        return row::generated(table, row);
    };
    // The folder of this paper, or that with the folders of all papers.
    let folders = [models.clone(), models.join("fmics2021")];
    let mut sources = folders
        .iter()
        .filter_map(|folder| row::published(folder, table, row));
    sources.find(|source| match &source.model {
        Model::File(file, _) => config.has(file),
        Model::Member { .. } => true,
    })
}

fn cell(
    session: &mut Session<'_>,
    key: Key,
    method: Method,
    source: &Source,
    subject: &mut Option<Subject>,
    effort: &Effort,
) -> Result<OwnCell, Error> {
    let at_most = effort.timeout * effort.seeds as u32;
    let measured: Option<Option<Measured>> = session.cell(key, at_most, |control| {
        let subject = match subject {
            Some(subject) => subject,
            none => none.insert(Subject::load(source)?),
        };
        measure::measure(subject, method, effort, control)
    })?;
    Ok(match measured {
        Some(Some(measured)) => OwnCell::Measured(measured),
        Some(None) => OwnCell::Not("not supported"),
        None => OwnCell::Not("not run"),
    })
}
