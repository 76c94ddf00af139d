//! Grosu, Huang, Smolka, Tan and Tripakis, "Deep Random Search for Efficient Model Checking of Timed Automata".

mod paper;

use super::boxed;
use super::grid::{Cell, Grid, Number, beside, line};
use super::model::{Effort, Source, Stopwatch, Subject, options};
use super::results::Key;
use super::session::Session;
use crate::output::Error;
use paper::{Row, TABLES, Table};
use serde_json::Value;
use zonewalk_checker::measure::Sample;
use zonewalk_checker::{Checker, Control, Covering, Limit, Options, Outcome, Search, ZoneOptions};

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

/// One of our searches, and the graph that it explores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Method {
    name: &'static str,
    search: Search,
    covering: Covering,
}

/// Deep random search beside the paper's, depth-first search beside Open-Kronos, on the same graph: states are known when they are equal.
/// Breadth-first search stands beside UPPAAL, which compares by inclusion.
const METHODS: [Method; 3] = [
    Method {
        name: "DRS",
        search: Search::Drs,
        covering: Covering::Equality,
    },
    Method {
        name: "DFS",
        search: Search::Dfs,
        covering: Covering::Equality,
    },
    Method {
        name: "BFS",
        search: Search::Bfs,
        covering: Covering::Inclusion,
    },
];

/// Where there is no error all states are visited, and more than a few processes have too many without inclusion.
const BY_INCLUSION: Method = Method {
    name: "DRS by inclusion",
    search: Search::Drs,
    covering: Covering::Inclusion,
};

impl Method {
    fn options(self, seed: u64) -> Options {
        let options = options(self.search, seed);
        Options {
            zones: ZoneOptions {
                covering: self.covering,
                // None of the paper's tools forgets variables.
                keeps_variables: true,
                ..options.zones
            },
            ..options
        }
    }

    /// How many seeds it gets.
    fn seeds(self, row: &Row, effort: &Effort) -> u64 {
        match self.search {
            Search::Drs if row.is_faulty => effort.seeds,
            Search::Drs => effort.seeds.min(SEEDS_FOR_ALL),
            _ => 1,
        }
    }

    /// Its columns. Of several seeds there is a median, too.
    fn columns(self, is_about_errors: bool) -> Vec<String> {
        let answer = if is_about_errors { "found" } else { "proved" };
        let means = [answer, "mean time", "states", "depth"];
        let median = self.is_by_chance().then_some("median time");
        let columns = means.into_iter().chain(median);
        columns.map(|what| format!("{} {what}", self.name)).collect()
    }

    fn is_by_chance(self) -> bool {
        self.search == Search::Drs
    }
}

/// The searches of a table.
fn methods(table: &Table) -> Vec<Method> {
    let more = (!table.is_about_errors).then_some(BY_INCLUSION);
    METHODS.into_iter().chain(more).collect()
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
            let source = table.source(row, config.models.as_deref(), |file| config.has(file));
            let mut cells = Vec::new();
            for method in methods(table) {
                let mut paper = row.printed(method.name).to_vec();
                paper.extend(method.is_by_chance().then_some(""));
                let measured = cell(session, &grid.id, row, method, &source, &effort)?;
                cells.extend(beside(measured.as_deref(), &paper));
            }
            cells.push(Cell {
                ours: Some(Number::Word(source.name())),
                paper: "",
            });
            session.print(&line(row.name, &cells))?;
            lines.push((row.name.to_owned(), cells));
        }
        let places = session.places();
        session.print(&format!(
            "\nSeeds 1 to {} for DRS, one thread. {places}.\n",
            effort.seeds
        ))?;
        documents.push(grid.document(&lines, &effort, &places));
    }
    Ok(documents)
}

fn legend(effort: &Effort) -> String {
    format!(
        "Each cell: mean over {} seeds with its 95 % interval / what the paper printed; the column of medians is over the same seeds, of which *found* or *proved* counts those that ended. Times are seconds of one processor for searching and for \
         replaying what was found, loading not included; states are those that were generated; depth is that of the state found, in transitions. \
         Deep random search (DRS) with one initial walk, without cutoff, in one round, and depth-first search (DFS, once) beside Open-Kronos, both with \
         states compared by equality; breadth-first search (BFS, once) beside UPPAAL, by inclusion; no search forgets variables. Searches of everything with \
         {SEEDS_FOR_ALL} seeds at most. –: there is none. time: not within {} s; memory: out of memory; not run: it is not in the results. own: a model of our own \
         families in place of one that was not published or is not at hand; the others are published files.\n",
        effort.seeds,
        effort.timeout.as_secs_f64()
    )
}

