//! Every step of a walk is a step of the model: the reference interpreter repeats walks over the public models.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

#[path = "support/replay.rs"]
mod replay;

use replay::replay;
use std::path::{Path, PathBuf};
use zonewalk_model::{check, instance};
use zonewalk_network::Network;
use zonewalk_reference::Interpreter;
use zonewalk_syntax::read;
use zonewalk_syntax::source::SourceMap;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore::Options;
use zonewalk_walk::plan::Plan;
use zonewalk_walk::schedule::Delays;
use zonewalk_walk::smc::obstacle;
use zonewalk_walk::together;

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
        if together::obstacle(&model, &network).is_some() {
            continue;
        }
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
