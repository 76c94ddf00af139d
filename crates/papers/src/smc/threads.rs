//! Runs per second of the processor, by one thread and by two.

use super::{BOX, RunSettings, answer, end, key, print};
use crate::grid::{Cell, Grid, Number};
use crate::model::{Effort, Stopwatch};
use crate::output::Error;
use crate::session::Session;
use serde_json::Value;
use std::num::NonZeroUsize;
use zonewalk_families::oracles::oracles;

/// Oracles, and with how many runs they take about a second.
const ROWS: [(&str, u64); 4] = [
    ("10: five heads of ten", 300_000),
    ("17: its expected number of events", 300_000),
    ("20: a queue reaches 3 before 0", 500_000),
    ("24: a draw is made anew", 300_000),
];

/// Measured in turns, so that what others do on the machine hits both.
const ROUNDS: usize = 5;

pub(super) fn run(session: &mut Session<'_>) -> Result<Value, Error> {
    let config = session.config;
    let effort = Effort {
        seeds: 1,
        timeout: BOX,
    };
    let grid = Grid {
        id: "smc-4".to_owned(),
        title: "Runs per second of the processor".to_owned(),
        lines: "model",
        columns: [
            "one thread",
            "two threads",
            "ratio",
            "in doubles, one thread",
            "two threads",
            "ratio",
        ]
        .map(str::to_owned)
        .to_vec(),
    };
    session.print(&format!(
        "Thousands of runs per second of the processor of all threads; the best of {ROUNDS} turns, one thread and two alternately.\n"
    ))?;
    session.print(&grid.header())?;
    let part = if config.quick { 10 } else { 1 };
    let all = oracles();
    let mut lines = Vec::new();
    for (name, runs) in ROWS.into_iter().filter(|(name, _)| config.wants_row(name)) {
        let Some(oracle) = all.iter().find(|oracle| oracle.name == name) else {
            continue;
        };
        let runs = runs / part;
        let measured = session.cell(key(&grid, name, &format!("{runs} runs")), BOX, |_| {
            let exact = speeds(&oracle.model, &oracle.query(runs), runs)?;
            let doubles = speeds(&oracle.in_doubles(), &oracle.query(runs), runs)?;
            Ok([exact, doubles])
        })?;
        let mut cells = Vec::new();
        for index in 0..2 {
            let numbers = measured.map(|measured: [[f64; 2]; 2]| {
                let [one, two] = measured[index];
                [one / 1e3, two / 1e3, two / one]
            });
            cells.extend((0..3).map(|at| Cell {
                ours: numbers.map(|numbers| {
                    let digits = if at == 2 { 2 } else { 0 };
                    Number::Word(format!("{:.digits$}", numbers[at]))
                }),
                paper: "",
            }));
        }
        print(session, name, &cells)?;
        lines.push((name.to_owned(), cells));
    }
    end(session, &grid, &lines, &effort)
}

/// Runs per second of the processor with one thread and with two.
fn speeds(model: &str, query: &str, runs: u64) -> Result<[f64; 2], Error> {
    let mut best = [0.0f64; 2];
    for _ in 0..ROUNDS {
        for (index, threads) in [1, 2].into_iter().enumerate() {
            let settings = RunSettings {
                threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
                runs: Some(runs),
                ..RunSettings::seeded(1)
            };
            let start = Stopwatch::start();
            answer(model, query, settings)?;
            best[index] = best[index].max(runs as f64 / start.elapsed().as_secs_f64().max(1e-9));
        }
    }
    Ok(best)
}
