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
        if config.format == BenchFormat::Md {
            output.result(&render::header(table))?;
        }
        let mut rows = Vec::new();
        for (name, cells) in chosen(table, config.quick) {
            if control.is_interrupted() {
                break;
            }
            let row = measure(config, table, name, cells, &effort, control)?;
            if config.format == BenchFormat::Md {
                output.result(&render::row(table, &row))?;
                output.flush()?;
            }
            rows.push(row);
        }
        documents.push(render::document(table, &rows, &effort));
    }
    Ok(documents)
}

/// The rows to measure: all of them, or the first one of each family of models.
fn chosen(table: &Table, quick: bool) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut rows: Vec<_> = table.rows().collect();
    if quick {
        rows.dedup_by_key(|(name, _)| row::split(name).0);
    }
    rows
}

fn measure(
    config: &BenchConfig,
    table: &Table,
    name: &'static str,
    paper: Vec<&'static str>,
    effort: &Effort,
    control: &Control,
) -> Result<Row, Error> {
    let source = match &config.models {
        Some(models) => row::published(models, table.number, name),
        None => row::generated(table.number, name),
    };
    let mut ours: Vec<Option<Measured>> = vec![None; table.columns.len()];
    if let Some(source) = source {
        // Table 5 is about traces, and compares the first one of RET with what effort makes of it.
        let trace = if table.number == 5 {
            TraceWish::Some
        } else {
            TraceWish::None
        };
        let (columns, searches): (Vec<usize>, Vec<Search>) = table
            .columns
            .iter()
            .enumerate()
            .filter_map(|(column, name)| Some((column, name.to_lowercase().parse::<Search>().ok()?)))
            .unzip();
        let subject = Subject::load(&source)?;
        let measured = measure::measure(&subject, &searches, trace, effort, control)?;
        for (column, measured) in columns.into_iter().zip(measured) {
            ours[column] = measured;
        }
    }
    Ok(Row {
        name,
        paper,
        is_papers: config.models.is_some(),
        ours,
    })
}
