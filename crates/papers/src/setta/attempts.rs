//! Figures 2 and 7 with table 1: how often a walk has to begin, in the mean, until it finds the error.

use super::measure::{Effort, watched};
use super::row::{Subject, search};
use crate::grid::{Cell, Grid, Number, line};
use crate::model;
use crate::output::Error;
use crate::results::Key;
use crate::session::Session;
use serde_json::Value;
use std::sync::atomic::Ordering;
use zonewalk_checker::measure::{Estimate, Sample};
use zonewalk_checker::refine::RefineOptions;
use zonewalk_checker::{Control, Schedule};

const COLUMNS: [&str; 3] = ["RET", "RCF", "SMC"];

/// The figures, and what the paper says of each search.
const FIGURES: [(&str, &str, [&str; 3]); 2] = [
    ("Figure-2", FIGURE_2, ["2", "", "2000000"]),
    ("Figure-7", FIGURE_7, ["98", "769", ""]),
];

/// A wide edge, and a narrow one to the error, which the right side knows and forbids.
const FIGURE_2: &str = "
broadcast chan wide, error;
process Narrow() {
    clock x;
    state Init { x <= 1000000 }, End;
    init Init;
    trans Init -> End { sync wide!; }, Init -> End { guard x > 999999; sync error!; };
}
process Spec() {
    clock z;
    state S;
    init S;
    trans S -> S { sync wide!; }, S -> S { guard z < 0; sync error!; };
}
system Narrow, Spec;
";

/// Eight times `a` in a row and then `f`. An attempt ends with `u`, and here the walk ends with it, so that walks are attempts.
const FIGURE_7: &str = "
broadcast chan a, r, u, f;
process Difficult() {
    clock x, y;
    state Init { x <= 1 }, Mid { x <= 1 }, Error, Over;
    init Init;
    trans Init -> Mid { guard x < 1; sync a!; },
        Init -> Mid { guard x == 1; sync a!; },
        Mid -> Init { guard x == 1; sync r!; assign x = 0; },
        Init -> Over { sync u!; assign x = 0, y = 0; },
        Init -> Error { guard x == 0 && y == 8; sync f!; };
}
process Spec() {
    clock z;
    state S;
    init S;
    trans S -> S { sync a!; }, S -> S { sync r!; }, S -> S { sync u!; }, S -> S { guard z < 0; sync f!; };
}
system Difficult, Spec;
";

/// More than an attempt has.
const STEPS: u32 = 64;

/// Violations of the walks, which cost little; SMC in figure 2 needs millions of walks for each.
const MANY: u64 = 20;

pub(super) fn run(session: &mut Session<'_>, effort: &Effort) -> Result<Value, Error> {
    let config = session.config;
    let columns: Vec<usize> = (0..COLUMNS.len())
        .filter(|&at| config.wants_column(COLUMNS[at]))
        .collect();
    let grid = Grid {
        id: "setta-1".to_owned(),
        title: "Table 1: attempts until the error, in the mean".to_owned(),
        lines: "model",
        columns: columns.iter().map(|&at| COLUMNS[at].to_owned()).collect(),
    };
    let many = MANY * effort.violations;
    session.print(&format!(
        "Each cell: the mean number of walks until a violation with its 95 % interval / what the paper says. Walks over {many} \
         violations, SMC over {} at most, each with a seed of its own, in {} s a cell. Exactly it is 102.5 and 768 for figure 7: the \
         paper rounds 2/3 to 0.67. SMC finds no error in figure 7: its delays are hardly ever whole numbers.\n",
        effort.violations,
        effort.timeout.as_secs_f64()
    ))?;
    session.print(&grid.header())?;
    let mut lines = Vec::new();
    for (name, text, paper) in FIGURES.into_iter().filter(|(name, ..)| config.wants_row(name)) {
        let left = if name == "Figure-2" { "Narrow" } else { "Difficult" };
        let mut cells = Vec::new();
        for &at in &columns {
            let violations = if COLUMNS[at] == "SMC" {
                effort.violations
            } else {
                many
            };
            let key = Key {
                table: grid.id.clone(),
                row: name.to_owned(),
                column: COLUMNS[at].to_owned(),
                settings: format!("{violations} violations, {} s", effort.timeout.as_secs_f64()),
            };
            let is_there = (name, COLUMNS[at]) != ("Figure-7", "SMC");
            let ours = is_there.then(|| {
                session.cell(key, effort.timeout, |control| {
                    let subject = Subject::of_text(name, text, &format!("refinement: {left} <= Spec"))?;
                    Ok(Number::mean(mean(
                        &subject,
                        COLUMNS[at],
                        violations,
                        effort,
                        control,
                    )))
                })
            });
            cells.push(Cell {
                ours: match ours {
                    Some(ours) => ours?,
                    None => Some(Number::Missing("finds none".to_owned())),
                },
                paper: paper[at],
            });
        }
        session.print(&line(name, &cells))?;
        lines.push((name.to_owned(), cells));
    }
    let places = session.places();
    session.print(&format!("\nSeeds 1 to {many}, one thread. {places}.\n"))?;
    let seeds = model::Effort {
        seeds: many,
        timeout: effort.timeout,
    };
    Ok(grid.document(&lines, &seeds, &places))
}

/// The mean number of walks until a violation.
fn mean(
    subject: &Subject,
    column: &str,
    violations: u64,
    effort: &Effort,
    control: &Control,
) -> Option<Estimate> {
    let method = search(column, Schedule::Paper)?;
    watched(effort.timeout, control, |control| {
        let (mut walks, mut cut) = (Vec::new(), None);
        for seed in 1..=violations {
            let options = RefineOptions {
                search: method.search,
                delays: method.delays,
                seed,
                max_steps: Some(STEPS),
                ..RefineOptions::default()
            };
            let before = control.walks.load(Ordering::Relaxed);
            match subject.trials.violation(&options, None, control) {
                Some(trial) if trial.found => walks.push(trial.walks as f64),
                _ => {
                    cut = Some((control.walks.load(Ordering::Relaxed) - before) as f64);
                    break;
                }
            }
        }
        let found = walks.len() as f64;
        let made = walks.iter().sum::<f64>();
        match cut {
            // The walks in vain count, too: otherwise a short box would make the mean small.
            Some(cut) if found > 0.0 => Some(Estimate {
                value: (made + cut) / found,
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            }),
            Some(_) => None,
            None => Sample::new(walks).mean(),
        }
    })
}
