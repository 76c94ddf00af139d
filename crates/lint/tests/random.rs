//! Random networks: what is proved of them is compared with random runs of the reference interpreter, which shares no code with
//! the searches.

use crate::support::{load, report};
use std::collections::BTreeSet;
use zonewalk_checker::load::Loaded;
use zonewalk_model::ids::{EdgeId, LocationId, TemplateId};
use zonewalk_reference::Interpreter;
use zonewalk_reference::simulate::RandomRun;
use zonewalk_syntax::span::Span;
use zonewalk_testkit::{generate, number};

/// What random runs do.
#[derive(Default)]
struct Seen {
    edges: BTreeSet<(TemplateId, EdgeId)>,
    locations: BTreeSet<(TemplateId, LocationId)>,
    has_deadlock: bool,
}

fn runs(loaded: &Loaded) -> Option<Seen> {
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).ok()?;
    let mut seen = Seen::default();
    let template = |process: usize| loaded.system.processes[process].template;
    for seed in 1..=20 {
        let mut run = RandomRun::new(&interpreter, seed).ok()?;
        for _ in 0..40 {
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
fn reached(loaded: &Loaded, seen: &Seen) -> BTreeSet<Span> {
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

#[test]
fn nothing_that_happens_is_called_impossible() {
    let networks = number("ZONEWALK_NETWORKS").unwrap_or(60);
    let (mut proved, mut deadlocks) = (0, 0);
    for seed in 1..=networks {
        let generated = generate::network(seed);
        let loaded = load(&generated.text, &[]);
        let Some(seen) = runs(&loaded) else { continue };
        let reached = reached(&loaded, &seen);
        let report = report(&loaded);
        for found in report.findings.iter().filter(|found| found.is_proved) {
            let span = found.diagnostic.primary.span;
            match found.diagnostic.code.as_str() {
                "unreachable-location" | "unreachable-edge" | "guard-never-true" => {
                    let message = &found.diagnostic.message;
                    assert!(
                        !reached.contains(&span),
                        "network {seed}: {message}\n{}",
                        generated.text
                    );
                    proved += 1;
                }
                "deadlock" => deadlocks += 1,
                _ => {}
            }
        }
        let is_clear = |of: &&zonewalk_lint::CheckReport| {
            of.check == zonewalk_lint::Check::Deadlock
                && of.findings == 0
                && of.extent == zonewalk_lint::Extent::Complete
        };
        let has_ends = loaded.model.templates.iter().any(|template| {
            (0..template.locations.len())
                .map(LocationId::from_index)
                .any(|at| !template.edges.iter().any(|edge| edge.source == at))
        });
        if seen.has_deadlock && !has_ends {
            assert!(
                report.checks.iter().find(is_clear).is_none(),
                "network {seed}: a deadlock is missed\n{}",
                generated.text
            );
        }
    }
    assert!(proved > 10 && deadlocks > 4, "{proved} {deadlocks}");
}
