//! Random walks over random small pairs: every run that they find is judged, and compared with complete search.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::random::{Dice, SMALL, Shape, random};
use support::{Case, DECLARED, one};
use zonewalk_refine::control::{Control, Limits};
use zonewalk_refine::frame::Abstraction;
use zonewalk_refine::precondition::PreconditionChecker;
use zonewalk_refine::refinement::{self, Outcome};
use zonewalk_refine::walk::{Delays, Heuristic, WalkOptions, WalkOutcome, check};
use zonewalk_tioa::{Inputs, Project, Reading, System};

const STRICT: Reading = Reading {
    inputs: Inputs::Strict,
    ..DECLARED
};

const ALL: [(Heuristic, Delays); 7] = [
    (Heuristic::Ret, Delays::Adaptive),
    (Heuristic::Ret, Delays::Uniform),
    (Heuristic::Ret, Delays::Pd),
    (Heuristic::Rcf, Delays::Adaptive),
    (Heuristic::Rcf, Delays::Uniform),
    (Heuristic::Rcf, Delays::Pd),
    (Heuristic::Smc, Delays::Uniform),
];

/// For each heuristic whether it finds a violation. What is found has to be one in the eyes of the judge.
fn found(case: &Case, seed: u64) -> [bool; 7] {
    ALL.map(|(heuristic, delays)| {
        let options = WalkOptions {
            heuristic,
            delays,
            seed,
            max_walks: Some(60),
            max_steps: Some(40),
            ..WalkOptions::default()
        };
        match check(&case.pair, &options, Limits::default(), &Control::default()) {
            WalkOutcome::Found(found) => {
                case.judge(&found.run);
                assert!(found.run.steps.len() <= found.found_steps);
                true
            }
            WalkOutcome::NotFound(_) => false,
        }
    })
}

/// Whether complete search finds a violation, where it may be asked: both sides must be deterministic.
fn violated(case: &Case) -> Option<bool> {
    let control = Control::default();
    let checker = PreconditionChecker {
        project: &case.project,
        reading: case.reading,
        limits: Limits::default(),
        control: &control,
    };
    for side in [&case.left, &case.right] {
        if checker.deterministic(side).ok()?.is_some() {
            return None;
        }
    }
    let mut pair = case.pair.clone();
    match refinement::check(&mut pair, Abstraction::LowerUpper, Limits::default(), &control) {
        Outcome::Holds { .. } => Some(false),
        Outcome::Violated(_) => Some(true),
        Outcome::Unknown(_) => None,
    }
}

/// How often each heuristic finds what complete search finds.
#[derive(Default)]
struct Tally {
    violated: u32,
    found: [u32; 7],
}

impl Tally {
    fn add(&mut self, case: &Case, seed: u64) {
        let found = found(case, seed);
        match violated(case) {
            Some(true) => {
                self.violated += 1;
                for (sum, found) in self.found.iter_mut().zip(found) {
                    *sum += u32::from(found);
                }
            }
            Some(false) => assert!(
                !found.contains(&true),
                "seed {seed}: {found:?}, but the refinement holds\n{:#?}",
                case.project
            ),
            None => {}
        }
    }

    fn assert_shares(&self, least: u32, percent: [u32; 7]) {
        assert!(self.violated >= least, "{} are violated", self.violated);
        for ((found, percent), about) in self.found.into_iter().zip(percent).zip(ALL) {
            assert!(
                100 * found >= percent * self.violated,
                "{about:?} finds {found} of {}; all: {:?}",
                self.violated,
                self.found
            );
        }
    }
}

#[test]
fn walks_find_what_there_is_and_nothing_else() {
    let mut tally = Tally::default();
    for seed in 0..600 {
        let mut project = Project::default();
        let mut dice = Dice::new(200_000 + seed);
        random(&mut project, "A", &SMALL, &mut dice);
        random(&mut project, "B", &SMALL, &mut dice);
        let reading = if seed % 3 == 0 { STRICT } else { DECLARED };
        tally.add(&Case::new(project, &one("A"), &one("B"), reading), seed);
    }
    tally.assert_shares(150, [97, 95, 97, 97, 95, 97, 80]);
}

#[test]
fn walks_over_operators_find_what_there_is_and_nothing_else() {
    let small = |inputs: &'static [&'static str], outputs: &'static [&'static str]| Shape {
        inputs,
        outputs,
        clocks: 1,
        locations: 2,
        constant: 2,
        odd: true,
    };
    let mut tally = Tally::default();
    for seed in 0..300 {
        let mut project = Project::default();
        let mut dice = Dice::new(300_000 + seed);
        let mut part = |name: &str, shape: Shape<'_>| {
            random(&mut project, name, &shape, &mut dice);
            one(name)
        };
        let a = part("A", small(&["b"], &["a"]));
        let b = part("B", small(&["a", "i"], &["b"]));
        let c = part("C", small(&["i"], &["a", "b"]));
        let d = part("D", small(&["i"], &["a", "b"]));
        let x = part("X", small(&["a", "i"], &["b"]));
        let s = part("S", small(&["i"], &["a"]));
        let composed = System::Composition(vec![a, b]);
        let conjoined = System::Conjunction(vec![c.clone(), d.clone()]);
        let quotient = System::Quotient {
            whole: Box::new(c.clone()),
            part: Box::new(s),
        };
        let reading = if seed % 3 == 0 { STRICT } else { DECLARED };
        for (left, right) in [
            (&composed, &c),
            (&composed, &conjoined),
            (&conjoined, &d),
            (&d, &conjoined),
            (&x, &quotient),
            (&quotient, &quotient),
            (&quotient, &x),
        ] {
            tally.add(&Case::new(project.clone(), left, right, reading), seed);
        }
    }
    tally.assert_shares(150, [97, 95, 97, 97, 95, 97, 60]);
}
