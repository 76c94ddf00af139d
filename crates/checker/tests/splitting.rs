//! Rare events by importance splitting: against exact values, against plain estimates, and what must not go wrong.

use std::num::NonZeroUsize;
use zonewalk_checker::load::{QuerySource, Request, load_text};
use zonewalk_checker::{CompiledModel, Control, Options, Outcome, StatisticsOptions, check_in_doubles};
use zonewalk_report::statistics::Estimate;

/// A queue with arrivals at rate 1 and services at rate 2, which begins with one customer.
fn queue(more: &str, goal: u32) -> String {
    format!(
        "int n = 1; {more}
        process Arrive() {{ state L {{ ; 1 }}; init L; trans L -> L {{ guard n > 0 && n < {goal}; assign n++; }}; }}
        process Serve() {{ state L {{ ; 2 }}; init L; trans L -> L {{ guard n > 0; assign n--; }}; }}
        system Arrive, Serve;"
    )
}

fn outcome(model: &str, query: &str, levels: &str, options: &Options) -> Result<Outcome, String> {
    let request = Request {
        queries: QuerySource::Formulas(vec![query.to_owned()]),
        ..Request::default()
    };
    let mut loaded = load_text("m.xta", model.as_bytes(), &request).expect("it loads");
    let told = |errors: Vec<zonewalk_checker::Diagnostic>| {
        let texts: Vec<String> = errors.into_iter().map(|error| error.message).collect();
        texts.join("; ")
    };
    loaded.split_by(levels).map_err(told)?;
    let query = loaded.queries[0]
        .typed
        .as_ref()
        .map_err(|errors| told(errors.clone()))?;
    let (model, system, control) = (&loaded.model, &loaded.system, Control::default());
    let report = match CompiledModel::new(model, system, &[query]) {
        Ok(task) => task.checker().check(0, options, &control, &mut |_, _| {}),
        Err(_) => check_in_doubles((model, system), query, 0, options, &control),
    };
    match report.expect("it is answered").outcome {
        Outcome::Fault(fault) => Err(fault.diagnostic.message),
        outcome => Ok(outcome),
    }
}

fn estimate(model: &str, query: &str, levels: &str, options: &Options) -> Estimate {
    match outcome(model, query, levels, options) {
        Ok(Outcome::Estimated { estimate, .. }) => *estimate,
        other => panic!("{query}: {other:?}"),
    }
}

fn options(seed: u64, runs: u64) -> Options {
    Options {
        seed,
        statistics: StatisticsOptions {
            runs: Some(runs),
            ..StatisticsOptions::default()
        },
        ..Options::default()
    }
}

/// 1/(2^20 - 1), in both engines: the interval holds it, and the estimate is off by a fifth of it at most.
#[test]
fn a_queue_of_twenty() {
    let exact = 1.0 / ((1u64 << 20) as f64 - 1.0);
    for (more, engine) in [("", "exact"), ("double d = 0.5;", "f64")] {
        for seed in [1, 2] {
            let model = queue(more, 20);
            let made = estimate(&model, "Pr[<=1000](<> n == 20)", "n", &options(seed, 8000));
            assert_eq!((made.engine, made.method), (engine, "importance splitting"));
            let ([lo, hi], value) = (made.interval.unwrap(), made.value.unwrap());
            assert!(lo <= exact && exact <= hi, "{engine} {seed}: {lo} {hi}");
            assert!((value / exact - 1.0).abs() < 0.2, "{engine} {seed}: {value}");
            let splitting = made.splitting.unwrap();
            assert_eq!((splitting.estimates, splitting.effort), (32, 250));
            assert_eq!(splitting.stages.len(), 19);
        }
    }
}

/// Oracle 20, 1/7: splitting and plain runs agree.
#[test]
fn a_queue_of_three_as_without_splitting() {
    let model = queue("", 3);
    let query = "Pr[<=1000](<> n == 3)";
    let made = estimate(&model, query, "n", &options(1, 64_000));
    let plain = zonewalk_checker::check_text("m.xta", &model, query, &options(1, 64_000)).unwrap();
    let Outcome::Estimated { estimate: plain, .. } = plain.outcome else {
        panic!("{:?}", plain.outcome);
    };
    for made in [&made, &plain] {
        let ([lo, hi], value) = (made.interval.unwrap(), made.value.unwrap());
        assert!(lo <= 1.0 / 7.0 && 1.0 / 7.0 <= hi, "{lo} {hi}");
        assert!((value - 1.0 / 7.0).abs() < 0.01, "{value}");
    }
    // Levels that skip values, begin lower or are no integers lead to the same.
    for levels in ["2 * n - 7", "n >= 2 ? 5 : 0", "(n >= 2) + (n >= 3)", "n * 1.5"] {
        let made = estimate(&model, query, levels, &options(1, 32_000));
        assert!(
            (made.value.unwrap() - 1.0 / 7.0).abs() < 0.02,
            "{levels}: {:?}",
            made.value
        );
    }
}

