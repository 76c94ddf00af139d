//! Statistical queries: forms of them, labels behind branchpoints, and bad input by name, in both engines.

use zonewalk_checker::{Options, Outcome, Search, StatisticsOptions, check_text};
use zonewalk_report::statistics::Estimate;

/// A variable that leaves a model to the engine in doubles.
const DOUBLE: &str = "double unused = 0.5;\n";

fn outcome(model: &str, query: &str, options: &Options) -> Result<Outcome, String> {
    match check_text("m.xta", model, query, options) {
        Err(refusal) => Err(refusal.to_string()),
        Ok(report) => match report.outcome {
            Outcome::Fault(fault) => Err(fault.diagnostic.message),
            outcome => Ok(outcome),
        },
    }
}

fn estimate(model: &str, query: &str, options: &Options) -> Estimate {
    match outcome(model, query, options) {
        Ok(Outcome::Estimated { estimate, .. }) => *estimate,
        other => panic!("{query}: {other:?}"),
    }
}

fn runs(runs: u64) -> Options {
    Options {
        statistics: StatisticsOptions {
            runs: Some(runs),
            ..StatisticsOptions::default()
        },
        ..Options::default()
    }
}

/// Asserts that both engines estimate a probability within 4.5 standard errors.
#[track_caller]
fn assert_probability(model: &str, query: &str, exact: f64) {
    const RUNS: u64 = 20_000;
    for (model, engine) in [(model.to_owned(), "exact"), (format!("{DOUBLE}{model}"), "f64")] {
        let made = estimate(&model, query, &runs(RUNS));
        assert_eq!((made.engine, made.undecided), (engine, 0), "{query}");
        let value = made.value.unwrap();
        let error = (exact * (1.0 - exact) / RUNS as f64).sqrt().max(1e-9);
        assert!(
            (value - exact).abs() < 4.5 * error,
            "{query}, {engine}: {value}, exactly {exact}"
        );
    }
}

/// The error that a query ends with, in both engines.
#[track_caller]
fn assert_error(model: &str, query: &str, words: &[&str]) {
    for model in [model.to_owned(), format!("{DOUBLE}{model}")] {
        let error = outcome(&model, query, &runs(100)).expect_err(query);
        for word in words {
            assert!(error.contains(word), "{query}: {error}");
        }
    }
}

#[test]
fn guards_behind_a_branchpoint() {
    // Weights of branches whose guards hold: 1 and 2 of 1, 2 and 5.
    let model = "int i = 1; process A() { clock x; state L0 { x <= 1 }, P, Q, R; branchpoint b; init L0;
        trans L0 -> b { assign i = 7; }, b -> P { probability 1; }, b -> Q { guard i == 1; probability 2; },
        b -> R { guard i == 7; probability 5; }; } system A;";
    assert_probability(model, "Pr[<=2](<> A.P)", 1.0 / 3.0);
    assert_probability(model, "Pr[<=2](<> A.Q)", 2.0 / 3.0);
    assert_probability(model, "Pr[<=2](<> A.R)", 0.0);
    // Guards on clocks: the edge can be taken while a branch can, from 2 to 4, and from 3 on the second one can as well.
    let clocks = "process A() { clock x; state L0 { x <= 4 }, P, Q; branchpoint b; init L0;
        trans L0 -> b { }, b -> P { guard x >= 2; probability 1; }, b -> Q { guard x >= 3; probability 1; }; } system A;";
    assert_probability(clocks, "Pr[<=5](<> A.Q)", 0.25);
    assert_probability(clocks, "Pr[<=3](<> A.P)", 0.5);
    // Zones see the same guards.
    let options = Options::new(Search::Bfs);
    for (query, holds) in [
        ("E<> A.R", false),
        ("E<> A.Q", true),
        ("A[] A.P || A.Q || A.L0", true),
    ] {
        let decided = outcome(model, query, &options);
        assert!(
            matches!(&decided, Ok(Outcome::Decided { satisfied, .. }) if *satisfied == holds),
            "{query}: {decided:?}"
        );
    }
}

