//! Time has no unit: with all times of a model and a query multiplied by `k`, verdicts and lengths of runs stay the same, and
//! times and values of clocks become `k` times as large. Factors cross what 8, 16, 27 and 31 bits hold.
//!
//! `ZONEWALK_SCALED` says how many random networks (600 unless told otherwise), `ZONEWALK_SEED` which is the first;
//! `.ci/run slow` takes 20,000.
// What was compared is told in the output of the test.
#![allow(clippy::print_stdout)]

use crate::extremes;
use crate::support::scaled::{self, Comparison, Drawn, compare};
use std::panic::{AssertUnwindSafe, catch_unwind};
use zonewalk_checker::Search;
use zonewalk_reference::simulate::Random;
use zonewalk_testkit::generate::{network, network_of_differences};
use zonewalk_testkit::{number, own, xta};

/// The largest number in random models and questions is 4.
const LARGEST: i32 = 4;

/// Beyond 8 bits, 16, those of a narrow zone (27), and close to 31.
const FACTORS: [i32; 6] = [
    100,
    10_000,
    3_000_000,
    50_000_000,
    200_000_000,
    i32::MAX / LARGEST,
];

fn factor(random: &mut Random) -> i32 {
    match random.below(3) {
        0 => FACTORS[random.below(FACTORS.len() as u64) as usize],
        // As many of each order of magnitude.
        _ => 1.max((i32::MAX / LARGEST) >> random.below(28)) - random.below(2) as i32,
    }
    .max(2)
}

/// Whether a model compares differences of clocks with variables.
fn has_differences(seed: u64) -> bool {
    seed.is_multiple_of(4) && !seed.is_multiple_of(5)
}

/// A model with a query about it.
fn drawn(seed: u64, random: &mut Random) -> (String, String) {
    if seed.is_multiple_of(5) {
        let text = match seed % 2 {
            0 => extremes::model(seed / 5),
            _ => extremes::interrupted(seed / 5),
        };
        let expr = ["x", "y", "z", "n"][random.below(4) as usize];
        let kind = ["sup", "inf", "bounds"][random.below(3) as usize];
        let condition = ["", "{n <= 1}", "{P.L1}", "{x > 1}"][random.below(4) as usize];
        return (text, format!("{kind}{condition}: {expr}"));
    }
    let generated = match has_differences(seed) {
        true => network_of_differences(seed),
        false => network(seed),
    };
    let mut question = || &generated.questions[random.below(generated.questions.len() as u64) as usize];
    let (p, q) = (question(), question());
    let has_deadlock = p.contains("deadlock") || q.contains("deadlock");
    let query = match random.below(12) {
        0..=2 => format!("A[] not ({p})"),
        3 if !has_deadlock => format!("E[] not ({p})"),
        4 if !has_deadlock => format!("A<> ({p})"),
        5 if !has_deadlock => format!("({p}) --> ({q})"),
        6 if !has_deadlock => format!("sup{{{p}}}: x0"),
        7 if !has_deadlock => format!("bounds{{{p}}}: x0, v"),
        _ => format!("E<> ({p})"),
    };
    (generated.text, query)
}

#[test]
fn answers_about_random_networks_scale() {
    let first: u64 = number("ZONEWALK_SEED").unwrap_or(1);
    let count: u64 = number("ZONEWALK_SCALED").unwrap_or(600);
    let mut sum = Comparison::default();
    let mut failures = Vec::new();
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let (text, query) = drawn(seed, &mut random);
        let (k, mut search) = (factor(&mut random), Drawn::new(&mut random));
        search.is_same_graph = !has_differences(seed);
        let run = AssertUnwindSafe(|| compare(&xta(&text), &query, k, &search));
        let result = catch_unwind(run).unwrap_or_else(|_| Err("it panics".to_owned()));
        match result {
            Ok(one) => sum += one,
            Err(why) => failures.push(format!(
                "seed {seed}, times {k}: {query} by {search:?}: {why}\n{text}"
            )),
        }
    }
    failures.sort_by_key(String::len);
    let shown = failures[..failures.len().min(3)].join("\n");
    let all: Vec<&str> = failures
        .iter()
        .filter_map(|text| text.split(" by ").next())
        .collect();
    assert!(
        failures.is_empty(),
        "{} differences\n{shown}\n{}",
        failures.len(),
        all.join("\n")
    );
    println!("{sum:?}");
    assert_eq!((sum.compared + sum.left_out) as u64, count, "{sum:?}");
    assert!(sum.left_out <= sum.compared / 20, "{sum:?}");
    // The cases are not trivial, and only walks may find something at one scale and not at the other.
    assert!(sum.decided > sum.compared * 3 / 4, "{sum:?}");
    assert!(sum.runs > sum.decided / 5, "{sum:?}");
    assert!(sum.missed <= sum.compared / 50, "{sum:?}");
    if count >= 600 {
        assert!(
            sum.shortest > 10 && sum.fastest > 10 && sum.values > 10,
            "{sum:?}"
        );
    }
}

/// Each model with a factor that makes its largest time nearly 31 bits long, and with a small one.
#[test]
fn answers_about_the_models_of_this_repository_scale() {
    let mut sum = Comparison::default();
    for model in own::models() {
        for (query, _) in model.queries() {
            for search in [Search::Bfs, Search::Auto] {
                let one = scaled::model(&model.loaded, &query, search, 200);
                sum += one.unwrap_or_else(|why| panic!("{}, {why}", model.name));
            }
        }
    }
    assert!(sum.compared > 150 && sum.decided > 60, "{sum:?}");
    assert_eq!(sum.missed, 0, "{sum:?}");
}
