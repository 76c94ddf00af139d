//! All states that runs with delays on a grid lead to, by the interpreter: brute force, for tiny models.

use super::Case;
use std::collections::{BTreeSet, VecDeque};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::{Error, State, Step};

/// States that the grid reaches.
pub(crate) struct Reached {
    /// By question: whether its predicate holds somewhere.
    pub(crate) holds: Vec<bool>,
    /// Whether all of the grid was visited.
    pub(crate) is_complete: bool,
}

/// Visits at most `most` states with delays that are multiples of `1 / parts`. Clocks above `cap` count as equal: no model
/// here compares a clock with more, and none compares differences.
pub(crate) fn explore(case: &Case, parts: i128, cap: i32, most: usize) -> Result<Reached, Error> {
    let interpreter = case.interpreter();
    let mut reached = Reached {
        holds: vec![false; case.questions.len()],
        is_complete: true,
    };
    let mut seen = BTreeSet::new();
    let mut waiting = VecDeque::new();
    let mut add = |mut state: State, waiting: &mut VecDeque<State>| {
        for clock in &mut state.clocks {
            *clock = (*clock).min(Rational::from(cap));
        }
        state.time = Rational::ZERO;
        let key = format!("{:?} {:?} {:?}", state.locations, state.memory, state.clocks);
        let is_new = seen.len() < most && seen.insert(key);
        if is_new {
            waiting.push_back(state);
        }
        seen.len() < most
    };
    add(interpreter.initial()?, &mut waiting);
    while let Some(state) = waiting.pop_front() {
        let delays = interpreter.delays(&state)?;
        for (known, question) in reached.holds.iter_mut().zip(&case.questions) {
            if !*known {
                *known = !interpreter
                    .holds_within(&state, &delays, &question.expr)?
                    .is_empty();
            }
        }
        for transition in interpreter.transitions(&state)? {
            for n in 0..=i128::from(cap + 1) * parts {
                let delay = Rational::new(n, parts)?;
                if !transition.windows.contains(delay) {
                    continue;
                }
                let step = Step {
                    delay,
                    parts: transition.parts.clone(),
                };
                let delayed = interpreter.delay(&state, step.delay)?;
                let next = interpreter.fire(&delayed, &step.parts)?;
                reached.is_complete &= add(next, &mut waiting);
            }
        }
    }
    Ok(reached)
}
