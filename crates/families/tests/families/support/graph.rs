//! Exhaustive exploration of models without clocks: their states and transitions, counted.

use super::Loaded;
use super::walks::Goal;
use std::collections::HashSet;
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

/// The states at a distance of at most `depth`. Requires: no clocks.
pub(crate) fn explore(loaded: &Loaded, depth: usize) -> Graph {
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let goals: Vec<_> = loaded
        .queries
        .iter()
        .map(|q| Goal::of(&q.kind).unwrap())
        .collect();
    let mut graph = Graph {
        depths: vec![None; goals.len()],
        ..Graph::default()
    };
    let initial = interpreter.initial().unwrap();
    assert!(initial.clocks.is_empty());
    let key = |state: &State| format!("{:?}{:?}", state.locations, state.memory);
    let mut seen = HashSet::from([key(&initial)]);
    let mut level = vec![initial];
    while !level.is_empty() && graph.levels.len() <= depth {
        let mut next_level = Vec::new();
        for state in &level {
            for (goal, reached) in goals.iter().zip(&mut graph.depths) {
                if reached.is_none() && goal.holds(&interpreter, state) {
                    *reached = Some(graph.levels.len());
                }
            }
            let transitions = interpreter.enabled_now(state).unwrap();
            graph.transitions += transitions.len();
            graph.deadlocks += usize::from(transitions.is_empty());
            for transition in transitions {
                let next = interpreter.fire(state, &transition.parts).unwrap();
                if seen.insert(key(&next)) {
                    next_level.push(next);
                }
            }
        }
        graph.levels.push(level.len());
        level = next_level;
    }
    graph
}
