//! Exhaustive exploration on a grid of time points: exact for models whose bounds are all closed, as integer times
//! reach every location vector that real ones reach, and for others when the grid is finer than the processes are many.

use super::Loaded;
use super::walks::Goal;
use std::collections::{HashSet, VecDeque};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::{Interpreter, State};

/// For each query, whether its goal is reached. Clocks beyond `cap`, which no bound of the model may exceed, are
/// alike; time passes in steps of 1 / `grain`.
pub(crate) fn explore(loaded: &Loaded, cap: i32, grain: i128) -> Vec<bool> {
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let goals: Vec<_> = loaded
        .queries
        .iter()
        .map(|q| Goal::of(&q.kind).unwrap())
        .collect();
    let mut reached = vec![false; goals.len()];
    let step = Rational::new(1, grain).unwrap();
    let mut seen = HashSet::new();
    let mut open = VecDeque::new();
    let add = |mut state: State, seen: &mut HashSet<String>, open: &mut VecDeque<State>| {
        state.time = Rational::ZERO;
        for clock in &mut state.clocks {
            *clock = (*clock).min(Rational::from(cap + 1));
        }
        if seen.insert(format!(
            "{:?}{:?}{:?}",
            state.locations, state.memory, state.clocks
        )) {
            open.push_back(state);
        }
    };
    add(interpreter.initial().unwrap(), &mut seen, &mut open);
    while let Some(state) = open.pop_front() {
        assert!(seen.len() < 200_000, "more than {} states", seen.len());
        for (goal, reached) in goals.iter().zip(&mut reached) {
            *reached = *reached || goal.holds(&interpreter, &state);
        }
        for transition in interpreter.enabled_now(&state).unwrap() {
            let next = interpreter.fire(&state, &transition.parts).unwrap();
            add(next, &mut seen, &mut open);
        }
        if interpreter.delays(&state).unwrap().contains(step) {
            add(interpreter.delay(&state, step).unwrap(), &mut seen, &mut open);
        }
    }
    reached
}
