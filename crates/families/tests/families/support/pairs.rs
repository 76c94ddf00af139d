//! Pairs of systems on a grid of time points, by the rules of the judge alone.

use std::collections::{HashSet, VecDeque};
use zonewalk_reference::tioa::{Pair, Specification, State};
use zonewalk_tioa::read::{File, load_folder};
use zonewalk_tioa::{AlphabetOf, Inputs, Loaded, Project, Query, Reading, Rule, System};

/// Loads a project that was generated; it must have neither errors nor warnings.
#[track_caller]
pub(crate) fn load_project(family: &str, params: &str) -> Loaded {
    let params: Vec<_> = params
        .split_whitespace()
        .map(|param| param.split_once('=').unwrap())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let files = zonewalk_families::generate_project(family, &params).unwrap();
    let files = files.into_iter().map(|(path, text)| File {
        path,
        bytes: Ok(text.into_bytes()),
    });
    let loaded = load_folder(family, files.collect()).unwrap();
    is_flawless(&loaded);
    loaded
}

/// Requires that everything can be used and nothing looks wrong.
#[track_caller]
pub(crate) fn is_flawless(loaded: &Loaded) {
    let warnings: Vec<_> = loaded.warnings.iter().map(|warning| &warning.message).collect();
    assert!(warnings.is_empty(), "{warnings:?}");
    assert!(loaded.project.broken.is_empty());
}

/// Both sides of each refinement among the queries of a project, with the text.
pub(crate) fn refinements(project: &Project) -> Vec<(String, System, System)> {
    let mut found = Vec::new();
    for text in &project.queries {
        for query in zonewalk_tioa::query::parse(text).unwrap() {
            if let Query::Refinement { left, right } = query {
                found.push((text.clone(), left, right));
            }
        }
    }
    found
}

/// A rule that is broken in some pair of states that can be reached on a grid with `scale` points in a unit of time.
///
/// Violation that is an error for certain; with many clocks and strict bounds an error may lie between the points.
pub(crate) fn violation(
    project: &mut Project,
    alphabet: AlphabetOf,
    left: &System,
    right: &System,
    scale: i64,
) -> Option<Rule> {
    for side in [left, right] {
        let side = project.expand(side).unwrap();
        project.intern_fresh_inputs(&side);
    }
    let reading = Reading {
        alphabet,
        inputs: Inputs::Complete,
    };
    let pair = Pair::new(project, left, right, reading, scale).unwrap();
    let first = (pair.left.initial(), pair.right.initial());
    let mut seen = HashSet::from([first.clone()]);
    let mut waiting = VecDeque::from([first]);
    while let Some((left, right)) = waiting.pop_front() {
        if let Some(rule) = pair.violation_at(&left, &right) {
            return Some(rule);
        }
        let mut next = Vec::new();
        if pair.left.wait(&left).allows(1) {
            next.push((pair.left.delayed(&left, 1), pair.right.delayed(&right, 1)));
        }
        for &action in pair.left.outputs().iter().chain(pair.right.inputs()) {
            let ways = |side: &Specification<'_>, state: &State| {
                if side.knows(action) {
                    let ways = side.successors(state, action).into_iter();
                    ways.map(|(state, _)| state).collect()
                } else {
                    vec![state.clone()]
                }
            };
            for left in ways(&pair.left, &left) {
                next.extend(
                    ways(&pair.right, &right)
                        .into_iter()
                        .map(|right| (left.clone(), right)),
                );
            }
        }
        for (left, right) in next {
            let alike = (capped(&pair.left, left), capped(&pair.right, right));
            if seen.insert(alike.clone()) {
                waiting.push_back(alike);
            }
        }
    }
    None
}

/// Values beyond everything that a clock is compared with are alike.
fn capped(side: &Specification<'_>, mut state: State) -> State {
    fn cap(state: &mut State, caps: &mut impl Iterator<Item = i128>) {
        match state {
            State::Component(place) => {
                let most = caps.next().unwrap_or(i128::MAX);
                for clock in &mut place.clocks {
                    *clock = (*clock).min(most);
                }
            }
            State::Product(states) => states.iter_mut().for_each(|state| cap(state, caps)),
            State::Quotient { whole, part } => {
                cap(whole, caps);
                cap(part, caps);
            }
            // Quotients stand alone here, so that no component comes behind those that are gone.
            State::Universal | State::Error { .. } => {}
        }
    }
    let mut caps = side.parts().map(|(_, component)| {
        let mut most = 0;
        let mut see = |comparison: &zonewalk_tioa::Comparison| most = most.max(comparison.bound);
        for location in &component.locations {
            location.invariant.comparisons(&mut see);
        }
        for edge in &component.edges {
            edge.guard.comparisons(&mut see);
        }
        i128::from(most + 1) * side.scale()
    });
    cap(&mut state, &mut caps);
    state
}
