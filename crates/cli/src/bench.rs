//! `zonewalk bench`: the tables of the papers, measured again and printed beside what they say.

mod measure;
mod paper;
mod render;
mod row;

use crate::config::{BenchConfig, BenchFormat};
use crate::interrupt;
use crate::output::Output;
use crate::status::{Error, Status};
use measure::{Bench, Effort, Measured};
use paper::{TABLES, Table};
use render::Row;
use std::sync::Arc;
use zonewalk::{Control, Search, TraceWish};

/// The names of tables that can be asked for.
pub(crate) fn table_numbers(name: &str) -> Option<Vec<u32>> {
    let all = || TABLES.iter().map(|table| table.number);
    match name.strip_prefix("fmics")? {
        "" => Some(all().collect()),
        number => all()
            .find(|n| number.strip_prefix('-') == Some(n.to_string().as_str()))
            .map(|n| vec![n]),
    }
}

/// Measures tables row by row.
pub(crate) fn run(config: &BenchConfig, output: &mut Output) -> Result<Status, Error> {
    let control = Arc::new(Control::default());
    interrupt::listen(&control);
    let effort = Effort {
        seeds: config.seeds,
        timeout: config.timeout,
    };
    let mut documents = Vec::new();
    if config.format == BenchFormat::Md {
        output.result(&render::legend(&effort))?;
    }
    for table in TABLES
        .iter()
        .filter(|table| config.tables.contains(&table.number))
    {
        if config.format == BenchFormat::Md {
            output.result(&render::header(table))?;
        }
        let mut rows = Vec::new();
        for (name, cells) in chosen(table, config.quick) {
            if control.is_interrupted() {
                break;
            }
            let row = measure(config, table, name, cells, &effort, &control)?;
            if config.format == BenchFormat::Md {
                output.result(&render::row(table, &row))?;
                output.flush()?;
            }
            rows.push(row);
        }
        documents.push(render::document(table, &rows));
    }
    if config.format == BenchFormat::Json {
        output.result(&render::documents(config, &effort, &documents))?;
    }
    output.flush()?;
    Ok(if control.is_interrupted() {
        Status::Interrupted
    } else {
        Status::Success
    })
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
        let bench = Bench::load(&source)?;
        for (column, measured) in columns
            .into_iter()
            .zip(bench.measure(&searches, trace, effort, control)?)
        {
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
