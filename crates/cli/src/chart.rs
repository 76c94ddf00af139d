//! Traces as tables and charts on the terminal.

use crate::output::Output;
use crate::status::Error;
use clap::ValueEnum;
use zonewalk_charts::{Gantt, Selection, Sequence};
use zonewalk_report::palette::Palette;
use zonewalk_report::trace::{Trace, text};

/// How a trace is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceFormat {
    // One line for each transition.
    #[default]
    Table,
    // Who synchronises with whom, and when.
    Sequence,
    // Where each process is over time.
    Gantt,
}

/// Prints a trace, with what a chart of it may need of the model's own rows.
pub(crate) fn print(trace: &Trace, format: TraceFormat, output: &mut Output) -> Result<(), Error> {
    match format {
        TraceFormat::Table => {
            // Step by step, because a long trace is large as text.
            output.text(&text::state(&trace.initial, output.width()))?;
            let columns = text::Columns::of(&trace.steps).painted(Palette::Ansi);
            output.text(&columns.header())?;
            for (index, step) in trace.steps.iter().enumerate() {
                output.text(&columns.step(index + 1, step))?;
            }
        }
        TraceFormat::Sequence => {
            let chart = Sequence::new(trace, &Selection::default()).map_err(Error::new)?;
            output.result(&chart.to_text(output.width()))?;
        }
        TraceFormat::Gantt => {
            let chart = Gantt::new(trace, &Selection::default(), Vec::new()).map_err(Error::new)?;
            output.result(&chart.to_text(output.width()))?;
        }
    }
    Ok(output.text(&text::end(trace, Palette::Ansi))?)
}
