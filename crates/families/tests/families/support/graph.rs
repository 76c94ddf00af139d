//! Exhaustive exploration of models without clocks: their states and transitions, counted.

use super::Loaded;
use super::walks::Goal;
use std::collections::HashMap;
use zonewalk_model::ids::ChannelId;
use zonewalk_reference::{Interpreter, State};

/// The reachable part of a transition system, or the part of it that a number of steps reaches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Graph {
    /// States by their distance from the initial one.
    pub(crate) levels: Vec<usize>,
    pub(crate) transitions: usize,
    pub(crate) deadlocks: usize,
    /// For each query, the fewest transitions to a state of its goal.
    pub(crate) depths: Vec<Option<usize>>,
}

impl Graph {
    pub(crate) fn states(&self) -> usize {
        self.levels.iter().sum()
    }
}

/// A state that was reached, with its transitions.
pub(crate) struct Visited<'a> {
    pub(crate) interpreter: &'a Interpreter<'a>,
    pub(crate) state: &'a State,
    /// Its distance from the initial state.
    pub(crate) level: usize,
    /// The channel of each transition, and the number of its target. States are numbered as they are first seen, and visited in
    /// that order.
    pub(crate) transitions: &'a [(Option<ChannelId>, usize)],
}

/// Visits the states at a distance of at most `depth`, breadth first. Requires: no clocks.
pub(crate) fn visit(loaded: &Loaded, depth: usize, mut on_state: impl FnMut(&Visited<'_>)) {
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let initial = interpreter.initial().unwrap();
    assert!(initial.clocks.is_empty());
    let key = |state: &State| format!("{:?}{:?}", state.locations, state.memory);
    let mut numbers = HashMap::from([(key(&initial), 0)]);
    let mut states = vec![initial];
    let mut transitions = Vec::new();
    for level in 0..=depth {
        let mut next_states = Vec::new();
        for state in &states {
            transitions.clear();
            for transition in interpreter.enabled_now(state).unwrap() {
                let next = interpreter.fire(state, &transition.parts).unwrap();
                let fresh = numbers.len();
                let number = *numbers.entry(key(&next)).or_insert(fresh);
                if number == fresh {
                    next_states.push(next);
                }
                transitions.push((transition.channel, number));
            }
            on_state(&Visited {
                interpreter: &interpreter,
                state,
                level,
                transitions: &transitions,
            });
        }
        states = next_states;
        if states.is_empty() {
            break;
        }
    }
}

/// Counts the states at a distance of at most `depth`, and their transitions. Requires: no clocks.
pub(crate) fn explore(loaded: &Loaded, depth: usize) -> Graph {
    let goals: Vec<_> = loaded
        .queries
        .iter()
        .map(|q| Goal::of(&q.kind).unwrap())
        .collect();
    let mut graph = Graph {
        depths: vec![None; goals.len()],
        ..Graph::default()
    };
    visit(loaded, depth, |visited| {
        graph.levels.resize(visited.level + 1, 0);
        graph.levels[visited.level] += 1;
        graph.transitions += visited.transitions.len();
        graph.deadlocks += usize::from(visited.transitions.is_empty());
        for (goal, reached) in goals.iter().zip(&mut graph.depths) {
            if reached.is_none() && goal.holds(visited.interpreter, visited.state) {
                *reached = Some(visited.level);
            }
        }
    });
    graph
}
