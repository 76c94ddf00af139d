//! Statistical queries measured: models with exact answers, error rates, the SMC columns of a paper, and runs by threads.

mod errors;
mod oracles;
mod papers;
mod threads;

use super::grid::{Grid, line};
use super::model::Effort;
use super::results::Key;
use super::session::Session;
use crate::output::Error;
use serde_json::Value;
use std::num::NonZeroUsize;
use std::time::Duration;
use zonewalk_checker::{Options, Outcome, StatisticsOptions, check_text};
use zonewalk_report::statistics::Estimate;

pub(super) const NUMBERS: [u32; 4] = [1, 2, 3, 4];

/// Measures tables.
pub(super) fn run(session: &mut Session<'_>, numbers: &[u32]) -> Result<Vec<Value>, Error> {
    let mut documents = Vec::new();
    for number in numbers {
        documents.push(match number {
            1 => oracles::run(session)?,
            2 => errors::run(session)?,
            3 => papers::run(session)?,
            _ => threads::run(session)?,
        });
    }
    Ok(documents)
}

/// A cell of one of these tables is named by its row alone: all columns are measured at once.
fn key(table: &Grid, row: &str, settings: &str) -> Key {
    Key {
        table: table.id.clone(),
        row: row.to_owned(),
        column: String::new(),
        settings: settings.to_owned(),
    }
}

/// The words below a table, and all of it for programs.
fn end(
    session: &mut Session<'_>,
    grid: &Grid,
    lines: &[(String, Vec<super::grid::Cell>)],
    effort: &Effort,
) -> Result<Value, Error> {
    let places = session.places();
    session.print(&format!("\n{places}.\n"))?;
    Ok(grid.document(lines, effort, &places))
}

fn print(session: &mut Session<'_>, name: &str, cells: &[super::grid::Cell]) -> Result<(), Error> {
    session.print(&line(name, cells))
}

/// How a query is answered.
#[derive(Clone, Copy)]
struct RunSettings {
    seed: u64,
    threads: NonZeroUsize,
    runs: Option<u64>,
}

impl RunSettings {
    fn seeded(seed: u64) -> RunSettings {
        RunSettings {
            seed,
            threads: NonZeroUsize::MIN,
            runs: None,
        }
    }
}

/// Answers a query about a model of ours: whether it is satisfied, and the numbers.
fn answer(model: &str, query: &str, settings: RunSettings) -> Result<(Option<bool>, Estimate), Error> {
    let options = Options {
        seed: settings.seed,
        threads: settings.threads,
        statistics: StatisticsOptions {
            runs: settings.runs,
            ..StatisticsOptions::default()
        },
        ..Options::default()
    };
    let bug = |why: &dyn std::fmt::Display| Error::new(format_args!("bug in zonewalk: {query}: {why}"));
    match check_text("oracle.xta", model, query, &options) {
        Err(refusal) => Err(bug(&refusal)),
        Ok(report) => match report.outcome {
            Outcome::Estimated {
                satisfied, estimate, ..
            } => Ok((satisfied, *estimate)),
            Outcome::Fault(fault) => Err(bug(&fault.diagnostic.message)),
            _ => Err(bug(&"no estimate")),
        },
    }
}

/// A number with six significant digits.
fn six(value: f64) -> String {
    let digits = if value == 0.0 {
        5.0
    } else {
        (5.0 - value.abs().log10().floor()).clamp(0.0, 12.0)
    };
    // It is between 0 and 12.
    format!("{value:.0$}", digits as usize)
}

/// A box that is only told to those who watch: these cells end by themselves.
const BOX: Duration = Duration::from_secs(20);
