//! The engines that support a model, and those that do not.

use crate::hybrid::without_hybrid_clocks;
use crate::judge::doubles::has_runs_in_doubles;
use crate::load::Loaded;
use zonewalk_model::tree::{Model, Query};
use zonewalk_network::{CompileError, Network, unsupported};
use zonewalk_report::info::{Compiled, Refusal};
use zonewalk_searches::Family;
use zonewalk_walk::smc::Obstacle;

/// Obstacles that are named; more of them say no more.
const NAMED: usize = 3;

/// Engines that support a model.
pub struct Support {
    /// The constructs that rule engines out, engine by engine.
    pub refusals: Vec<Refusal>,
    /// Size of its compiled form.
    pub compiled: Option<Compiled>,
    /// Searches leave its hybrid clocks out.
    pub is_without_hybrid_clocks: bool,
    /// Statistical queries are answered by runs in doubles.
    pub is_in_doubles: bool,
}

impl Support {
    /// Asks about what a [`QuerySet`](super::QuerySet) plans: searches of the model, without its hybrid clocks where it has any, and
    /// runs in doubles where exact time does not reach.
    pub fn of(loaded: &mut Loaded) -> Support {
        let plain = without_hybrid_clocks(&loaded.model, &[]).and_then(Result::ok);
        let network = match &plain {
            Some(plain) => Network::compile(&plain.model, &plain.system),
            None => loaded.compile(),
        };
        let model = plain.as_ref().map_or(&loaded.model, |plain| &plain.model);
        let mut refusals = by_presence(model);
        match &network {
            Err(errors) if refusals.is_empty() => refusals = by_compilation(errors),
            Ok(network) => refusals.extend(by_semantics(model, network)),
            Err(_) => {}
        }
        let has_exact_runs = plain.is_none()
            && refusals
                .iter()
                .all(|refusal| refusal.family != Family::Statistical);
        let has_runs = has_runs_in_doubles(&loaded.model, &loaded.system);
        if has_runs {
            refusals.retain(|refusal| refusal.family != Family::Statistical);
        }
        // A model that exact time does not reach is simulated in doubles.
        if let Err(refusal) = zonewalk_reference::supported(&loaded.model)
            && !has_runs
        {
            refusals.push(Refusal {
                family: Family::Simulation,
                construct: refusal.construct.to_owned(),
                span: refusal.span,
            });
        }
        Support {
            compiled: network.ok().as_ref().map(measure),
            is_without_hybrid_clocks: plain.is_some(),
            is_in_doubles: has_runs && !has_exact_runs,
            refusals,
        }
    }
    /// The searches that decide a query, at least in one direction.
    pub fn deciders(&self, model: &Model, query: &Query) -> Vec<&'static str> {
        let is_hybrid =
            self.is_without_hybrid_clocks && matches!(without_hybrid_clocks(model, &[query]), Some(Err(_)));
        let can = |family: &&Family| {
            let is_refused = self.refusals.iter().any(|refusal| refusal.family == **family);
            !is_refused && (!is_hybrid || **family == Family::Statistical)
        };
        let families = Family::ALL.iter().filter(can);
        families.flat_map(|family| family.deciders(&query.kind)).collect()
    }
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

/// Constructs that compile, and that walks do not support or the stochastic semantics does not cover.
fn by_semantics(model: &Model, network: &Network) -> Vec<Refusal> {
    let found = [
        (Family::Walks, zonewalk_walk::together::obstacle(model, network)),
        (Family::Statistical, zonewalk_walk::smc::obstacle(model, network)),
    ];
    let refusal = |(family, obstacle): (Family, Option<_>)| {
        let Obstacle { construct, span, .. } = obstacle?;
        Some(Refusal {
            family,
            construct,
            span,
        })
    };
    found.into_iter().filter_map(refusal).collect()
}

/// Refusals by all engines: a construct that cannot be compiled, none of them can run.
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
