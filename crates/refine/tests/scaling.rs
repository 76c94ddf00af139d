//! Time has no unit: with all constants times `k`, every answer stays as it is, and times are times `k`. Factors cross what 8, 16, 28
//! and 32 bits hold.
#![allow(clippy::unwrap_used)]

use crate::support;
use crate::theory::{and, both, draw_usable, without};

use support::models;
use support::random::{Dice, SMALL, Shape};
use support::{Case, DECLARED, one};
use zonewalk_refine::control::{Control, Limit, Limits};
use zonewalk_refine::export;
use zonewalk_refine::frame::Abstraction;
use zonewalk_refine::precondition::Obstacle;
use zonewalk_refine::reachability::{self, ReachabilityAnswer};
use zonewalk_refine::refinement::{Broken, Outcome, check};
use zonewalk_refine::walk::{self, WalkOptions, WalkOutcome};
use zonewalk_refine::{concretise, implementation, leaf, system};
use zonewalk_tioa::{Component, Formula, Project, Relation, Run, StateFormula, System};

/// The largest constant of random specifications is 4.
const FACTORS: [i32; 5] = [100, 30_000, 3_000_000, 40_000_000, i32::MAX / 4];

/// How many specifications each property is tried on, for each factor.
const CASES: u64 = 60;

fn scale_formula(formula: &mut Formula, k: i32) {
    match formula {
        Formula::Constant(_) => {}
        Formula::Compare(comparison) => comparison.bound *= k,
        Formula::Not(inner) => scale_formula(inner, k),
        Formula::And(parts) | Formula::Or(parts) => parts.iter_mut().for_each(|part| scale_formula(part, k)),
    }
}

fn scale_component(component: &mut Component, k: i32) {
    for location in &mut component.locations {
        scale_formula(&mut location.invariant, k);
    }
    for edge in &mut component.edges {
        scale_formula(&mut edge.guard, k);
        edge.updates.iter_mut().for_each(|(_, value)| *value *= k);
    }
}

fn scaled(project: &Project, k: i32) -> Project {
    let mut project = project.clone();
    for component in &mut project.components {
        scale_component(component, k);
    }
    project
}

fn slower(run: &Run, k: i32) -> Run {
    let mut run = run.clone();
    for step in &mut run.steps {
        step.delay *= i64::from(k);
    }
    run.last_delay *= i64::from(k);
    run
}

/// Both searches over zones on a pair, and the pair with larger constants. Says whether a rule is broken.
fn is_violated_alike(project: &Project, left: &System, right: &System, k: i32) -> bool {
    let small = Case::new(project.clone(), left, right, DECLARED);
    let large = Case::new(scaled(project, k), left, right, DECLARED);
    let decide = |case: &Case| {
        let mut pair = case.pair.clone();
        let outcome = check(
            &mut pair,
            Abstraction::LowerUpper,
            Limits::default(),
            &Control::default(),
        );
        let run = match &outcome {
            Outcome::Violated(violation) if violation.what != Broken::Start => {
                Some(concretise::run(&mut pair, violation).unwrap())
            }
            _ => None,
        };
        (outcome, run)
    };
    let ((outcome, run), (larger, later)) = (decide(&small), decide(&large));
    match (&outcome, &larger) {
        (Outcome::Holds { pairs, zones }, Outcome::Holds { pairs: p, zones: z }) => {
            assert_eq!((pairs, zones), (p, z), "times {k}\n{project:#?}");
        }
        (Outcome::Violated(one), Outcome::Violated(other)) => {
            assert_eq!(one.states, other.states, "times {k}\n{project:#?}");
            assert_eq!(one.what, other.what, "times {k}\n{project:#?}");
        }
        _ => panic!("{outcome:?}, but times {k} {larger:?}\n{project:#?}"),
    }
    if let (Some(run), Some(later)) = (run, later) {
        small.judge(&run);
        large.judge(&later);
        large.judge(&slower(&run, k));
    }
    matches!(outcome, Outcome::Violated(_))
}

