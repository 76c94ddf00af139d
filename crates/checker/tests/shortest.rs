//! `--trace shortest` and `fastest`: which runs are shown, and what is said about them.
#![allow(clippy::unwrap_used)]

use crate::support;
use zonewalk_checker::{
    CheckerReport, CompiledModel, Control, Covering, Evidence, Optimality, Options, Outcome, TraceKind,
    TraceOptions, WalkOptions, Witness, ZoneOptions, check_text,
};
use zonewalk_model::tree::QueryKind;
use zonewalk_network::NetworkBuilder;
use zonewalk_searches::Estimator;
use zonewalk_testkit::load_file;
use zonewalk_walk::goal::WalkGoal;
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::shrink::fewest_steps;

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

fn witness(report: CheckerReport) -> Witness {
    match report.outcome {
        Outcome::Decided {
            evidence: Evidence::Run(witness),
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

/// A trap for A*: a state that includes `m` is met later and deeper, or, since `p` makes that way look
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

/// Failing transitions are left out of the search, and are not known to be longer or slower.
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

/// The bound that ends the shortening of a run early. Breadth-first search knows how long shortest runs are.
#[test]
fn no_run_has_fewer_steps_than_the_bound() {
    let (mut compared, mut exact) = (0, 0);
    for seed in 0..300 {
        let network = zonewalk_testkit::generate::network(seed);
        for question in &network.questions {
            let query = format!("E<> {question}");
            let steps = support::shortest("m.xta", &network.text, &query, Covering::Inclusion, 2_000);
            let (Some(steps), Some(bound)) = (steps, bound(&network.text, &query)) else {
                continue;
            };
            assert!(
                bound <= steps as u64,
                "seed {seed}, {query}: {bound} > {steps}\n{}",
                network.text
            );
            compared += 1;
            exact += u64::from(steps > 0 && bound == steps as u64);
        }
    }
    assert!(compared > 300 && exact > 30, "{compared} {exact}");
}

fn bound(text: &str, query: &str) -> Option<u64> {
    let loaded = zonewalk_testkit::xta(text);
    let query = loaded.query(query).ok()?;
    let QueryKind::Reachable(expr) = query.kind else {
        return None;
    };
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).ok()?;
    let predicate = builder.predicate(query.slots, &expr).ok()?;
    let network = builder.finish();
    let plan = WalkPlan::new(&network);
    Some(fewest_steps(&plan, &WalkGoal::new(&plan, &predicate, true)))
}

/// A find at once is shown at once: walks that are shorter than the run cost no more than a few times the search, and the
/// least effort.
#[test]
fn shortening_costs_in_proportion_to_the_search() {
    let options = options("ret", TraceKind::Some);
    for (file, query) in [
        ("fischer-broken.xml", 0),
        ("tutorial/tank.xta", 0),
        ("families/dining.xml", 0),
        ("families/lift.xml", 3),
    ] {
        let loaded = load_file(&zonewalk_testkit::root().join("models").join(file)).unwrap();
        let queries = loaded.queries();
        let task = CompiledModel::new(&loaded.model, &loaded.system, &[&queries[query]]).unwrap();
        let walked = |kind| {
            let options = Options {
                trace: TraceOptions {
                    kind,
                    shrink_budget: Options::SHRINK_BUDGET,
                },
                ..options
            };
            let control = Control::default();
            let report = task
                .checker()
                .check(0, &options, &control, &mut |_, _| {})
                .unwrap();
            let searched = report.stats.steps;
            let steps = witness(report).steps;
            (searched, control.progress(&options).steps - searched, steps)
        };
        let (searched, some, steps) = walked(TraceKind::Some);
        assert!(
            some <= 3 * searched + Options::SHRINK_BUDGET,
            "{file}: {some} after {searched}"
        );
        // More on request, and never a longer run.
        let (_, more, fewer) = walked(TraceKind::Short);
        assert!(
            some <= more && fewer <= steps,
            "{file}: {some} {more}, {steps} {fewer}"
        );
    }
}
