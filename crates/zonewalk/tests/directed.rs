//! Directed searches: what they cost, and what they answer.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use zonewalk::{DirectedStats, Options, Outcome, Report, Standing, TraceWish, Witness, check_text};
use zonewalk_searches::Queueing;

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

/// Three switches are needed, and two others are of no use. All of them can be switched at any time.
const IDLE: &str = "bool a, b, c, d, e; process P() { state s, g; init s; trans
    s -> s { assign a = !a; }, s -> s { guard a; assign b = !b; }, s -> s { guard b; assign c = !c; },
    s -> g { guard a && b && c; }; }
    process Q() { state s; init s; trans s -> s { assign d = !d; }, s -> s { assign e = !e; }, s -> s { guard d && e; assign d = false; }; }
    system P, Q;";

fn queued(model: &str, query: &str, search: &str, queueing: Queueing) -> Report {
    let mut options = Options {
        search: search.parse().unwrap(),
        trace: TraceWish::Shortest,
        shrink_budget: 0,
        ..Options::default()
    };
    options.zones.queueing = queueing;
    check_text("m.xta", model, query, &options).unwrap()
}

fn witness(report: &Report) -> &Witness {
    match &report.outcome {
        Outcome::Decided {
            witness: Some(witness),
            ..
        } => witness,
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_plain_queues_find_shortest_traces() {
    let plain = queued(DETOUR, "E<> P.g", "astar", Queueing::Plain);
    assert_eq!(witness(&plain).standing, Standing::Shortest);
    let useless = queued(DETOUR, "E<> P.g", "astar", Queueing::Useless);
    assert!(
        matches!(&witness(&useless).standing, Standing::PerhapsNotShortest(why) if why.contains("--queues useless")),
        "{:?}",
        witness(&useless).standing
    );
}

#[test]
fn an_exhausted_search_with_several_queues_is_a_proof() {
    for search in ["greedy", "astar"] {
        let report = queued(IDLE, "E<> P.g && !b && !c", search, Queueing::Useless);
        let is_proved = matches!(
            report.outcome,
            Outcome::Decided {
                satisfied: false,
                witness: None
            }
        );
        assert!(is_proved, "{search}: {:?}", report.outcome);
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

/// The model of a single-track line with all of its inputs: what no breadth-first search finds in a minute.
#[test]
fn useless_transitions_lead_past_inputs_that_do_not_matter() {
    let Ok(model) = std::fs::read_to_string(corpus().join("mcta/XtaBenchmarkSuite/STLS.xta")) else {
        return;
    };
    let report = queued(
        &model,
        "E<> AKT1.Driving and AKT2.Driving",
        "greedy",
        Queueing::Useless,
    );
    let (explored, steps) = (report.stats.states_explored, witness(&report).steps);
    assert!(
        explored <= 1000 && steps <= 90,
        "{explored} states, {steps} steps"
    );
}
