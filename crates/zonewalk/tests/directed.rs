//! Directed searches: what they cost, and what they answer.
#![allow(clippy::unwrap_used)]

use zonewalk::{DirectedStats, Options, Outcome, Report, check_text};

fn searched(model: &str, query: &str, search: &str) -> Report {
    let options = Options {
        search: search.parse().unwrap(),
        shrink_budget: 10_000,
        ..Options::default()
    };
    check_text("m.xta", model, query, &options).unwrap()
}

fn cost(report: &Report) -> DirectedStats {
    report.stats.directed.expect("estimates led the search")
}

/// One process needs three switches, and another may break the first for ever. Nothing here can fail.
const SWITCHES: &str = "bool a, b, c, broken; process P() { state s, g; init s; trans
    s -> s { guard !a && !broken; assign a = true; }, s -> s { guard a; assign b = true; },
    s -> s { guard b; assign c = true; }, s -> g { guard c; }; }
    process Q() { state s; init s; trans s -> s { guard !a; assign broken = true; }; } system P, Q;";

#[test]
fn estimates_are_counted() {
    let report = searched(SWITCHES, "E<> P.g", "greedy");
    let stats = cost(&report);
    assert!(stats.evaluations >= report.stats.states_stored, "{stats:?}");
    assert!(stats.cache_hits < stats.evaluations, "{stats:?}");
    assert_eq!(stats.pruned, 1, "what is broken stays so: {stats:?}");
    assert_eq!((stats.reopened, stats.abstract_states), (0, 0), "{stats:?}");
    assert!(stats.preparation <= report.times.search, "{stats:?}");
    assert!(searched(SWITCHES, "E<> P.g", "bfs").stats.directed.is_none());
}

/// The longer way to `m` looks shorter: `p` seems to stay, and opens a way from there to the goal.
const DETOUR: &str = "bool p; process P() { state s, x, a, l, m, e, f, g; init s; trans
    s -> x { }, x -> m { }, s -> a { }, a -> l { assign p = true; }, l -> l { guard p; },
    l -> m { assign p = false; },
    m -> g { guard p; }, m -> e { }, e -> f { }, f -> g { }; } system P;";

#[test]
fn a_state_that_is_met_after_fewer_steps_is_reopened() {
    let report = searched(DETOUR, "E<> P.g", "astar");
    assert_eq!(cost(&report).reopened, 1);
    assert!(matches!(
        report.outcome,
        Outcome::Decided { witness: Some(witness), .. } if witness.steps == 5
    ));
}
