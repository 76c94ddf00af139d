//! Statistical queries against exact values: the oracles of `docs/statistics.md`, and what must not go wrong.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use std::num::NonZeroUsize;
use zonewalk_checker::{Options, Outcome, StatisticsOptions, check_text};
use zonewalk_report::statistics::Estimate;

/// Runs for each oracle. With so many 4.5 standard errors are at most 0.0072.
const RUNS: u64 = 100_000;

fn options(statistics: StatisticsOptions) -> Options {
    Options {
        statistics,
        ..Options::default()
    }
}

fn fixed(runs: u64) -> StatisticsOptions {
    StatisticsOptions {
        runs: Some(runs),
        ..StatisticsOptions::default()
    }
}

fn answer(model: &str, query: &str, options: &Options) -> (Option<bool>, Estimate) {
    let report = check_text("m.xta", model, query, options);
    let report = report.unwrap_or_else(|refusal| panic!("{query}: {refusal}"));
    match report.outcome {
        Outcome::Estimated {
            satisfied, estimate, ..
        } => (satisfied, *estimate),
        other => panic!("{query}: {other:?}"),
    }
}

/// The error that a query ends with.
fn error(model: &str, query: &str) -> String {
    match check_text("m.xta", model, query, &options(fixed(100))) {
        Err(refusal) => refusal.to_string(),
        Ok(report) => match report.outcome {
            Outcome::Fault(fault) => fault.diagnostic.message,
            other => panic!("{query}: {other:?}"),
        },
    }
}

/// Asserts that an estimate is within 4.5 standard errors of the exact value.
#[track_caller]
fn assert_probability(model: &str, query: &str, exact: f64) {
    let (satisfied, estimate) = answer(model, query, &options(fixed(RUNS)));
    assert_eq!(
        (satisfied, estimate.runs, estimate.undecided),
        (Some(true), RUNS, 0)
    );
    let value = estimate.value.unwrap();
    let deviation = 4.5 * (exact * (1.0 - exact) / RUNS as f64).sqrt();
    assert!(
        (value - exact).abs() < deviation,
        "{query}: {value}, exactly {exact}"
    );
}

/// A process that goes from L0 to Done once: its place with invariant and rate, and its guard.
fn once(name: &str, place: &str, guard: &str) -> String {
    format!(
        "process {name}() {{ clock x; state L0 {place}, Done; init L0; trans L0 -> Done {{ {guard} }}; }}\n"
    )
}

fn alone(place: &str, guard: &str) -> String {
    format!("{}system A;", once("A", place, guard))
}

fn two(first: (&str, &str), second: (&str, &str)) -> String {
    let (a, b) = (once("A", first.0, first.1), once("B", second.0, second.1));
    format!("{a}{b}system A, B;")
}

const E: f64 = std::f64::consts::E;

#[test]
fn oracles_1_and_2_exponential() {
    assert_probability(&alone("{ ; 2 }", ""), "Pr[<=1](<> A.Done)", 1.0 - E.powi(-2));
    assert_probability(&alone("{ ; 1:5 }", ""), "Pr[<=5](<> A.Done)", 1.0 - 1.0 / E);
    assert_probability(&alone("", ""), "Pr[<=1](<> A.Done)", 1.0 - 1.0 / E);
}

#[test]
fn oracles_3_5_6_and_21_races() {
    let rates = two(("{ ; 1 }", ""), ("{ ; 3 }", ""));
    assert_probability(&rates, "Pr[<=100](<> A.Done && B.L0)", 0.25);
    assert_probability(&rates, "Pr[<=100](A.L0 U B.Done)", 0.75);
    let windows = two(("{ x <= 2 }", ""), ("{ x <= 3 }", "guard x >= 1;"));
    assert_probability(&windows, "Pr[<=100](<> A.Done && B.L0)", 7.0 / 8.0);
    let both = two(("{ x <= 1 }", ""), ("{ ; 1 }", ""));
    assert_probability(&both, "Pr[<=100](<> A.Done && B.L0)", 1.0 - 1.0 / E);
}

