//! Random walks over pairs: what they find is judged, and how often they find it is what the paper says.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::models::{figure_2, figure_7, leader, milner, tea};
use support::{Case, STRICT, USUAL, draw, one};
use zonewalk_refine::control::{Control, Limit, Limits};
use zonewalk_refine::walk::{
    Delays, FoundViolation, Heuristic, WalkOptions, WalkOutcome, check, first_violation,
};
use zonewalk_tioa::{Kind, Project, Rule, System};

fn walks(case: &Case, options: &WalkOptions) -> Option<FoundViolation> {
    match check(&case.pair, options, Limits::default(), &Control::default()) {
        WalkOutcome::Found(found) => {
            case.judge(&found.run);
            Some(*found)
        }
        WalkOutcome::NotFound(limit) => {
            assert_eq!(limit, Limit::Walks);
            None
        }
    }
}

fn few(heuristic: Heuristic, delays: Delays) -> WalkOptions {
    WalkOptions {
        heuristic,
        delays,
        max_walks: Some(2000),
        ..WalkOptions::default()
    }
}

const ALL: [(Heuristic, Delays); 6] = [
    (Heuristic::Ret, Delays::Adaptive),
    (Heuristic::Ret, Delays::Uniform),
    (Heuristic::Ret, Delays::Pd),
    (Heuristic::Rcf, Delays::Adaptive),
    (Heuristic::Rcf, Delays::Uniform),
    (Heuristic::Rcf, Delays::Pd),
];

#[test]
fn slow_machines_are_caught_and_quick_ones_are_not() {
    for (heuristic, delays) in ALL.into_iter().chain([(Heuristic::Smc, Delays::Uniform)]) {
        let found = walks(&tea(4), &few(heuristic, delays)).expect("found");
        assert_eq!(found.run.rule, Rule::Delay);
        let good = WalkOptions {
            max_walks: Some(300),
            ..few(heuristic, delays)
        };
        assert!(walks(&tea(0), &good).is_none());
    }
}

#[test]
fn rings_that_are_late_are_caught() {
    for heuristic in [Heuristic::Ret, Heuristic::Rcf] {
        let options = few(heuristic, Delays::Adaptive);
        assert!(walks(&milner(3, 10, 30, 0), &options).is_none());
        let found = walks(&milner(3, 10, 30, 1), &options).expect("found");
        assert_eq!(found.run.rule, Rule::Delay);
        // A fast token is lost where node 0 still works.
        assert!(walks(&milner(3, 9, 30, 0), &options).is_some());
    }
}

#[test]
fn late_leaders_are_caught() {
    for heuristic in [Heuristic::Ret, Heuristic::Rcf] {
        let options = few(heuristic, Delays::Adaptive);
        assert!(walks(&leader(4, 2, 0), &options).is_none());
        let found = walks(
            &leader(4, 2, 1),
            &WalkOptions {
                max_walks: None,
                ..options
            },
        )
        .expect("found");
        assert_eq!(found.run.rule, Rule::Delay);
    }
}

