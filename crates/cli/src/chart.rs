//! Traces as tables and charts, on the terminal and as pictures.

use crate::load::Loaded;
use crate::output::Output;
use crate::status::Error;
use clap::ValueEnum;
use zonewalk_charts::gantt::{Bar, Row};
use zonewalk_charts::{Gantt, Selection, Sequence, Unknown};
use zonewalk_checker::{replay_each, time};
use zonewalk_reference::gantt::Chart;
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

/// A chart for a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChartKind {
    // Who synchronises with whom, and when.
    Sequence,
    // Where each process is over time.
    Gantt,
}

/// A chart as a picture. Of a run of a model, `loaded` is that model.
///
/// # Errors
/// Steps or processes that are asked for and not there.
pub(crate) fn svg(
    kind: ChartKind,
    trace: &Trace,
    loaded: Option<&Loaded>,
    selection: &Selection,
) -> Result<String, Unknown> {
    Ok(match kind {
        ChartKind::Sequence => Sequence::new(trace, selection)?.to_svg(),
        ChartKind::Gantt => gantt(trace, loaded, selection)?.to_svg(),
    })
}

/// A Gantt chart with the rows of the model's own section.
fn gantt(trace: &Trace, loaded: Option<&Loaded>, selection: &Selection) -> Result<Gantt, Unknown> {
    let section = loaded.filter(|loaded| !loaded.model.gantt.is_empty());
    let own = section.map(|loaded| own_rows(loaded, trace));
    let (rows, trouble) = match own {
        None => (Vec::new(), None),
        Some(Ok((rows, trouble))) => (rows, trouble),
        Some(Err(why)) => (
            Vec::new(),
            Some(format!(
                "the rows of the model's gantt section are left out: {why}"
            )),
        ),
    };
    let mut chart = Gantt::new(trace, selection, rows)?;
    chart.notes.extend(trouble);
    Ok(chart)
}

/// The rows of the model's `gantt` section over a run, by the reference interpreter, and what is wrong with them.
///
/// # Errors
/// There is no such run for the interpreter.
fn own_rows(loaded: &Loaded, trace: &Trace) -> Result<(Vec<Row>, Option<String>), String> {
    let interpreter = loaded.interpreter().map_err(|found| found.message.clone())?;
    let mut state = interpreter.initial().map_err(|error| error.to_string())?;
    let mut chart = Chart::new(&interpreter, trace.steps.len());
    replay_each(&interpreter, trace, None, &mut |_, step, replayed| {
        chart.pass(&interpreter, &state, step.delay);
        state = replayed.state.clone();
    })
    .map_err(|invalid| invalid.to_string())?;
    let last = trace.last_delay;
    let last = zonewalk_reference::rational::Rational::new(last.numerator(), last.denominator());
    chart.pass(&interpreter, &state, last.map_err(|error| error.to_string())?);
    let rows = chart.rows().iter().map(|row| Row {
        name: row.name.clone(),
        bars: row
            .shown
            .iter()
            .map(|&(from, to, colour)| Bar {
                from: time(from).to_f64(),
                to: time(to).to_f64(),
                label: colour.to_string(),
                colour: usize::try_from(colour).unwrap_or_default(),
            })
            .collect(),
    });
    Ok((rows.collect(), chart.trouble().map(str::to_owned)))
}

/// Prints a trace. Charts of a run of a model, which is `loaded`, have the rows of its own `gantt` section.
pub(crate) fn print(
    trace: &Trace,
    loaded: Option<&Loaded>,
    format: TraceFormat,
    output: &mut Output,
) -> Result<(), Error> {
    match format {
        TraceFormat::Table => return table(trace, output),
        TraceFormat::Sequence => {
            let chart = Sequence::new(trace, &Selection::default()).map_err(Error::new)?;
            output.result(&chart.to_text(output.width()))?;
        }
        TraceFormat::Gantt => {
            let chart = gantt(trace, loaded, &Selection::default()).map_err(Error::new)?;
            output.result(&chart.to_text(output.width()))?;
        }
    }
    Ok(output.text(&text::end(trace, Palette::Ansi))?)
}

/// Prints a trace as a table.
pub(crate) fn table(trace: &Trace, output: &mut Output) -> Result<(), Error> {
    // Step by step, because a long trace is large as text.
    output.text(&text::state(&trace.initial, output.width()))?;
    let columns = text::Columns::of(&trace.steps).painted(Palette::Ansi);
    output.text(&columns.header())?;
    for (index, step) in trace.steps.iter().enumerate() {
        output.text(&columns.step(index + 1, step))?;
    }
    Ok(output.text(&text::end(trace, Palette::Ansi))?)
}
