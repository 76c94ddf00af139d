//! Kiviriga, Larsen and Nyman, "Randomized Reachability Analysis in UPPAAL", FMICS 2021.

mod measure;
mod paper;
mod render;
mod row;

use super::model::{Effort, Subject};
use crate::config::{BenchConfig, BenchFormat};
use crate::output::Output;
use crate::status::Error;
use measure::Measured;
use paper::{TABLES, Table};
use render::Row;
use serde_json::Value;
use zonewalk::{Control, Search, TraceWish};

/// Seeds for each cell unless given, and with `--quick`.
const SEEDS: (u64, u64) = (5, 1);

/// A column: its place in the paper's table, and its title.
type Column = (usize, &'static str);

/// The numbers of its tables.
pub(super) fn numbers() -> impl Iterator<Item = u32> {
    TABLES.iter().map(|table| table.number)
}

/// Measures tables row by row.
pub(super) fn run(
    config: &BenchConfig,
    numbers: &[u32],
    control: &Control,
    output: &mut Output,
) -> Result<Vec<Value>, Error> {
    let effort = Effort::new(config, SEEDS);
    let mut documents = Vec::new();
    if config.format == BenchFormat::Md {
        output.result(&render::legend(&effort))?;
    }
    for table in TABLES.iter().filter(|table| numbers.contains(&table.number)) {
        let columns = columns(table, config);
        if config.format == BenchFormat::Md {
            output.result(&render::header(table, &columns))?;
        }
        let mut rows = Vec::new();
        for (name, cells) in chosen(table, config) {
            if control.is_interrupted() {
                break;
            }
            let row = measure(config, table, &columns, (name, &cells), &effort, control)?;
            if config.format == BenchFormat::Md {
                output.result(&render::row(table, &row))?;
                output.flush()?;
            }
            rows.push(row);
        }
        if config.format == BenchFormat::Md && table.number != render::LENGTHS {
            output.result(&render::counts(table, &columns, &rows))?;
        }
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
    config: &BenchConfig,
    table: &Table,
    columns: &[Column],
    (name, paper): (&'static str, &[&'static str]),
    effort: &Effort,
    control: &Control,
) -> Result<Row, Error> {
    let source = match &config.models {
        Some(models) => row::published(models, table.number, name),
        None => row::generated(table.number, name),
    };
    let mut ours: Vec<Option<Measured>> = vec![None; columns.len()];
    if let Some(source) = source {
        // Table 5 is about traces, and compares the first one of RET with what effort makes of it.
        let trace = if table.number == render::LENGTHS {
            TraceWish::Some
        } else {
            TraceWish::None
        };
        let (known, searches): (Vec<usize>, Vec<Search>) = columns
            .iter()
            .enumerate()
            .filter_map(|(i, (_, name))| Some((i, name.to_lowercase().parse::<Search>().ok()?)))
            .unzip();
        let subject = Subject::load(&source)?;
        let measured = measure::measure(&subject, &searches, trace, effort, control)?;
        for (i, measured) in known.into_iter().zip(measured) {
            ours[i] = measured;
        }
    }
    Ok(Row {
        name,
        paper: columns
            .iter()
            .map(|&(at, _)| paper.get(at).copied().unwrap_or_default())
            .collect(),
        is_papers: config.models.is_some(),
        ours,
    })
}
