//! Figure 3: how the traces of RET-S get shorter, over ten runs.

use super::column::Method;
use super::measure::search_time;
use super::source;
use crate::boxed;
use crate::grid::{Grid, Number, beside, line};
use crate::model::{Effort, Stopwatch, Subject};
use crate::output::Error;
use crate::results::Key;
use crate::session::Session;
use crate::svg::{Axis, Chart, Series};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zonewalk_checker::{CheckerReport, Control, Evidence, Outcome};
use zonewalk_report::trace::Time;

/// The model of the figure.
const ROW: &str = "Herschel-f75";

/// How many runs it has.
const RUNS: (u64, u64) = (10, 2);

/// Length that the paper calls short.
const SHORT: usize = 1600;

/// One run: seconds and steps of the first trace and of each shorter one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Run {
    traces: Vec<(f64, usize)>,
}

impl Run {
    /// When the first trace was there that is short.
    fn short(&self) -> Option<f64> {
        let mut traces = self.traces.iter();
        traces.find(|trace| trace.1 < SHORT).map(|trace| trace.0)
    }
}

pub(super) fn run(session: &mut Session<'_>, effort: &Effort) -> Result<Value, Error> {
    let config = session.config;
    let runs = if config.quick { RUNS.1 } else { RUNS.0 };
    let grid = Grid {
        id: "fmics-3".to_owned(),
        title: format!("Figure 3: runs of RET-S, f = 75: traces of fewer than {SHORT} steps"),
        lines: "run",
        columns: [
            "seconds to the first trace",
            "its steps",
            "seconds to a short trace",
            "steps of the shortest",
        ]
        .map(str::to_owned)
        .to_vec(),
    };
    session.print(&format!(
        "Walks by RET until {} s are over, each bounded by the shortest trace so far; nothing is shrunk. The paper says of its ten runs that the first trace of \
         fewer than {SHORT} steps took 263.14 s in the mean and 970 s at most. Seconds of the processor, on one thread, loading not included. –: none in that time; not run: it is not in the results.\n",
        effort.timeout.as_secs_f64()
    ))?;
    session.print(&grid.header())?;
    let source = source(config, 4, ROW);
    let (mut lines, mut series) = (Vec::new(), Vec::new());
    for seed in 1..=runs {
        let name = format!("seed {seed}");
        let Some(source) = source.as_ref().filter(|_| config.wants_row(&name)) else {
            continue;
        };
        let key = Key {
            table: grid.id.clone(),
            row: name.clone(),
            column: "RET-S".to_owned(),
            settings: Effort { seeds: 1, ..*effort }.settings(source),
        };
        let run: Option<Run> = session.cell(key, 2 * effort.timeout, |control| {
            shorter_and_shorter(&Subject::load(source)?, seed, effort, control)
        })?;
        let number = |value: Option<f64>| value.map_or(Number::Mean(None), Number::exactly);
        let numbers = run.as_ref().map(|run| {
            let (first, last) = (run.traces.first(), run.traces.last());
            [
                number(first.map(|trace| trace.0)),
                number(first.map(|trace| trace.1 as f64)),
                number(run.short()),
                number(last.map(|trace| trace.1 as f64)),
            ]
        });
        let cells = beside(numbers.as_ref().map(<[_; 4]>::as_slice), &[""; 4]);
        session.print(&line(&name, &cells))?;
        lines.push((name.clone(), cells));
        let traces = run.unwrap_or_default().traces;
        series.push(Series {
            name,
            points: traces.into_iter().map(|(s, steps)| (s, steps as f64)).collect(),
            is_line: true,
        });
    }
    let places = session.places();
    session.print(&format!("\nSeeds 1 to {runs}, one thread. {places}.\n"))?;
    session.plot(
        &grid.id,
        &Chart {
            title: "Figure 3: steps of the shortest trace so far, RET-S, f = 75".to_owned(),
            x: Axis {
                label: "seconds",
                is_log: true,
            },
            y: Axis {
                label: "steps",
                is_log: true,
            },
            series,
        },
    )?;
    Ok(grid.document(
        &lines,
        &Effort {
            seeds: runs,
            ..*effort
        },
        &places,
    ))
}

fn shorter_and_shorter(
    subject: &Subject,
    seed: u64,
    effort: &Effort,
    control: &Control,
) -> Result<Run, Error> {
    subject.with_checker(|_, checker, _| {
        let check = |method: Method, improved: &mut dyn FnMut(usize, Time)| {
            let options = method.options(seed);
            let report = boxed::within(effort.timeout, control, |control| {
                checker.check(0, &options, control, improved)
            });
            match report {
                Some(CheckerReport {
                    outcome: Outcome::Fault(fault),
                    ..
                }) => Err(Error::new(fault.diagnostic.message)),
                Some(CheckerReport {
                    outcome: Outcome::Bug(message),
                    ..
                }) => Err(Error::new(format_args!("bug in zonewalk: {message}"))),
                Some(report) => Ok(report),
                None => Err(Error::new("the query of the row is not about states")),
            }
        };
        let mut traces = Vec::new();
        // The same seed finds the same trace first, and only what is better is told of.
        let watch = Stopwatch::start();
        let first = check(Method::first(), &mut |_, _| {})?;
        let searching = search_time(&first, &watch);
        if let Outcome::Decided {
            evidence: Evidence::Run(witness),
            ..
        } = first.outcome
        {
            traces.push((searching.as_secs_f64(), witness.found_steps));
        }
        let watch = Stopwatch::start();
        check(Method::shortest(), &mut |steps, _| {
            traces.push((watch.elapsed().as_secs_f64(), steps));
        })?;
        Ok(Run { traces })
    })
}
