//! Pattern databases: estimates against exact distances, on random networks with random patterns and by name.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

#[path = "../../symbolic/tests/support/generate.rs"]
#[allow(dead_code)]
mod generate;
mod support;

use generate::network;
use support::{Case, Found, Space, check_estimate};
use zonewalk_heuristics::{Basis, Database, Heuristic, Order, PatternDatabases, Unavailable};
use zonewalk_network::ids::ClockId;
use zonewalk_product::Pattern;
use zonewalk_search::Limits;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::Plan;
use zonewalk_symbolic::store::Covering;

const STATES: usize = 600;

fn limits() -> Limits<'static> {
    Limits {
        stored: Some(20_000),
        ..Limits::default()
    }
}

/// Numbers that look random: the same on every machine.
fn draw(seed: &mut u64) -> u64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

fn random_pattern(case: &Case, seed: &mut u64) -> Pattern {
    let network = &case.network;
    let mut pattern = Pattern::whole(network);
    let share = 1 + draw(seed) % 4;
    for cell in 0..network.layout.state {
        pattern.set(network, cell, draw(seed) % 5 >= share);
    }
    for clock in 0..network.clocks.len() as u32 {
        pattern.set_clock(ClockId(clock), draw(seed) % 5 >= share);
    }
    pattern
}

#[test]
fn random_patterns_give_lower_bounds_and_infinity_is_a_proof() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first: u64 = number("ZONEWALK_SEED").unwrap_or(1);
    let (mut states, mut infinite, mut sum, mut exact_sum) = (0u32, 0u32, 0u64, 0u64);
    for seed in first..first + number("ZONEWALK_NETWORKS").unwrap_or(300) {
        let mut generated = network(seed);
        if seed % 4 == 0 {
            generated.text += "before_update { w = 1 - w }\n";
        }
        if seed % 6 == 0 {
            generated.text += "after_update { v = v > 1 ? w : v }\n";
        }
        let questions: Vec<&str> = generated.questions.iter().map(String::as_str).collect();
        let case = Case::new(&generated.text, &questions);
        let plan = Plan::new(&case.network).unwrap();
        // With stopped clocks both graphs know from above alone what can be reached, each in its own way.
        if plan.is_approximate() {
            continue;
        }
        let mut random = seed;
        for (number, question) in questions.iter().enumerate() {
            let holds = number % 3 != 2;
            let predicate = &case.predicates[number];
            let basis = Basis::new(&plan, predicate, holds);
            let mut space = Space::new(&case, &plan, predicate, holds, Abstraction::LuPlus, false);
            let Some(exact) = space.distances(STATES) else {
                continue;
            };
            let mut databases = Vec::new();
            for _ in 0..3 {
                let pattern = random_pattern(&case, &mut random);
                match Database::new(&basis, &pattern, &limits()) {
                    Ok(database) => databases.push(database),
                    Err(Unavailable::Limit(..)) => {}
                    Err(Unavailable::Stop(stop)) => panic!("{stop:?}"),
                }
            }
            let patterns: Vec<_> = databases.iter().map(|d| d.pattern.clone()).collect();
            let mut heuristic = PatternDatabases::new(&case.network, databases);
            for (state, exact) in &exact {
                let estimate = heuristic.estimate(state);
                let told = || {
                    format!(
                        "seed {seed}, {question} is {holds}, {patterns:?}\n{}",
                        generated.text
                    )
                };
                if let Err(e) = check_estimate(&heuristic, estimate, *exact) {
                    panic!("{e} from {:?}\n{}", state.discrete, told());
                }
                assert_eq!(heuristic.unknown(), 0, "{:?}\n{}", state, told());
                states += 1;
                infinite += u32::from(estimate.is_infinite());
                sum += u64::from(estimate.number().unwrap_or(0));
                exact_sum += u64::from(exact.unwrap_or(0));
            }
            for covering in [Covering::Inclusion, Covering::Equality] {
                let (breadth, _) = space.breadth(covering, STATES);
                let (star, _) = space.directed(&mut heuristic, Order::AStar, covering, STATES);
                if breadth != Found::Unknown && star != Found::Unknown {
                    assert_eq!(
                        breadth, star,
                        "seed {seed}, {question}, {patterns:?}\n{}",
                        generated.text
                    );
                }
            }
        }
    }
    println!("{states} states, {infinite} infinite, sum {sum} of {exact_sum}");
    assert!(states > 10_000 && infinite > 100 && 20 * sum > exact_sum);
}

#[test]
fn the_whole_pattern_is_exact_without_zones_that_overlap() {
    let text = "
process P() {
    int[0, 3] n;
    state A, B;
    init A;
    trans A -> A { guard n < 3; assign n = n + 1; }, A -> B { guard n == 3; };
}
system P;
";
    let case = Case::new(text, &["P.B"]);
    let plan = Plan::new(&case.network).unwrap();
    let basis = Basis::new(&plan, &case.predicates[0], true);
    let database = Database::new(&basis, &Pattern::whole(&case.network), &limits()).unwrap();
    assert_eq!(database.initial.number(), Some(4));
    assert_eq!(database.states, 5);
}
