//! `--trace shortest` and `fastest`: which runs are shown, and what is said about them.
#![allow(clippy::unwrap_used)]

use zonewalk_checker::{
    Covering, Optimality, Options, Outcome, Report, TraceKind, TraceOptions, WalkOptions, Witness,
    ZoneOptions, check_text,
};
use zonewalk_searches::Estimator;

fn options(search: &str, trace: TraceKind) -> Options {
    Options {
        search: search.parse().unwrap(),
        trace: TraceOptions {
            kind: trace,
            shrink_budget: 10_000,
        },
        ..Options::default()
    }
}

fn witness(report: Report) -> Witness {
    match report.outcome {
        Outcome::Decided {
            witness: Some(witness),
            ..
        } => *witness,
        other => panic!("{other:?}"),
    }
}

fn found(model: &str, query: &str, options: &Options) -> Witness {
    witness(check_text("m.xta", model, query, options).unwrap())
}

/// The state `m` behind one transition waits while one that includes it is met behind two.
const DETOUR: &str = "clock x; process P() { state s, a, m, g; init s; trans
    s -> a { }, s -> m { guard x >= 2; }, a -> m { }, m -> g { guard x >= 1; },
    m -> s { guard x <= 5; }; } system P;";

#[test]
fn a_waiting_state_is_not_given_up_for_a_deeper_one() {
    let any = found(DETOUR, "E<> P.g", &options("bfs", TraceKind::Some));
    assert_eq!((any.steps, any.optimality), (3, Optimality::NotRequested));
    for search in ["bfs", "auto"] {
        let best = found(DETOUR, "E<> P.g", &options(search, TraceKind::Shortest));
        assert_eq!(
            (best.steps, best.optimality),
            (2, Optimality::Shortest),
            "{search}"
        );
    }
}

/// The same for A*, whose order is another one: a state that includes `m` is met later and deeper, or, since `p` makes that way look
/// short, earlier and deeper.
const DEEPER_LATER: &str = "clock x; process P() { state s, a, b, m, n, g; init s; trans
    s -> a { }, s -> m { guard x >= 2; }, a -> b { }, b -> m { }, m -> n { guard x >= 1; }, n -> g { guard x >= 1; },
    m -> s { guard x <= 5; }; } system P;";
const DEEPER_FIRST: &str = "clock x; bool p; process P() { state s, x1, a, b, m, e, f, g; init s; trans
    s -> x1 { guard x >= 2; }, x1 -> m { }, s -> a { assign p = true; }, a -> b { }, b -> m { assign p = false; },
    m -> g { guard p; }, m -> e { }, e -> f { guard x >= 1; }, f -> g { guard x >= 1; }, m -> s { guard x <= 5; }; } system P;";

#[test]
fn a_larger_zone_that_is_deeper_neither_retires_nor_covers_for_a_star() {
    for (model, steps) in [(DEEPER_LATER, 3), (DEEPER_FIRST, 5)] {
        for estimator in Estimator::ALL.into_iter().filter(|e| e.is_admissible()) {
            for covering in [Covering::Inclusion, Covering::Kept, Covering::Equality] {
                let mut options = options("astar", TraceKind::Shortest);
                (options.directed.estimator, options.zones.covering) = (Some(estimator), covering);
                let best = found(model, "E<> P.g", &options);
                let found = (best.found_steps, best.optimality);
                assert_eq!(
                    found,
                    (steps, Optimality::Shortest),
                    "{estimator:?} {covering:?}\n{model}"
                );
            }
        }
    }
}

#[test]
fn only_who_compares_runs_says_that_one_is_shortest() {
    for search in ["dfs", "rdfs", "drs", "highway", "random", "ret"] {
        let options = Options {
            walks: WalkOptions {
                max_walks: Some(100),
                ..options(search, TraceKind::Shortest).walks
            },
            ..options(search, TraceKind::Shortest)
        };
        let optimality = found(DETOUR, "E<> P.g", &options).optimality;
        assert!(
            matches!(&optimality, Optimality::UnprovenShortest(why) if why.ends_with("bfs does")),
            "{search}: {optimality:?}"
        );
    }
    let mut drs = options("drs", TraceKind::Some);
    drs.drs.increment = std::num::NonZeroU32::MIN;
    let best = found(DETOUR, "E<> P.g", &drs);
    assert_eq!((best.steps, best.optimality), (2, Optimality::Shortest));
    // Fewer than none is impossible.
    let none = Options {
        walks: WalkOptions {
            max_walks: Some(100),
            ..options("ret", TraceKind::Shortest).walks
        },
        ..options("ret", TraceKind::Shortest)
    };
    assert_eq!(
        found(DETOUR, "E<> P.s && x > 5", &none).optimality,
        Optimality::Shortest
    );
}

