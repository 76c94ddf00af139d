//! Stochastic models whose answers are known exactly, to measure estimates with. Each was written by hand from its distribution;
//! what is exact follows by integration, and its formula stands beside it.

use std::f64::consts::{E, LN_2, TAU};

/// A model with a statistical query and the exact answer.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// Name of the query.
    pub name: &'static str,
    /// The model, as a text in UPPAAL's textual language.
    pub model: String,
    /// A query without a number of runs, for which `; N` stands where it needs one.
    pub query: &'static str,
    /// The probability or the expected value.
    pub exact: f64,
    /// How the answer varies from run to run.
    pub spread: Spread,
    /// Whether runs can be made in exact time, too: all rates are 0 or 1, and no double takes part.
    pub is_exact_time: bool,
}

/// How the answer of a run varies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spread {
    /// A Boolean; the oracle gives a probability.
    Share,
    /// A number with this standard deviation; taken from the sample if `None`.
    Values(Option<f64>),
    /// A constant, up to this error of the integrator.
    Always(f64),
}

impl Oracle {
    /// The query with a number of runs.
    pub fn query(&self, runs: u64) -> String {
        self.query.replace("; N", &format!("; {runs}"))
    }

    /// The model with a double in it, so that its runs are made in doubles.
    pub fn in_doubles(&self) -> String {
        format!("double in_doubles = 0.5;\n{}", self.model)
    }
}

/// A process that leaves its location once.
fn once(name: &str, place: &str, guard: &str) -> String {
    format!(
        "process {name}() {{ clock x; state L0 {place}, Done; init L0; trans L0 -> Done {{ {guard} }}; }}\n"
    )
}

fn alone(place: &str, guard: &str) -> String {
    once("A", place, guard) + "system A;"
}

fn two(first: (&str, &str), second: (&str, &str)) -> String {
    once("A", first.0, first.1) + &once("B", second.0, second.1) + "system A, B;"
}

/// A value drawn by a function, in a variable `d`.
fn drawn(call: &str) -> String {
    format!(
        "double d; process A() {{ state L0, Done; commit L0; init L0; trans L0 -> Done {{ assign d = {call}; }}; }} system A;"
    )
}

/// Two coins side by side, with chances of 3 and 2 in 10, for tests and comparisons.
pub const COINS: &str = "process P(const int w) { state L0, Heads, Tails; branchpoint b; commit L0; init L0;
    trans L0 -> b { }, b -> Heads { probability w; }, b -> Tails { probability 10 - w; }; }
    A = P(3); B = P(2); system A, B;";

const POISSON: &str =
    "int n; process A() { state L0 { ; 2 }; init L0; trans L0 -> L0 { assign n++; }; } system A;";

const A_FIRST: &str = "Pr[<=100](<> A.Done && B.L0)";
const DONE_1: &str = "Pr[<=1](<> A.Done)";

