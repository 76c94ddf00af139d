//! The directed searches of `auto`: greedy ones with as many states as their estimates allow, and A* for shortest traces.

use super::{EXHAUSTIVE, Portfolio, effort};
use crate::options::{DirectedOptions, Options, ZoneOptions};
use crate::order::Order;
use crate::outcome::{CheckerReport, Limit};
use crate::task::StateGoal;
use crate::turns::schedule::TurnSchedule;
use zonewalk_heuristics as heuristics;
use zonewalk_network::Network;
use zonewalk_searches::{Estimator, Search};
use zonewalk_symbolic::state::ZoneState;

/// Factor by which a directed search stores fewer states than a deep one, at least: estimates cost more than successors.
const DIRECTED_PART: u64 = 8;

/// Estimates for each state that a directed search stores.
const ESTIMATES: u64 = 4;

/// Work of an estimate that costs as much as a step of a walk.
const WORK_PER_STEP: u64 = 8;

/// A directed search with fewer states is not worth its while.
pub(super) const FEWEST_DIRECTED: u64 = 64;

/// Directed searches run only on request where laying out the estimates takes as long as whole searches elsewhere.
const MOST_EDGES: usize = 20_000;

/// States that breadth-first search may store for a shortest trace before A* with pattern databases tries: what that is prepared
/// with costs as much.
const BREADTH_FIRST: u64 = 1 << 20;

impl Portfolio<'_, '_, '_> {
    /// A shortest trace: breadth first, and where that takes long by A*.
    pub(super) fn exhaust_for_shortest(&self) -> CheckerReport {
        let limit = self.options.zones.max_states;
        let breadth = Options {
            zones: ZoneOptions {
                max_states: Some(limit.unwrap_or(u64::MAX).min(BREADTH_FIRST)),
                ..self.options.zones
            },
            ..*self.options
        };
        let first = self.exhaust_by(EXHAUSTIVE, &breadth);
        let is_cut = first.limit() == Some(Limit::States);
        if !is_cut || limit.is_some_and(|limit| limit <= BREADTH_FIRST) {
            return first;
        }
        let directed = Options {
            search: Search::Astar,
            directed: DirectedOptions {
                estimator: Some(Estimator::Pdb),
                ..self.options.directed
            },
            ..*self.options
        };
        let mut second = self.exhaust_by(Order::AStar, &directed);
        second.times.search += first.times.search;
        second.others.push(effort(EXHAUSTIVE.name(), &first));
        second.fault = second.fault.or(first.fault);
        second
    }

    /// Number of states of a deep search that cost as much as one of a directed search, by what the estimate of the initial state costs.
    pub(super) fn directed_part(&self) -> u64 {
        *self.directed_part.get_or_init(|| {
            let (network, sought) = (&self.checker.task.network, self.sought);
            if !self.is_directed || network.instances.len() > MOST_EDGES {
                return u64::MAX;
            }
            let goal = heuristics::GoalFormula::new(network, &sought.predicate, sought.wanted);
            let mut estimate = heuristics::Relaxed::upper(network, &goal).with_cache(1);
            let discrete = network.memory()[..network.layout.meta as usize].to_vec();
            estimate.explain::<i32>(&ZoneState {
                discrete,
                ..ZoneState::default()
            });
            let steps = ESTIMATES * estimate.work() / WORK_PER_STEP;
            (steps / TurnSchedule::steps_of_a_state(network.clocks.len())).max(DIRECTED_PART)
        })
    }
}

/// Whether estimates have something to say about a goal: it names locations or values.
pub(super) fn aims(network: &Network, sought: &StateGoal<'_>) -> bool {
    let goal = heuristics::GoalFormula::new(network, &sought.predicate, sought.wanted);
    !matches!(goal.part(goal.root()), heuristics::Part::Constant(_))
}
