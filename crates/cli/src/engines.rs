//! Asks the engines what they can do with a model.

use crate::load::Loaded;
use zonewalk_checker::{has_runs_in_doubles, smc_obstacle, walk_obstacle};
use zonewalk_model::tree::Model;
use zonewalk_network::{CompileError, Network, unsupported};
use zonewalk_report::info::{Compiled, Refusal};
use zonewalk_searches::Family;

/// Obstacles that are named; more of them say no more.
const NAMED: usize = 3;

/// What keeps which engine from the model, and how large its compiled form is.
pub(crate) fn ask(loaded: &mut Loaded) -> (Vec<Refusal>, Option<Compiled>) {
    let network = loaded.compile();
    let mut refusals = by_presence(&loaded.model);
    match &network {
        Err(errors) if refusals.is_empty() => refusals = by_compilation(errors),
        Ok(network) => refusals.extend(by_semantics(&loaded.model, network)),
        Err(_) => {}
    }
    // A model that exact time does not reach is simulated in doubles.
    if let Err(refusal) = zonewalk_reference::supported(&loaded.model)
        && !has_runs_in_doubles(&loaded.model, &loaded.system)
    {
        refusals.push(Refusal {
            family: Family::Simulation,
            construct: refusal.construct.to_owned(),
            span: refusal.span,
        });
    }
    (refusals, network.ok().as_ref().map(measure))
}

/// Constructs that rule an engine out by being there.
fn by_presence(model: &Model) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    for found in unsupported(model) {
        let families = [
            (Family::Walks, found.engines.walks),
            (Family::Statistical, found.engines.walks),
            (Family::Symbolic, found.engines.symbolic),
            (Family::Directed, found.engines.symbolic),
        ];
        for (family, _) in families.into_iter().filter(|(_, is_ruled_out)| *is_ruled_out) {
            refusals.push(Refusal {
                family,
                construct: found.construct.to_owned(),
                span: found.span,
            });
        }
    }
    refusals
}

/// What walks do not treat although it compiles, and what the stochastic semantics does not cover.
fn by_semantics(model: &Model, network: &Network) -> Vec<Refusal> {
    let found = [
        (Family::Walks, walk_obstacle(model, network)),
        (Family::Statistical, smc_obstacle(model, network)),
    ];
    let refusal = |(family, obstacle): (Family, Option<_>)| {
        let zonewalk_checker::Obstacle { construct, span } = obstacle?;
        Some(Refusal {
            family,
            construct,
            span,
        })
    };
    found.into_iter().filter_map(refusal).collect()
}

/// What cannot be compiled, no engine can run.
fn by_compilation(errors: &[CompileError]) -> Vec<Refusal> {
    let families = [
        Family::Walks,
        Family::Statistical,
        Family::Symbolic,
        Family::Directed,
    ];
    let refuse = |family: Family| {
        errors.iter().take(NAMED).map(move |error| Refusal {
            family,
            construct: error.message.clone(),
            span: error.span,
        })
    };
    families.into_iter().flat_map(refuse).collect()
}

fn measure(network: &Network) -> Compiled {
    let statistics = network.sizes();
    Compiled {
        code_copies: statistics.code_copies,
        instructions: statistics.instructions,
        edges: statistics.edge_instances,
        state_bytes: statistics.state_bytes,
        bytes: network.bytes(),
    }
}