/// Bounds by steps and by a clock, and a goal that holds while time passes.
#[test]
fn other_bounds_and_goals() {
    let walk = "int n; process A() { clock x; state L0 { x <= 1 }; branchpoint b; init L0;
        trans L0 -> b { guard x >= 1; assign x = 0; }, b -> L0 { assign n++; probability 1; },
        b -> L0 { assign n = 0; probability 3; }; } system A;";
    // Five in a row within five steps.
    let exact = 0.25f64.powi(5);
    for query in [
        "Pr[#<=5](<> n == 5)",
        "Pr[<=5](<> n == 5)",
        "Pr[<=6](<> n == 5 && A.x >= 1)",
    ] {
        let made = estimate(walk, query, "n", &options(1, 32_000));
        let [lo, hi] = made.interval.unwrap();
        assert!(lo <= exact && exact <= hi, "{query}: {lo} {hi}, exactly {exact}");
    }
}

/// Numbers are the same with any number of threads, and others with another seed.
#[test]
fn threads_do_not_matter() {
    let model = queue("", 8);
    let run = |threads: usize, seed: u64| {
        let options = Options {
            threads: NonZeroUsize::new(threads).unwrap(),
            ..options(seed, 3200)
        };
        estimate(&model, "Pr[<=1000](<> n == 8)", "n", &options)
    };
    let one = run(1, 7);
    assert_eq!(run(2, 7), one);
    assert_eq!(run(8, 7), one);
    assert_ne!(run(1, 8), one);
}

/// A run to the rare event is shown: the reference interpreter has confirmed it.
#[test]
fn a_run_to_the_event_is_shown() {
    let made = outcome(&queue("", 20), "Pr[<=1000](<> n == 20)", "n", &options(1, 3200));
    let Ok(Outcome::Estimated {
        witness: Some(witness),
        ..
    }) = made
    else {
        panic!("{made:?}");
    };
    assert!(witness.steps >= 19 && witness.trace.is_some());
}

#[test]
fn bad_levels_are_told() {
    let model = queue("int f() { n = 2; return 1; } clock z;", 3);
    let rare = "Pr[<=9](<> n == 3)";
    let error = |query: &str, levels: &str| outcome(&model, query, levels, &options(1, 640)).unwrap_err();
    let never = "n > 9 ? 1 : 0";
    assert!(
        error(rare, never).contains("`n > 9 ? 1 : 0` was 0 at the beginning and below 1 in all 640 runs"),
        "{}",
        error(rare, never)
    );
    assert!(error(rare, "1").contains("never rises"));
    assert!(
        error(rare, "f()").contains("must not change variables"),
        "{}",
        error(rare, "f()")
    );
    assert!(
        error(rare, "n++").contains("must not change variables"),
        "{}",
        error(rare, "n++")
    );
    assert!(error(rare, "m").contains("`m`"), "{}", error(rare, "m"));
    assert!(error(rare, "n +").contains("expected"), "{}", error(rare, "n +"));
    assert!(error(rare, "").contains("an expression is expected"));
    assert!(
        error(rare, "z > 1").contains("an integer, a clock or"),
        "{}",
        error(rare, "z > 1")
    );
    for query in [
        "Pr[<=9]([] n < 3)",
        "Pr[<=9](<> n == 3) >= 0.1",
        "E[<=9; 5](max: n)",
        "E<> n == 3",
        "simulate [<=9] { n }",
    ] {
        assert!(
            error(query, "n").contains("no use for levels"),
            "{query}: {}",
            error(query, "n")
        );
    }
    // A clock is examined behind transitions.
    let made = estimate(&model, "Pr[<=9](<> n == 3)", "z", &options(1, 6400));
    assert!((made.value.unwrap() - 1.0 / 7.0).abs() < 0.05, "{:?}", made.value);
    // Nothing is known where no run gets there.
    let never = outcome(&model, "Pr[<=9](<> n == 4)", "n", &options(1, 640));
    let Ok(Outcome::Estimated {
        satisfied: None,
        estimate,
        ..
    }) = never
    else {
        panic!("{never:?}");
    };
    assert!(estimate.interval.is_none() && estimate.cut.unwrap().contains("no run has met the goal"));
}

/// Runs that the limit on steps cuts widen the interval.
#[test]
fn runs_that_are_cut_widen_the_interval() {
    let options = Options {
        statistics: options(1, 3200).statistics,
        ..Options::default().max_steps(4)
    };
    let made = estimate(&queue("", 3), "Pr[<=1000](<> n == 3)", "n", &options);
    assert!(made.undecided > 0);
    let [lo, hi] = made.interval.unwrap();
    assert!(lo < 0.14 && hi > 0.15, "{lo} {hi}");
}

/// Without time there is nothing to tell, and that is told.
#[test]
fn a_time_limit_ends_it() {
    let options = Options {
        deadline: Some(std::time::Instant::now()),
        ..options(1, 32_000)
    };
    let made = outcome(&queue("", 20), "Pr[<=1000](<> n == 20)", "n", &options);
    assert!(
        matches!(made, Ok(Outcome::Estimated { satisfied: None, .. })),
        "{made:?}"
    );
}