/// All of them.
#[allow(clippy::too_many_lines)] // A table.
pub fn oracles() -> Vec<Oracle> {
    let share = |name, model: String, query, exact| Oracle {
        name,
        model,
        query,
        exact,
        spread: Spread::Share,
        is_exact_time: true,
    };
    let in_doubles = |oracle: Oracle| Oracle {
        is_exact_time: false,
        ..oracle
    };
    let values = |name, model: &str, query, exact, deviation| Oracle {
        name,
        model: model.to_owned(),
        query,
        exact,
        spread: Spread::Values(deviation),
        is_exact_time: true,
    };
    let always = |name, model: &str, query, exact, error| Oracle {
        name,
        model: model.to_owned(),
        query,
        exact,
        spread: Spread::Always(error),
        is_exact_time: false,
    };
    let point = ("{ x <= 1 }", "guard x >= 1;");
    let ticking = once("A", "{ x <= 10 }", "")
        + "process B() { clock y; state T { y <= 1 }; init T; trans T -> T { guard y >= 1; assign y = 0; }; }\nsystem A, B;";
    let at_ten = "hybrid clock x = 1; hybrid clock v = 0; clock t; double d;
        process A() { state L { x' == v && v' == -x && t <= 10 }, Done; init L; trans L -> Done { guard t >= 10; assign d = x; }; } system A;";
    let at_two = "hybrid clock x = 1; clock t; double d;
        process A() { state L { x' == -0.5 * x && t <= 2 }, Done; init L; trans L -> Done { guard t >= 2; assign d = x; }; } system A;";
    let at_half = "hybrid clock x = 1; clock t; double d;
        process A() { state L { x' == -0.5 * x && x >= 0.5 }, Done; init L; trans L -> Done { guard x <= 0.5; assign d = t; }; } system A;";
    let light = "int through;
        process Source() { clock x; state W { x <= 15 }, V { x <= 10 }, Done; init W;
            trans W -> V { guard x >= 10; assign x = 0; }, V -> Done { guard x >= 5; assign through++; }; }
        process Car() { clock x; state L0 { x <= 30 }, Gone { x' == 0 }; init L0;
            trans L0 -> Gone { guard through == 2 && x >= 15; }, L0 -> Gone { guard through < 2 && x >= 30; }; }
        S1 = Source(); S2 = Source(); system S1, S2, Car;";
    // The normal distribution up to one deviation, by Simpson's rule.
    let normal = 0.5 + simpson(|x| (-x * x / 2.0).exp() / TAU.sqrt());
    vec![
        share("1: exponential delay, rate 2", alone("{ ; 2 }", ""), DONE_1, 1.0 - E.powi(-2)),
        share("2: rate 1:5", alone("{ ; 1:5 }", ""), "Pr[<=5](<> A.Done)", 1.0 - 1.0 / E),
        share("2: no rate", alone("", ""), DONE_1, 1.0 - 1.0 / E),
        share("3: rates 1 and 3 race", two(("{ ; 1 }", ""), ("{ ; 3 }", "")), A_FIRST, 0.25),
        share("4: uniform delay", alone("{ x <= 5 }", "guard x >= 2;"), "Pr[<=3](<> A.Done)", 1.0 / 3.0),
        share("5: uniform delays race", two(("{ x <= 2 }", ""), ("{ x <= 3 }", "guard x >= 1;")), A_FIRST, 7.0 / 8.0),
        share("6: uniform against exponential", two(("{ x <= 1 }", ""), ("{ ; 1 }", "")), A_FIRST, 1.0 - 1.0 / E),
        share("7: drawn anew while another ticks", ticking, "Pr[<=3](<> A.Done)", 0.3),
        share("8: exponential behind a guard", alone("{ ; 1 }", "guard x >= 2;"), "Pr[<=3](<> A.Done)", 1.0 - 1.0 / E),
        share("9: weights", "process A() { clock x; state L0 { x <= 1 }, L, R; branchpoint b; init L0;
            trans L0 -> b { }, b -> L { probability 3; }, b -> R { probability 1; }; } system A;".to_owned(), "Pr[<=2](<> A.L)", 0.75),
        share("10: five heads of ten", "int n; int heads; process A() { state L0, Done; branchpoint b; commit L0; init L0;
            trans L0 -> b { guard n < 10; assign n++; }, b -> L0 { assign heads++; probability 1; }, b -> L0 { probability 1; },
            L0 -> Done { guard n == 10; }; } system A;".to_owned(), "Pr[<=1](<> A.Done && heads == 5)", 252.0 / 1024.0),
        share("11: success within ten steps", "process A() { clock x; state L0 { x <= 1 }, Done; branchpoint b; init L0;
            trans L0 -> b { }, b -> Done { probability 1; }, b -> L0 { assign x = 0; probability 4; }; } system A;".to_owned(),
            "Pr[#<=10](<> A.Done)", 1.0 - 0.8f64.powi(10)),
        share("12: one of three edges", "process A() { clock x; state L0 { x <= 1 }, P, Q, R; init L0;
            trans L0 -> P { }, L0 -> Q { }, L0 -> R { }; } system A;".to_owned(), "Pr[<=2](<> A.Q)", 1.0 / 3.0),
        share("12: one of three selected values", "int v = -1; process A() { clock x; state L0 { x <= 1 }, Done; init L0;
            trans L0 -> Done { select i : int[0, 2]; assign v = i; }; } system A;".to_owned(), "Pr[<=2](<> v == 1)", 1.0 / 3.0),
        share("13: two committed processes", "int first; process P(const int id) { state L0, Done; commit L0; init L0;
            trans L0 -> Done { assign first = first == 0 ? id : first; }; } A = P(1); B = P(2); system A, B;".to_owned(),
            "Pr[<=1](<> first == 1)", 0.5),
        share("13: two at the same instant", two(point, point), "Pr[<=2](<> A.Done && B.L0)", 0.5),
        share("14: two stages", "process A() { state L0 { ; 1 }, L1 { ; 2 }, Done; init L0; trans L0 -> L1 { }, L1 -> Done { }; } system A;".to_owned(),
            DONE_1, 1.0 - 2.0 / E + E.powi(-2)),
        share("15: three stages", "process A() { state L0 { ; 1 }, L1 { ; 1 }, L2 { ; 1 }, Done; init L0;
            trans L0 -> L1 { }, L1 -> L2 { }, L2 -> Done { }; } system A;".to_owned(), "Pr[<=3](<> A.Done)", 1.0 - 8.5 * E.powi(-3)),
        share("16: three events of a Poisson process", POISSON.to_owned(), "Pr[<=1](<> n >= 3)", 1.0 - 5.0 * E.powi(-2)),
        values("17: its expected number of events", POISSON, "E[<=5; N](max: n)", 10.0, Some(10f64.sqrt())),
        values("18: a clock that stops",
            "process A() { clock x; state L0 { x <= 10 }, Done { x' == 0 }; init L0; trans L0 -> Done { }; } system A;",
            "E[<=20; N](max: A.x)", 5.0, Some(10.0 / 12f64.sqrt())),
        values("19: the later of two", "clock t; int done; process P() { clock x; state L0 { x <= 10 }, Done; init L0; trans L0 -> Done { assign done++; }; }
            process W() { state Run { done < 2 || t' == 0 }; init Run; } A = P(); B = P(); system A, B, W;",
            "E[<=30; N](max: t)", 20.0 / 3.0, Some(10.0 / 18f64.sqrt())),
        share("20: a queue reaches 3 before 0", "int n = 1; process Up() { state L { ; 1 }; init L; trans L -> L { guard n > 0 && n < 3; assign n++; }; }
            process Down() { state L { ; 2 }; init L; trans L -> L { guard n > 0 && n < 3; assign n--; }; } system Up, Down;".to_owned(),
            "Pr[<=1000](<> n == 3)", 1.0 / 7.0),
        share("21: until", two(("{ ; 1 }", ""), ("{ ; 3 }", "")), "Pr[<=100](A.L0 U B.Done)", 0.75),
        in_doubles(share("22: rates 2 and 3, bounded by a cost", "clock z; process A() { clock x; state L0 { x <= 9 && x' == 3 && z' == 2 }, Done { z' == 2 }; init L0;
            trans L0 -> Done { guard x >= 6; }; } system A;".to_owned(), "Pr[z<=5](<> A.Done)", 0.5)),
        share("23: formula with times, eventually", alone("{ ; 1 }", ""), "Pr(<>[0,2] A.Done)", 1.0 - E.powi(-2)),
        share("23: formula with times, always", alone("{ ; 1 }", ""), "Pr([][0,2] !A.Done)", E.powi(-2)),
        values("24: a draw is made anew", light, "E[<=40; N](max: Car.x)", 25.0 + 7.0 / 12.0, None),
        always("25: exponential decay", at_two, "E[<=3; N](max: d)", 1.0 / E, 1e-6),
        always("25: when it is half", at_half, "E[<=9; N](max: d)", 2.0 * LN_2, 1e-6),
        always("26: a spring", at_ten, "E[<=11; N](min: d)", 10f64.cos(), 1e-5),
        in_doubles(share("27: a random delay", "double d = random(10); process A() { clock x; state L0 { x <= d }, Done; init L0;
            trans L0 -> Done { guard x >= d; }; } system A;".to_owned(), "Pr[<=4](<> A.Done)", 0.4)),
        in_doubles(share("28: normal", drawn("random_normal(0, 1)"), "Pr[<=1](<> A.Done && d <= 1)", normal)),
        in_doubles(share("28: Poisson", drawn("random_poisson(3)"), "Pr[<=1](<> A.Done && d == 0)", E.powi(-3))),
        in_doubles(share("28: Weibull", drawn("random_weibull(2, 1)"), "Pr[<=1](<> A.Done && d <= 1)", 1.0 - 1.0 / E)),
        in_doubles(share("28: gamma", drawn("random_gamma(2, 1)"), "Pr[<=1](<> A.Done && d <= 2)", 1.0 - 3.0 * E.powi(-2))),
        in_doubles(share("29: beta", drawn("random_beta(2, 2)"), "Pr[<=1](<> A.Done && d <= 0.25)", 5.0 / 32.0)),
        in_doubles(share("29: triangle", drawn("random_tri(0, 1, 2)"), "Pr[<=1](<> A.Done && d <= 0.5)", 0.125)),
        in_doubles(share("29: arcsine", drawn("random_arcsine(0, 1)"), "Pr[<=1](<> A.Done && d <= 0.25)", 1.0 / 3.0)),
    ]
}

/// The integral from 0 to 1.
fn simpson(f: impl Fn(f64) -> f64) -> f64 {
    const PARTS: u32 = 100;
    let at = |i: u32| f(f64::from(i) / f64::from(PARTS));
    let weight = |i: u32| match i {
        0 | PARTS => 1.0,
        i if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    (0..=PARTS).map(|i| weight(i) * at(i)).sum::<f64>() / f64::from(3 * PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_all_different_and_numbers_are_there() {
        let oracles = oracles();
        for number in 1..=29 {
            let has = |oracle: &Oracle| oracle.name.starts_with(&format!("{number}: "));
            assert!(oracles.iter().any(has), "{number}");
        }
        for (i, oracle) in oracles.iter().enumerate() {
            assert!(oracles[..i].iter().all(|other| other.name != oracle.name));
            let needs_runs = oracle.spread != Spread::Share;
            assert_eq!(oracle.query.contains("; N"), needs_runs, "{}", oracle.name);
        }
        let normal = oracles.iter().find(|oracle| oracle.name == "28: normal");
        assert!(normal.is_some_and(|o| (o.exact - 0.841_344_746_068_543).abs() < 1e-10));
    }
}