#[test]
fn oracles_4_7_and_8_windows() {
    assert_probability(
        &alone("{ x <= 5 }", "guard x >= 2;"),
        "Pr[<=3](<> A.Done)",
        1.0 / 3.0,
    );
    let ticking = format!(
        "{}process B() {{ clock y; state T {{ y <= 1 }}; init T; trans T -> T {{ guard y >= 1; assign y = 0; }}; }}\nsystem A, B;",
        once("A", "{ x <= 10 }", "")
    );
    assert_probability(&ticking, "Pr[<=3](<> A.Done)", 0.3);
    assert_probability(
        &alone("{ ; 1 }", "guard x >= 2;"),
        "Pr[<=3](<> A.Done)",
        1.0 - 1.0 / E,
    );
}

#[test]
fn oracles_9_to_13_choices() {
    let weights = "process A() { clock x; state L0 { x <= 1 }, L, R; branchpoint b; init L0;
        trans L0 -> b { }, b -> L { probability 3; }, b -> R { probability 1; }; } system A;";
    assert_probability(weights, "Pr[<=2](<> A.L)", 0.75);
    let coins = "int n; int heads; process A() { state L0, Done; branchpoint b; commit L0; init L0;
        trans L0 -> b { guard n < 10; assign n++; }, b -> L0 { assign heads++; probability 1; }, b -> L0 { probability 1; },
        L0 -> Done { guard n == 10; }; } system A;";
    assert_probability(coins, "Pr[<=1](<> A.Done && heads == 5)", 252.0 / 1024.0);
    let tries = "process A() { clock x; state L0 { x <= 1 }, Done; branchpoint b; init L0;
        trans L0 -> b { }, b -> Done { probability 1; }, b -> L0 { assign x = 0; probability 4; }; } system A;";
    assert_probability(tries, "Pr[#<=10](<> A.Done)", 1.0 - 0.8f64.powi(10));
    let edges = "process A() { clock x; state L0 { x <= 1 }, P, Q, R; init L0;
        trans L0 -> P { }, L0 -> Q { }, L0 -> R { }; } system A;";
    assert_probability(edges, "Pr[<=2](<> A.Q)", 1.0 / 3.0);
    let selects = "int v = -1; process A() { clock x; state L0 { x <= 1 }, Done; init L0;
        trans L0 -> Done { select i : int[0, 2]; assign v = i; }; } system A;";
    assert_probability(selects, "Pr[<=2](<> v == 1)", 1.0 / 3.0);
    let committed = "int first; process P(const int id) { state L0, Done; commit L0; init L0;
        trans L0 -> Done { assign first = first == 0 ? id : first; }; } A = P(1); B = P(2); system A, B;";
    assert_probability(committed, "Pr[<=1](<> first == 1)", 0.5);
    let points = two(("{ x <= 1 }", "guard x >= 1;"), ("{ x <= 1 }", "guard x >= 1;"));
    assert_probability(&points, "Pr[<=2](<> A.Done && B.L0)", 0.5);
}

#[test]
fn oracles_14_to_16_stages() {
    let stages = "process A() { state L0 { ; 1 }, L1 { ; 2 }, Done; init L0; trans L0 -> L1 { }, L1 -> Done { }; } system A;";
    assert_probability(stages, "Pr[<=1](<> A.Done)", 1.0 - 2.0 / E + E.powi(-2));
    let three = "process A() { state L0 { ; 1 }, L1 { ; 1 }, L2 { ; 1 }, Done; init L0;
        trans L0 -> L1 { }, L1 -> L2 { }, L2 -> Done { }; } system A;";
    assert_probability(three, "Pr[<=3](<> A.Done)", 1.0 - 8.5 * E.powi(-3));
    assert_probability(POISSON, "Pr[<=1](<> n >= 3)", 1.0 - 5.0 * E.powi(-2));
}

const POISSON: &str =
    "int n; process A() { state L0 { ; 2 }; init L0; trans L0 -> L0 { assign n++; }; } system A;";