#[test]
fn refinements_scale() {
    let mut violated = 0;
    for (seed, k) in (0..CASES).flat_map(|seed| FACTORS.map(|k| (seed, k))) {
        let mut project = Project::default();
        let mut dice = Dice::new(110_000 + seed);
        let a = draw_usable(&mut project, "A", &SMALL, &mut dice, false);
        let b = draw_usable(&mut project, "B", &SMALL, &mut dice, false);
        violated += u64::from(is_violated_alike(&project, &a, &b, k));
        // The conjunction of what has fixed values at once writes differences of constants.
        is_violated_alike(&project, &and(&a, &b), &b, k);
    }
    let all = CASES * FACTORS.len() as u64;
    assert!(
        (all / 10..all * 9 / 10).contains(&violated),
        "{violated} of {all} are violated"
    );
}

#[test]
fn quotients_scale() {
    let shape = |inputs: &'static [&'static str], outputs: &'static [&'static str]| Shape {
        inputs,
        outputs,
        clocks: 1,
        locations: 2,
        ..SMALL
    };
    for (seed, k) in (0..CASES / 2).flat_map(|seed| FACTORS.map(|k| (seed, k))) {
        let mut project = Project::default();
        let mut dice = Dice::new(120_000 + seed);
        let t = draw_usable(&mut project, "T", &shape(&["i"], &["a", "b"]), &mut dice, false);
        let s = draw_usable(&mut project, "S", &shape(&["i"], &["a"]), &mut dice, false);
        let x = draw_usable(&mut project, "X", &shape(&["a", "i"], &["b"]), &mut dice, false);
        is_violated_alike(&project, &x, &without(&t, &s), k);
        is_violated_alike(&project, &both(&s, &x), &t, k);
    }
}

#[test]
fn models_scale() {
    /// Their largest constant, in multiples of that of random specifications.
    const LARGEST: i32 = 30;
    let cases = [
        models::milner(3, 5, 30, 0),
        models::milner(3, 5, 30, 10),
        models::leader(3, 9, 0),
        models::leader(3, 9, 2),
        models::figure_2(6),
        models::figure_7(),
        models::tea(3),
    ];
    let mut violated = 0;
    for (case, k) in cases.iter().flat_map(|case| FACTORS.map(|k| (case, k / LARGEST))) {
        violated += u64::from(is_violated_alike(
            &case.project,
            &case.left,
            &case.right,
            k.max(1),
        ));
    }
    assert!((5..30).contains(&violated), "{violated} are violated");
}

#[test]
fn games_scale() {
    let mut pruned = 0;
    for (seed, k) in (0..CASES).flat_map(|seed| FACTORS.map(|k| (seed, k))) {
        let mut project = Project::default();
        let mut dice = Dice::new(130_000 + seed);
        let a = draw_usable(&mut project, "A", &SMALL, &mut dice, false);
        let b = draw_usable(&mut project, "B", &SMALL, &mut dice, false);
        let build = |project: &Project| {
            let control = Control::default();
            export::pruned(project, DECLARED, &and(&a, &b), "P", Limits::default(), &control)
        };
        let mut small = build(&project).unwrap();
        match build(&scaled(&project, k)) {
            Ok(large) => {
                pruned += u64::from(small.is_some());
                small
                    .iter_mut()
                    .for_each(|component| scale_component(component, k));
                assert_eq!(
                    format!("{small:?}"),
                    format!("{large:?}"),
                    "seed {seed}, times {k}\n{project:#?}"
                );
            }
            // The sum of two constants has no place in a file.
            Err(obstacle) => assert!(
                k == i32::MAX / 4 && obstacle == Obstacle::Limit(Limit::Number),
                "{obstacle:?}"
            ),
        }
    }
    assert!(pruned > 50, "{pruned} have good states");
}

