//! Random pairs: a refinement that is refuted has a run that the judge confirms, and one that holds has no violation on a grid of
//! time points, by the rules of the judge alone.
#![allow(clippy::unwrap_used)]

use std::collections::{HashSet, VecDeque};
use zonewalk_reference::tioa::{self as judge, Specification, State};
use zonewalk_refine::concretise;
use zonewalk_refine::control::{Control, Limits};
use zonewalk_refine::frame::Abstraction;
use zonewalk_refine::leaf::Polarity;
use zonewalk_refine::pair::Pair;
use zonewalk_refine::refinement::{Outcome, check};
use zonewalk_refine::system::Builder;
use zonewalk_tioa::{
    Action, Alphabet, AlphabetOf, Clock, Comparison, Component, Direction, Edge, Formula, Inputs, Instance,
    Kind, Location, LocationId, Project, Reading, Relation, Rule, Run, System,
};

const USUAL: Reading = Reading {
    alphabet: AlphabetOf::Edges,
    inputs: Inputs::Complete,
};

/// SplitMix64: enough for a test.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn constant(&mut self) -> i32 {
        self.below(4) as i32
    }
}

fn compare(relation: Relation, bound: i32) -> Formula {
    Formula::Compare(Comparison {
        clock: Clock(0),
        minus: None,
        relation,
        bound,
    })
}

fn invariant(random: &mut Random) -> Formula {
    let k = 1 + random.constant();
    match random.below(10) {
        0..=2 => compare(Relation::LessEqual, k),
        3 | 4 => compare(Relation::Less, k),
        5 => Formula::Or(vec![
            compare(Relation::Less, k),
            compare(Relation::Greater, k + random.constant()),
        ]),
        _ => Formula::TRUE,
    }
}

/// A deterministic component with one clock, two or three locations and these actions: `"i? a!"`.
fn component(project: &mut Project, random: &mut Random, name: &str, actions: &str) {
    let count = 2 + random.below(2);
    let location = |number: u64, random: &mut Random| Location {
        name: format!("L{number}"),
        alias: None,
        values: Vec::new(),
        invariant: invariant(random),
        kind: match random.below(16) {
            0 if number > 0 => Kind::Universal,
            1 if number > 0 => Kind::Inconsistent,
            _ => Kind::Normal,
        },
        urgent: random.chance(7),
    };
    let locations: Vec<_> = (0..count).map(|number| location(number, random)).collect();
    let mut edges = Vec::new();
    for source in 0..count as u32 {
        for word in actions.split_whitespace() {
            let (action, sign) = word.split_at(word.len() - 1);
            let direction = if sign == "?" {
                Direction::Input
            } else {
                Direction::Output
            };
            let k = random.constant();
            let guards = match random.below(6) {
                0 => vec![],
                1 | 2 => vec![Formula::TRUE],
                3 => vec![compare(Relation::GreaterEqual, k)],
                4 => vec![compare(Relation::Less, k), compare(Relation::GreaterEqual, k)],
                _ => vec![compare(Relation::LessEqual, k), compare(Relation::Greater, k)],
            };
            for guard in guards {
                edges.push(Edge {
                    id: format!("E{}", edges.len()),
                    source: LocationId(source),
                    target: LocationId(random.below(count) as u32),
                    action: project.intern(action),
                    direction,
                    guard,
                    updates: match random.below(3) {
                        0 => vec![],
                        1 => vec![(Clock(0), 0)],
                        _ => vec![(Clock(0), random.constant())],
                    },
                });
            }
        }
    }
    project.components.push(Component {
        name: name.to_owned(),
        clocks: vec!["x".to_owned()],
        locations,
        initial: LocationId(0),
        alphabet: Component::alphabet_of(&edges),
        edges,
        declared: None,
    });
}

fn one(name: &str) -> System {
    System::Component(Instance {
        name: name.to_owned(),
        tag: None,
    })
}

fn quotient(whole: System, part: System) -> System {
    System::Quotient {
        whole: Box::new(whole),
        part: Box::new(part),
    }
}

/// A project and two systems of it.
fn example(random: &mut Random) -> (Project, System, System) {
    let mut project = Project::default();
    let (left, right) = match random.below(7) {
        0 => {
            component(&mut project, random, "A", "i? a! b!");
            component(&mut project, random, "B", "i? a! b!");
            (one("A"), one("B"))
        }
        1 => {
            component(&mut project, random, "A", "i? a!");
            component(&mut project, random, "P", "a? b!");
            component(&mut project, random, "B", "i? b!");
            (System::Composition(vec![one("A"), one("P")]), one("B"))
        }
        2 => {
            component(&mut project, random, "A", "i? a! b!");
            component(&mut project, random, "C", "i? a!");
            component(&mut project, random, "B", "i? a!");
            (System::Conjunction(vec![one("A"), one("C")]), one("B"))
        }
        3 => {
            component(&mut project, random, "A", "i? a? b!");
            component(&mut project, random, "T", "i? a! b!");
            component(&mut project, random, "S", "b? a!");
            (one("A"), quotient(one("T"), one("S")))
        }
        4 => {
            component(&mut project, random, "T", "i? a! b!");
            component(&mut project, random, "S", "b? a!");
            let quotient = quotient(one("T"), one("S"));
            (quotient.clone(), quotient)
        }
        5 => {
            component(&mut project, random, "A", "a? c? b!");
            component(&mut project, random, "T", "a! b! c!");
            component(&mut project, random, "S", "a!");
            component(&mut project, random, "R", "c!");
            (one("A"), quotient(quotient(one("T"), one("S")), one("R")))
        }
        _ => {
            component(&mut project, random, "A", "a? c? b!");
            component(&mut project, random, "T", "a! b! c!");
            component(&mut project, random, "S", "a! b?");
            component(&mut project, random, "R", "c! a?");
            let part = System::Composition(vec![one("S"), one("R")]);
            (one("A"), quotient(one("T"), part))
        }
    };
    for side in [&left, &right] {
        project.intern_fresh_inputs(side);
    }
    (project, left, right)
}