#[test]
fn oracle_17_an_expected_value() {
    let (satisfied, estimate) = answer(POISSON, "E[<=5; 20000](max: n)", &Options::default());
    assert_eq!(satisfied, Some(true));
    let error = (estimate.value.unwrap() - 10.0).abs();
    assert!(error < 4.5 * 10f64.sqrt() / 20_000f64.sqrt(), "{error}");
    // ± t·s/√n with s = √10.
    assert!((estimate.half_width.unwrap() - 1.96 * (10.0 / 20_000f64).sqrt()).abs() < 2e-3);
    let (_, least) = answer(POISSON, "E[<=5; 50](min: n)", &Options::default());
    assert_eq!((least.value, least.interval), (Some(0.0), None));
}

#[test]
fn oracles_20_and_23_queues_and_times() {
    let queue = "int n = 1; process Up() { state L { ; 1 }; init L; trans L -> L { guard n > 0 && n < 3; assign n++; }; }
        process Down() { state L { ; 2 }; init L; trans L -> L { guard n > 0 && n < 3; assign n--; }; } system Up, Down;";
    assert_probability(queue, "Pr[<=1000](<> n == 3)", 1.0 / 7.0);
    let one = alone("{ ; 1 }", "");
    assert_probability(&one, "Pr(<>[0,2] A.Done)", 1.0 - E.powi(-2));
    assert_probability(&one, "Pr([][0,2] !A.Done)", E.powi(-2));
    assert_probability(&one, "Pr[<=2]([] !A.Done)", E.powi(-2));
    assert_probability(&one, "Pr((A.L0 U[1,2] A.Done))", 1.0 / E - E.powi(-2));
}

/// Oracle 24: what a process can do depends on others, so it draws anew when they have changed that. The mean that UPPAAL
/// has recorded is 25.604 ± 0.583.
#[test]
fn oracle_24_a_draw_is_made_anew() {
    let light = "int through; clock z;
        process Source() { clock x; state W { x <= 15 }, V { x <= 10 }, Done; init W;
            trans W -> V { guard x >= 10; assign x = 0; }, V -> Done { guard x >= 5; assign through++; }; }
        process Car() { clock x; state L0 { x <= 30 }, Gone; init L0;
            trans L0 -> Gone { guard through == 2 && x >= 15; }, L0 -> Gone { guard through < 2 && x >= 30; }; }
        S1 = Source(); S2 = Source(); system S1, S2, Car;";
    let (_, estimate) = answer(light, "Pr[<=40](<> Car.Gone)", &options(fixed(RUNS)));
    assert_eq!(estimate.satisfied, Some(RUNS));
    let mean = estimate.mean_of_satisfying.unwrap();
    // The deviation of the delay is below 3.
    assert!(
        (mean - 25.583_333).abs() < 4.5 * 3.0 / (RUNS as f64).sqrt(),
        "{mean}"
    );
}

#[test]
fn a_clock_that_stops_bounds_runs() {
    let model = "clock z; process A() { clock x; state L0 { x <= 10 }, Done { z' == 0 }; init L0; trans L0 -> Done { }; } system A;";
    let (_, estimate) = answer(model, "E[z<=20; 2000](max: z)", &Options::default());
    let mean = estimate.value.unwrap();
    assert!((mean - 5.0).abs() < 4.5 * 2.887 / 2000f64.sqrt(), "{mean}");
    let (_, estimate) = answer(model, "Pr[z<=4; 5000](<> A.Done)", &Options::default());
    assert!(
        (estimate.value.unwrap() - 0.4).abs() < 0.035,
        "{:?}",
        estimate.value
    );
}