#[test]
fn synchronisations_behind_a_branchpoint() {
    let model = "broadcast chan a, b; int heard;
        process S() { clock x; state L0 { x <= 1 }, Done; branchpoint p; init L0;
            trans L0 -> p { }, p -> Done { sync a!; probability 3; }, p -> Done { sync b!; probability 1; },
            p -> Done { probability 4; }; }
        process R() { state L; init L; trans L -> L { sync a?; assign heard = 1; }, L -> L { sync b?; assign heard = 2; }; }
        system S, R;";
    assert_probability(model, "Pr[<=2](<> heard == 1)", 3.0 / 8.0);
    assert_probability(model, "Pr[<=2](<> heard == 2)", 1.0 / 8.0);
    assert_probability(model, "Pr[<=2](<> S.Done && heard == 0)", 0.5);
    // One that receives behind a branchpoint.
    let passive = "broadcast chan a; int heard;
        process S() { clock x; state L0 { x <= 1 }, Done; init L0; trans L0 -> Done { guard x >= 1; sync a!; }; }
        process R() { state L, M; branchpoint p; init L; trans L -> p { }, p -> M { sync a?; assign heard = 1; }; }
        system S, R;";
    assert_probability(passive, "Pr[<=2](<> heard == 1)", 1.0);
    // Handshakes for symbolic queries.
    let handshake = passive.replace("broadcast chan", "chan");
    let decided = outcome(&handshake, "E<> heard == 1", &Options::default());
    assert!(
        matches!(decided, Ok(Outcome::Decided { satisfied: true, .. })),
        "{decided:?}"
    );
    let both = passive.replace("L -> p { }", "L -> p { sync a?; }");
    assert_error(
        &both,
        "Pr[<=2](<> heard == 1)",
        &["before and after a branchpoint"],
    );
}

#[test]
fn next_in_formulas_with_times() {
    let model = "process A() { clock x; state L0 { ; 1 }, L1 { ; 3 }, L2; branchpoint b; init L0;
        trans L0 -> b { }, b -> L1 { probability 1; }, b -> L2 { probability 3; }, L1 -> L2 { }; } system A;";
    assert_probability(model, "Pr(X A.L1)", 0.25);
    assert_probability(model, "Pr(X (X A.L2))", 0.25);
    assert_probability(model, "Pr(X (X (X A.L2)))", 0.0);
    // A variable called X is none.
    let named = model.replace("process A", "int X = 3; process A");
    assert_probability(&named, "Pr(<>[0,1] (X > 2 && A.L0))", 1.0);
}

#[test]
fn whole_arrays_and_structs_are_drawn_cell_by_cell() {
    let model = "int a[2] = {4, 5}; struct { int m; bool n; } s[int[3,4]]; clock c[2];
        process A() { clock x; double d[2]; state L0 { x <= 1 }, Done; init L0; trans L0 -> Done { guard x >= 1; assign a[1] = 9; }; } system A;";
    let model = [model.replace("double d[2];", ""), model.to_owned()];
    for model in model {
        let made = estimate(
            &model,
            "simulate [<=2] { a, s, c, a[0] + 1 }",
            &Options::default(),
        );
        let names: Vec<&str> = made
            .series
            .iter()
            .map(|series| series.expression.as_str())
            .collect();
        assert_eq!(
            names,
            [
                "a[0]", "a[1]", "s[3].m", "s[3].n", "s[4].m", "s[4].n", "c[0]", "c[1]", "a[0] + 1"
            ]
        );
        assert_eq!(
            made.series[1].points,
            [(0.0, 5.0), (1.0, 5.0), (1.0, 9.0), (2.0, 9.0)]
        );
        assert_eq!(made.series[6].points, [(0.0, 0.0), (2.0, 2.0)]);
    }
    let error = |query: &str| {
        outcome(
            "int a[20000]; chan c[2]; process A() { state L; init L; } system A;",
            query,
            &Options::default(),
        )
        .unwrap_err()
    };
    assert!(error("simulate [<=2] { a }").contains("more than 10000 cells"));
    assert!(
        error("simulate [<=2] { c }").contains("an integer, a clock"),
        "{}",
        error("simulate [<=2] { c }")
    );
    assert!(error("E[<=2; 5](max: a)").contains("not a single value"));
}

