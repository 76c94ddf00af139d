//! `--schedule paper` makes the walks of FMICS 2021 as they are printed. What is expected is derived here from the text of
//! its section 2, by plain code that shares nothing with what makes the walks.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use support::{hits_of_walk, model};
use zonewalk_model::instance;
use zonewalk_network::Network;
use zonewalk_run::Run;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::coverage::Coverage;
use zonewalk_walk::explore::{self, Options};
use zonewalk_walk::plan::WalkPlan;
use zonewalk_walk::schedule::{Delays, Distribution, Schedule};
use zonewalk_walk::search::{Control, Limits, WalkOutcome, search_with_coverage};

fn paper(heuristic: Heuristic) -> Options {
    Options {
        schedule: Schedule::Paper,
        heuristic,
        delays: Delays::Adaptive,
        seed: 1,
        max_steps: None,
        time_bound: None,
    }
}

/// "The first batch of random walks at most can perform 2^4 steps. After the full cycle of delay probability distributions is
/// completed, the random walks in the next cycle have their maximum allowed depth doubled, but no further than 2^18 steps."
fn printed_depths(walks: usize) -> Vec<u64> {
    let (mut depth, mut left_of_cycle) = (16, 11);
    let mut depths = Vec::new();
    while depths.len() < walks {
        depths.push(depth);
        left_of_cycle -= 1;
        if left_of_cycle == 0 {
            left_of_cycle = 11;
            depth = (2 * depth).min(262_144);
        }
    }
    depths
}

#[test]
fn depth_doubles_after_each_cycle() {
    let expected = printed_depths(300);
    let announced: Vec<u64> = (0..300)
        .map(|walk| u64::from(Schedule::Paper.depth(walk, None)))
        .collect();
    assert_eq!(announced, expected);
    // A walk that nothing ends has as many steps as it may. All walks until the depth grows no more, and some later ones.
    let text = "process P() { state A; init A; trans A -> A { }; } system P;";
    for walk in (0..156).chain([299]) {
        let report = support::report_of_walk(walk, text, "E<> false", &paper(Heuristic::Ret));
        assert_eq!(
            (report.walks, report.steps),
            (1, expected[walk as usize]),
            "walk {walk}"
        );
    }
}

/// Two processes that count to twelve together. Which edges there are depends on the count, so that some are covered sooner
/// than others. Edges 0 to 3 count, edge 4 ends.
const COUNTING: &str = "int[0,13] n; process P(const int[0,1] k) { state A, End; init A; trans
    A -> A { guard n < 12 && n % 2 == k; assign n++; },
    A -> A { guard n < 12 && n % 3 == 0; assign n++; },
    A -> A { guard n < 12; assign n++; },
    A -> A { guard n < 5; assign n++; },
    A -> End { guard n == 12; assign n++; }; } system P;";

fn is_open(process: usize, edge: usize, n: usize) -> bool {
    match edge {
        0 => n < 12 && n % 2 == process,
        1 => n < 12 && n.is_multiple_of(3),
        2 => n < 12,
        3 => n < 5,
        _ => n == 12,
    }
}