/// The interval of the default stop rule holds the true value for at least 90 of 100 seeds; the numbers of runs are those of
/// the rule.
#[test]
fn oracle_32_coverage() {
    let model = alone("{ ; 2 }", "");
    let exact = 1.0 - E.powi(-2);
    let holds = |seed: &u64| {
        let options = Options {
            seed: *seed,
            ..Options::default()
        };
        let (_, estimate) = answer(&model, "Pr[<=1](<> A.Done)", &options);
        assert!((72..=404).contains(&estimate.runs));
        let [lo, hi] = estimate.interval.unwrap();
        lo <= exact && exact <= hi
    };
    let count = (1..=100).filter(holds).count();
    assert!(count >= 90, "{count}");
}

#[test]
fn tests_and_comparisons_decide() {
    let model = two(("{ ; 1 }", ""), ("{ ; 2 }", ""));
    let decide = |query: &str| answer(&model, query, &Options::default()).0;
    // 1 - e⁻¹ = 0.632.
    assert_eq!(decide("Pr[<=1](<> A.Done) >= 0.5"), Some(true));
    assert_eq!(decide("Pr[<=1](<> A.Done) >= 0.75"), Some(false));
    assert_eq!(decide("Pr[<=1](<> A.Done) <= 0.75"), Some(true));
    assert_eq!(decide("Pr[<=1]([] A.L0) >= 0.3"), Some(true));
    assert_eq!(decide("Pr[<=1](<> B.Done) >= Pr[<=1](<> A.Done)"), Some(true));
    assert_eq!(decide("Pr[<=1](<> A.Done) >= Pr[<=1](<> B.Done)"), Some(false));
    let (decided, estimate) = answer(
        &model,
        "Pr[<=1](<> A.Done) >= Pr[<=1](<> A.Done)",
        &options(StatisticsOptions {
            u0: Some(0.999),
            u1: Some(1.001),
            max_runs: Some(200),
            ..StatisticsOptions::default()
        }),
    );
    assert_eq!((decided, estimate.runs), (None, 200));
}

/// Same seed, same numbers, whatever the number of threads; another seed, other numbers.
#[test]
fn threads_do_not_matter() {
    let model = POISSON.replace("system A;", &once("B", "{ x <= 3 }", "guard x >= 1;")) + "system A, B;";
    for query in [
        "Pr[<=2](<> B.Done && n > 3)",
        "Pr[<=2](<> B.Done) >= 0.45",
        "Pr[<=2](<> n > 3) >= Pr[<=2](<> n > 4)",
        "E[<=3; 300](max: n)",
        "simulate [<=3; 20] { n, B.Done } : 5 : n > 5",
    ] {
        let run = |threads: usize, seed: u64| {
            let options = Options {
                seed,
                threads: NonZeroUsize::new(threads).unwrap(),
                ..Options::default()
            };
            answer(&model, query, &options)
        };
        let one = run(1, 7);
        assert_eq!(run(2, 7), one, "{query}");
        assert_eq!(run(8, 7), one, "{query}");
        assert_ne!(run(1, 8).1, one.1, "{query}");
    }
}

#[test]
fn curves_have_their_jumps() {
    let model = "int n; clock z; process A() { clock x; state L0 { x <= 2 }, L1 { x <= 5 && z' == 0 }, Done; init L0;
        trans L0 -> L1 { guard x >= 2; assign n = 1; }, L1 -> Done { guard x >= 5; assign n = 2; }; } system A;";
    let (_, estimate) = answer(
        model,
        "simulate [<=9; 2] { n, z, A.L1, z >= 2 }",
        &Options::default(),
    );
    assert_eq!(estimate.series.len(), 8);
    let points = |index: usize| &estimate.series[index].points[..];
    assert_eq!(
        points(0),
        [
            (0.0, 0.0),
            (2.0, 0.0),
            (2.0, 1.0),
            (5.0, 1.0),
            (5.0, 2.0),
            (9.0, 2.0)
        ]
    );
    assert_eq!(points(1), [(0.0, 0.0), (2.0, 2.0), (5.0, 2.0), (9.0, 6.0)]);
    assert_eq!(
        points(2),
        [
            (0.0, 0.0),
            (2.0, 0.0),
            (2.0, 1.0),
            (5.0, 1.0),
            (5.0, 0.0),
            (9.0, 0.0)
        ]
    );
    assert_eq!(points(3), [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (9.0, 1.0)]);
    assert_eq!(estimate.series[5].run, 1);
    let (_, kept) = answer(
        POISSON,
        "simulate [<=5; 100] { n } : 3 : n >= 10",
        &Options::default(),
    );
    assert_eq!((kept.satisfied, kept.series.len()), (Some(3), 3));
    assert!(kept.runs < 100 && kept.series.iter().all(|s| s.points.last().unwrap().1 >= 10.0));
}

