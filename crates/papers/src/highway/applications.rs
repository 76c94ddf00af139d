//! Figures 6 and 7: a network of buffers, and an automated parking garage.

use super::figures::{Lazy, chart, curve, trials};
use super::method::Method;
use super::{Line, Measured, Sheet};
use crate::grid::{Grid, Number};
use crate::model::{QueryChoice, Source};
use crate::output::Error;
use zonewalk_checker::measure::{Summary, Trial, share};

use Method::{Highway, Random, Rdfs};

/// The extreme times that data need through a network of buffers. The network is a simplification of a proprietary protocol, its
/// delays stand only in the picture of figure 5, and it is not among the public examples of mCRL2.
pub(super) fn buffers(sheet: &mut Sheet<'_, '_>) -> Result<(), Error> {
    let methods = [Random, Rdfs, Highway(1), Highway(2), Highway(1000), Highway(2000)];
    let grid = Grid {
        id: "highway-6".to_owned(),
        title: "Figure 6: propagation times found in a network of buffers (s)".to_owned(),
        lines: "search",
        columns: ["least", "greatest"].map(str::to_owned).to_vec(),
    };
    let lines = methods.map(|method| Line {
        name: method.name(),
        paper: vec![""; 2],
        settings: String::new(),
        missing: Some("model not public"),
    });
    sheet.fill(&grid, &lines, |_, _, _| Ok(Measured::default()))?;
    Ok(())
}

/// A fault of the garage.
struct Fault {
    /// Name of the table, and of its plots.
    id: &'static str,
    title: &'static str,
    /// The query of the model.
    query: usize,
}

/// The paper mentions the error and two faults.
const FAULTS: [Fault; 2] = [
    Fault {
        id: "highway-7",
        title: "Figure 7: a lift that leaves with halves of two cars, probability of having found it (%)",
        query: 1,
    },
    Fault {
        id: "highway-7-shuttle",
        title: "Figure 7 for the other fault: a shuttle that moves with half a car (%)",
        query: 2,
    },
];

/// States that a search may visit; the paper does not say how many.
const VISITS: u64 = 50_000;

/// The points that have columns: states visited, and steps of a trace.
const STATES: [u64; 6] = [100, 200, 400, 1000, 2000, 4000];
const STEPS: [u64; 5] = [25, 50, 100, 200, 400];

/// Cost of a search that succeeded.
type Cost = fn(&Trial) -> u64;

/// How probable it is to have found a fault of the garage, by the number of states visited and of steps allowed.
pub(super) fn garage(sheet: &mut Sheet<'_, '_>) -> Result<(), Error> {
    for fault in &FAULTS {
        measure(sheet, fault)?;
    }
    Ok(())
}

fn measure(sheet: &mut Sheet<'_, '_>, fault: &Fault) -> Result<(), Error> {
    let methods = [Random, Rdfs, Highway(1), Highway(2), Highway(4), Highway(8)];
    let source = Source::member("garage", &[("n", "10")], QueryChoice::Number(fault.query));
    let means = ["mean states", "mean steps"].map(str::to_owned);
    let states = STATES.map(|x| format!("{x} states"));
    let steps = STEPS.map(|x| format!("{x} steps"));
    let grid = Grid {
        id: fault.id.to_owned(),
        title: fault.title.to_owned(),
        lines: "search",
        columns: means.into_iter().chain(states).chain(steps).collect(),
    };
    let lines = methods.map(|method| Line {
        name: method.name(),
        paper: (0..grid.columns.len())
            .map(|column| if column == 0 { mean_states(method) } else { "" })
            .collect(),
        settings: format!(", {VISITS} states"),
        missing: None,
    });
    let mut subject = Lazy::new(&source);
    let measured = sheet.fill(&grid, &lines, |index, effort, control| {
        let trials = trials(subject.get()?, methods[index], VISITS, effort, control)?;
        let by = |cost: Cost, x: u64| {
            let found = trials.iter().filter(|trial| trial.found && cost(trial) <= x);
            share(found.count(), trials.len())
        };
        let curve = |cost: Cost, end: u64| {
            let xs = (0..=60).map(|i| end * i / 60);
            xs.filter_map(|x| Some((x as f64, by(cost, x)?.value))).collect()
        };
        let (states, steps): (Cost, Cost) = (|trial| trial.states, |trial| trial.trace);
        let summary = Summary::new(&trials);
        let means = [summary.states.mean(), summary.traces.mean()].map(Number::mean);
        let by_states = STATES.map(|x| Number::share(by(states, x)));
        let by_steps = STEPS.map(|x| Number::share(by(steps, x)));
        Ok(Measured {
            numbers: means.into_iter().chain(by_states).chain(by_steps).collect(),
            points: curve(states, STATES[STATES.len() - 1]),
            others: curve(steps, STEPS[STEPS.len() - 1]),
        })
    })?;
    let (mut by_states, mut by_steps) = (Vec::new(), Vec::new());
    for (method, measured) in methods.iter().zip(measured) {
        by_states.push(curve(method.name(), measured.points));
        by_steps.push(curve(method.name(), measured.others));
    }
    sheet
        .session
        .plot(fault.id, &chart(fault.title, "states visited", by_states))?;
    sheet.session.plot(
        &format!("{}-steps", fault.id),
        &chart(fault.title, "steps of the trace", by_steps),
    )
}

/// Means in the text: random search needs 4,000 states on average, a highway of width 1 less than 400.
fn mean_states(method: Method) -> &'static str {
    match method {
        Random => "4000",
        Highway(1) => "< 400",
        _ => "",
    }
}
