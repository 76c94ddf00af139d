//! Lists that a walk keeps up to date are those of a look at everything.

#![allow(clippy::unwrap_used)]

use crate::heuristic::choose::{Chooser, Heuristic, Step};
use crate::heuristic::coverage::Coverage;
use crate::heuristic::schedule::Delays;
use crate::plan::WalkPlan;
use crate::plan::condition::unmet;
use crate::state::refresh::Instants;
use crate::time::Window;
use crate::walker::Walker;
use std::path::PathBuf;
use zonewalk_network::Network;
use zonewalk_network::constraint::Term;
use zonewalk_network::ids::InstanceId;
use zonewalk_numbers::Random;
use zonewalk_product::{CodeOf, Valuation};
use zonewalk_testkit::{MODEL, corpus, files, load_file, own};

/// Ready and when, by the terms of the guard as they were compiled; `None` where code fails.
fn looked_at(walker: &mut Walker<'_>, number: InstanceId) -> Option<(bool, Window)> {
    let plan = walker.plan;
    let instance = plan.network.instance(number);
    let (edge, context) = (
        plan.network.edge(instance),
        plan.network.instance_context(instance),
    );
    let mut window = Window::ALL;
    if walker.state.location(instance.process) != edge.source {
        return Some((false, window));
    }
    for term in &edge.guard {
        match term {
            Term::Data(condition) => {
                let memory = &mut walker.state.memory;
                if !condition.holds(&plan.network.program, &context, memory).ok()? {
                    return Some((false, window));
                }
            }
            Term::Clock(bound) => {
                let mut instants = Instants::new(plan, &mut walker.state);
                if let Some(asked) = instants.resolve(CodeOf::Other, bound, &context).ok()? {
                    window = window.and(walker.state.clocks.when(asked));
                }
            }
        }
    }
    Some((true, window))
}

/// Whether an edge has a counter, which must be right wherever its process is.
fn has_right_counter(walker: &Walker<'_>, number: InstanceId) -> bool {
    let (plan, state) = (walker.plan, &walker.state);
    let edge = plan.edge(number);
    if edge.own.is_counted {
        let unmet = unmet(&plan.conditions, &edge.guard, &state.memory);
        assert_eq!(state.edges[number.index()].unmet, unmet, "edge {number:?}");
    }
    edge.own.is_counted
}

#[test]
fn what_is_known_is_what_a_look_at_everything_finds() {
    compare(own::paths());
}

/// Public models, where they are there. What is compared is private, so this cannot be in the target `corpus`, which names what is skipped; our own
/// models are compared in any case.
#[test]
fn what_is_known_of_public_models_is_what_a_look_at_everything_finds() {
    if let Some(folder) = corpus::folder() {
        compare(files(&folder.join("fmics2021"), &MODEL));
    }
}

fn compare(paths: Vec<PathBuf>) {
    let (mut looks, mut gates, mut memos, mut counters) = (0u64, 0, 0, 0);
    for path in paths {
        let Ok(loaded) = load_file(&path) else {
            continue;
        };
        let Ok(network) = Network::compile(&loaded.model, &loaded.system) else {
            continue;
        };
        let plan = WalkPlan::new(&network);
        gates += plan.gates.len();
        memos += plan.memo_count;
        let Ok(Some(mut walker)) = Walker::new(&plan) else {
            continue;
        };
        // As many looks at every model: all edges of small ones after each of many steps.
        let steps = (60_000 / plan.edges.len().max(1)).clamp(8, 300);
        let mut chooser = Chooser::new(Heuristic::Ret, Coverage::new(&plan));
        for number in 0..2 {
            walker.restart();
            chooser.begin(Random::for_walk(3, number), Delays::Predefined.parameters(number));
            for step in 0..steps {
                if !walker.state.failing.is_empty() {
                    break;
                }
                for edge in (0..plan.edges.len() as u32).map(InstanceId) {
                    counters += u64::from(has_right_counter(&walker, edge));
                    let Some((is_ready, window)) = looked_at(&mut walker, edge) else {
                        continue;
                    };
                    let known = walker.state.is_ready(&plan, edge);
                    assert_eq!(
                        known,
                        is_ready,
                        "{} edge {edge:?} after {step} steps",
                        path.display()
                    );
                    assert!(
                        !known || walker.state.edges[edge.index()].window == window,
                        "{} edge {edge:?} after {step} steps",
                        path.display()
                    );
                    looks += 1;
                }
                let horizon = walker.horizon();
                if !matches!(chooser.step(&mut walker, horizon), Ok(Step::Taken)) {
                    break;
                }
            }
        }
    }
    assert!(
        looks > 10_000 && gates > 0 && counters > 1_000,
        "{looks} looks, {gates} gates, {memos} memos, {counters} counters"
    );
}
