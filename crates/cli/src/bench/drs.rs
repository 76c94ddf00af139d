//! Grosu, Huang, Smolka, Tan and Tripakis, "Deep Random Search for Efficient Model Checking of Timed Automata".

mod paper;

use super::grid::{Cell, Grid, exactly, line};
use super::model::{Effort, Subject, options};
use crate::config::{BenchConfig, BenchFormat};
use crate::output::Output;
use crate::resources;
use crate::status::Error;
use paper::{Row, TABLES, Table};
use serde_json::Value;
use std::time::Instant;
use zonewalk::measure::Sample;
use zonewalk::{Checker, Control, Covering, Options, Outcome, Search, ZoneOptions};

/// Seeds for each row unless given, and with `--quick`.
const SEEDS: (u64, u64) = (100, 5);

/// Seeds for a search of everything, which chance can only put into another order.
const SEEDS_FOR_ALL: u64 = 3;

/// Rows of a table with `--quick`.
const QUICK_ROWS: usize = 2;

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
    let is_md = config.format == BenchFormat::Md;
    if is_md {
        output.result(&legend(&effort))?;
    }
    let mut documents = Vec::new();
    for table in TABLES.iter().filter(|table| numbers.contains(&table.number)) {
        let grid = grid(table);
        if is_md {
            output.result(&grid.header())?;
        }
        let mut lines = Vec::new();
        let rows = if config.quick { QUICK_ROWS } else { usize::MAX };
        for row in table
            .rows
            .iter()
            .filter(|row| config.wants_row(row.name))
            .take(rows)
        {
            if control.is_interrupted() {
                break;
            }
            let cells = measure(config, table, row, &effort, control)?;
            if is_md {
                output.result(&line(row.name, &cells))?;
                output.flush()?;
            }
            lines.push((row.name.to_owned(), cells));
        }
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

fn measure(
    config: &BenchConfig,
    table: &Table,
    row: &Row,
    effort: &Effort,
    control: &Control,
) -> Result<Vec<Cell>, Error> {
    let paper = row.paper;
    let Some(source) = table.source(row, config.models.as_deref()) else {
        let cells = [(0, 0)].map(|(found, of)| Cell::Count(found, of)).into_iter();
        let rest = [paper.time, paper.states, paper.depth, paper.uppaal, ""];
        return Ok(cells.chain(rest.map(|paper| Cell::Mean(None, paper))).collect());
    };
    Subject::load(&source)?.with_checker(|_, checker, _| {
        let seeds = if row.is_faulty {
            effort.seeds
        } else {
            effort.seeds.min(SEEDS_FOR_ALL)
        };
        let (mut runs, mut tried) = (Vec::new(), 0);
        for seed in 1..=seeds {
            // Two failures are enough to know what the others would come to.
            if control.is_interrupted() || runs.is_empty() && tried >= 2 {
                break;
            }
            tried += 1;
            runs.extend(one(checker, &deep(row, seed), effort, control)?);
        }
        let bfs = one(checker, &options(Search::Bfs, 1), effort, control)?;
        let mean =
            |value: fn(&Run) -> Option<f64>| Sample::new(runs.iter().filter_map(value).collect()).mean();
        Ok(vec![
            Cell::Count(runs.len() as u64, tried),
            Cell::Mean(mean(|run| Some(run.time)), paper.time),
            Cell::Mean(mean(|run| Some(run.states as f64)), paper.states),
            Cell::Mean(mean(|run| run.depth.map(|depth| depth as f64)), paper.depth),
            Cell::Mean(bfs.as_ref().map(|run| exactly(run.time)), paper.uppaal),
            Cell::Mean(bfs.as_ref().map(|run| exactly(run.states as f64)), ""),
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
