//! Models whose probabilities are known exactly. The numbers are those of the table of oracles.

mod support;

use support::{assert_probability, assert_probability_with, largest};
use zonewalk_sampling::{Bound, ExpressionId};

const E: f64 = std::f64::consts::E;

/// One process with a location that it leaves.
fn leave(declarations: &str, location: &str, edge: &str) -> String {
    format!(
        "{declarations}
        process P() {{ clock x; state L0 {{ {location} }}, Done; init L0; trans L0 -> Done {{ {edge} }}; }}
        system P;"
    )
}

/// Two such processes.
fn two(a: (&str, &str), b: (&str, &str)) -> String {
    let process = |name: &str, (location, edge): (&str, &str)| {
        format!(
            "process {name}() {{ clock x; state L0 {{ {location} }}, Done; init L0; trans L0 -> Done {{ {edge} }}; }}"
        )
    };
    format!("{} {} system A, B;", process("A", a), process("B", b))
}

#[test]
fn exponential_and_uniform_delays() {
    // 1, 2
    assert_probability(
        &leave("", "; 2", ""),
        "P.Done",
        Bound::Time(1.0),
        1.0 - E.powi(-2),
    );
    assert_probability(
        &leave("", "; 1 : 5", ""),
        "P.Done",
        Bound::Time(5.0),
        1.0 - 1.0 / E,
    );
    assert_probability(&leave("", "true", ""), "P.Done", Bound::Time(1.0), 1.0 - 1.0 / E);
    // 4, 8
    assert_probability(
        &leave("", "x <= 5", "guard x >= 2;"),
        "P.Done",
        Bound::Time(3.0),
        1.0 / 3.0,
    );
    assert_probability(
        &leave("", "; 1", "guard x >= 2;"),
        "P.Done",
        Bound::Time(3.0),
        1.0 - 1.0 / E,
    );
}

#[test]
fn races() {
    // 3, 5, 6
    let first = "A.Done && B.L0";
    assert_probability(&two(("; 1", ""), ("; 3", "")), first, Bound::Time(100.0), 0.25);
    assert_probability(
        &two(("x <= 2", ""), ("x <= 3", "guard x >= 1;")),
        first,
        Bound::Time(9.0),
        0.875,
    );
    assert_probability(
        &two(("x <= 1", ""), ("; 1", "")),
        first,
        Bound::Time(9.0),
        1.0 - 1.0 / E,
    );
    // 13: who goes first.
    let point = ("x <= 1", "guard x >= 1;");
    assert_probability(&two(point, point), first, Bound::Time(9.0), 0.5);
    // 7: drawing anew does not matter.
    let ticking = "process A() { clock x; state L0 { x <= 10 }, Done; init L0; trans L0 -> Done { }; }
        process B() { clock y; state T { y <= 1 }; init T; trans T -> T { guard y >= 1; assign y = 0; }; }
        system A, B;";
    assert_probability(ticking, "A.Done", Bound::Time(3.0), 0.3);
}

#[test]
fn edges_and_counts() {
    // 12: three edges, and three values.
    let edges = "process P() { state L0 { ; 9 }, A, B, C; init L0; trans L0 -> A { }, L0 -> B { }, L0 -> C { }; } system P;";
    assert_probability(edges, "P.B", Bound::Time(99.0), 1.0 / 3.0);
    let select = "int[0,2] n; process P() { state L0 { ; 9 }, A; init L0; trans L0 -> A { select i : int[0,2]; assign n = i; }; } system P;";
    assert_probability(select, "P.A && n == 1", Bound::Time(99.0), 1.0 / 3.0);
    // 14, 15: stages.
    let stages = "process P() { state L0 { ; 1 }, L1 { ; 2 }, Done; init L0; trans L0 -> L1 { }, L1 -> Done { }; } system P;";
    assert_probability(stages, "P.Done", Bound::Time(1.0), 1.0 - 2.0 / E + E.powi(-2));
    // 16: a Poisson process.
    let count = "int n; process P() { state L0 { ; 2 }; init L0; trans L0 -> L0 { assign n++; }; } system P;";
    assert_probability(count, "n >= 3", Bound::Time(1.0), 1.0 - 5.0 * E.powi(-2));
    // 20: a queue that reaches 3 before 0.
    let queue = "int[0,3] n = 1;
        process In() { state L { ; 1 }; init L; trans L -> L { guard n > 0 && n < 3; assign n++; }; }
        process Out() { state L { ; 2 }; init L; trans L -> L { guard n > 0 && n < 3; assign n--; }; }
        system In, Out;";
    assert_probability(queue, "n == 3", Bound::Time(1000.0), 1.0 / 7.0);
}

