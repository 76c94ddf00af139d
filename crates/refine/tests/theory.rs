//! The theory of specifications as properties of random small ones, and the engines against an explicit search over regions.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::random::{Dice, SMALL, Shape, random};
use support::{Case, DECLARED, one, regions};
use zonewalk_reference::tioa::Pair as Judged;
use zonewalk_refine::control::{Control, Limits};
use zonewalk_refine::frame::Abstraction;
use zonewalk_refine::game::Outputs;
use zonewalk_refine::precondition::PreconditionChecker;
use zonewalk_refine::refinement::{Broken, Outcome, check};
use zonewalk_refine::walk::{self, WalkOptions, WalkOutcome};
use zonewalk_refine::{concretise, export};
use zonewalk_tioa::{Project, System};

/// How many specifications each property is tried on.
const CASES: u64 = 1000;

/// Whether `left <= right`, by exploration alone. A violation has to replay, and both abstractions have to agree.
fn refines(project: &Project, left: &System, right: &System) -> bool {
    let case = Case::new(project.clone(), left, right, DECLARED);
    let judged = Judged::new(&case.project, &case.left, &case.right, DECLARED, 1).unwrap();
    for (engine, judge) in [(&case.pair.left, &judged.left), (&case.pair.right, &judged.right)] {
        assert_eq!(engine.alphabet.inputs, judge.inputs());
        assert_eq!(engine.alphabet.outputs, judge.outputs());
    }
    let decide = |abstraction| {
        let mut pair = case.pair.clone();
        let outcome = check(&mut pair, abstraction, Limits::default(), &Control::default());
        (pair, outcome)
    };
    let (mut pair, outcome) = decide(Abstraction::LowerUpper);
    let (_, plain) = decide(Abstraction::Maximum);
    match (outcome, plain) {
        (Outcome::Holds { .. }, Outcome::Holds { .. }) => true,
        (Outcome::Violated(violation), Outcome::Violated(_)) => {
            if violation.what != Broken::Start {
                let run = concretise::run(&mut pair, &violation);
                case.judge(&run.unwrap_or_else(|error| panic!("{error}\n{violation:#?}\n{project:#?}")));
            }
            false
        }
        (outcome, plain) => panic!("{outcome:?} but {plain:?}\n{project:#?}"),
    }
}

fn checker<'a>(project: &'a Project, control: &'a Control) -> PreconditionChecker<'a> {
    PreconditionChecker {
        project,
        reading: DECLARED,
        limits: Limits::default(),
        control,
    }
}

fn is_deterministic(project: &Project, system: &System) -> bool {
    checker(project, &Control::default())
        .deterministic(system)
        .unwrap()
        .is_none()
}

fn is_consistent(project: &Project, system: &System) -> bool {
    checker(project, &Control::default())
        .consistent(system, Outputs::One)
        .unwrap()
        .is_none()
}

/// Draws a component until it is deterministic, and consistent if that is asked for.
pub(crate) fn draw_usable(
    project: &mut Project,
    name: &str,
    shape: &Shape<'_>,
    dice: &mut Dice,
    consistent: bool,
) -> System {
    let system = one(name);
    loop {
        random(project, name, shape, dice);
        if is_deterministic(project, &system) && (!consistent || is_consistent(project, &system)) {
            return system;
        }
        project.components.pop();
    }
}

pub(crate) fn both(a: &System, b: &System) -> System {
    System::Composition(vec![a.clone(), b.clone()])
}

pub(crate) fn and(a: &System, b: &System) -> System {
    System::Conjunction(vec![a.clone(), b.clone()])
}

pub(crate) fn without(whole: &System, part: &System) -> System {
    System::Quotient {
        whole: Box::new(whole.clone()),
        part: Box::new(part.clone()),
    }
}

#[test]
fn zones_agree_with_regions() {
    let mut violated = 0;
    for seed in 0..CASES {
        let mut project = Project::default();
        let mut dice = Dice::new(seed);
        let a = draw_usable(&mut project, "A", &SMALL, &mut dice, false);
        let b = draw_usable(&mut project, "B", &SMALL, &mut dice, false);
        let starts = |system: &System| regions::starts(&project, system, DECLARED);
        if !starts(&a) {
            continue;
        }
        let by_regions = regions::violated(&project, &a, &b, DECLARED, 4);
        violated += u64::from(by_regions.is_some());
        assert_eq!(
            refines(&project, &a, &b),
            by_regions.is_none(),
            "seed {seed}: regions say {by_regions:?}\n{project:#?}"
        );
    }
    assert!(
        (50..CASES - 50).contains(&violated),
        "{violated} of {CASES} are violated"
    );
}

