//! Which answers may come with a judged proof, before there is one.

use crate::premise::mentions_deadlock;
use zonewalk_certificate::Claim;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Feature, Model, Query, QueryKind};
use zonewalk_reference::proof::covers;

/// The name of the claim that proves an answer to a query.
///
/// # Errors
/// Why no proof can be judged: half a sentence.
pub fn claim_of(model: &Model, system: &System, query: &Query) -> Result<&'static str, String> {
    let (name, claim) = match &query.kind {
        QueryKind::Reachable(_) | QueryKind::Invariant(_) => ("unreachable", Claim::Unreachable),
        QueryKind::Extremum { .. } => ("values", Claim::Values(Vec::new())),
        QueryKind::PotentiallyAlways(_) | QueryKind::Inevitable(_) | QueryKind::LeadsTo(..) => {
            ("inevitable", Claim::Inevitable)
        }
        QueryKind::Statistical(_) => return Err("estimates are no proofs".to_owned()),
        QueryKind::Other(_) => return Err("no search decides it".to_owned()),
    };
    let stops = model
        .features
        .iter()
        .any(|used| used.feature == Feature::Stopwatches);
    match obstacle((model, system), Some(query), &claim, stops) {
        None => Ok(name),
        Some(why) => Err(why),
    }
}

/// Why the judge could say nothing about a proof of this claim. `stops`: clocks can be stopped.
pub(super) fn obstacle(
    (model, system): (&Model, &System),
    query: Option<&Query>,
    claim: &Claim,
    stops: bool,
) -> Option<String> {
    if let Err(construct) = covers(model, system, query, claim) {
        return Some(format!("the judge of proofs does not cover {construct}"));
    }
    (stops && query.is_some_and(asks_for_deadlocks))
        .then(|| "the judge of proofs does not cover deadlocks where clocks can be stopped".to_owned())
}

fn asks_for_deadlocks(query: &Query) -> bool {
    match &query.kind {
        QueryKind::Reachable(expr)
        | QueryKind::Invariant(expr)
        | QueryKind::PotentiallyAlways(expr)
        | QueryKind::Inevitable(expr) => mentions_deadlock(expr),
        QueryKind::LeadsTo(from, to) => mentions_deadlock(from) || mentions_deadlock(to),
        QueryKind::Extremum { predicate, .. } => predicate.as_ref().is_some_and(mentions_deadlock),
        QueryKind::Statistical(_) | QueryKind::Other(_) => false,
    }
}