/// 9, 10, 11: weights behind branchpoints; they are evaluated before any update.
#[test]
fn weights() {
    let fork = |declarations: &str, into: &str, first: &str, second: &str| {
        format!(
            "{declarations} process P() {{ state L0 {{ ; 9 }}, A, B; branchpoint F; init L0;
                trans L0 -> F {{ {into} }}, F -> A {{ {first} }}, F -> B {{ {second} }}; }} system P;"
        )
    };
    let text = fork("", "", "probability 3;", "probability 1;");
    assert_probability(&text, "P.A", Bound::Time(99.0), 0.75);
    let early = fork(
        "int n = 3;",
        "assign n = 0;",
        "probability n;",
        "probability 0.5;",
    );
    assert_probability(&early, "P.A", Bound::Time(99.0), 6.0 / 7.0);
    let coins = "int[0,10] n, heads; process P() { state L, End; branchpoint F; commit L; init L;
        trans L -> End { guard n == 10; }, L -> F { guard n < 10; assign n++; }, F -> L { assign heads++; }, F -> L { }; }
        system P;";
    assert_probability(coins, "P.End && heads == 5", Bound::Time(1.0), 252.0 / 1024.0);
    let tries = "process P() { state L { ; 1 }, Done; branchpoint F; init L;
        trans L -> F { }, F -> Done { probability 1; }, F -> L { probability 4; }; } system P;";
    assert_probability(tries, "P.Done", Bound::Steps(10), 1.0 - 0.8f64.powi(10));
}

fn assert_mean(values: &[f64], mean: f64, deviation: f64) {
    let n = values.len() as f64;
    let found = values.iter().sum::<f64>() / n;
    let error = deviation / n.sqrt();
    assert!((found - mean).abs() < 4.5 * error, "{found} instead of {mean}");
    let squares = values.iter().map(|v| (v - found) * (v - found)).sum::<f64>();
    let spread = (squares / (n - 1.0)).sqrt();
    assert!(
        (spread - deviation).abs() < 0.02 * deviation,
        "{spread} instead of {deviation}"
    );
}

#[test]
fn expectations_of_clocks_that_stop() {
    // 18
    let stops = "process P() { clock x; state L0 { x <= 10 }, Done { x' == 0 }; init L0; trans L0 -> Done { }; } system P;";
    assert_mean(
        &largest(stops, "P.x", Bound::Time(20.0), 50_000),
        5.0,
        10.0 / 12f64.sqrt(),
    );
    // 19: the later of two; its deviation is that of a beta distribution.
    let both = format!(
        "clock t; {} process W() {{ state Run {{ t' == !(A.Done && B.Done) }}; init Run; }} system A, B, W;",
        "int done; process A() { clock x; state L0 { x <= 10 }, Done; init L0; trans L0 -> Done { assign done++; }; }
         process B() { clock x; state L0 { x <= 10 }, Done; init L0; trans L0 -> Done { assign done++; }; }"
    )
    .replace("!(A.Done && B.Done)", "(done < 2 ? 1 : 0)");
    assert_mean(
        &largest(&both, "t", Bound::Time(30.0), 50_000),
        20.0 / 3.0,
        10.0 / 18f64.sqrt(),
    );
}

/// `b || x' == 0`, `b imply x' == 2`: rates under conditions on data.
#[test]
fn rates_under_conditions() {
    let text = |invariant: &str, b: u8| {
        format!("bool b = {b}; clock x; process P() {{ state L {{ {invariant} }}; init L; }} system P;")
    };
    for (invariant, unset, set) in [
        ("(b || x' == 3)", 2.0, 6.0),
        ("(x' == 3 || b)", 2.0, 6.0),
        ("(!b imply x' == 3)", 2.0, 6.0),
        ("forall (i : int[0, 0]) x' == 3", 6.0, 6.0),
    ] {
        assert_eq!(last_value(&text(invariant, 1), "x", 2.0), unset, "{invariant}");
        assert_eq!(last_value(&text(invariant, 0), "x", 2.0), set, "{invariant}");
    }
}