#[test]
fn bad_input_is_told_with_a_run() {
    let weights = |w: &str| {
        format!(
            "int w = {w}; process A() {{ clock x; state L0 {{ x <= 1 }}, L, R; branchpoint b; init L0;
            trans L0 -> b {{ }}, b -> L {{ probability w; }}, b -> R {{ probability 0; }}; }} system A;"
        )
    };
    let query = "Pr[<=2](<> A.L)";
    assert!(error(&weights("0"), query).contains("have the weight 0 (in run 0"));
    assert!(error(&weights("-1"), query).contains("is negative (in run 0"));
    let lock = alone("{ x <= 5 }", "guard x >= 6;");
    assert!(
        error(&lock, "Pr[<=9](<> A.Done)").contains("A.L0 has an invariant that ends (in run 0, at time 5"),
        "{}",
        error(&lock, "Pr[<=9](<> A.Done)")
    );
    // Before the lock there is an answer.
    assert_eq!(
        answer(&lock, "Pr[<=5; 10](<> A.Done)", &Options::default())
            .1
            .satisfied,
        Some(0)
    );
    let zeno = "process A() { state L0; commit L0; init L0; trans L0 -> L0 { }; } system A;";
    assert!(error(zeno, "Pr[<=9](<> false)").contains("does not diverge"));
    let index = "int a[2]; int i; process A() { state L0 { ; 1 }; init L0; trans L0 -> L0 { assign a[i] = 1, i++; }; } system A;";
    assert!(error(index, "Pr[<=99](<> false)").contains("(in run 0"));
    let handshake = "chan c; process A() { state L0; init L0; trans L0 -> L0 { sync c!; }; }
        process B() { state L0; init L0; trans L0 -> L0 { sync c?; }; } system A, B;";
    assert!(error(handshake, "Pr[<=9](<> false)").contains("handshake"));
    // A rate of 0 never moves.
    assert_eq!(
        answer(
            &alone("{ ; 0 }", ""),
            "Pr[<=9; 10](<> A.Done)",
            &Options::default()
        )
        .1
        .satisfied,
        Some(0)
    );
    assert_eq!(
        answer(
            &alone("{ ; 0 }", ""),
            "Pr[#<=9; 10](<> A.Done)",
            &Options::default()
        )
        .1
        .satisfied,
        Some(0)
    );
    let one = alone("", "");
    for (query, words) in [
        ("Pr[<=-1](<> A.Done)", "is negative"),
        ("Pr[A.L0<=9](<> A.Done)", "runs are bounded by a clock"),
        ("Pr[<=9; 5](<> A.Done) >= 0.5", "the number of runs itself"),
        ("Pr[<=9](A.L0 U A.Done) >= 0.5", "is estimated, not tested"),
        ("Pr[<=9](<> deadlock)", "`deadlock` is only allowed"),
        ("Pr[<=9; 0](<> A.Done)", "zero runs show nothing"),
        ("Pr[<=9](<> A.Nowhere)", "has no location"),
        ("Pr[<=9](<> A.Done) under S", "zonewalk has no strategies"),
    ] {
        assert!(
            error(&one, query).contains(words),
            "{query}: {}",
            error(&one, query)
        );
    }
}

