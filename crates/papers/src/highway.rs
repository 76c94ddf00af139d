//! Engels, Groote, van Weerdenburg and Willemse, "Search algorithms for automated validation", Journal of Logic and
//! Algebraic Programming 78, 2009: table 1 and figures 2, 3, 4, 6, 7 and 8.

mod applications;
mod differences;
mod figures;
mod method;
mod systems;
mod table;

use super::grid::{Grid, Number, beside, line};
use super::model::Effort;
use super::results::Key;
use super::session::Session;
use crate::output::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zonewalk_checker::Control;

/// The table that can be measured is 1, the figures are the others.
pub(super) const NUMBERS: [u32; 7] = [1, 2, 3, 4, 6, 7, 8];

/// Seeds for each cell unless given, and with `--quick`.
const SEEDS: (u64, u64) = (1000, 50);

/// Seconds for each cell, and with `--quick`.
const SECONDS: (u64, u64) = (60, 5);

/// Measures the table and the figures.
pub(super) fn run(session: &mut Session<'_>, numbers: &[u32]) -> Result<Vec<Value>, Error> {
    let effort = Effort::new(session.config, SEEDS, SECONDS);
    session.print(&legend(&effort))?;
    let mut documents = Vec::new();
    for number in NUMBERS.iter().filter(|number| numbers.contains(number)) {
        let mut sheet = Sheet {
            session,
            effort,
            documents: Vec::new(),
        };
        match number {
            1 => {
                table::measure(&mut sheet)?;
                differences::measure(&mut sheet)?;
            }
            2 => figures::diamond(&mut sheet)?,
            3 => figures::back_loops(&mut sheet)?,
            4 => figures::components(&mut sheet)?,
            6 => applications::buffers(&mut sheet)?,
            7 => applications::garage(&mut sheet)?,
            _ => {
                figures::philosophers(&mut sheet)?;
                table::philosophers(&mut sheet)?;
            }
        }
        documents.append(&mut sheet.documents);
    }
    Ok(documents)
}

fn legend(effort: &Effort) -> String {
    format!(
        "Each cell: what {} seeds gave, with its 95 % interval / what the paper printed, if it did; fewer seeds where {} s of \
         the processor for a cell were not enough. States are those that were visited, of searches that succeeded.\n",
        effort.seeds,
        effort.timeout.as_secs_f64()
    )
}

/// A table or a figure that is being filled.
struct Sheet<'s, 'a> {
    session: &'s mut Session<'a>,
    effort: Effort,
    documents: Vec<Value>,
}

/// A line of it: numbers, and the points of a curve.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Measured {
    numbers: Vec<Number>,
    points: Vec<(f64, f64)>,
    /// Values against another axis, where a figure has two plots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    others: Vec<(f64, f64)>,
}

/// A line that is to be measured.
struct Line {
    name: String,
    /// Paper's values for each column.
    paper: Vec<&'static str>,
    /// Author of the model, where there are two models.
    settings: String,
    /// Why it cannot be measured here.
    missing: Option<&'static str>,
}

impl Sheet<'_, '_> {
    /// Measures the lines of a table one after the other; a line without measurements comes back empty.
    fn fill(
        &mut self,
        grid: &Grid,
        lines: &[Line],
        mut measure: impl FnMut(usize, &Effort, &Control) -> Result<Measured, Error>,
    ) -> Result<Vec<Measured>, Error> {
        let config = self.session.config;
        if !config.rows.is_empty() && !lines.iter().any(|line| config.wants_row(&line.name)) {
            return Ok(vec![Measured::default(); lines.len()]);
        }
        self.session.print(&grid.header())?;
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        for (index, line) in lines.iter().enumerate() {
            if !self.session.config.wants_row(&line.name) {
                all.push(Measured::default());
                continue;
            }
            let effort = self.effort;
            let key = Key {
                table: grid.id.clone(),
                row: line.name.clone(),
                column: String::new(),
                settings: format!(
                    "{} seeds, {} s{}",
                    effort.seeds,
                    effort.timeout.as_secs_f64(),
                    line.settings
                ),
            };
            let measured = match line.missing {
                Some(_) => self.session.known(&key)?,
                None => self
                    .session
                    .cell(key, effort.timeout, |control| measure(index, &effort, control))?,
            };
            let numbers = measured.as_ref().map(|measured| measured.numbers.as_slice());
            let mut cells = beside(numbers, &line.paper);
            if let (None, Some(why)) = (numbers, line.missing) {
                for (place, cell) in cells.iter_mut().enumerate() {
                    // The reason is told once.
                    cell.ours = Some(match place {
                        0 => Number::Missing(why.to_owned()),
                        _ => Number::Mean(None),
                    });
                }
            }
            self.session.print(&self::line(&line.name, &cells))?;
            rows.push((line.name.clone(), cells));
            all.push(measured.unwrap_or_default());
        }
        let places = self.session.places();
        self.session.print(&format!(
            "\nSeeds 1 to {} where there was time, each search on one thread. {places}.\n",
            self.effort.seeds
        ))?;
        self.documents.push(grid.document(&rows, &self.effort, &places));
        Ok(all)
    }
}