/// Mean number of walks until a violation, over many seeds, with its standard error.
fn mean(case: &Case, options: WalkOptions, samples: u32) -> (f64, f64) {
    let counts: Vec<f64> = (0..samples)
        .map(|seed| {
            let options = WalkOptions {
                seed: seed.into(),
                ..options
            };
            let walk = first_violation(&case.pair, &options, Limits::default(), &Control::default());
            (walk.unwrap() + 1) as f64
        })
        .collect();
    let n = f64::from(samples);
    let mean = counts.iter().sum::<f64>() / n;
    let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

fn assert_mean((mean, error): (f64, f64), expected: f64) {
    assert!(
        (mean - expected).abs() < 4.0 * error,
        "{mean} +- {error}, not {expected}"
    );
}

#[test]
fn narrow_edges_cost_two_walks_as_the_paper_says() {
    let options = WalkOptions {
        max_steps: Some(10),
        ..WalkOptions::default()
    };
    for (heuristic, delays) in ALL {
        let options = WalkOptions {
            heuristic,
            delays,
            ..options
        };
        assert_mean(mean(&figure_2(1_000_000), options, 3000), 2.0);
    }
    // Uniform over 50 units, of which one is enough, and then one of two edges: a hundredth, where the paper has 10^6 units.
    let smc = WalkOptions {
        heuristic: Heuristic::Smc,
        ..options
    };
    assert_mean(mean(&figure_2(50), smc, 3000), 100.0);
}

#[test]
fn difficult_channels_cost_what_table_1_says() {
    for (heuristic, expected) in [
        (Heuristic::Ret, 4.0 * 1.5f64.powi(8)),
        (Heuristic::Rcf, 3.0 * 256.0),
    ] {
        for delays in [Delays::Adaptive, Delays::Uniform, Delays::Pd] {
            let options = WalkOptions {
                heuristic,
                delays,
                max_steps: Some(1000),
                ..WalkOptions::default()
            };
            let samples = if delays == Delays::Adaptive { 2000 } else { 300 };
            assert_mean(mean(&figure_7(), options, samples), expected);
        }
    }
}

#[test]
fn threads_do_not_matter() {
    let case = milner(4, 5, 30, 2);
    for seed in 0..10 {
        let options = WalkOptions {
            seed,
            ..WalkOptions::default()
        };
        let alone = walks(&case, &options).unwrap();
        for threads in [2, 3] {
            let found = walks(&case, &WalkOptions { threads, ..options }).unwrap();
            assert_eq!((found.walk, &found.run), (alone.walk, &alone.run));
        }
    }
}

/// Two components with one output `o!` each, and invariants.
fn waiting(left: &str, right: &str) -> Case {
    let mut project = Project::default();
    for (name, invariant) in [("L", left), ("R", right)] {
        draw(&mut project, name, "x, y")
            .at("A", invariant)
            .at("B", "")
            .edge("A -> B", "o!", "", "")
            .done();
    }
    Case::new(project, &one("L"), &one("R"), USUAL)
}

#[test]
fn maximal_delays_are_compared_with_their_strictness() {
    let options = few(Heuristic::Ret, Delays::Adaptive);
    for (left, right, is_violated) in [
        ("x<=10", "x<=10", false),
        ("x<10", "x<10", false),
        ("x<10", "x<=10", false),
        ("x<=10", "x<10", true),
        ("x<10", "x<=9", true),
        ("", "x<=9", true),
        ("x<=2 || x>4", "x<=2", false),
        ("x<=2 || x>2", "x<=2", true),
        ("x<2 || x>=2", "x<=9", true),
        ("x<=9", "x<2 || x>=2", false),
        ("x<=9", "x<2 || x>2", true),
        ("x<=2 || x>=1 && x<=3 || x>=3 && x<5", "x<5", false),
        ("x<=2 || x>=1 && x<=3 || x>=3 && x<=5", "x<5", true),
        ("x<=3", "x>=0 && y<=3", false),
    ] {
        assert_eq!(
            walks(&waiting(left, right), &options).is_some(),
            is_violated,
            "{left} against {right}"
        );
    }
}

#[test]
fn a_right_side_that_cannot_start_is_a_violation() {
    let found = walks(&waiting("", "x>=1"), &few(Heuristic::Ret, Delays::Adaptive)).unwrap();
    assert_eq!((found.run.steps.len(), found.run.last_delay), (0, 0));
    // And a left side that cannot start leaves nothing to look for.
    assert!(walks(&waiting("x>=1", ""), &few(Heuristic::Ret, Delays::Adaptive)).is_none());
}

#[test]
fn strict_guards_are_met_and_kept() {
    let mut project = Project::default();
    for (name, guard) in [
        ("Open", "x>1 && x<2"),
        ("Closed", "x>=1 && x<=2"),
        ("Half", "x>1 && x<=2"),
    ] {
        draw(&mut project, name, "x")
            .at("A", "")
            .edge("A -> A", "o!", guard, "x=0")
            .done();
    }
    for (left, right, is_violated) in [
        ("Open", "Closed", false),
        ("Half", "Closed", false),
        ("Open", "Half", false),
        ("Closed", "Open", true),
        ("Closed", "Half", true),
        ("Half", "Open", true),
    ] {
        let case = Case::new(project.clone(), &one(left), &one(right), USUAL);
        for (heuristic, delays) in [(Heuristic::Ret, Delays::Adaptive), (Heuristic::Rcf, Delays::Pd)] {
            let found = walks(&case, &few(heuristic, delays));
            assert_eq!(found.is_some(), is_violated, "{left} against {right}");
        }
    }
}

#[test]
fn inputs_of_the_right_side_alone_are_offered() {
    let mut project = Project::default();
    draw(&mut project, "L", "x")
        .at("A", "x<=5")
        .edge("A -> A", "o!", "", "x=0")
        .done();
    // After `i` the right side is quicker than the left one.
    draw(&mut project, "R", "z")
        .at("A", "z<=5")
        .at("B", "z<=3")
        .edge("A -> A", "o!", "", "z=0")
        .edge("A -> B", "i?", "z<=1", "")
        .edge("B -> B", "o!", "", "z=0")
        .done();
    let case = Case::new(project, &one("L"), &one("R"), USUAL);
    for heuristic in [Heuristic::Ret, Heuristic::Rcf] {
        let found = walks(&case, &few(heuristic, Delays::Adaptive)).unwrap();
        assert!(found.run.steps.iter().any(|step| step.left.is_empty()));
    }
}

#[test]
fn the_fresh_input_of_a_quotient_brings_deadlines_to_the_left() {
    let mut project = Project::default();
    for (name, bound) in [("Quick", "y<=2"), ("Slow", "y<=4")] {
        draw(&mut project, name, "y")
            .at("A", "")
            .at("B", bound)
            .edge("A -> B", "go?", "", "y=0")
            .edge("B -> A", "done!", "", "")
            .done();
    }
    draw(&mut project, "Whole", "z")
        .at("A", "")
        .at("B", "z<=3")
        .edge("A -> B", "go!", "", "z=0")
        .edge("B -> A", "done!", "", "")
        .done();
    draw(&mut project, "Part", "")
        .at("A", "")
        .at("B", "")
        .edge("A -> B", "go!", "", "")
        .edge("B -> A", "done?", "", "")
        .done();
    let quotient = System::Quotient {
        whole: Box::new(one("Whole")),
        part: Box::new(one("Part")),
    };
    for (left, is_violated) in [("Quick", false), ("Slow", true)] {
        let case = Case::new(project.clone(), &one(left), &quotient, USUAL);
        for heuristic in [Heuristic::Ret, Heuristic::Rcf] {
            let found = walks(&case, &few(heuristic, Delays::Pd));
            assert_eq!(found.is_some(), is_violated, "{left}");
        }
    }
}

#[test]
fn refused_inputs_are_violations_of_the_input_rule() {
    let mut project = Project::default();
    draw(&mut project, "L", "x")
        .at("A", "")
        .edge("A -> A", "i?", "x<=3", "")
        .done();
    draw(&mut project, "R", "x")
        .at("A", "")
        .edge("A -> A", "i?", "x<=4", "")
        .done();
    let case = Case::new(project.clone(), &one("L"), &one("R"), STRICT);
    for heuristic in [Heuristic::Ret, Heuristic::Rcf] {
        let found = walks(&case, &few(heuristic, Delays::Adaptive)).unwrap();
        assert!(matches!(found.run.rule, Rule::Input(_)));
    }
    // The other way round nothing is wrong: what the right side refuses need not be accepted.
    let back = Case::new(project.clone(), &one("R"), &one("L"), STRICT);
    assert!(walks(&back, &few(Heuristic::Ret, Delays::Adaptive)).is_none());
    let completed = Case::new(project, &one("L"), &one("R"), USUAL);
    assert!(walks(&completed, &few(Heuristic::Ret, Delays::Adaptive)).is_none());
}

#[test]
fn universal_locations_allow_everything_and_errors_stop_time() {
    let mut project = Project::default();
    draw(&mut project, "L", "x")
        .at("A", "x<=5")
        .edge("A -> A", "o!", "x>=2", "x=0")
        .edge("A -> A", "p!", "x>=3", "x=0")
        .done();
    for (name, kind) in [("Free", Kind::Universal), ("Wrong", Kind::Inconsistent)] {
        draw(&mut project, name, "z")
            .at("A", "")
            .at("B", "")
            .kind(kind)
            .edge("A -> B", "o!", "", "")
            .edge("A -> A", "p!", "", "")
            .done();
    }
    for (right, is_violated) in [("Free", false), ("Wrong", true)] {
        let case = Case::new(project.clone(), &one("L"), &one(right), USUAL);
        let found = walks(&case, &few(Heuristic::Rcf, Delays::Adaptive));
        assert_eq!(found.is_some(), is_violated, "{right}");
    }
}

/// A component that sends one of several things and stops. The right side forbids `e`.
fn fork(edges: &[(&str, &str)]) -> Case {
    let mut project = Project::default();
    let mut left = draw(&mut project, "L", "x").at("A", "x<=4").at("B", "");
    for (sync, guard) in edges {
        left = left.edge("A -> B", sync, guard, "");
    }
    left.done();
    let mut right = draw(&mut project, "R", "z").at("S", "");
    for (sync, _) in edges {
        right = right.edge("S -> S", sync, if *sync == "e!" { "z<0" } else { "" }, "");
    }
    right.done();
    Case::new(project, &one("L"), &one("R"), USUAL)
}

#[test]
fn every_alternative_of_a_guard_is_a_transition() {
    let case = fork(&[("a!", ""), ("b!", "x<1 || x>2"), ("c!", "x>5"), ("e!", "x>=3")]);
    // `c` is never enabled in time, so there are four transitions and three channels.
    for (heuristic, expected) in [(Heuristic::Ret, 4.0), (Heuristic::Rcf, 3.0)] {
        for delays in [Delays::Adaptive, Delays::Uniform, Delays::Pd] {
            let options = WalkOptions {
                heuristic,
                delays,
                ..WalkOptions::default()
            };
            assert_mean(mean(&case, options, 3000), expected);
        }
    }
}

#[test]
fn inputs_count_among_the_transitions_of_the_left_side() {
    let mut project = Project::default();
    draw(&mut project, "L", "")
        .at("A", "")
        .at("B", "")
        .edge("A -> B", "i?", "", "")
        .edge("A -> B", "e!", "", "")
        .done();
    // Of `j` only the right side knows; it leads away, too.
    draw(&mut project, "R", "z")
        .at("S", "")
        .at("T", "")
        .kind(Kind::Universal)
        .edge("S -> S", "i?", "", "")
        .edge("S -> T", "j?", "", "")
        .edge("S -> S", "e!", "z<0", "")
        .done();
    let case = Case::new(project, &one("L"), &one("R"), USUAL);
    for heuristic in [Heuristic::Ret, Heuristic::Rcf] {
        let options = WalkOptions {
            heuristic,
            ..WalkOptions::default()
        };
        assert_mean(mean(&case, options, 3000), 3.0);
    }
}

#[test]
fn adaptive_delays_take_the_ends_of_windows() {
    // Wrong between the first unit and the third: what lies inside is never tried (section 3.4 of the paper).
    let mut project = Project::default();
    draw(&mut project, "L", "x")
        .at("A", "x<=4")
        .at("B", "")
        .edge("A -> B", "a!", "", "")
        .done();
    draw(&mut project, "R", "z")
        .at("S", "")
        .edge("S -> S", "a!", "z<1 || z>3", "")
        .done();
    let case = Case::new(project, &one("L"), &one("R"), USUAL);
    assert!(walks(&case, &few(Heuristic::Ret, Delays::Adaptive)).is_none());
    let uniform = WalkOptions {
        delays: Delays::Uniform,
        ..WalkOptions::default()
    };
    assert_mean(mean(&case, uniform, 3000), 2.0);
    assert_mean(
        mean(
            &case,
            WalkOptions {
                delays: Delays::Pd,
                ..uniform
            },
            3000,
        ),
        10.0,
    );
}

#[test]
fn windows_without_an_end_reach_beyond_the_largest_constant() {
    let mut project = Project::default();
    draw(&mut project, "L", "x")
        .at("A", "")
        .at("B", "")
        .edge("A -> B", "a!", "x>=2", "")
        .done();
    draw(&mut project, "R", "z")
        .at("S", "")
        .edge("S -> S", "a!", "z<=7", "")
        .done();
    let case = Case::new(project, &one("L"), &one("R"), USUAL);
    let options = WalkOptions {
        delays: Delays::Uniform,
        ..WalkOptions::default()
    };
    // Between 2 and 2 + 7 + 1, of which three units are too late.
    assert_mean(mean(&case, options, 3000), 8.0 / 3.0);
}

#[test]
fn smc_has_the_delays_of_the_stochastic_semantics() {
    let options = WalkOptions {
        heuristic: Heuristic::Smc,
        ..WalkOptions::default()
    };
    let against = |invariant: &str, guard: &str, right: &str, allowed: &str| {
        let mut project = Project::default();
        draw(&mut project, "L", "x")
            .at("A", invariant)
            .at("B", "x<=0")
            .edge("A -> B", "a!", guard, "x=0")
            .done();
        draw(&mut project, "R", "z")
            .at("S", right)
            .at("T", "")
            .edge("S -> T", "a!", allowed, "")
            .done();
        Case::new(project, &one("L"), &one("R"), USUAL)
    };
    // Uniform over four units, of which the last is too late for the right side's guard, or for its invariant.
    assert_mean(mean(&against("x<=4", "", "", "z<=3"), options, 3000), 4.0);
    assert_mean(mean(&against("x<=4", "", "z<=3", ""), options, 3000), 4.0);
    assert_mean(mean(&against("x<=4", "x>=2", "", "z<=3"), options, 3000), 2.0);
    // Without a deadline: exponential from the first instant on.
    let e = std::f64::consts::E;
    assert_mean(mean(&against("", "x>=1", "", "z<=2"), options, 3000), e);
    assert_mean(mean(&against("", "x>=1", "z<=2", ""), options, 3000), e);
}

#[test]
fn walks_that_cannot_begin_end() {
    let mut project = Project::default();
    draw(&mut project, "A", "x")
        .at("L", "")
        .edge("L -> L", "i?", "", "")
        .done();
    let case = Case::new(project, &one("A"), &one("A"), USUAL);
    let options = WalkOptions {
        heuristic: Heuristic::Smc,
        ..WalkOptions::default()
    };
    let outcome = check(&case.pair, &options, Limits::default(), &Control::default());
    assert!(
        matches!(outcome, WalkOutcome::NotFound(Limit::Stuck)),
        "{outcome:?}"
    );
}

#[test]
fn runs_lose_what_they_do_not_need() {
    // Any number of `a`, then `b` too late.
    let mut project = Project::default();
    draw(&mut project, "L", "x, y")
        .at("A", "x<=2")
        .at("B", "x<=3")
        .edge("A -> A", "a!", "x>=1", "x=0")
        .edge("A -> B", "b!", "y>50", "x=0")
        .edge("B -> A", "c!", "", "x=0, y=0")
        .done();
    draw(&mut project, "R", "z")
        .at("A", "")
        .at("B", "z<=2")
        .edge("A -> A", "a!", "", "")
        .edge("A -> B", "b!", "", "z=0")
        .edge("B -> A", "c!", "", "")
        .done();
    let case = Case::new(project, &one("L"), &one("R"), USUAL);
    for seed in 0..20 {
        let options = WalkOptions {
            seed,
            ..WalkOptions::default()
        };
        let found = walks(&case, &options).unwrap();
        // More than 50 units at two units each, and the last `a` may leave one.
        assert_eq!(found.run.steps.len(), 26, "{:#?}", found.run);
        assert_eq!((found.run.scale, found.run.last_delay), (1, 3));
    }
}

#[test]
fn long_runs_are_shortened_with_bounded_effort() {
    let mut project = Project::default();
    draw(&mut project, "L", "x")
        .at("A", "x<=1")
        .edge("A -> A", "a!", "x>=1", "x=0")
        .done();
    draw(&mut project, "R", "z")
        .at("A", "z<=5000")
        .edge("A -> A", "a!", "", "")
        .done();
    let case = Case::new(project, &one("L"), &one("R"), USUAL);
    let found = walks(&case, &WalkOptions::default()).unwrap();
    assert_eq!(
        (found.run.steps.len(), found.run.scale, found.run.last_delay),
        (5000, 1, 1)
    );
}