fn grid(table: &Table) -> Grid {
    Grid {
        id: format!("drs-{}", table.number),
        title: format!("Table {}: {}", table.number, table.title),
        lines: "model",
        columns: methods(table)
            .into_iter()
            .flat_map(|method| method.columns(table.is_about_errors))
            .chain(["measured on".to_owned()])
            .collect(),
    }
}

/// Result of one search.
struct Run {
    time: f64,
    states: u64,
    depth: Option<usize>,
}

/// Cell of a search on a row, by its columns.
fn cell(
    session: &mut Session<'_>,
    table: &str,
    row: &Row,
    method: Method,
    source: &Source,
    effort: &Effort,
) -> Result<Option<Vec<Number>>, Error> {
    let effort = Effort {
        seeds: method.seeds(row, effort),
        ..*effort
    };
    let key = Key {
        table: table.to_owned(),
        row: row.name.to_owned(),
        column: method.name.to_owned(),
        settings: effort.settings(source),
    };
    session.cell(key, effort.seeds as u32 * effort.timeout, |control| {
        Subject::load(source)?.with_checker(|_, checker, _| {
            let (mut runs, mut tried, mut why) = (Vec::new(), 0, "time");
            for seed in 1..=effort.seeds {
                // Two failures are enough to know how the others would end.
                if control.is_interrupted() || runs.is_empty() && tried >= 2 {
                    break;
                }
                tried += 1;
                match one(checker, &method.options(seed), &effort, control)? {
                    Ok(run) => runs.push(run),
                    Err(reason) => why = reason,
                }
            }
            let mean = |value: fn(&Run) -> Option<f64>| {
                let values: Vec<f64> = runs.iter().filter_map(value).collect();
                match values.as_slice() {
                    [] if runs.is_empty() => Number::Missing(why.to_owned()),
                    [value] if effort.seeds == 1 => Number::exactly(*value),
                    _ => Number::mean(Sample::new(values).mean()),
                }
            };
            let median = || {
                let times = runs.iter().map(|run| run.time).collect();
                let median = Sample::new(times).quantile(0.5);
                median.map_or_else(|| Number::Missing(why.to_owned()), Number::exactly)
            };
            let means = [
                Number::Count(runs.len() as u64, tried),
                mean(|run| Some(run.time)),
                mean(|run| Some(run.states as f64)),
                mean(|run| run.depth.map(|depth| depth as f64)),
            ];
            Ok(means
                .into_iter()
                .chain(method.is_by_chance().then(median))
                .collect())
        })
    })
}

/// One search, or what it ran out of.
fn one(
    checker: &Checker<'_, '_>,
    options: &Options,
    effort: &Effort,
    control: &Control,
) -> Result<Result<Run, &'static str>, Error> {
    let watch = Stopwatch::start();
    let report = boxed::within(effort.timeout, control, |control| {
        checker.check(0, options, control, &mut |_, _| {})
    });
    let Some(report) = report else {
        return Err(Error::new("the query of the row is not about states"));
    };
    match report.outcome {
        Outcome::Decided { evidence, .. } => Ok(Ok(Run {
            // Without loading: the paper's tool is compiled with its model before it runs.
            time: watch.elapsed().as_secs_f64(),
            states: report.stats.states_stored,
            depth: evidence.witness().map(|witness| witness.found_steps),
        })),
        Outcome::Undecided(reason) if reason.limit == Limit::Memory => Ok(Err("memory")),
        Outcome::Undecided(_)
        | Outcome::Maybe { .. }
        | Outcome::Values { .. }
        | Outcome::Estimated { .. } => Ok(Err("time")),
        Outcome::Fault(fault) => Err(Error::new(fault.diagnostic.message)),
        Outcome::Bug(message) => Err(Error::new(format_args!("bug in zonewalk: {message}"))),
    }
}
