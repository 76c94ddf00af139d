//! An explicit search over regions, independent of zones: states are the judge's, one for each region of the joint clocks.

use std::collections::{HashMap, HashSet, VecDeque};

use zonewalk_reference::tioa::{Pair, Specification, State};
use zonewalk_tioa::{Project, Reading, Rule, System};

/// Ticks that tell the fractions of up to seven clocks apart, with room between them.
pub const SCALE: i64 = 16;

/// Whether a rule is broken in some pair that can be reached. `largest` is the largest constant of the project.
pub fn violated(
    project: &Project,
    left: &System,
    right: &System,
    reading: Reading,
    largest: i64,
) -> Option<Rule> {
    let pair = Pair::new(project, left, right, reading, SCALE).unwrap();
    let start = canonical(vec![pair.left.initial(), pair.right.initial()], largest);
    if !pair.right.holds(&start[1]) {
        return Some(Rule::Delay);
    }
    let mut seen: HashSet<Vec<State>> = HashSet::from([start.clone()]);
    let mut waiting = VecDeque::from([start]);
    while let Some(state) = waiting.pop_front() {
        if let Some(rule) = pair.violation_at(&state[0], &state[1]) {
            return Some(rule);
        }
        let mut next = Vec::new();
        for &action in pair.left.outputs().iter().chain(pair.right.inputs()) {
            for l in ways(&pair.left, &state[0], action) {
                for r in ways(&pair.right, &state[1], action) {
                    next.push(vec![l.clone(), r]);
                }
            }
        }
        // A tick within the region matters where time must not pass inside a quotient.
        for delay in [1, to_next_region(&state, largest)] {
            if !pair.left.wait(&state[0]).allows(delay) {
                continue;
            }
            next.push(vec![
                pair.left.delayed(&state[0], delay),
                pair.right.delayed(&state[1], delay),
            ]);
        }
        for state in next {
            let state = canonical(state, largest);
            if seen.insert(state.clone()) {
                waiting.push_back(state);
            }
        }
    }
    None
}

/// Whether the invariants hold at the start.
pub fn starts(project: &Project, system: &System, reading: Reading) -> bool {
    let spec = Specification::new(project, system, reading, SCALE).unwrap();
    spec.holds(&spec.initial())
}

/// Whether the system can go on forever from its initial state, whatever its inputs are: the game over regions.
pub fn consistent(project: &Project, system: &System, reading: Reading, largest: i64) -> bool {
    let spec = Specification::new(project, system, reading, SCALE).unwrap();
    let start = canonical(vec![spec.initial()], largest);
    if !spec.holds(&start[0]) {
        return false;
    }
    let mut numbers = HashMap::from([(start.clone(), 0usize)]);
    let mut list = vec![start];
    let mut table = Vec::new();
    while table.len() < list.len() {
        let state = list[table.len()].clone();
        let mut number = |state: State| {
            let state = canonical(vec![state], largest);
            *numbers.entry(state.clone()).or_insert_with(|| {
                list.push(state);
                list.len() - 1
            })
        };
        let mut successors = |actions: &[zonewalk_tioa::Action]| -> Vec<usize> {
            let all = actions
                .iter()
                .flat_map(|&action| spec.successors(&state[0], action));
            all.map(|(next, _)| number(next)).collect()
        };
        let (inputs, outputs) = (successors(spec.inputs()), successors(spec.outputs()));
        let delay = to_next_region(&state, largest);
        let later = spec
            .wait(&state[0])
            .allows(delay)
            .then(|| number(spec.delayed(&state[0], delay)));
        let is_error = error(&spec, &state[0]);
        table.push((inputs, outputs, later, is_error));
    }
    let mut good = vec![true; table.len()];
    loop {
        let better: Vec<bool> = table
            .iter()
            .enumerate()
            .map(|(k, (inputs, outputs, later, is_error))| {
                good[k]
                    && !is_error
                    && inputs.iter().all(|&next| good[next])
                    && (outputs.iter().any(|&next| good[next]) || later.is_some_and(|next| good[next]))
            })
            .collect();
        if better == good {
            return good[0];
        }
        good = better;
    }
}

/// Whether some component is in an inconsistent location.
fn error(spec: &Specification<'_>, state: &State) -> bool {
    use zonewalk_reference::tioa::Shown;
    spec.shown(state).iter().any(|shown| match shown {
        Shown::Part { location, .. } => location.kind == zonewalk_tioa::Kind::Inconsistent,
        Shown::Error { .. } => true,
        Shown::Universal { .. } => false,
    })
}

fn ways(spec: &Specification<'_>, state: &State, action: zonewalk_tioa::Action) -> Vec<State> {
    if !spec.knows(action) {
        return vec![state.clone()];
    }
    spec.successors(state, action)
        .into_iter()
        .map(|(state, _)| state)
        .collect()
}

fn clocks<'a>(state: &'a mut State, out: &mut Vec<&'a mut i128>) {
    match state {
        State::Component(place) => out.extend(place.clocks.iter_mut()),
        State::Product(parts) => parts.iter_mut().for_each(|part| clocks(part, out)),
        State::Quotient { whole, part } => {
            clocks(whole, out);
            clocks(part, out);
        }
        State::Universal | State::Error { .. } => {}
    }
}

/// The representative of a region: fractions are even ticks in their order, what lies beyond the constants is one value.
fn canonical(mut states: Vec<State>, largest: i64) -> Vec<State> {
    let scale = i128::from(SCALE);
    let beyond = i128::from(largest) * scale;
    let mut all = Vec::new();
    for state in &mut states {
        clocks(state, &mut all);
    }
    let mut fractions: Vec<i128> = all
        .iter()
        .filter(|v| ***v <= beyond)
        .map(|v| **v % scale)
        .collect();
    fractions.push(0);
    fractions.sort_unstable();
    fractions.dedup();
    assert!(2 * fractions.len() <= SCALE as usize);
    for value in all {
        if *value > beyond {
            *value = beyond + scale;
        } else {
            let rank = fractions.iter().position(|f| *f == *value % scale).unwrap() as i128;
            *value = *value / scale * scale + 2 * rank;
        }
    }
    states
}

/// The delay from a representative to the next region.
fn to_next_region(states: &[State], largest: i64) -> i128 {
    let scale = i128::from(SCALE);
    let beyond = i128::from(largest) * scale;
    let mut states = states.to_vec();
    let mut all = Vec::new();
    for state in &mut states {
        clocks(state, &mut all);
    }
    let fractions: Vec<i128> = all
        .iter()
        .filter(|v| ***v <= beyond)
        .map(|v| **v % scale)
        .collect();
    if fractions.contains(&0) {
        return 1;
    }
    scale - fractions.iter().copied().max().unwrap_or(0)
}