/// A run that is cut by the limit on steps is not decided, and widens the interval.
#[test]
fn runs_that_are_cut_are_counted() {
    let options = Options {
        statistics: fixed(500),
        ..Options::default().max_steps(3)
    };
    let (_, estimate) = answer(POISSON, "Pr[<=1](<> n >= 9)", &options);
    assert!(estimate.undecided > 100, "{}", estimate.undecided);
    let [lo, hi] = estimate.interval.unwrap();
    assert!(lo == 0.0 && hi > 0.3, "{lo} {hi}");
}

/// With no time at all there is an interval, and the run that was not finished is not decided.
#[test]
fn a_time_limit_leaves_what_there_is() {
    let options = Options {
        deadline: Some(std::time::Instant::now()),
        ..Options::default()
    };
    let (satisfied, estimate) = answer(POISSON, "Pr[<=1](<> n >= 9)", &options);
    assert_eq!((satisfied, estimate.runs, estimate.undecided), (None, 1, 1));
    assert_eq!(estimate.interval, Some([0.0, 1.0]));
}

/// Every model of the table with an exact answer, by both engines: `zonewalk bench smc-1` measures more of it.
#[test]
fn models_with_exact_answers() {
    use zonewalk_families::oracles::{Spread, oracles};
    for oracle in oracles() {
        let engines = [
            oracle.is_exact_time.then(|| oracle.model.clone()),
            Some(oracle.in_doubles()),
        ];
        for model in engines.into_iter().flatten() {
            let runs = if matches!(oracle.spread, Spread::Always(_)) {
                2
            } else {
                10_000
            };
            let (_, estimate) = answer(&model, &oracle.query(runs), &options(fixed(runs)));
            assert_eq!((estimate.runs, estimate.undecided), (runs, 0), "{}", oracle.name);
            let error = match oracle.spread {
                Spread::Share => 4.5 * (oracle.exact * (1.0 - oracle.exact) / runs as f64).sqrt(),
                Spread::Values(Some(deviation)) => 4.5 * deviation / (runs as f64).sqrt(),
                // Half the width of the interval is 1.96 standard errors.
                Spread::Values(None) => 4.5 / 1.96 * estimate.half_width.unwrap(),
                Spread::Always(error) => error,
            };
            let off = (estimate.value.unwrap() - oracle.exact).abs();
            assert!(off < error, "{}: off by {off}, {}", oracle.name, estimate.engine);
        }
    }
}

/// Oracle 31, with fewer seeds than `zonewalk bench smc-2` has: wrong in 5 % at most.
#[test]
fn error_rates_of_tests_and_comparisons() {
    use zonewalk_families::oracles::COINS;
    for (query, right) in [
        ("Pr[<=1](<> A.Heads) >= 0.2", true),
        ("Pr[<=1](<> A.Heads) >= 0.4", false),
        ("Pr[<=1](<> A.Heads) >= Pr[<=1](<> B.Heads)", true),
    ] {
        let is_wrong = |seed: &u64| {
            let options = Options {
                seed: *seed,
                ..Options::default()
            };
            answer(COINS, query, &options).0 == Some(!right)
        };
        let wrong = (1..=100).filter(is_wrong).count();
        assert!(wrong <= 10, "{query}: {wrong}");
    }
}

/// A state without duration counts in formulas with times, as it does for `<>`.
#[test]
fn formulas_with_times_see_states_without_duration() {
    let model = "int n; process A() { clock x; state L0 { x <= 1 }, C, Done; commit C; init L0;
        trans L0 -> C { guard x >= 1; assign n = 1; }, C -> Done { assign n = 2; }; } system A;";
    for (query, exact) in [
        ("Pr(<>[0,2] n == 1)", 1.0),
        ("Pr((n == 0 U[0,2] n == 1))", 1.0),
        ("Pr((n == 0 U[0,2] n == 2))", 0.0),
        ("Pr([][0,2] n != 1)", 0.0),
    ] {
        for model in [model.to_owned(), format!("double d = 0.5; {model}")] {
            let (_, estimate) = answer(&model, query, &options(fixed(10)));
            assert_eq!(estimate.value, Some(exact), "{query}");
        }
    }
}