/// Follows the walks with counters of its own: each step must take one of the edges that were taken least often, and in the
/// end both have counted the same.
fn follow(heuristic: Heuristic, walks: u64) {
    let network = compiled(COUNTING, "E<> n == 13");
    let (network, goal) = (&network.0, &network.1);
    let plan = WalkPlan::new(network);
    let goal = zonewalk_walk::goal::WalkGoal::new(&plan, goal, true);
    let options = paper(heuristic);
    let mut coverage = Coverage::new(&plan);
    let mut counts = [[0u32; 5]; 2];
    for walk in 0..walks {
        let limits = Limits {
            first_walk: walk,
            max_walks: Some(walk + 1),
            ..Limits::default()
        };
        let (report, _) = search_with_coverage(
            &plan,
            &goal,
            &options,
            &limits,
            &Control::default(),
            &mut coverage,
        );
        let WalkOutcome::Found(found) = report.outcome else {
            panic!("every walk ends at thirteen");
        };
        if heuristic == Heuristic::Rlc {
            // "The coverage counters, however, are reset at the start of a random walk."
            counts = [[0; 5]; 2];
        }
        for (n, step) in found.run.steps.iter().enumerate() {
            let taken = (step.parts[0].process.0 as usize, step.parts[0].edge.0 as usize);
            let open = (0..10).map(|i| (i / 5, i % 5)).filter(|&(p, e)| is_open(p, e, n));
            let least = open.map(|(p, e)| counts[p][e]).min().unwrap();
            let count = &mut counts[taken.0][taken.1];
            assert!(
                is_open(taken.0, taken.1, n) && *count == least,
                "walk {walk}, step {n}"
            );
            *count += 1;
        }
        assert_eq!(coverage.by_edge(), counts.as_flattened(), "walk {walk}");
    }
    let total: u32 = counts.as_flattened().iter().sum();
    let counted = if heuristic == Heuristic::RlcA { walks } else { 1 };
    assert_eq!(u64::from(total), 13 * counted);
}

#[test]
fn rlc_a_counts_over_all_walks_and_rlc_over_one() {
    follow(Heuristic::RlcA, 300);
    follow(Heuristic::Rlc, 300);
}

/// An edge of fifty leads to the goal, and every walk ends after one of them: the fiftieth must be it, at the latest. Counters
/// that forget, as those of RLC do after each walk and tuned ones after 33, give no such promise.
#[test]
fn rlc_a_never_forgets() {
    let edges: String = (0..50)
        .map(|i| format!(", A -> B {{ assign v = {i}; }}"))
        .collect();
    let text = format!(
        "int[0,50] v; process P() {{ state A, B; init A; trans {}; }} system P;",
        edges.trim_start_matches(", ")
    );
    let found = |options: Options| {
        (0..100)
            .filter(|&seed| {
                let report = support::report(&text, "E<> v == 49", &Options { seed, ..options }, 50);
                matches!(report.outcome, WalkOutcome::Found(_))
            })
            .count()
    };
    assert_eq!(found(paper(Heuristic::RlcA)), 100);
    // 1 - (49/50)^50 is 64 in a hundred, 1 - 17/50 · (49/50)^17 three quarters or so.
    assert!((40..85).contains(&found(paper(Heuristic::Rlc))));
    let tuned = Options {
        schedule: Schedule::Tuned,
        ..paper(Heuristic::RlcA)
    };
    assert!((60..96).contains(&found(tuned)));
}

/// Lower bound and upper bound in percent, as Table 3 prints them.
const TABLE_3: [(u32, u32); 11] = [
    (60, 40),
    (70, 30),
    (80, 20),
    (90, 10),
    (100, 0),
    (0, 100),
    (10, 90),
    (20, 80),
    (30, 70),
    (40, 60),
    (40, 40),
];

const SEEDS: u64 = 1_500;

/// How often the first delay is the lower and the upper bound, of so many walks with this number. Asserts that it is never
/// outside.
fn bounds(plan: &WalkPlan<'_>, options: &Options, walk: u64, (lower, upper): (i64, i64)) -> (u64, u64) {
    let (mut at_lower, mut at_upper) = (0, 0);
    for seed in 0..SEEDS {
        let (Run { steps, unit, .. }, _) = explore::walk(plan, &Options { seed, ..*options }, walk)
            .unwrap()
            .unwrap();
        let delay = steps[0].delay;
        assert!((lower * unit..=upper * unit).contains(&delay));
        at_lower += u64::from(delay == lower * unit);
        at_upper += u64::from(delay == upper * unit);
    }
    (at_lower, at_upper)
}

fn assert_percent(count: u64, percent: u32, what: &str) {
    let (share, seeds) = (f64::from(percent) / 100.0, SEEDS as f64);
    let deviation = (seeds * share * (1.0 - share)).sqrt();
    assert!(
        (count as f64 - seeds * share).abs() <= 5.0 * deviation,
        "{count}: {what}"
    );
}