#[test]
fn where_clocks_stop_nothing_is_said_to_be_shortest() {
    let model = "clock x; process P() { state a { x' == 0 }, b; init a; trans a -> b { }; } system P;";
    for search in ["bfs", "auto"] {
        let optimality = found(model, "E<> P.b", &options(search, TraceKind::Shortest)).optimality;
        assert!(
            matches!(&optimality, Optimality::UnprovenShortest(why) if why.contains("stopped")),
            "{search}: {optimality:?}"
        );
    }
}

/// What fails is left out of the search, and is not known to be longer or slower.
#[test]
fn where_the_model_fails_nothing_is_said_to_be_best() {
    let model = "int[0, 1] n; process P() { state a, b, c; init a; trans
        a -> b { assign n = n + 2; }, a -> b { }, b -> c { }; } system P;";
    let shortest = found(model, "E<> P.c", &options("bfs", TraceKind::Shortest));
    assert_eq!(shortest.steps, 2);
    assert!(
        matches!(&shortest.optimality, Optimality::UnprovenShortest(why) if why.contains("run-time error")),
        "{:?}",
        shortest.optimality
    );
    let fastest = found(model, "E<> P.c", &options("bfs", TraceKind::Fastest));
    assert!(
        matches!(&fastest.optimality, Optimality::UnprovenFastest(why) if why.contains("run-time error")),
        "{:?}",
        fastest.optimality
    );
}

#[test]
fn a_limit_leaves_the_best_run_so_far_and_what_is_known_of_it() {
    // Forty bits keep breadth first busy; walks are there after three of many steps.
    let model = "bool on[40]; int[0, 3] n; process P() { state s; init s; trans
            s -> s { guard n < 3; assign n++; }; }
        process Q(const int[0, 39] i) { state s; init s; trans s -> s { assign on[i] = !on[i]; }; } system P, Q;";
    let limited = |states| Options {
        zones: ZoneOptions {
            max_states: Some(states),
            ..ZoneOptions::default()
        },
        // Looking for better ones ends some time.
        deadline: Some(std::time::Instant::now() + std::time::Duration::from_millis(700)),
        ..options("auto", TraceKind::Shortest)
    };
    let early = found(model, "E<> n == 3", &limited(10));
    assert_eq!(early.steps, 3);
    assert_eq!(
        early.optimality,
        Optimality::UnprovenShortest(
            "state limit reached after 11 states; no run has fewer than 1".to_owned()
        )
    );
    // All states behind two transitions are among the first thousand, and the walks' run has three.
    let late = found(model, "E<> n == 3", &limited(1000));
    assert_eq!((late.steps, late.optimality), (3, Optimality::Shortest));
}

#[test]
fn a_fastest_run_is_told_from_one_that_can_be_beaten() {
    let model = |guard: &str| {
        format!(
            "clock x; process P() {{ state a, b, c; init a; trans
                a -> c {{ guard x >= 7; }}, a -> b {{ guard {guard}; }}, b -> c {{ }}; }} system P;"
        )
    };
    let fastest = options("bfs", TraceKind::Fastest);
    let best = found(&model("x >= 2"), "E<> P.c", &fastest);
    assert_eq!(
        (best.duration.to_string().as_str(), best.optimality),
        ("2", Optimality::Fastest)
    );
    let open = found(&model("x > 2"), "E<> P.c", &fastest);
    assert_eq!(
        open.optimality,
        Optimality::UnprovenFastest("there is none: runs get arbitrarily close to time 2".to_owned())
    );
    let walked = found(
        &model("x >= 2"),
        "E<> P.c",
        &Options {
            walks: WalkOptions {
                max_walks: Some(100),
                ..options("ret", TraceKind::Fastest).walks
            },
            ..options("ret", TraceKind::Fastest)
        },
    );
    assert!(matches!(walked.optimality, Optimality::UnprovenFastest(_)));
}
