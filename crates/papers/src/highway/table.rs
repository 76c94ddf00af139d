//! Table 1: success, states and traces of five searches.

use super::figures::trials;
use super::method::{Method, runs};
use super::systems::{METHODS, OTHERS, SYSTEMS, Searched, System};
use super::{Line, Measured, Sheet};
use crate::grid::{Grid, Number};
use crate::model::{Effort, Subject};
use crate::output::Error;
use crate::svg::{Axis, Chart, Series};
use std::path::Path;
use zonewalk_checker::load::{EXPLICIT_LIMIT, read_up_to};
use zonewalk_checker::measure::{Summary, Trial};
use zonewalk_checker::{Aut, Control, ExplicitGoal, explicit_trial};

/// Systems with `--quick`: the first of each kind.
const QUICK: [&str; 6] = [
    "1394-2.aut",
    "lift-init(3)",
    "brp(10)",
    "othello(4x4)",
    "swp(2)",
    "dining(8)",
];

/// A system that was read.
pub(super) enum Ready {
    Explicit(Aut, &'static str),
    Model(Box<Subject>),
}

/// Measures the table.
pub(super) fn measure(sheet: &mut Sheet<'_, '_>) -> Result<(), Error> {
    let measured = fill(
        sheet,
        "highway-1",
        "Table 1: success (%), states and trace of the successful searches",
        &SYSTEMS,
    )?;
    plot(sheet, &measured)
}

/// Rows of the philosophers of figure 8, which the table does not have.
pub(super) fn philosophers(sheet: &mut Sheet<'_, '_>) -> Result<(), Error> {
    fill(
        sheet,
        "highway-8-searches",
        "Not in the paper: the searches of Table 1 for the deadlock of dining philosophers",
        &OTHERS,
    )?;
    Ok(())
}

/// Measures systems one after the other; each line has a point, if a search succeeded.
fn fill(
    sheet: &mut Sheet<'_, '_>,
    id: &str,
    title: &str,
    systems: &[System],
) -> Result<Vec<Measured>, Error> {
    let config = sheet.session.config;
    let grid = Grid {
        id: id.to_owned(),
        title: title.to_owned(),
        lines: "system, search",
        columns: ["runs", "success", "states", "trace"].map(str::to_owned).to_vec(),
    };
    let systems: Vec<(&System, Option<Searched>)> = systems
        .iter()
        .filter(|system| !config.quick || QUICK.contains(&system.name))
        .map(|system| {
            (
                system,
                system.searched(config.models.as_deref(), |file| config.has(file)),
            )
        })
        .collect();
    let line = |(system, searched): &(&System, Option<Searched>), column: usize| {
        let [states, trace, success] = system.printed(column);
        Line {
            name: format!("{}, {}", system.name, METHODS[column].name()),
            paper: vec!["", success, states, trace],
            settings: format!(", {} states", system.visits()),
            missing: searched.is_none().then_some("no file"),
        }
    };
    let lines: Vec<Line> = systems
        .iter()
        .flat_map(|system| (0..METHODS.len()).map(move |column| line(system, column)))
        .collect();
    let mut ready: Option<(usize, Ready)> = None;
    sheet.fill(&grid, &lines, |line, effort, control| {
        let (which, column) = (line / METHODS.len(), line % METHODS.len());
        let (system, searched) = &systems[which];
        // One system is read at a time, for all its methods.
        if ready.as_ref().is_none_or(|(of, _)| *of != which) {
            ready = searched
                .as_ref()
                .map(|searched| Ok::<_, Error>((which, read(searched)?)))
                .transpose()?;
        }
        let trials = match &ready {
            Some((_, ready)) => search(ready, METHODS[column], system.visits(), effort, control)?,
            None => Vec::new(),
        };
        let summary = Summary::new(&trials);
        let (states, trace) = (summary.states.mean(), summary.traces.mean());
        let dot = states
            .zip(trace)
            .map(|(states, trace)| (states.value, trace.value));
        Ok(Measured {
            numbers: vec![
                Number::Count(summary.found as u64, summary.runs as u64),
                Number::share(summary.success()),
                Number::mean(states),
                Number::mean(trace),
            ],
            points: dot.into_iter().collect(),
            ..Measured::default()
        })
    })
}

fn plot(sheet: &Sheet<'_, '_>, measured: &[Measured]) -> Result<(), Error> {
    let series = (0..METHODS.len()).map(|column| Series {
        name: METHODS[column].name(),
        points: measured
            .iter()
            .skip(column)
            .step_by(METHODS.len())
            .flat_map(|line| &line.points)
            .copied()
            .collect(),
        is_line: false,
    });
    sheet.session.plot(
        "highway-1",
        &Chart {
            title: "Table 1: mean states against mean trace, one dot for each system".to_owned(),
            x: Axis {
                label: "states visited",
                is_log: true,
            },
            y: Axis {
                label: "steps of the trace",
                is_log: true,
            },
            series: series.collect(),
        },
    )
}

pub(super) fn read(searched: &Searched) -> Result<Ready, Error> {
    match searched {
        Searched::Model(source) => Ok(Ready::Model(Box::new(Subject::load(source)?))),
        Searched::Explicit(file, action) => Ok(Ready::Explicit(explicit(file)?, action)),
    }
}

fn explicit(file: &Path) -> Result<Aut, Error> {
    Aut::read(&read_up_to(file, EXPLICIT_LIMIT)?)
        .map_err(|error| Error::new(format_args!("{}: {error}", file.display())))
}

pub(super) fn search(
    ready: &Ready,
    method: Method,
    visits: u64,
    effort: &Effort,
    control: &Control,
) -> Result<Vec<Trial>, Error> {
    match ready {
        Ready::Model(subject) => trials(subject, method, visits, effort, control),
        Ready::Explicit(aut, action) => Ok(runs(effort, control, |seed| {
            let options = method.options(seed);
            explicit_trial(aut, ExplicitGoal::Action(action), &options, visits, control)
        })),
    }
}
