//! The structural test for runs on which infinitely much happens in finite time.
//!
//! After Definition 4 of Grosu, Huang, Smolka, Tan and Tripakis (Deep random search for efficient model checking of timed
//! automata) and Lemma 1 there: if on every loop some clock is set to 0 and some guard asks it to be at least 1, then time
//! passes without bound on every infinite run. Here the loops are those of single processes. That is enough: on an infinite
//! run of a network some process sends or moves on its own infinitely often, and the edges that it takes infinitely often
//! make up a strongly connected graph. So only loops with such an edge must spend time.
//!
//! The test is conservative: it may say no although all runs are fine.

mod loops;
mod writes;

use crate::plan::ZonePlan;
use loops::{ProcessEdge, has_idle_loop};
use writes::{set_to_zero, spoilt};
use zonewalk_network::constraint::{Relation, Term};
use zonewalk_network::ids::ClockId;
use zonewalk_network::{Instance, Network};
use zonewalk_product::Role;

/// Whether the text of the model shows that time passes without bound on every infinite run.
pub fn is_structurally_non_zeno(plan: &ZonePlan<'_>) -> bool {
    let network = plan.network;
    let spoilt = spoilt(network);
    let counts = |clock: &ClockId| !spoilt.get(clock.index()).copied().unwrap_or(true);
    (0..network.processes.len()).all(|number| {
        let process = &network.processes[number];
        let locations = network.variants[process.variant as usize].locations.len();
        let edges: Vec<ProcessEdge> = process
            .instances
            .map(|number| {
                let instance = network.instance(number);
                let edge = network.edge(instance);
                ProcessEdge {
                    source: edge.source,
                    target: edge.target,
                    is_initiator: plan.edge(number).role != Role::Receive,
                    resets: set_to_zero(network, instance)
                        .into_iter()
                        .filter(counts)
                        .collect(),
                    bounds: bounded_below(network, instance)
                        .into_iter()
                        .filter(counts)
                        .collect(),
                }
            })
            .collect();
        !has_idle_loop(&edges, locations)
    })
}

/// The clocks that are at least 1 wherever a guard holds.
fn bounded_below(network: &Network, instance: &Instance) -> Vec<ClockId> {
    let context = network.instance_context(instance);
    let clock = |term: &Term| {
        let Term::Clock(bound) = term else { return None };
        let is_lower = matches!(
            bound.relation,
            Relation::Greater | Relation::GreaterEqual | Relation::Equal
        );
        if !is_lower || bound.when.is_some() || bound.right.is_some() {
            return None;
        }
        let least = network.constant(bound.bound, &context).unwrap_or(bound.range.lo);
        let clock = network.constant(bound.left, &context)?;
        (least >= 1).then_some(ClockId(clock as u32))
    };
    network.edge(instance).guard.iter().filter_map(clock).collect()
}