#[test]
fn expected_values_can_be_given_a_number_of_runs() {
    let model = "process A() { clock x; state L; init L; } system A;";
    let query = "E[<=2](max: A.x)";
    assert_error(model, query.replace("A.x", "A.y").as_str(), &["`y`"]);
    let sequential = estimate(model, query, &Options::default());
    assert_eq!(sequential.method, "student sequential");
    let made = estimate(model, query, &runs(7));
    assert_eq!((made.runs, made.value), (7, Some(2.0)));
    // The option goes before the query.
    assert_eq!(estimate(model, "E[<=2; 5](max: A.x)", &runs(7)).runs, 7);
    assert_eq!(estimate(model, "Pr[<=2; 5](<> A.x > 1)", &runs(7)).runs, 7);
    assert_eq!(
        estimate(model, "Pr[<=2; 5](<> A.x > 1)", &Options::default()).runs,
        5
    );
}

/// Each kind of bad input with its words, the number of the run and the time.
#[test]
fn bad_input_by_name() {
    let weights = |w: &str| {
        format!(
            "int w = {w}; process A() {{ clock x; state L0 {{ x <= 1 }}, L, R; branchpoint b; init L0;
            trans L0 -> b {{ guard x >= 1; }}, b -> L {{ probability w; }}, b -> R {{ probability 0; }}; }} system A;"
        )
    };
    assert_error(
        &weights("0"),
        "Pr[<=2](<> A.L)",
        &["have the weight 0", "in run 0, at time 1"],
    );
    assert_error(
        &weights("-1"),
        "Pr[<=2](<> A.L)",
        &["weight", "in run 0, at time 1"],
    );
    let rate = |r: &str| {
        format!(
            "int r = {r}; process A() {{ state L0 {{ ; r : 2 }}, Done; init L0; trans L0 -> Done {{ }}; }} system A;"
        )
    };
    assert_error(
        &rate("-1"),
        "Pr[<=9](<> A.Done)",
        &["the exponential rate of A.L0 is", "in run 0"],
    );
    assert_error(
        &rate("1").replace("r : 2", "r : 0"),
        "Pr[<=9](<> A.Done)",
        &["the exponential rate of A.L0 is", "in run 0"],
    );
    // A rate of 0 never moves.
    assert_probability(&rate("0"), "Pr[<=9](<> A.Done)", 0.0);
    let lock = "process A() { clock x; state L0 { x <= 5 }, Done; init L0; trans L0 -> Done { guard x >= 6; }; } system A;";
    assert_error(
        lock,
        "Pr[<=9](<> A.Done)",
        &[
            "time cannot pass",
            "A",
            "in run 0, at time 5, after 0 transitions",
        ],
    );
    assert_probability(lock, "Pr[<=5](<> A.Done)", 0.0);
    let zeno =
        "process A() { clock x; state L0 { x <= 3 }; init L0; trans L0 -> L0 { guard x >= 3; }; } system A;";
    assert_error(
        zeno,
        "Pr[<=9](<> false)",
        &["does not diverge", "in run 0, at time 3"],
    );
    let handshake = "chan c; process A() { state L0; init L0; trans L0 -> L0 { sync c!; }; }
        process B() { state L0; init L0; trans L0 -> L0 { sync c?; }; } system A, B;";
    assert_error(handshake, "Pr[<=9](<> false)", &["handshake"]);
    let index = "int a[2]; int i; process A() { state L0 { ; 1 }; init L0; trans L0 -> L0 { assign a[i] = 1, i++; }; } system A;";
    assert_error(index, "Pr[<=99](<> false)", &["in run 0"]);
}

