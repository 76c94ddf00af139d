//! Grosu, Huang, Smolka, Tan and Tripakis, "Deep Random Search for Efficient Model Checking of Timed Automata".

mod paper;

use super::grid::{Grid, Number, beside, line};
use super::model::{Effort, Source, Subject, options};
use super::results::Key;
use super::session::Session;
use crate::resources;
use crate::status::Error;
use paper::{Row, TABLES, Table};
use serde_json::Value;
use std::time::Instant;
use zonewalk::measure::Sample;
use zonewalk::{Checker, Control, Covering, Options, Outcome, Search, ZoneOptions};

/// Seeds for each row unless given, and with `--quick`.
const SEEDS: (u64, u64) = (100, 5);

/// Seconds for each seed, and with `--quick`.
const SECONDS: (u64, u64) = (60, 5);

/// Seeds for a search of everything, which chance can only put into another order.
const SEEDS_FOR_ALL: u64 = 3;

/// Rows of a table with `--quick`.
const QUICK_ROWS: usize = 2;

/// The numbers of its tables.
pub(super) fn numbers() -> impl Iterator<Item = u32> {
    TABLES.iter().map(|table| table.number)
}

/// Measures tables row by row.
pub(super) fn run(session: &mut Session<'_>, numbers: &[u32]) -> Result<Vec<Value>, Error> {
    let effort = Effort::new(session.config, SEEDS, SECONDS);
    session.print(&legend(&effort))?;
    let mut documents = Vec::new();
    for table in TABLES.iter().filter(|table| numbers.contains(&table.number)) {
        let grid = grid(table);
        session.print(&grid.header())?;
        let mut lines = Vec::new();
        let config = session.config;
        let rows = if config.quick { QUICK_ROWS } else { usize::MAX };
        let wanted = table.rows.iter().filter(|row| config.wants_row(row.name));
        for row in wanted.take(rows) {
            let measured = match table.source(row, config.models.as_deref()) {
                Some(source) => {
                    let key = Key {
                        table: grid.id.clone(),
                        row: row.name.to_owned(),
                        column: String::new(),
                        settings: effort.settings(&source),
                    };
                    let searches = seeds(row, &effort) as u32 + 1;
                    session.cell(key, searches * effort.timeout, |control| {
                        measure(&source, row, &effort, control)
                    })?
                }
                None => None,
            };
            let paper = row.paper;
            let paper = ["", paper.time, paper.states, paper.depth, paper.uppaal, ""];
            let cells = beside(measured.as_deref(), &paper);
            session.print(&line(row.name, &cells))?;
            lines.push((row.name.to_owned(), cells));
        }
        let places = session.places();
        session.print(&format!("\nOne thread. {places}.\n"))?;
        documents.push(grid.document(&lines, &effort));
    }
    Ok(documents)
}

fn legend(effort: &Effort) -> String {
    format!(
        "Each cell: mean over {} seeds with its 95 % interval / what the paper printed. Times are seconds of one \
         processor for searching and for replaying what was found, loading not included; states are those that were generated; depth is that of the state found, in transitions. \
         Deep random search with one initial walk, without cutoff, in one round, with states compared by equality; searches \
         of everything with {SEEDS_FOR_ALL} seeds at most, by inclusion. Breadth-first search, once, stands beside the paper's UPPAAL. –: not within {} s, or no such model.\n",
        effort.seeds,
        effort.timeout.as_secs_f64()
    )
}

fn grid(table: &Table) -> Grid {
    let columns = [
        if table.is_about_errors { "found" } else { "proved" },
        "DRS time",
        "DRS states",
        "DRS depth",
        "BFS time",
        "BFS states",
    ];
    Grid {
        id: format!("drs-{}", table.number),
        title: format!("Table {}: {}", table.number, table.title),
        lines: "model",
        columns: columns.map(str::to_owned).to_vec(),
    }
}

/// What one search came to.
struct Run {
    time: f64,
    states: u64,
    depth: Option<usize>,
}

/// How many seeds a row gets.
fn seeds(row: &Row, effort: &Effort) -> u64 {
    if row.is_faulty {
        effort.seeds
    } else {
        effort.seeds.min(SEEDS_FOR_ALL)
    }
}

fn measure(source: &Source, row: &Row, effort: &Effort, control: &Control) -> Result<Vec<Number>, Error> {
    Subject::load(source)?.with_checker(|_, checker, _| {
        let (mut runs, mut tried) = (Vec::new(), 0);
        for seed in 1..=seeds(row, effort) {
            // Two failures are enough to know what the others would come to.
            if control.is_interrupted() || runs.is_empty() && tried >= 2 {
                break;
            }
            tried += 1;
            runs.extend(one(checker, &deep(row, seed), effort, control)?);
        }
        let bfs = one(checker, &options(Search::Bfs, 1), effort, control)?;
        let mean = |value: fn(&Run) -> Option<f64>| {
            Number::mean(Sample::new(runs.iter().filter_map(value).collect()).mean())
        };
        let of_bfs = |value: fn(&Run) -> f64| {
            bfs.as_ref()
                .map_or(Number::Mean(None), |run| Number::exactly(value(run)))
        };
        Ok(vec![
            Number::Count(runs.len() as u64, tried),
            mean(|run| Some(run.time)),
            mean(|run| Some(run.states as f64)),
            mean(|run| run.depth.map(|depth| depth as f64)),
            of_bfs(|run| run.time),
            of_bfs(|run| run.states as f64),
        ])
    })
}

/// Deep random search as in the paper: states are known when they are equal. Where there is no error all of them are
/// visited, and more than a few processes have too many without inclusion.
fn deep(row: &Row, seed: u64) -> Options {
    let options = options(Search::Drs, seed);
    let covering = if row.is_faulty {
        Covering::Equality
    } else {
        Covering::Inclusion
    };
    Options {
        zones: ZoneOptions {
            covering,
            keeps_variables: true,
            ..options.zones
        },
        ..options
    }
}

/// One search; `None` if it comes to no end.
fn one(
    checker: &Checker<'_, '_>,
    options: &Options,
    effort: &Effort,
    control: &Control,
) -> Result<Option<Run>, Error> {
    let options = Options {
        deadline: Instant::now().checked_add(effort.timeout),
        ..*options
    };
    // Of the processor, which others may be using as well; one thread is at work.
    let before = resources::cpu_time();
    let Some(report) = checker.check(0, &options, control, &mut |_, _| {}) else {
        return Err(Error::new("the query of the row is not about states"));
    };
    match report.outcome {
        Outcome::Decided { witness, .. } => Ok(Some(Run {
            // Without loading: the paper's tool is compiled with its model before it runs.
            time: (resources::cpu_time().saturating_sub(before)).as_secs_f64(),
            states: report.stats.states_stored,
            depth: witness.map(|witness| witness.found_steps),
        })),
        Outcome::Undecided(_) | Outcome::Maybe { .. } | Outcome::Values { .. } => Ok(None),
        Outcome::Fault(fault) => Err(Error::new(fault.diagnostic.message)),
        Outcome::Bug(message) => Err(Error::new(format_args!("a bug of zonewalk: {message}"))),
    }
}
