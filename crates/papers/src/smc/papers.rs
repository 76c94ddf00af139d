//! The SMC columns of a table by statistical queries: Herschel-Planck, the probability of an error within a number of cycles.

use super::{end, key, print};
use crate::child;
use crate::grid::{Cell, Grid, Number, digits};
use crate::model::Effort;
use crate::output::Error;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;

/// A cycle in microseconds, and how many of them a run has.
const CYCLE: u64 = 250_000;
const CYCLES: [u64; 3] = [160, 640, 1280];

/// The best-case fraction, and the paper's seconds to an error.
const PRINTED: [(&str, [&str; 3]); 4] = [
    ("f68", ["3378.82", "3656.0", "2626.11"]),
    ("f69", ["6087.64", "3258.13", "3565.49"]),
    ("f70", ["19408.04", "16875.89", "24322.69"]),
    ("f71", ["85837.23", "nf", "nf"]),
];

/// Result of runs in a box.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Measured {
    runs: u64,
    satisfied: u64,
    interval: [f64; 2],
    cpu_s: f64,
}

pub(super) fn run(session: &mut Session<'_>) -> Result<Value, Error> {
    let config = session.config;
    let effort = Effort::new(config, (1, 1), (60, 2));
    let seconds = effort.timeout.as_secs_f64();
    let grid = Grid {
        id: "smc-3".to_owned(),
        title: "Table 4 of the reachability paper by statistical queries: Herschel-Planck".to_owned(),
        lines: "model",
        columns: CYCLES.iter().map(|cycles| format!("SMC({cycles})")).collect(),
    };
    session.print(&format!(
        "`Pr[<=T](<> error == 1)` with T = 160, 640 and 1,280 cycles of 250 ms, one thread, seed 1, stopped after {seconds} s of the processor: runs with an \
         error of all finished runs, the interval of confidence 0.95 for the probability, and the mean time to an error that follows, in seconds of the processor \
         / the paper's, which is such a mean.\n"
    ))?;
    session.print(&grid.header())?;
    let mut lines = Vec::new();
    for (fraction, printed) in PRINTED {
        let name = format!("Herschel-{fraction}");
        if !config.wants_row(&name) {
            continue;
        }
        let file = config.models.as_ref().and_then(|models| {
            ["fmics2021/Herschel-Planck", "Herschel-Planck"]
                .map(|folder| models.join(folder).join(format!("{name}.xml")))
                .into_iter()
                .find(|file| config.has(file))
        });
        let mut cells = Vec::new();
        for (cycles, paper) in CYCLES.iter().zip(printed) {
            let Some(file) = &file else {
                cells.push(Cell {
                    ours: Some(Number::Missing("no model".to_owned())),
                    paper,
                });
                continue;
            };
            let row = format!("{name} {cycles}");
            let measured = session.cell(key(&grid, &row, &format!("{seconds} s")), effort.timeout, |_| {
                estimate(file, cycles * CYCLE, &effort)
            })?;
            cells.push(Cell {
                ours: measured.map(|measured| Number::Word(measured.text())),
                paper,
            });
        }
        print(session, &name, &cells)?;
        lines.push((name, cells));
    }
    end(session, &grid, &lines, &effort)
}

impl Measured {
    fn text(&self) -> String {
        let Measured {
            runs,
            satisfied,
            interval: [lo, hi],
            cpu_s,
        } = self;
        let per_run = cpu_s / (*runs).max(1) as f64;
        let time = |probability: f64| digits(per_run / probability);
        let mean = if *satisfied > 0 {
            format!(
                "{} s ({} to {})",
                time(*satisfied as f64 / *runs as f64),
                time(*hi),
                time(*lo)
            )
        } else {
            format!("more than {} s", time(*hi))
        };
        format!("{satisfied} of {runs}, {lo:.4} to {hi:.4}: {mean}")
    }
}

fn estimate(file: &Path, bound: u64, effort: &Effort) -> Result<Measured, Error> {
    let refuse = |why: &dyn std::fmt::Display| {
        Error::new(format_args!("{} cannot be measured: {why}", file.display()))
    };
    let query = format!("Pr[<={bound}; 1000000000](<> error == 1)");
    let words = [
        "-q",
        &query,
        "--threads",
        "1",
        "--seed",
        "1",
        "--format",
        "json",
        "--quiet",
        "--trace",
        "none",
    ];
    let args = [OsStr::new("check"), file.as_os_str()]
        .into_iter()
        .chain(words.iter().map(OsStr::new));
    let told = child::run(args, None, effort.timeout).map_err(|error| refuse(&error))?;
    let document: Value = serde_json::from_slice(&told.output).map_err(|_| refuse(&told.errors.trim()))?;
    let result = &document["results"][0];
    let measured = (|| {
        let end = |i: usize| result["interval"][i].as_f64();
        let undecided = result["undecided"].as_u64()?;
        Some(Measured {
            // The last one is cut by the end of the box.
            runs: result["runs"].as_u64()?.saturating_sub(undecided),
            satisfied: result["satisfied"].as_u64()?,
            interval: [end(0)?, end(1)?],
            cpu_s: result["cpu_s"].as_f64()?,
        })
    })();
    measured.ok_or_else(|| refuse(&"it has no estimate"))
}