/// Numbers that are none, where doubles take part.
#[test]
fn no_numbers_in_guards_weights_and_rates() {
    let model = |guard: &str, weight: &str, rate: &str| {
        format!(
            "double d = -1.0; process A() {{ clock x; state L0 {{ ; {rate} }}, L, R; branchpoint b; init L0;
            trans L0 -> b {{ guard {guard}; }}, b -> L {{ probability {weight}; }}, b -> R {{ probability 1; }}; }} system A;"
        )
    };
    let error = |model: &str| outcome(model, "Pr[<=9](<> A.L)", &runs(100)).unwrap_err();
    let fine = estimate(&model("x >= 0", "1", "1"), "Pr[<=90](<> A.L)", &runs(100));
    assert!(fine.value.unwrap() > 0.3);
    for broken in [
        model("x >= sqrt(d)", "1", "1"),
        model("x >= 1.0 / (d + 1.0)", "1", "1"),
        model("x >= 0", "sqrt(d)", "1"),
        model("x >= 0", "1.0 / (d + 1.0)", "1"),
        model("x >= 0", "d", "1"),
        model("x >= 0", "1", "sqrt(d)"),
        model("x >= 0", "1", "1.0 / (d + 1.0)"),
        model("x >= 0", "1", "d"),
    ] {
        let error = error(&broken);
        assert!(error.contains("in run 0"), "{broken}: {error}");
    }
}

/// A run in doubles that is shown is a trace that the reference interpreter has computed again.
#[test]
fn a_run_in_doubles_is_shown() {
    let model = "double d; process A() { clock x; state L0 { x <= 3 }, Done; init L0; trans L0 -> Done { guard x >= 1; assign d = 0.5; }; } system A;";
    let made = outcome(model, "Pr[<=4](<> A.Done && d > 0.25)", &Options::default());
    let Ok(Outcome::Estimated {
        witness: Some(witness),
        ..
    }) = made
    else {
        panic!("{made:?}");
    };
    assert_eq!((witness.steps, witness.trace.is_some()), (1, true));
}

/// Searches ignore hybrid clocks that nothing depends on; where something does, random runs are left.
#[test]
fn hybrid_clocks_do_not_rule_proofs_out() {
    let model = "hybrid clock cost; hybrid clock more[2]; int n;
        process A() { clock x; hybrid clock own; state L0 { x <= 5 && cost' == 2.5 && own' == 0.5 * cost }, L1 { x <= 7 && cost' == 0 }; init L0;
        trans L0 -> L1 { guard x >= 3; assign n++, cost = 0, more[1] = 1.5; }, L1 -> L0 { guard x >= 6; assign x = 0, n = 0; }; } system A;";
    let options = Options::new(Search::Bfs);
    for (query, holds) in [
        ("A[] n <= 1", true),
        ("A[] A.x <= 6", false),
        ("E<> A.L1 && A.x > 6", true),
        ("A<> A.L1", true),
    ] {
        let decided = outcome(model, query, &options);
        let Ok(Outcome::Decided { satisfied, evidence }) = decided else {
            panic!("{query}: {decided:?}");
        };
        assert_eq!(satisfied, holds, "{query}");
        if let Some(trace) = evidence.into_witness().and_then(|witness| witness.trace) {
            let clocks: Vec<_> = trace
                .initial
                .clocks
                .iter()
                .map(|clock| clock.name.as_str())
                .collect();
            assert_eq!(clocks, ["A.x"], "{query}");
        }
    }
    // The clock itself is there for statistical queries: 2.5 for at least 3.
    let made = estimate(model, "E[<=3; 20](max: cost)", &Options::default());
    assert_eq!((made.engine, made.value), ("ode", Some(7.5)));
    // Here the guard depends on it, and nothing is proved.
    let guarded = model.replace("guard x >= 3;", "guard x >= 3 && cost >= 1;");
    let few = options.max_walks(2).max_steps(10);
    assert!(!matches!(
        outcome(&guarded, "A[] n <= 1", &few),
        Ok(Outcome::Decided { satisfied: true, .. })
    ));
}