#[test]
fn games_agree_with_regions() {
    let mut good = 0;
    for seed in 0..CASES {
        let mut project = Project::default();
        let mut dice = Dice::new(10_000 + seed);
        let a = draw_usable(&mut project, "A", &SMALL, &mut dice, false);
        let b = draw_usable(&mut project, "B", &SMALL, &mut dice, false);
        for system in [a.clone(), and(&a, &b)] {
            let by_regions = regions::consistent(&project, &system, DECLARED, 4);
            good += u64::from(by_regions);
            assert_eq!(
                is_consistent(&project, &system),
                by_regions,
                "seed {seed} {system:?}\n{project:#?}"
            );
        }
    }
    assert!((100..2 * CASES - 100).contains(&good), "{good} are consistent");
}

#[test]
fn refinement_is_reflexive() {
    for seed in 0..CASES {
        let mut project = Project::default();
        let a = draw_usable(&mut project, "A", &SMALL, &mut Dice::new(20_000 + seed), true);
        assert!(refines(&project, &a, &a), "seed {seed}\n{project:#?}");
    }
}

#[test]
fn refinement_is_transitive() {
    let mut used = 0;
    for seed in 0..CASES {
        let mut project = Project::default();
        let mut dice = Dice::new(30_000 + seed);
        let simple = Shape {
            clocks: 1,
            locations: 2,
            ..SMALL
        };
        let list: Vec<System> = ["A", "B", "C"]
            .iter()
            .map(|name| draw_usable(&mut project, name, &simple, &mut dice, true))
            .collect();
        let mut holds = [[false; 3]; 3];
        for (i, a) in list.iter().enumerate() {
            for (j, b) in list.iter().enumerate() {
                holds[i][j] = i == j || refines(&project, a, b);
            }
        }
        for (i, j, k) in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)] {
            if holds[i][j] && holds[j][k] {
                used += 1;
                assert!(holds[i][k], "seed {seed}: {i} <= {j} <= {k}\n{project:#?}");
            }
        }
    }
    assert!(used > 20, "{used} chains");
}

/// Two that talk to each other, and a third with the alphabet of the first.
const LEFT: Shape<'static> = Shape {
    inputs: &["i", "b"],
    outputs: &["a"],
    ..SMALL
};
const RIGHT: Shape<'static> = Shape {
    inputs: &["a"],
    outputs: &["b"],
    ..SMALL
};

/// A part of what [`SMALL`] describes.
const PART: Shape<'static> = Shape {
    outputs: &["o"],
    ..SMALL
};

#[test]
fn composition_is_commutative_and_monotone() {
    let mut used = 0;
    for seed in 0..CASES {
        let mut project = Project::default();
        let mut dice = Dice::new(40_000 + seed);
        let a = draw_usable(&mut project, "A", &LEFT, &mut dice, true);
        let b = draw_usable(&mut project, "B", &RIGHT, &mut dice, true);
        let c = draw_usable(&mut project, "C", &LEFT, &mut dice, true);
        assert!(
            refines(&project, &both(&a, &b), &both(&b, &a)),
            "seed {seed}\n{project:#?}"
        );
        if refines(&project, &a, &c) {
            used += 1;
            assert!(
                refines(&project, &both(&a, &b), &both(&c, &b)),
                "seed {seed}\n{project:#?}"
            );
        }
    }
    assert!(used > 20, "{used} refinements");
}