/// 22: rates other than 0 and 1, and a clock as the bound.
#[test]
fn costs() {
    let text = "clock z; process P() { clock x; state L0 { x <= 9 && x' == 3 && z' == 2 }, Done { z' == 2 }; init L0;
        trans L0 -> Done { guard x >= 6; }; } system P;";
    let bound = Bound::Clock {
        clock: ExpressionId(0),
        limit: 5.0,
    };
    assert_probability_with(text, "P.Done", &["z"], bound, 0.5);
}

/// 25, 26: differential equations.
#[test]
fn differential_equations() {
    let decay = "hybrid clock x = 1; process P() { state L { x' == -0.5 * x }, Low; init L; } system P;";
    let mut last = last_value(decay, "x", 2.0);
    assert!((last - (-1f64).exp()).abs() < 1e-6, "{last}");
    let spring = "hybrid clock x = 1; hybrid clock v = 0;
        process P() { state L { x' == v && v' == -x }; init L; } system P;";
    last = last_value(spring, "x", 10.0);
    assert!((last - 10f64.cos()).abs() < 1e-5, "{last}");
    let at = first_instant(decay, "x <= 0.5", 9.0);
    assert!((at - 2.0 * 2f64.ln()).abs() < 1e-6, "{at}");
    // The same as a guard with an invariant: the transition happens there.
    let guard = "hybrid clock x = 1; clock t; process P() { state L { x' == -0.5 * x && x >= 0.5 }, Low { t' == 0 }; init L;
        trans L -> Low { guard x <= 0.5; }; } system P;";
    let at = first_instant(guard, "P.Low", 9.0);
    assert!((at - 2.0 * 2f64.ln()).abs() < 1e-6, "{at}");
    let stopped = last_value(guard, "t", 9.0);
    assert!((stopped - 2.0 * 2f64.ln()).abs() < 1e-6, "{stopped}");
}

fn last_value(text: &str, expression: &str, time: f64) -> f64 {
    let loaded = support::load(text, &[], &[expression]);
    let plan = loaded.plan(zonewalk_stochastic::Options::default());
    let mut monitor = support::Largest::default();
    let mut runner = zonewalk_stochastic::Runner::new(&plan);
    zonewalk_sampling::Sampler::run(&mut runner, 1, 0, &Bound::Time(time), &mut monitor).expect("a run");
    monitor.last
}

fn first_instant(text: &str, condition: &str, time: f64) -> f64 {
    let loaded = support::load(text, &[condition], &[]);
    let plan = loaded.plan(zonewalk_stochastic::Options::default());
    let mut monitor = support::Reaches::default();
    let mut runner = zonewalk_stochastic::Runner::new(&plan);
    zonewalk_sampling::Sampler::run(&mut runner, 1, 0, &Bound::Time(time), &mut monitor).expect("a run");
    monitor.at.expect("an instant")
}

/// 27, 28, 29: what is drawn decides when and whether.
#[test]
fn random_numbers() {
    let drawn = "double d = random(10); process P() { clock x; state L0 { x <= d }, Done; init L0; trans L0 -> Done { guard x >= d; }; } system P;";
    assert_probability(drawn, "P.Done", Bound::Time(4.0), 0.4);
    let update = |call: &str| {
        format!(
            "double d; process P() {{ state L0, L1; commit L0; init L0; trans L0 -> L1 {{ assign d = {call}; }}; }} system P;"
        )
    };
    for (call, condition, exact) in [
        ("random_normal(0, 1)", "d <= 1", 0.841_344_746_1),
        ("random_poisson(3)", "d == 0", 0.049_787_068_4),
        ("random_weibull(2, 1)", "d <= 1", 0.632_120_558_8),
        ("random_gamma(2, 1)", "d <= 2", 0.593_994_150_3),
        ("random_beta(2, 2)", "d <= 0.25", 5.0 / 32.0),
        ("random_tri(0, 1, 2)", "d <= 0.5", 1.0 / 8.0),
        ("random_arcsine(0, 1)", "d <= 0.25", 1.0 / 3.0),
    ] {
        let condition = format!("P.L1 && {condition}");
        assert_probability(&update(call), &condition, Bound::Time(1.0), exact);
    }
}
