//! Cycles that can be repeated without time passing.
//!
//! A model that is strongly non-zeno by its structure has none (`zonewalk_symbolic::zeno`, after Tripakis). In others random runs of
//! the reference interpreter look for a cycle of transitions that are all possible without delay and lead back to the very same
//! state. What they find is a fact; what they do not find is left open.

use crate::budget::Budget;
use crate::check::Check;
use crate::report::{Extent, LintReport};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use zonewalk_checker::load::Loaded;
use zonewalk_checker::{CompiledModel, Control};
use zonewalk_model::ids::{EdgeId, LocationId, TemplateId};
use zonewalk_reference::simulate::RandomRun;
use zonewalk_reference::{Interpreter, Part, State};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::zeno::is_structurally_non_zeno;
use zonewalk_syntax::diagnostic::Diagnostic;

/// Runs, and steps of each.
const RUNS: u64 = 64;
const STEPS: usize = 64;
/// States that are visited without delay from one state of a run.
const INSTANT: usize = 64;
/// Limit on cycles that are reported.
const TOLD: usize = 10;
/// Maximal number of cycle searches started from the same locations.
const BEGINNINGS: u32 = 3;

/// An edge of a template.
type Key = (TemplateId, EdgeId);

/// Looks for them.
pub(crate) fn check(
    loaded: &Loaded,
    (task, plan): (&CompiledModel<'_>, &ZonePlan<'_>),
    (budget, control): (&Budget, &Control),
    report: &mut LintReport,
) {
    if !report.wants(Check::Zeno) {
        return;
    }
    // Without clocks time is of no interest.
    if loaded.system.clocks.is_empty() || is_structurally_non_zeno(plan) {
        return;
    }
    let mut search = ZenoSearch {
        loaded,
        interpreter: task.interpreter(),
        cycles: Vec::new(),
        beginnings: FxHashMap::default(),
    };
    let mut is_over = || budget.is_over() || control.is_interrupted();
    for seed in 1..=RUNS {
        if is_over() || search.cycles.len() >= TOLD {
            break;
        }
        search.run(seed, &mut is_over);
    }
    let cycles = std::mem::take(&mut search.cycles);
    for cycle in &cycles {
        report.find(Check::Zeno, true, describe(loaded, cycle));
    }
    let extent = if is_over() {
        Extent::CutShort("the time for random runs was over".to_owned())
    } else {
        Extent::Partial(
            "the structure of the model does not exclude zeno runs; cycles without delay were looked for by random runs".to_owned(),
        )
    };
    report.extent(Check::Zeno, extent);
}

struct ZenoSearch<'a, 'm> {
    loaded: &'a Loaded,
    interpreter: &'a Interpreter<'m>,
    /// The edges of each cycle, in order, with the processes that take them.
    cycles: Vec<Vec<Part>>,
    beginnings: FxHashMap<Vec<LocationId>, u32>,
}

impl ZenoSearch<'_, '_> {
    /// One run, with a look around from each of its states: before and after the delay of a step.
    fn run(&mut self, seed: u64, is_over: &mut dyn FnMut() -> bool) {
        let Ok(mut run) = RandomRun::new(self.interpreter, seed) else {
            return;
        };
        for _ in 0..STEPS {
            let before = run.state().clone();
            self.look(&before, is_over);
            let Ok(Some(taken)) = run.step() else { return };
            if let Ok(delayed) = self.interpreter.delay(&before, taken.step.delay)
                && delayed != before
            {
                self.look(&delayed, is_over);
            }
            if is_over() || self.cycles.len() >= TOLD {
                return;
            }
        }
    }

    /// Looks for a cycle without delay that the state leads to without delay.
    fn look(&mut self, from: &State, is_over: &mut dyn FnMut() -> bool) {
        let count = self.beginnings.entry(from.locations.clone()).or_default();
        *count += 1;
        if *count > BEGINNINGS {
            return;
        }
        // Breadth first: the first way back to a state is a short one.
        let mut states: Vec<State> = vec![from.clone()];
        let mut parents: Vec<Option<(usize, Vec<Part>)>> = vec![None];
        let mut waiting = VecDeque::from([0]);
        while let Some(at) = waiting.pop_front() {
            let Ok(transitions) = self.interpreter.enabled_now(&states[at]) else {
                return;
            };
            for transition in transitions {
                if is_over() {
                    return;
                }
                let Ok(next) = self.interpreter.fire(&states[at], &transition.parts) else {
                    continue;
                };
                match states.iter().position(|known| *known == next) {
                    None if states.len() < INSTANT => {
                        states.push(next);
                        parents.push(Some((at, transition.parts)));
                        waiting.push_back(states.len() - 1);
                    }
                    None => {}
                    Some(known) => {
                        if let Some(mut cycle) = path(&parents, known, at) {
                            cycle.extend(transition.parts);
                            self.add(cycle);
                        }
                    }
                }
            }
        }
    }

    /// Keeps a cycle unless it contains one that is known, or one that chance ends.
    fn add(&mut self, cycle: Vec<Part>) {
        let templates = &self.loaded.model.templates;
        let is_random = cycle.iter().any(|part| {
            let template = &templates[self.loaded.system.processes[part.process.index()]
                .template
                .index()];
            let edge = &template.edges[part.edge.index()];
            template.locations[edge.source.index()].exponential_rate.is_some()
        });
        let keys = keys(self.loaded, &cycle);
        let contains = |known: &Vec<Part>| keys_within(&self::keys(self.loaded, known), &keys);
        if is_random || self.cycles.iter().any(contains) {
            return;
        }
        let loaded = self.loaded;
        self.cycles
            .retain(|known| !keys_within(&keys, &self::keys(loaded, known)));
        self.cycles.push(cycle);
    }
}

/// The edges on the way from one state to another in a tree; `None` when the first is not an ancestor of the second.
fn path(parents: &[Option<(usize, Vec<Part>)>], from: usize, to: usize) -> Option<Vec<Part>> {
    let mut steps = Vec::new();
    let mut at = to;
    while at != from {
        let (parent, parts) = parents[at].as_ref()?;
        steps.push(parts);
        at = *parent;
    }
    Some(steps.into_iter().rev().flatten().cloned().collect())
}

fn keys(loaded: &Loaded, cycle: &[Part]) -> Vec<Key> {
    let mut keys: Vec<Key> = cycle
        .iter()
        .map(|part| (loaded.system.processes[part.process.index()].template, part.edge))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn keys_within(few: &[Key], many: &[Key]) -> bool {
    few.iter().all(|key| many.contains(key))
}

/// Edges that are named.
const NAMED: usize = 6;

fn describe(loaded: &Loaded, cycle: &[Part]) -> Diagnostic {
    let edge = |part: &Part| {
        let process = &loaded.system.processes[part.process.index()];
        let template = &loaded.model.templates[process.template.index()];
        (process, template, &template.edges[part.edge.index()])
    };
    let name = |part: &Part| {
        let (process, template, edge) = edge(part);
        let location = |at: LocationId| &template.locations[at.index()].name;
        format!(
            "{}: {} → {}",
            process.name,
            location(edge.source),
            location(edge.target)
        )
    };
    let mut named: Vec<String> = cycle.iter().take(NAMED).map(name).collect();
    if cycle.len() > NAMED {
        named.push(format!("{} more", cycle.len() - NAMED));
    }
    let message = format!("a cycle can repeat without time passing: {}", named.join(", "));
    let (_, _, first) = edge(&cycle[0]);
    Diagnostic::warning("zeno-cycle", first.span, message).help(
        "runs may take it forever while time stands still; bound a clock from below in a guard and reset it on the cycle",
    )
}