#[test]
fn conjunction_is_the_greatest_lower_bound() {
    let (mut consistent, mut below) = (0, 0);
    for seed in 0..CASES {
        let mut project = Project::default();
        let mut dice = Dice::new(50_000 + seed);
        let simple = Shape {
            clocks: 1,
            locations: 2,
            ..SMALL
        };
        let s = draw_usable(&mut project, "S", &simple, &mut dice, true);
        let t = draw_usable(&mut project, "T", &simple, &mut dice, true);
        let x = draw_usable(&mut project, "X", &simple, &mut dice, true);
        let meet = and(&s, &t);
        if is_consistent(&project, &meet) {
            consistent += 1;
            assert!(refines(&project, &meet, &s), "seed {seed}\n{project:#?}");
            assert!(refines(&project, &meet, &t), "seed {seed}\n{project:#?}");
        }
        if refines(&project, &x, &s) && refines(&project, &x, &t) {
            below += 1;
            assert!(refines(&project, &x, &meet), "seed {seed}\n{project:#?}");
        }
    }
    assert!(
        consistent > 100 && below > 10,
        "{consistent} conjunctions, {below} below both"
    );
}

#[test]
fn pruning_keeps_what_refines() {
    let mut pruned = 0;
    for seed in 0..CASES {
        let mut project = Project::default();
        let mut dice = Dice::new(60_000 + seed);
        let s = draw_usable(&mut project, "S", &SMALL, &mut dice, true);
        let i = draw_usable(&mut project, "I", &SMALL, &mut dice, true);
        let control = Control::default();
        let built = export::pruned(&project, DECLARED, &s, "P", Limits::default(), &control).unwrap();
        project
            .components
            .push(built.unwrap_or_else(|| panic!("seed {seed}: a consistent one is left\n{project:#?}")));
        let p = one("P");
        assert!(
            is_deterministic(&project, &p) && is_consistent(&project, &p),
            "seed {seed}\n{project:#?}"
        );
        assert!(refines(&project, &p, &s), "seed {seed}: P <= S\n{project:#?}");
        pruned += u64::from(!refines(&project, &s, &p));
        let i_p = export::pruned(&project, DECLARED, &i, "IP", Limits::default(), &control).unwrap();
        project.components.push(i_p.unwrap());
        let i = one("IP");
        assert_eq!(
            refines(&project, &i, &s),
            refines(&project, &i, &p),
            "seed {seed}: what refines\n{project:#?}"
        );
    }
    assert!(pruned > 20, "{pruned} lost something");
}

#[test]
fn saved_components_are_what_they_were() {
    for seed in 0..CASES / 4 {
        let mut project = Project::default();
        let mut dice = Dice::new(70_000 + seed);
        let a = draw_usable(&mut project, "A", &LEFT, &mut dice, true);
        let b = draw_usable(&mut project, "B", &RIGHT, &mut dice, true);
        let c = draw_usable(&mut project, "C", &LEFT, &mut dice, true);
        let t = draw_usable(&mut project, "T", &SMALL, &mut dice, true);
        let s = draw_usable(&mut project, "S", &PART, &mut dice, true);
        let quotient = without(&t, &s);
        project.intern_fresh_inputs(&quotient);
        for system in [both(&a, &b), and(&a, &c), quotient] {
            let built = export::component(
                &project,
                DECLARED,
                &system,
                "N",
                Limits::default(),
                &Control::default(),
            );
            project.components.push(built.unwrap());
            let n = one("N");
            assert!(
                refines(&project, &n, &system),
                "seed {seed}: N <= S\n{project:#?}"
            );
            assert!(
                refines(&project, &system, &n),
                "seed {seed}: S <= N\n{project:#?}"
            );
            project.components.pop();
        }
    }
}

#[test]
fn the_quotient_is_the_most_permissive_rest() {
    let whole = Shape {
        inputs: &["i"],
        outputs: &["o", "p"],
        clocks: 1,
        locations: 2,
        odd: false,
        ..SMALL
    };
    let part = Shape {
        inputs: &["i"],
        outputs: &["o"],
        clocks: 1,
        locations: 2,
        odd: false,
        ..SMALL
    };
    let rest = Shape {
        inputs: &["i", "o"],
        outputs: &["p"],
        clocks: 1,
        locations: 2,
        odd: false,
        ..SMALL
    };
    let mut yes = 0;
    for seed in 0..CASES {
        let mut project = Project::default();
        let mut dice = Dice::new(80_000 + seed);
        let t = draw_usable(&mut project, "T", &whole, &mut dice, true);
        let s = draw_usable(&mut project, "S", &part, &mut dice, true);
        let x = draw_usable(&mut project, "R", &rest, &mut dice, true);
        let built = export::pruned(
            &project,
            DECLARED,
            &x,
            "X",
            Limits::default(),
            &Control::default(),
        )
        .unwrap();
        project.components.push(built.unwrap());
        let x = one("X");
        let quotient = without(&t, &s);
        let together = refines(&project, &both(&s, &x), &t);
        yes += u64::from(together);
        assert_eq!(
            refines(&project, &x, &quotient),
            together,
            "seed {seed}\n{project:#?}"
        );
    }
    assert!(yes > 20, "{yes} hold");
}