/// A window with an end, and one without: there the upper bound is one unit beyond the largest constant.
const WINDOWS: [(&str, (i64, i64)); 2] = [
    (
        "state A { x <= 10 }, B; init A; trans A -> B { guard x >= 2; };",
        (2, 10),
    ),
    ("state A, B; init A; trans A -> B { guard x >= 7; };", (7, 8)),
];

#[test]
fn delays_follow_table_3_in_every_window() {
    for (body, window) in WINDOWS {
        let text = format!("clock x; process P() {{ {body} }} system P;");
        let (network, _) = compiled(&text, "E<> false");
        let plan = WalkPlan::new(&network);
        for walk in (0..22).chain([33, 43, 76]) {
            let (lower, upper) = TABLE_3[walk as usize % 11];
            let (at_lower, at_upper) = bounds(&plan, &paper(Heuristic::Ret), walk, window);
            assert_percent(at_lower, lower, &format!("{body} walk {walk}, lower bound"));
            assert_percent(at_upper, upper, &format!("{body} walk {walk}, upper bound"));
        }
    }
}

#[test]
fn a_distribution_of_ones_own_is_that_of_every_walk() {
    let (body, window) = WINDOWS[0];
    let text = format!("clock x; process P() {{ {body} }} system P;");
    let (network, _) = compiled(&text, "E<> false");
    let plan = WalkPlan::new(&network);
    for schedule in [Schedule::Paper, Schedule::Tuned] {
        let options = Options {
            schedule,
            delays: Delays::Fixed(Distribution::new(70, 10).unwrap()),
            ..paper(Heuristic::Ret)
        };
        for walk in [0, 5, 40] {
            let (at_lower, at_upper) = bounds(&plan, &options, walk, window);
            assert_percent(at_lower, 70, "lower bound");
            assert_percent(at_upper, 10, "upper bound");
        }
    }
    assert_eq!(Distribution::new(60, 41), None);
}

/// Nothing ends a walk whose goal has become impossible.
#[test]
fn walks_go_on_when_the_goal_is_too_late() {
    let text = "clock x, t; process P() { state A { x <= 9 }, G; init A;
        trans A -> A { guard x >= 9; assign x = 0; }, A -> G { guard t > 60; }; } system P;";
    let steps = |schedule: Schedule| {
        let options = Options {
            schedule,
            max_steps: Some(500),
            ..paper(Heuristic::Rlc)
        };
        support::report_of_walk(0, text, "E<> P.G && t <= 30", &options).steps
    };
    assert!(steps(Schedule::Tuned) <= 4);
    // The walk ends where the model does, not with the goal.
    assert!(steps(Schedule::Paper) >= 7);
}

/// The goal is looked for where the run passes, not where it might have: the walk with 100 % lower bound is past at 2, that with
/// 100 % upper bound sees 3 to 4 on its way.
#[test]
fn the_goal_is_seen_where_the_run_passes() {
    let text =
        "clock x; process P() { state A { x <= 10 }, B; init A; trans A -> B { guard x >= 2; }; } system P;";
    let hits = |walk: u64, schedule: Schedule| {
        let options = Options {
            schedule,
            ..paper(Heuristic::Ret)
        };
        hits_of_walk(walk, text, "E<> P.A && x > 3 && x < 4", &options, 50)
    };
    assert_eq!([4, 5].map(|walk| hits(walk, Schedule::Paper)), [0, 50]);
    assert_eq!([4, 5].map(|walk| hits(walk, Schedule::Tuned)), [50, 50]);
    // Where a walk is stuck, time passes as long as it can.
    let late = |query: &str| hits_of_walk(4, text, query, &paper(Heuristic::Ret), 50);
    assert_eq!(late("E<> P.B && x > 1000"), 50);
    assert_eq!(late("E<> deadlock"), 50);
}

fn compiled(text: &str, query: &str) -> (Network, zonewalk_network::Predicate) {
    let model = model(text);
    let system = instance::instantiate(&model).unwrap();
    let (network, predicate, _) = support::compiled(&model, &system, query);
    (network, predicate)
}
