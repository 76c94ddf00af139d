//! A second engine: random runs of the reference interpreter, which shares no code with the searches.

use std::collections::BTreeSet;
use zonewalk_checker::load::Loaded;
use zonewalk_lint::Finding;
use zonewalk_model::ids::{EdgeId, LocationId, TemplateId};
use zonewalk_reference::Interpreter;
use zonewalk_reference::simulate::RandomRun;
use zonewalk_syntax::span::Span;

/// Facts observed in random runs.
#[derive(Default)]
pub(crate) struct Seen {
    edges: BTreeSet<(TemplateId, EdgeId)>,
    locations: BTreeSet<(TemplateId, LocationId)>,
    pub(crate) has_deadlock: bool,
}

/// Makes `count` random runs of at most `steps` steps.
pub(crate) fn runs(loaded: &Loaded, count: u64, steps: usize) -> Option<Seen> {
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).ok()?;
    let mut seen = Seen::default();
    let template = |process: usize| loaded.system.processes[process].template;
    for seed in 1..=count {
        let mut run = RandomRun::new(&interpreter, seed).ok()?;
        for _ in 0..steps {
            for (process, &location) in run.state().locations.iter().enumerate() {
                seen.locations.insert((template(process), location));
            }
            match run.step() {
                Ok(Some(taken)) => {
                    for part in &taken.step.parts {
                        seen.edges.insert((template(part.process.index()), part.edge));
                    }
                }
                Ok(None) => {
                    seen.has_deadlock = true;
                    break;
                }
                Err(_) => break,
            }
        }
    }
    Some(seen)
}

/// The places of what random runs reach: locations, and edges with their guards.
pub(crate) fn reached(loaded: &Loaded, seen: &Seen) -> BTreeSet<Span> {
    let templates = &loaded.model.templates;
    let locations = seen
        .locations
        .iter()
        .map(|(template, location)| templates[template.index()].locations[location.index()].span);
    let edges = seen.edges.iter().flat_map(|(template, edge)| {
        let edge = &templates[template.index()].edges[edge.index()];
        [Some(edge.span), edge.guard.as_ref().map(|guard| guard.span)]
    });
    locations.chain(edges.flatten()).collect()
}

/// Whether runs do what a finding calls impossible; `None` for findings about other things.
pub(crate) fn is_refuted_by(found: &Finding, reached: &BTreeSet<Span>) -> Option<bool> {
    match found.diagnostic.code.as_str() {
        "unreachable-location" | "unreachable-edge" | "guard-never-true" => {
            Some(reached.contains(&found.diagnostic.primary.span))
        }
        _ => None,
    }
}