#[test]
fn walks_find_nothing_where_there_is_nothing() {
    let mut found = 0;
    for seed in 0..CASES {
        let mut project = Project::default();
        let mut dice = Dice::new(90_000 + seed);
        let a = draw_usable(&mut project, "A", &SMALL, &mut dice, true);
        let b = draw_usable(&mut project, "B", &SMALL, &mut dice, true);
        let case = Case::new(project.clone(), &a, &b, DECLARED);
        for delays in [walk::Delays::Adaptive, walk::Delays::Uniform, walk::Delays::Pd] {
            let options = WalkOptions {
                delays,
                max_walks: Some(20),
                seed,
                ..WalkOptions::default()
            };
            if let WalkOutcome::Found(violation) =
                walk::check(&case.pair, &options, Limits::default(), &Control::default())
            {
                found += 1;
                case.judge(&violation.run);
                assert!(!refines(&project, &a, &b), "seed {seed}\n{project:#?}");
            }
        }
    }
    assert!(found > 100, "{found} violations");
}

/// Refinements with operators on either side, in both readings of inputs.
#[test]
fn operators_agree_with_regions() {
    let small = |inputs: &'static [&'static str], outputs: &'static [&'static str]| Shape {
        inputs,
        outputs,
        clocks: 1,
        locations: 2,
        constant: 2,
        odd: true,
    };
    let mut counts = [[0u32; 2]; 8];
    for seed in 0..CASES {
        let mut project = Project::default();
        let mut dice = Dice::new(100_000 + seed);
        let mut usable =
            |name: &str, shape: Shape<'_>| draw_usable(&mut project, name, &shape, &mut dice, false);
        let a = usable("A", small(&["b"], &["a"]));
        let b = usable("B", small(&["a", "i"], &["b"]));
        let c = usable("C", small(&["i"], &["a", "b"]));
        let d = usable("D", small(&["i"], &["a", "b"]));
        let t = usable("T", small(&["i"], &["a", "b"]));
        let x = usable("X", small(&["a", "i"], &["b"]));
        let s = usable("S", small(&["i"], &["a"]));
        let u = usable("U", small(&["i"], &["a", "b", "c"]));
        let v = usable("V", small(&["a"], &["c"]));
        let quotient = without(&t, &s);
        let cases = [
            (both(&a, &b), c.clone()),
            (and(&c, &d), t.clone()),
            (t.clone(), and(&c, &d)),
            (x.clone(), quotient.clone()),
            (both(&s, &quotient), t.clone()),
            (quotient.clone(), quotient.clone()),
            (x.clone(), without(&without(&u, &s), &v)),
            (x.clone(), without(&u, &both(&s, &v))),
        ];
        for (k, (left, right)) in cases.iter().enumerate() {
            let mut project = project.clone();
            project.intern_fresh_inputs(left);
            project.intern_fresh_inputs(right);
            if !regions::starts(&project, left, DECLARED) {
                continue;
            }
            let by_regions = regions::violated(&project, left, right, DECLARED, 3);
            counts[k][usize::from(by_regions.is_none())] += 1;
            assert_eq!(
                refines(&project, left, right),
                by_regions.is_none(),
                "seed {seed}, case {k}: regions say {by_regions:?}\n{project:#?}"
            );
        }
    }
    for (k, [violated, held]) in counts.into_iter().enumerate() {
        // A quotient refines itself.
        let is_mixed = if k == 5 { violated == 0 } else { violated > 20 };
        assert!(is_mixed && held > 5, "case {k}: {violated} violated, {held} hold");
    }
}
