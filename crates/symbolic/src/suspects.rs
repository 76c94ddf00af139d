//! Deadlocks by lower and upper bounds: suspects, and the bounds that tell whether they are real.
//!
//! Extrapolation by lower and upper bounds adds points that can do less than real ones. If no zone has a deadlock, there is
//! none; a deadlock in a zone is a *suspect*. It is real if exact zones lead to one on its path. Otherwise the search is
//! repeated with bounds that also say what is [refused](zonewalk_network::refusals) in the suspect's locations.
//!
//! **Claim.** Where the bounds say so of the locations of all processes, every suspect is real. Let `x` be a point of the
//! abstracted zone that satisfies the invariant. Some point `x'` of the exact zone of the same path simulates it: for each
//! clock, `x' = x`, or `x'` is smaller and above the lower bound, or `x` is above the upper one. These bounds
//! are not below any constant of the guards, of the invariant and of the invariants of targets before the edge, on either
//! side. So after every delay `x` and `x'` satisfy the same of these conditions: where they differ in a clock, both are beyond
//! the constant. The same delays are possible, then, and the same transitions after them. Clocks that time is stopped by, that
//! receivers of broadcasts compare, or all with priorities, have equal bounds on both sides anyway. Differences of
//! clocks are not covered by this, and need none of it: their zones are split, and extrapolated by the larger bound.
//!
//! The search ends: every round adds a location, and the last one has all of them.

use crate::goal::ZoneGoal;
use crate::path::{Transition, conditions};
use crate::plan::ZonePlan;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_network::ids::{LocationId, ProcessId};
use zonewalk_network::refusals::Refusals;
use zonewalk_network::{Network, Predicate};

/// Rounds that refine the bounds for one suspect each. After them, what is refused counts everywhere.
const ROUNDS: u32 = 3;

/// Locations whose refusals count, for a predicate that asks for deadlocks.
#[derive(Clone)]
pub struct Suspects {
    predicate: Predicate,
    refusals: Refusals,
    rounds: u32,
}

impl Suspects {
    /// None so far.
    pub fn new(network: &Network, predicate: &Predicate) -> Suspects {
        Suspects {
            predicate: predicate.clone(),
            refusals: Refusals::nowhere(network),
            rounds: 0,
        }
    }

    /// Bounds for the next search.
    pub fn bounds(&self, network: &Network) -> ClockBounds {
        network.bounds_with(&[&self.predicate], &[], &self.refusals)
    }

    /// Bounds by which every deadlock is real.
    pub fn exact_bounds(&self, network: &Network) -> ClockBounds {
        network.bounds_for(&[&self.predicate])
    }

    /// Whether a find may be none. Then its locations are among those whose refusals count, and the search must be
    /// repeated. Requires: it was found with the bounds so far.
    pub fn doubts(&mut self, plan: &ZonePlan<'_>, transitions: &[Transition], goal: &ZoneGoal) -> bool {
        let mut refined = self.refusals.clone();
        let locations = locations_after(plan.network, transitions);
        let processes = (0..).map(ProcessId).zip(locations);
        let added = processes.filter(|&(process, location)| refined.add(process, location));
        if added.count() == 0 {
            return false;
        }
        // An error at the end means that it is not known there what is possible.
        let exact = conditions(plan, &self.bounds(plan.network), transitions, Some(goal), None);
        if matches!(exact, Ok(Some(_))) {
            return false;
        }
        self.rounds += 1;
        self.refusals = match self.rounds {
            ..=ROUNDS => refined,
            _ => Refusals::everywhere(plan.network),
        };
        true
    }
}

/// The locations of all processes after some transitions.
fn locations_after(network: &Network, transitions: &[Transition]) -> Vec<LocationId> {
    let mut locations: Vec<LocationId> = network.processes.iter().map(|process| process.initial).collect();
    for &part in transitions.iter().flat_map(|transition| &transition.parts) {
        let instance = network.instance(part);
        locations[instance.process.index()] = network.edge(instance).target;
    }
    locations
}