/// Whether alphabets allow the question.
fn is_comparable(left: &Alphabet, right: &Alphabet) -> bool {
    left.inputs.iter().all(|a| right.inputs.contains(a))
        && right.outputs.iter().all(|a| left.outputs.contains(a))
        && left.outputs.iter().all(|a| !right.inputs.contains(a))
}

/// Values beyond all constants are alike.
fn capped(state: &mut State, most: i128) {
    match state {
        State::Component(place) => place
            .clocks
            .iter_mut()
            .for_each(|clock| *clock = (*clock).min(most)),
        State::Product(states) => states.iter_mut().for_each(|state| capped(state, most)),
        State::Quotient { whole, part } => {
            capped(whole, most);
            capped(part, most);
        }
        State::Universal | State::Error { .. } => {}
    }
}

/// A violation among the first states on a grid.
fn on_grid(pair: &judge::Pair<'_>, scale: i128) -> Option<Rule> {
    let first = (pair.left.initial(), pair.right.initial());
    if !pair.left.holds(&first.0) {
        return None;
    }
    let mut seen = HashSet::from([first.clone()]);
    let mut waiting = VecDeque::from([first]);
    while let Some((left, right)) = waiting.pop_front() {
        if let Some(rule) = pair.violation_at(&left, &right) {
            return Some(rule);
        }
        if seen.len() > 4_000 {
            return None;
        }
        let mut next = Vec::new();
        if pair.left.wait(&left).allows(1) {
            next.push((pair.left.delayed(&left, 1), pair.right.delayed(&right, 1)));
        }
        for &action in pair.left.outputs().iter().chain(pair.right.inputs()) {
            for left in after(&pair.left, &left, action) {
                let rights = after(&pair.right, &right, action);
                next.extend(rights.into_iter().map(|right| (left.clone(), right)));
            }
        }
        for (mut left, mut right) in next {
            capped(&mut left, 9 * scale);
            capped(&mut right, 9 * scale);
            if seen.insert((left.clone(), right.clone())) {
                waiting.push_back((left, right));
            }
        }
    }
    None
}

fn after(side: &Specification<'_>, state: &State, action: Action) -> Vec<State> {
    if !side.knows(action) {
        return vec![state.clone()];
    }
    let ways = side.successors(state, action).into_iter();
    ways.map(|(state, _)| state).collect()
}

#[test]
fn engine_and_judge_agree() {
    let mut counts = [0; 2];
    for seed in 0..1_000 {
        let (project, left, right) = example(&mut Random(seed));
        let judged = judge::Pair::new(&project, &left, &right, USUAL, 2);
        let mut builder = Builder::new(&project, USUAL);
        let sides = (
            builder.side(&left, Polarity::Leading),
            builder.side(&right, Polarity::Both),
        );
        let (l, r) = match (sides, judged.as_ref()) {
            ((Ok(l), Ok(r)), Ok(_)) => (l, r),
            ((Err(_), _) | (_, Err(_)), Err(_)) => continue,
            (sides, judged) => panic!(
                "seed {seed}: {:?} but {:?}",
                sides.0.err().or(sides.1.err()),
                judged.err()
            ),
        };
        let judged = judged.unwrap();
        assert_eq!(l.alphabet.inputs, judged.left.inputs(), "seed {seed}");
        assert_eq!(l.alphabet.outputs, judged.left.outputs(), "seed {seed}");
        assert_eq!(r.alphabet.inputs, judged.right.inputs(), "seed {seed}");
        assert_eq!(r.alphabet.outputs, judged.right.outputs(), "seed {seed}");
        if !is_comparable(&l.alphabet, &r.alphabet) || !judged.left.holds(&judged.left.initial()) {
            continue;
        }
        let mut pair = Pair::new(l, r);
        for abstraction in [Abstraction::LowerUpper, Abstraction::Maximum] {
            match check(&mut pair, abstraction, Limits::default(), &Control::default()) {
                Outcome::Holds { .. } => {
                    counts[0] += 1;
                    let found = on_grid(&judged, 2);
                    assert_eq!(found, None, "seed {seed}: {left:?} <= {right:?}");
                }
                Outcome::Violated(violation) => {
                    counts[1] += 1;
                    let run: Run = concretise::run(&mut pair, &violation)
                        .unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
                    if let Err(objection) = judge::judge_pair(&project, &left, &right, USUAL, &run) {
                        panic!("seed {seed}: {}\n{run:?}", objection.text(&project));
                    }
                }
                Outcome::Unknown(limit) => panic!("seed {seed}: {limit:?}"),
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}
