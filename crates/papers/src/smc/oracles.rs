//! Models with exact answers: how far estimates are off, and how often intervals hold the answer.

use super::{BOX, RunSettings, answer, end, key, print, six};
use crate::grid::{Cell, Grid, Number};
use crate::model::Effort;
use crate::output::Error;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::num::NonZeroUsize;
use zonewalk_families::oracles::{Oracle, Spread, oracles};

/// Measurements of an oracle by one engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Measured {
    value: f64,
    /// In standard errors; where all runs agree, the share of the error that is allowed.
    off: f64,
    /// Number of seeds whose interval holds the exact value, and of all seeds.
    held: Option<(u64, u64)>,
    /// Whether 1, 2 and 8 threads give the same numbers.
    same: bool,
}

pub(super) fn run(session: &mut Session<'_>) -> Result<Value, Error> {
    let config = session.config;
    let (runs, seeds) = if config.quick {
        (10_000, 20)
    } else {
        (100_000, 100)
    };
    let seeds = config.seeds.unwrap_or(seeds);
    let effort = Effort { seeds, timeout: BOX };
    let grid = Grid {
        id: "smc-1".to_owned(),
        title: "Models with exact answers".to_owned(),
        lines: "model",
        columns: [
            "exact",
            "in exact time",
            "off",
            "held",
            "in doubles",
            "off",
            "held",
            "threads",
        ]
        .map(str::to_owned)
        .to_vec(),
    };
    session.print(&format!(
        "Estimates from {runs} runs with seed 1, by the engine in exact time and by the one in doubles. off: in standard errors; for models in \
         which all runs agree, by the size of the error that is allowed. held: of {seeds} seeds, how many intervals of confidence 0.95 hold the exact value, by the \
         default stop rule, or from 1,000 runs for expected values. threads: whether 1, 2 and 8 give the same numbers. –: the engine does not apply.\n"
    ))?;
    session.print(&grid.header())?;
    let settings = format!("{runs} runs, {seeds} seeds");
    let mut lines = Vec::new();
    for oracle in oracles().iter().filter(|oracle| config.wants_row(oracle.name)) {
        let measured = session.cell(key(&grid, oracle.name, &settings), BOX, |_| {
            let exact = oracle
                .is_exact_time
                .then(|| measure(oracle, &oracle.model, runs, seeds))
                .transpose()?;
            Ok((exact, measure(oracle, &oracle.in_doubles(), runs, seeds)?))
        })?;
        let cells = match measured {
            Some((exact, doubles)) => cells(oracle, exact.as_ref(), &doubles),
            None => grid.columns.iter().map(|_| empty()).collect(),
        };
        print(session, oracle.name, &cells)?;
        lines.push((oracle.name.to_owned(), cells));
    }
    end(session, &grid, &lines, &effort)
}

fn empty() -> Cell {
    Cell {
        ours: None,
        paper: "",
    }
}

fn cells(oracle: &Oracle, exact: Option<&Measured>, doubles: &Measured) -> Vec<Cell> {
    let word = |text: String| Cell {
        ours: Some(Number::Word(text)),
        paper: "",
    };
    let three = |measured: &Measured| {
        let held = measured.held.map_or_else(
            || word("–".to_owned()),
            |(held, of)| Cell {
                ours: Some(Number::Count(held, of)),
                paper: "",
            },
        );
        [
            word(six(measured.value)),
            word(format!("{:.2}", measured.off)),
            held,
        ]
    };
    let none = || [(); 3].map(|()| word("–".to_owned()));
    let is_same = doubles.same && exact.is_none_or(|exact| exact.same);
    let mut cells = vec![word(six(oracle.exact))];
    cells.extend(exact.map_or_else(none, three));
    cells.extend(three(doubles));
    cells.push(word(if is_same { "same" } else { "different" }.to_owned()));
    cells
}

fn measure(oracle: &Oracle, model: &str, runs: u64, seeds: u64) -> Result<Measured, Error> {
    let with =
        |settings: RunSettings| answer(model, &oracle.query(runs), settings).map(|(_, estimate)| estimate);
    let many = |threads: usize, runs: u64| {
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        with(RunSettings {
            threads,
            runs: Some(runs),
            ..RunSettings::seeded(1)
        })
    };
    // Where all runs agree one is as good as many.
    let runs = if matches!(oracle.spread, Spread::Always(_)) {
        10
    } else {
        runs
    };
    let estimate = many(1, runs)?;
    let value = estimate.value.unwrap_or(f64::NAN);
    let root = (runs as f64).sqrt();
    let error = match oracle.spread {
        Spread::Share => (oracle.exact * (1.0 - oracle.exact)).sqrt() / root,
        Spread::Values(Some(deviation)) => deviation / root,
        // Half the width of the interval is 1.96 of them.
        Spread::Values(None) => estimate.half_width.unwrap_or(f64::NAN) / 1.96,
        Spread::Always(error) => error,
    };
    let few = runs.min(2000);
    let one = many(1, few)?;
    let same = many(2, few)? == one && many(8, few)? == one;
    let holds = |seed: u64| {
        let runs = (oracle.spread != Spread::Share).then_some(1000);
        let settings = RunSettings {
            runs,
            ..RunSettings::seeded(seed)
        };
        let interval = with(settings)?.interval;
        Ok::<bool, Error>(interval.is_some_and(|[lo, hi]| (lo..=hi).contains(&oracle.exact)))
    };
    let held = match oracle.spread {
        Spread::Always(_) => None,
        _ => {
            let mut held = 0;
            for seed in 1..=seeds {
                held += u64::from(holds(seed)?);
            }
            Some((held, seeds))
        }
    };
    Ok(Measured {
        value,
        off: (value - oracle.exact).abs() / error,
        held,
        same,
    })
}