#[test]
fn explorations_scale() {
    let mut reached = 0;
    let mut flawed = 0;
    for (seed, k) in (0..CASES).flat_map(|seed| FACTORS.map(|k| (seed, k))) {
        let mut project = Project::default();
        let mut dice = Dice::new(140_000 + seed);
        support::random::random(&mut project, "A", &SMALL, &mut dice);
        support::random::random(&mut project, "B", &SMALL, &mut dice);
        let a = one("A");
        let System::Component(instance) = &a else {
            unreachable!("a component")
        };
        let compare = |clock: &str, relation, bound: i32| StateFormula::Compare {
            clock: (instance.clone(), clock.to_owned()),
            minus: None,
            relation,
            bound,
        };
        let at = |location: &str| StateFormula::Location {
            instance: instance.clone(),
            location: location.to_owned(),
        };
        let component = project.component("A").unwrap();
        let (last, clock) = (component.locations.last().unwrap(), component.clocks.first());
        let ask = |project: &Project, k: i32| {
            let between = |low: i32, high: i32| {
                let compare = |clock: &String| {
                    let low = compare(clock, Relation::Greater, low * k);
                    StateFormula::And(vec![low, compare(clock, Relation::Less, high * k)])
                };
                clock.map_or(StateFormula::Constant(true), compare)
            };
            let from = StateFormula::And(vec![at("L0"), between(0, 1)]);
            let to = StateFormula::And(vec![at(&last.name), between(1, 3)]);
            let ask = |from: Option<&StateFormula>| {
                let control = Control::default();
                reachability::check(project, DECLARED, &a, from, &to, Limits::default(), &control)
            };
            [None, Some(&from)].map(|from| match ask(from).unwrap() {
                ReachabilityAnswer::Reached { actions, run, .. } => {
                    Some((actions, run.map(|run| run.steps.len())))
                }
                ReachabilityAnswer::Unreachable => None,
                ReachabilityAnswer::Misnamed(why) => panic!("{why}"),
            })
        };
        let small = ask(&project, 1);
        reached += u64::from(small[0].is_some());
        assert_eq!(
            small,
            ask(&scaled(&project, k), k),
            "seed {seed}, times {k}\n{project:#?}"
        );
        let flaw = |project: &Project| {
            let mut builder = system::Builder::new(project, DECLARED);
            let automaton = builder.automaton(&a, leaf::Polarity::Both).unwrap();
            let found = implementation::check(&automaton, Limits::default(), &Control::default()).unwrap();
            found.map(|found| (found.what, found.states))
        };
        let small = flaw(&project);
        flawed += u64::from(small.is_some());
        assert_eq!(small, flaw(&scaled(&project, k)), "seed {seed}, times {k}");
    }
    assert!(reached > 30 && flawed > 30, "{reached} reached, {flawed} flawed");
}

/// Walks make other choices where ticks are longer or windows without an end reach further, but find as much.
#[test]
fn walks_scale() {
    let mut found = [0i32; 1 + FACTORS.len()];
    for seed in 0..CASES {
        let mut project = Project::default();
        let mut dice = Dice::new(150_000 + seed);
        let a = draw_usable(&mut project, "A", &SMALL, &mut dice, true);
        let b = draw_usable(&mut project, "B", &SMALL, &mut dice, true);
        for (place, k) in [1].into_iter().chain(FACTORS).enumerate() {
            let case = Case::new(scaled(&project, k), &a, &b, DECLARED);
            let options = WalkOptions {
                max_walks: Some(30),
                seed,
                ..WalkOptions::default()
            };
            if let WalkOutcome::Found(violation) =
                walk::check(&case.pair, &options, Limits::default(), &Control::default())
            {
                case.judge(&violation.run);
                found[place] += 1;
            }
        }
    }
    assert!(found[0] > 20, "{found:?}");
    assert!(
        found.iter().all(|count| (count - found[0]).abs() <= 2),
        "{found:?}"
    );
}

/// The largest number of the language, in every place, with differences of clocks.
#[test]
fn the_largest_numbers_work() {
    let mut project = Project::default();
    let most = i32::MAX;
    for (name, wait) in [("A", most), ("B", most - 1)] {
        support::draw(&mut project, name, "x, y")
            .at("L", &format!("x<={most}"))
            .at("M", "")
            .edge(
                "L -> M",
                "a!",
                &format!("x>={wait} && x-y<={most}"),
                &format!("y={most}"),
            )
            .edge("M -> L", "b!", &format!("y>{most}"), "x=0")
            .done();
    }
    assert!(!is_violated_alike(&project, &one("A"), &one("B"), 1));
    assert!(is_violated_alike(&project, &one("B"), &one("A"), 1));
}
