//! Directed searches: what they cost, and what they answer.
#![allow(clippy::unwrap_used)]

use zonewalk_checker::{
    CheckerReport, DirectedStats, Evidence, Optimality, Options, Outcome, TraceKind, TraceOptions, Witness,
    check_text,
};
use zonewalk_searches::{Queueing, Switching};

fn searched(model: &str, query: &str, search: &str) -> CheckerReport {
    let options = Options {
        search: search.parse().unwrap(),
        trace: TraceOptions {
            shrink_budget: 10_000,
            ..TraceOptions::default()
        },
        ..Options::default()
    };
    check_text("m.xta", model, query, &options).unwrap()
}

fn cost(report: &CheckerReport) -> DirectedStats {
    report.stats.directed.expect("estimates led the search")
}

/// One process needs three switches, and another may break the first forever. Nothing here can fail.
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
        Outcome::Decided { evidence: Evidence::Run(witness), .. } if witness.steps == 5
    ));
}

/// Three switches are needed, and two others are of no use. All of them can be switched at any time.
const IDLE: &str = "bool a, b, c, d, e; process P() { state s, g; init s; trans
    s -> s { assign a = !a; }, s -> s { guard a; assign b = !b; }, s -> s { guard b; assign c = !c; },
    s -> g { guard a && b && c; }; }
    process Q() { state s; init s; trans s -> s { assign d = !d; }, s -> s { assign e = !e; }, s -> s { guard d && e; assign d = false; }; }
    system P, Q;";

fn queued(model: &str, query: &str, search: &str, queueing: Queueing) -> CheckerReport {
    let mut options = Options {
        search: search.parse().unwrap(),
        trace: TraceOptions {
            kind: TraceKind::Shortest,
            shrink_budget: 0,
        },
        ..Options::default()
    };
    options.directed.queueing = queueing;
    check_text("m.xta", model, query, &options).unwrap()
}

fn witness(report: &CheckerReport) -> &Witness {
    match &report.outcome {
        Outcome::Decided {
            evidence: Evidence::Run(witness),
            ..
        } => witness,
        other => panic!("{other:?}"),
    }
}

/// All the searches that have several queues, with the queues that they have.
fn all_queues() -> impl Iterator<Item = (&'static str, Queueing)> {
    let several = ["bfs", "greedy", "astar"]
        .into_iter()
        .flat_map(|search| Queueing::ALL.map(|queueing| (search, queueing)));
    several.filter(|&(search, queueing)| search != "bfs" || queueing != Queueing::Useless)
}

#[test]
fn only_plain_queues_find_shortest_traces() {
    for (search, queueing) in all_queues() {
        let report = queued(DETOUR, "E<> P.g", search, queueing);
        let optimality = &witness(&report).optimality;
        match (search, queueing) {
            ("bfs" | "astar", Queueing::Plain) => assert_eq!(*optimality, Optimality::Shortest),
            (_, queueing) => {
                let Optimality::UnprovenShortest(why) = optimality else {
                    panic!("{search} {queueing:?}: {optimality:?}");
                };
                let is_told = search == "greedy" || why.contains(&format!("--queues {}", queueing.name()));
                assert!(is_told, "{search} {queueing:?}: {why}");
            }
        }
    }
}

#[test]
fn an_exhausted_search_with_several_queues_is_a_proof() {
    for (search, queueing) in all_queues() {
        let report = queued(IDLE, "E<> P.g && !b && !c", search, queueing);
        let is_proved = matches!(
            report.outcome,
            Outcome::Decided {
                satisfied: false,
                evidence: Evidence::Exhaustion
            }
        );
        assert!(is_proved, "{search} {queueing:?}: {:?}", report.outcome);
        let report = queued(IDLE, "E<> P.g && d", search, queueing);
        let is_found = matches!(
            report.outcome,
            Outcome::Decided {
                satisfied: true,
                evidence: Evidence::Run(_)
            }
        );
        assert!(is_found, "{search} {queueing:?}: {:?}", report.outcome);
    }
}

/// Each notion of a switch makes another search of a model with handshakes.
#[test]
fn notions_of_a_switch_are_different_searches() {
    let model = include_str!("../../../models/train-gate.xml");
    let explored = |switching| {
        let mut options = Options {
            search: "bfs".parse().unwrap(),
            ..Options::default()
        };
        (options.directed.queueing, options.directed.switching) = (Queueing::Icb, switching);
        let query = "A[] Gate.length <= N";
        let report = check_text("m.xml", model, query, &options).unwrap();
        assert!(matches!(report.outcome, Outcome::Decided { satisfied: true, .. }));
        assert!(report.stats.directed.is_none(), "nothing is estimated");
        report.stats.states_explored
    };
    let [any, equal, preempting] = Switching::ALL.map(explored);
    assert!(any != equal && equal != preempting && preempting != any);
}
