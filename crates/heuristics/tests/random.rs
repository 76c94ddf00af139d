//! Random small networks: what estimates promise, against exact distances.
//!
//! `ZONEWALK_NETWORKS` says how many, `ZONEWALK_SEED` which is the first.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::networks;
use crate::support;

use networks::networks;
use support::{Case, Found, Space, all, check_estimate};
use zonewalk_heuristics::{
    Context, Directed, Estimate, GoalFormula, Heuristic, Order, Switch, Switches, Useless,
};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::store::Covering;

/// At most so many states are stored; a search that needs more says nothing.
const STATES: usize = 600;

/// Runs a property on every question of every network.
fn on_questions(mut property: impl FnMut(&Case, &ZonePlan<'_>, usize, bool) -> Result<(), String>) {
    for (seed, generated) in networks() {
        let questions: Vec<&str> = generated.questions.iter().map(String::as_str).collect();
        let case = Case::new(&generated.text, &questions);
        let plan = ZonePlan::new(&case.network).unwrap();
        for (number, question) in questions.iter().enumerate() {
            // The negation of some: that is what `A[]` looks for.
            let holds = number % 3 != 2;
            if let Err(message) = property(&case, &plan, number, holds) {
                panic!(
                    "seed {seed}, {question} is {holds}: {message}\n{}",
                    generated.text
                );
            }
        }
    }
}

#[test]
fn estimates_are_lower_bounds_and_infinity_is_a_proof() {
    let (mut states, mut infinite, mut finite) = (0u32, 0u32, 0u64);
    on_questions(|case, plan, number, holds| {
        let predicate = &case.predicates[number];
        let goal = GoalFormula::new(&case.network, predicate, holds);
        // Without abstraction too: zones are smaller then, and distances longer.
        for (abstraction, forgets) in [(Abstraction::LuPlus, false), (Abstraction::M, true)] {
            let mut space = Space::new(case, plan, predicate, holds, abstraction, forgets);
            let Some(exact) = space.distances(STATES) else {
                continue;
            };
            let mut heuristics = all(&case.network, &goal);
            for (state, exact) in &exact {
                states += 1;
                let mut of = std::collections::BTreeMap::new();
                for heuristic in &mut heuristics {
                    let estimate = heuristic.estimate(state);
                    check_estimate(heuristic, estimate, *exact)
                        .map_err(|e| format!("{e} from {:?}", state.discrete))?;
                    infinite += u32::from(estimate.is_infinite());
                    finite += u64::from(estimate.number().unwrap_or(0));
                    of.insert(heuristic.name(), estimate);
                }
                if of["hL"].is_infinite() != of["hU"].is_infinite()
                    || of["hU"] < of["hL"].min(Estimate::finite(1))
                {
                    return Err(format!("{of:?} in {:?}", state.discrete));
                }
                if of["dg"] < of["dL"] || of["dU"] < of["dL"] {
                    return Err(format!("{of:?} in {:?}", state.discrete));
                }
            }
        }
        Ok(())
    });
    assert!(
        states > 1000 && infinite > 100 && finite > 1000,
        "{states} {infinite} {finite}"
    );
}

#[test]
fn directed_searches_agree_with_breadth_first() {
    let (mut found, mut nothing, mut turn) = (0, 0, 0);
    on_questions(|case, plan, number, holds| {
        let predicate = &case.predicates[number];
        let goal = GoalFormula::new(&case.network, predicate, holds);
        for covering in [Covering::Inclusion, Covering::Equality] {
            let abstraction = [
                Abstraction::LuPlus,
                Abstraction::Lu,
                Abstraction::M,
                Abstraction::None,
            ][number % 4];
            let mut space = Space::new(case, plan, predicate, holds, abstraction, true);
            let (exact, _) = space.breadth(covering, STATES);
            if exact == Found::Unknown {
                continue;
            }
            found += u32::from(exact != Found::Nothing);
            nothing += u32::from(exact == Found::Nothing);
            for mut heuristic in all(&case.network, &goal) {
                let (by_a_star, _) = space.directed(&mut *heuristic, Order::AStar, covering, 2 * STATES);
                let (by_greedy, _) = space.directed(&mut *heuristic, Order::Greedy, covering, 2 * STATES);
                let name = heuristic.name();
                if heuristic.is_admissible() && by_a_star != exact {
                    return Err(format!(
                        "{name} {covering:?}: A* {by_a_star:?}, breadth first {exact:?}"
                    ));
                }
                let queued = [Order::AStar, Order::Greedy].map(|order| {
                    let guide = Directed::new(&mut *heuristic as &mut dyn Heuristic, order);
                    // One after the other: all of them together take too long.
                    let network = &case.network;
                    turn += 1;
                    let guide = match turn % 5 {
                        0 => guide.with_queues(Useless::default()),
                        1 => guide.with_queues(Switches::new(network, Switch::Any)),
                        2 => guide.with_queues(Switches::new(network, Switch::Equal)),
                        3 => guide.with_queues(Switches::new(network, Switch::Preempting)),
                        _ => guide.with_queues(Context::new(network, Some(&goal))),
                    };
                    space.led_by(guide, covering, 2 * STATES).0
                });
                for other in [by_a_star, by_greedy].into_iter().chain(queued) {
                    if (other == Found::Nothing) != (exact == Found::Nothing) {
                        return Err(format!("{name} {covering:?}: {other:?}, breadth first {exact:?}"));
                    }
                }
            }
        }
        Ok(())
    });
    assert!(found > 100 && nothing > 50, "{found} {nothing}");
}
