//! Engels, Groote, van Weerdenburg and Willemse, "Search algorithms for automated validation", Journal of Logic and
//! Algebraic Programming 78, 2009: table 1 and figures 2, 3, 4 and 8.

mod figures;
mod method;
mod systems;
mod table;

use super::grid::{Cell, Grid, line};
use super::model::Effort;
use super::svg::Chart;
use crate::config::{BenchConfig, BenchFormat};
use crate::output::Output;
use crate::status::Error;
use serde_json::Value;
use zonewalk::Control;

/// The table that can be measured is 1, the figures are the others.
pub(super) const NUMBERS: [u32; 5] = [1, 2, 3, 4, 8];

/// Seeds for each cell unless given, and with `--quick`.
const SEEDS: (u64, u64) = (1000, 50);

/// Measures the table and the figures.
pub(super) fn run(
    config: &BenchConfig,
    numbers: &[u32],
    control: &Control,
    output: &mut Output,
) -> Result<Vec<Value>, Error> {
    let mut session = Session {
        config,
        effort: Effort::new(config, SEEDS),
        control,
        output,
        documents: Vec::new(),
    };
    session.print(&legend(&session.effort))?;
    for number in NUMBERS.iter().filter(|number| numbers.contains(number)) {
        match number {
            1 => table::measure(&mut session)?,
            2 => figures::diamond(&mut session)?,
            3 => figures::back_loops(&mut session)?,
            4 => figures::components(&mut session)?,
            _ => figures::philosophers(&mut session)?,
        }
    }
    Ok(session.documents)
}

fn legend(effort: &Effort) -> String {
    format!(
        "Each cell: what {} seeds gave, with its 95 % interval / what the paper printed, if it did; fewer seeds where {} s a \
         cell were not enough. States are those that were visited, of searches that succeeded.\n",
        effort.seeds,
        effort.timeout.as_secs_f64()
    )
}

/// Measurements under way.
struct Session<'a> {
    config: &'a BenchConfig,
    effort: Effort,
    control: &'a Control,
    output: &'a mut Output,
    documents: Vec<Value>,
}

impl Session<'_> {
    fn print(&mut self, text: &str) -> Result<(), Error> {
        if self.config.format == BenchFormat::Md {
            self.output.result(text)?;
            self.output.flush()?;
        }
        Ok(())
    }

    /// Measures the lines of a table one after the other.
    fn fill(
        &mut self,
        grid: &Grid,
        names: &[String],
        mut measure: impl FnMut(usize, &Effort, &Control) -> Result<Vec<Cell>, Error>,
    ) -> Result<(), Error> {
        self.print(&grid.header())?;
        let mut lines = Vec::new();
        for (index, name) in names.iter().enumerate() {
            if self.control.is_interrupted() {
                break;
            }
            if !self.config.wants_row(name) {
                continue;
            }
            let cells = measure(index, &self.effort, self.control)?;
            self.print(&line(name, &cells))?;
            lines.push((name.clone(), cells));
        }
        self.documents.push(grid.document(&lines, &self.effort));
        Ok(())
    }

    /// Writes a plot, if plots are wanted.
    fn plot(&self, name: &str, chart: &Chart) -> Result<(), Error> {
        let Some(folder) = &self.config.svg else {
            return Ok(());
        };
        chart.write(folder, name)
    }
}
