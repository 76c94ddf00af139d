//! Exponential rates, weights of branches, and the choice by them.

use crate::Stop;
use crate::enabled::candidate::draw_weighted;
use crate::state::refresh::Instants;
use crate::walker::Walker;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::Quantity;
use zonewalk_network::double_at;
use zonewalk_network::ids::{InstanceId, ProcessId};
use zonewalk_numbers::Random;
use zonewalk_product::Valuation;

/// The exponential rate of the location of a process, 0 or more. One that is negative, infinite or no number is an error.
pub(super) fn rate(walker: &mut Walker<'_>, process: ProcessId) -> Result<f64, Stop> {
    let network = walker.plan.network;
    let variant = &network.variants[network.processes[process.index()].variant as usize];
    let location = walker.state.location(process);
    let Some((rate, divisor)) = variant.locations[location.index()].exponential_rate else {
        return Ok(1.0);
    };
    let context = network.context(process);
    let mut rate = value(walker, rate, &context)?;
    if let Some(divisor) = divisor {
        rate /= value(walker, divisor, &context)?;
    }
    if rate.is_finite() && rate >= 0.0 {
        Ok(rate)
    } else {
        Err(Stop::Exponential { process, location })
    }
}

fn value(walker: &mut Walker<'_>, quantity: Quantity, context: &Context) -> Result<f64, Stop> {
    match quantity {
        Quantity::Integer { setup, value } => {
            let mut instants = Instants::new(walker.plan, &mut walker.state);
            if let Some(setup) = setup {
                instants.execute(setup, context)?;
            }
            Ok(f64::from(instants.memory()[context.address(value)]))
        }
        Quantity::Double { setup, value } => {
            let mut instants = Instants::new(walker.plan, &mut walker.state);
            if let Some(setup) = setup {
                instants.execute(setup, context)?;
            }
            Ok(double_at(instants.memory(), context.address(value)))
        }
        Quantity::Real(value) => Ok(value),
        // `obstacle` keeps such models from here; a neutral number does no harm.
        Quantity::Unsupported(_) => Ok(1.0),
    }
}

/// The index of one of several edges of a process: each edge has the same chance, one for each value that it can select,
/// where the branches of one edge share its chance by their weights. Requires: there is one.
pub(crate) fn pick(
    walker: &mut Walker<'_>,
    edges: &[InstanceId],
    random: &mut Random,
) -> Result<usize, Stop> {
    if let &[edge] = edges {
        let branch = walker
            .plan
            .network
            .edge(walker.plan.network.instance(edge))
            .branch;
        let is_weightless = branch.is_some() && weight(walker, edge)? == 0.0;
        return if is_weightless {
            Err(weightless(edge))
        } else {
            Ok(0)
        };
    }
    let plan = walker.plan;
    let network = plan.network;
    let ways = |at: usize| plan.edge(edges[at]).own.ways;
    let group = |edge: InstanceId| {
        network
            .edge(network.instance(edge))
            .branch
            .map(|(group, _)| group)
    };
    if edges.iter().all(|&edge| group(edge).is_none()) {
        return Ok(draw_weighted((0..edges.len()).map(ways), random));
    }
    // Branches of one edge have its group and its selection.
    let is_same = |a: InstanceId, b: InstanceId| {
        let selection = |edge: InstanceId| network.select_values(network.instance(edge));
        group(a).is_some() && group(a) == group(b) && selection(a).eq(selection(b))
    };
    let leads = |&at: &usize| !edges[..at].iter().any(|&earlier| is_same(earlier, edges[at]));
    let chances = (0..edges.len()).map(|at| if leads(&at) { ways(at) } else { 0 });
    let leader = draw_weighted(chances, random);
    let members: Vec<usize> = (leader..edges.len())
        .filter(|&at| at == leader || is_same(edges[leader], edges[at]))
        .collect();
    let weights = members
        .iter()
        .map(|&at| weight(walker, edges[at]))
        .collect::<Result<Vec<_>, _>>()?;
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return Err(weightless(edges[leader]));
    }
    let mut point = random.unit() * total;
    for (&at, &weight) in members.iter().zip(&weights) {
        if point < weight {
            return Ok(at);
        }
        point -= weight;
    }
    // Rounding has led past the end: the last one that has a chance.
    let last = members.iter().zip(&weights).rev().find(|(_, w)| **w > 0.0);
    Ok(last.map_or(leader, |(&at, _)| at))
}

/// The branches of an edge have no weight at all.
fn weightless(edge: InstanceId) -> Stop {
    Stop::Weights {
        edge,
        is_negative: false,
    }
}

/// The weight of a branch. One below 0 is an error.
fn weight(walker: &mut Walker<'_>, edge: InstanceId) -> Result<f64, Stop> {
    let plan = walker.plan;
    let branch = plan.network.edge(plan.network.instance(edge)).branch;
    match branch {
        Some((_, Some(weight))) => {
            let context = plan.edge(edge).context;
            let weight = value(walker, weight, &context)?;
            if weight.is_nan() || weight < 0.0 {
                return Err(Stop::Weights {
                    edge,
                    is_negative: true,
                });
            }
            Ok(weight)
        }
        _ => Ok(1.0),
    }
}
