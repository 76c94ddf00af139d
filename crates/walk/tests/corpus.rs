//! Every step of a walk is a step of the model: the reference interpreter repeats walks over the public models.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use zonewalk_model::{check, instance};
use zonewalk_network::Network;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::{Interpreter, Part, Step};
use zonewalk_syntax::read;
use zonewalk_syntax::source::SourceMap;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::{End, Options, walk};
use zonewalk_walk::plan::Plan;
use zonewalk_walk::refresh::Stop;
use zonewalk_walk::schedule::Delays;
use zonewalk_walk::smc::obstacle;

fn models() -> Vec<PathBuf> {
    fn collect(dir: &Path, list: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(dir) else {
            return;
        };
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                collect(&path, list);
            } else if path
                .extension()
                .is_some_and(|e| e == "xml" || e == "xta" || e == "ta")
            {
                list.push(path);
            }
        }
    }
    let mut list = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
        &mut list,
    );
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"),
        &mut list,
    );
    list.sort();
    list
}

#[test]
fn walks_replay() {
    let filter = std::env::var("ZONEWALK_ONLY").unwrap_or_default();
    let steps: u32 = std::env::var("ZONEWALK_STEPS")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(40);
    let (mut walked, mut taken, mut failures) = (0, 0, Vec::new());
    for path in models().iter().filter(|p| p.to_string_lossy().contains(&filter)) {
        let bytes = std::fs::read(path).unwrap();
        let mut sources = SourceMap::new();
        let (document, diagnostics) = read::read_model(&path.to_string_lossy(), &bytes, None, &mut sources);
        let Some(document) = document.filter(|_| !diagnostics.has_errors()) else {
            continue;
        };
        let (Ok(model), _) = check::check(sources, &document, &[]) else {
            continue;
        };
        let Ok(system) = instance::instantiate(&model) else {
            continue;
        };
        let Ok(interpreter) = Interpreter::new(&model, &system) else {
            continue;
        };
        let Ok(network) = Network::compile(&model, &system) else {
            continue;
        };
        let plan = Plan::new(&network);
        walked += 1;
        for (number, heuristic) in [Heuristic::Ret, Heuristic::Sem, Heuristic::Rlc, Heuristic::Smc]
            .into_iter()
            .enumerate()
        {
            if heuristic == Heuristic::Smc && obstacle(&model, &network).is_some() {
                continue;
            }
            let options = Options {
                heuristic,
                delays: Delays::Predefined,
                seed: 1,
                max_steps: Some(steps),
                time_bound: None,
            };
            match replay(&plan, &options, number as u64, &interpreter) {
                Ok(count) => taken += count,
                Err(message) => failures.push(format!("{} {heuristic:?}: {message}", path.display())),
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
    eprintln!("{walked} models, {taken} steps");
    assert!(walked > 0 && taken > 0);
}

fn replay(
    plan: &Plan<'_>,
    options: &Options,
    number: u64,
    interpreter: &Interpreter<'_>,
) -> Result<usize, String> {
    let initial = interpreter.initial();
    let (trace, end) = match walk(plan, options, number) {
        Ok(Some(found)) => found,
        Ok(None) => return initial.map_or(Ok(0), |_| Err("the walk has no initial state".into())),
        // Guards of the initial state that fail, and rates that walks do not run.
        Err(Stop::Trap(_) | Stop::Rate { .. }) => return Ok(0),
    };
    let mut state = initial.map_err(|e| format!("no initial state: {e}"))?;
    let time =
        |ticks: i64| Rational::new(i128::from(ticks), i128::from(trace.unit)).map_err(|e| format!("{e:?}"));
    for (index, step) in trace.steps.iter().enumerate() {
        let delay = time(step.delay)?;
        let parts = step.parts.iter().map(|p| Part {
            process: p.process,
            edge: p.edge,
            selects: p.selects.clone(),
        });
        let step = Step {
            delay,
            parts: parts.collect(),
        };
        state = interpreter
            .replay_step(&state, &step)
            .map_err(|e| format!("step {index} of {}: {e}; {step:?}", trace.steps.len()))?;
    }
    // A stochastic walk may let time pass, and miss what was possible before.
    if trace.last_delay > 0 {
        state = interpreter
            .delay(&state, time(trace.last_delay)?)
            .map_err(|e| format!("the delay after the last step: {e}"))?;
    }
    if matches!(end, End::DeadEnd | End::TimeLock)
        && !interpreter.is_deadlock(&state).map_err(|e| e.to_string())?
    {
        return Err(format!(
            "the walk is stuck after {} steps, the interpreter is not",
            trace.steps.len()
        ));
    }
    Ok(trace.steps.len())
}
