//! Rows of Table 1 of the paper on highway search, for a state space in the Aldebaran format:
//!
//! ```text
//! cargo run --release -p zonewalk-search --example highway -- FILE.aut ACTION [RUNS]
//! ```
//!
//! `ACTION` is the name of an action, or `deadlock`.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::num::NonZeroUsize;

use zonewalk_search::aut::{Aut, AutState, AutSystem};
use zonewalk_search::highway::{Choice, Highway, highway_search, random_search};
use zonewalk_search::measure::{Estimate, Summary, Trial, measure};
use zonewalk_search::{ExactStore, Goal, Limits, Outcome, RandomDepth, Report, Worker, search};

/// As many states as in the paper.
const LIMITS: Limits<'static> = Limits {
    explored: Some(50_000),
    stored: None,
    memory: None,
    stop: None,
    alarm: None,
    ends_at_fault: false,
};

#[derive(Clone, Copy)]
enum Method {
    Random,
    RandomDepth,
    Highway(usize, Choice),
}

fn trial<F>(report: &Report<AutState, F>) -> Trial {
    let trace = match &report.outcome {
        Outcome::Found { path, .. } => Some(path.len() - 1),
        _ => None,
    };
    let states = report.statistics.states_explored;
    Trial {
        found: trace.is_some(),
        states,
        trace: trace.unwrap_or(0) as u64,
    }
}

fn run(aut: &Aut, action: &str, method: Method, seed: u64) -> Trial {
    let mut is_goal = |s: &AutState| s.by_action || action == "deadlock" && aut.is_deadlock(s.number);
    let goal = Goal::state(&mut is_goal);
    let system = AutSystem::with_action(aut, action).unwrap_or_else(|| AutSystem::new(aut));
    match method {
        Method::Random => trial(&random_search(
            &mut Worker::new(&system, &mut ()),
            &mut ExactStore::new(),
            goal,
            seed,
            &LIMITS,
        )),
        Method::RandomDepth => trial(&search(
            &mut Worker::new(&system, &mut ()),
            &mut ExactStore::new(),
            &mut RandomDepth::new(seed),
            goal,
            &LIMITS,
        )),
        Method::Highway(width, choice) => {
            let width = NonZeroUsize::new(width).unwrap_or(NonZeroUsize::MIN);
            let highway = Highway { width, choice, seed };
            trial(&highway_search(
                &mut Worker::new(&system, &mut ()),
                ExactStore::new,
                goal,
                &highway,
                &LIMITS,
            ))
        }
    }
}

fn show(estimate: Option<Estimate>, scale: f64) -> String {
    estimate.map_or_else(String::new, |e| {
        format!(
            "{:.1} [{:.1}, {:.1}]",
            e.value * scale,
            e.low * scale,
            e.high * scale
        )
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, action, runs @ ..] = arguments.as_slice() else {
        return Err("usage: highway FILE.aut ACTION [RUNS]".into());
    };
    let runs = runs.first().map_or(Ok(1000), |text| text.parse())?;
    let aut = Aut::read(&std::fs::read(file)?)?;
    println!(
        "{file}: {} states, {} transitions",
        aut.states(),
        aut.transitions()
    );
    if action != "deadlock" && AutSystem::with_action(&aut, action).is_none() {
        return Err(format!("no label names the action {action}").into());
    }
    let widths = [8, 16, 32];
    let methods = [("random", Method::Random), ("rdfs", Method::RandomDepth)].map(|(n, m)| (n.to_owned(), m));
    let highways = [("highway", Choice::Approximate), ("exact highway", Choice::Exact)]
        .into_iter()
        .flat_map(|(name, choice)| widths.map(|w| (format!("{name} {w}"), Method::Highway(w, choice))));
    println!("{:16} {:>24} {:>28} {:>24}", "", "success %", "states", "trace");
    for (name, method) in methods.into_iter().chain(highways) {
        let trials = measure(0..runs, 2, |seed| run(&aut, action, method, seed));
        let summary = Summary::new(&trials);
        println!(
            "{name:16} {:>24} {:>28} {:>24}",
            show(summary.success(), 100.0),
            show(summary.states.mean(), 1.0),
            show(summary.traces.mean(), 1.0)
        );
    }
    Ok(())
}
