//! The portfolio: who decides, and what repeats.
#![allow(clippy::unwrap_used)]

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};
use zonewalk_checker::{CheckerReport, Evidence, Options, Outcome, TraceKind, TraceOptions, check_text};

fn check(model: &str, query: &str, seed: u64, threads: usize) -> CheckerReport {
    let options = Options {
        seed,
        threads: NonZeroUsize::new(threads).unwrap(),
        trace: TraceOptions {
            kind: TraceKind::None,
            ..TraceOptions::default()
        },
        ..Options::default()
    };
    check_text("model.xta", model, query, &options).unwrap()
}

/// A lock that every wrong digit breaks for good, among switches that keep all searches busy. A walk opens it with a probability
/// of 4 to the power of -16, and breadth first there are 2 to the power of 20 states before each digit.
const LOCK: &str = "
    const int DIGITS = 16; const int SWITCHES = 20; typedef int[0, SWITCHES - 1] id_t;
    int[0, DIGITS] right; bool broken; bool on[id_t];
    process Lock() { state closed; init closed; trans
        closed -> closed { guard !broken && right < DIGITS; assign right++; },
        closed -> closed { guard !broken; assign broken = true; },
        closed -> closed { guard !broken; assign broken = true; },
        closed -> closed { guard !broken; assign broken = true; }; }
    process Switch(const id_t i) { state s; init s; trans s -> s { guard !broken; assign on[i] = !on[i]; }; }
    system Lock, Switch;";

#[test]
fn deep_searches_find_what_neither_walks_nor_breadth_first_find() {
    for threads in [1, 3] {
        let found = |seed| {
            let report = check(LOCK, "E<> right == DIGITS", seed, threads);
            assert!(["rdfs", "greedy"].contains(&report.search), "{}", report.search);
            let others: Vec<_> = report.others.iter().map(|other| other.search).collect();
            assert_eq!(others[..2], ["bfs", "walks"]);
            match report.outcome {
                Outcome::Decided {
                    satisfied: true,
                    evidence: Evidence::Run(witness),
                } => witness.found_steps,
                other => panic!("{other:?}"),
            }
        };
        let first = found(1);
        assert!(first >= 16);
        // Turns are counted, so that the same search of the same size finds it again.
        assert_eq!(first, found(1));
    }
}

#[test]
fn counts_add_up() {
    let model = "clock x; int n; process P() { state a { x <= 1 }; init a; trans
        a -> a { guard x == 1 && n < 3000; assign x = 0, n++; }; } system P;";
    for threads in [1, 2, 4] {
        let report = check(model, "A[] n <= 3000", 1, threads);
        let Outcome::Decided {
            satisfied: true,
            evidence: Evidence::Exhaustion,
        } = report.outcome
        else {
            panic!("{:?}", report.outcome);
        };
        let walks = report
            .others
            .iter()
            .find(|other| other.search == "walks")
            .unwrap();
        assert_eq!(walks.stats.walks, report.stats.walks);
        assert!(walks.stats.walks >= 45);
        let own = report
            .others
            .iter()
            .fold(report.stats.states_explored, |left, other| {
                left - other.stats.states_explored
            });
        assert!(own > 3000, "{own}");
    }
}

/// A clock stops for exactly three units: a relation between three clocks, which zones do not keep. So no search of the zone
/// graph decides what depends on it.
const STOPWATCH: &str = "clock x, y, z;
    process P() { state run { y <= 2 }, wait { x' == 0 && y <= 3 }, done; init run; trans
        run -> wait { guard y >= 1; assign y = 0; },
        wait -> done { guard y == 3; },
        done -> run { assign x = 0, y = 0, z = 0; }; }
    system P;";

/// A limit of time cuts what is done, and no search does more because there is one.
#[test]
fn a_time_limit_does_not_make_anything_slower() {
    let queries = [
        "E<> P.done && z - x < 3",
        "A[] P.done imply z - x >= 3",
        "E<> P.done && x == 2",
        "A[] x - z <= 0",
        "E[] !(P.done && z - x < 3)",
        "A<> P.done && z - x < 3",
        "P.run --> P.done && z - x < 3",
        "sup{P.done}: z",
        "inf{P.done}: z",
        "bounds{P.done}: x",
    ];
    for query in queries {
        let report = |deadline| {
            let options = Options {
                deadline,
                trace: TraceOptions {
                    kind: TraceKind::None,
                    ..TraceOptions::default()
                },
                ..Options::default()
            };
            check_text("model.xta", STOPWATCH, query, &options).unwrap()
        };
        let limit = Duration::from_secs(3600);
        let (without, with) = (report(None), report(Some(Instant::now() + limit)));
        let told = |report: &CheckerReport| format!("{:?} by {}", report.outcome, report.search);
        assert_eq!(told(&without), told(&with), "{query}");
        // Walks go on for a counted while after a "maybe".
        assert!(with.stats.steps < 10_000_000, "{query}: {:?}", with.stats);
        assert_eq!(without.stats, with.stats, "{query}");
        assert_eq!(without.others, with.others, "{query}");
    }
}

/// On one thread walks and the exhaustive search take turns by counts: what each has done in the end repeats.
#[test]
fn on_one_thread_everything_repeats() {
    let model = "const int N = 3; typedef int[0, N - 1] id_t; clock x[id_t]; int[0, 7] n[id_t];
        process P(const id_t i) { state a { x[i] <= 2 }; init a; trans
            a -> a { guard x[i] >= 1 && n[i] < 6; assign x[i] = 0, n[i]++; },
            a -> a { guard x[i] == 2; assign x[i] = 0, n[i] = 0; }; }
        system P;";
    let told = || {
        let report = check(model, "A[] n[0] + n[1] < 13", 1, 1);
        assert_eq!(report.search, "bfs");
        (report.stats, report.others)
    };
    let (stats, others) = told();
    let walks = others.iter().find(|other| other.search == "walks").unwrap();
    // Both had several turns.
    assert!(
        walks.stats.steps > 20_000 && stats.states_explored > 2000,
        "{stats:?} {others:?}"
    );
    assert_eq!((stats, others), told());
}
