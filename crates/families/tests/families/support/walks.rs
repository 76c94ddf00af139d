//! Random walks over the reference interpreter: RET with bounds as delays, as in the FMICS 2021 paper.

use super::Loaded;
use zonewalk_model::tree::{Expr, QueryKind};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::Random;
use zonewalk_reference::window::Windows;
use zonewalk_reference::{Interpreter, State};

/// State goal of a search: the predicate of an `E<>`, or the negated predicate of an `A[]`.
pub(crate) struct Goal<'q> {
    predicate: &'q Expr,
    wanted: bool,
}

impl<'q> Goal<'q> {
    pub(crate) fn of(kind: &'q QueryKind) -> Option<Self> {
        let (predicate, wanted) = match kind {
            QueryKind::Reachable(predicate) => (predicate, true),
            QueryKind::Invariant(predicate) => (predicate, false),
            _ => return None,
        };
        Some(Goal { predicate, wanted })
    }

    /// Whether it is reached in a state.
    pub(crate) fn holds(&self, interpreter: &Interpreter<'_>, state: &State) -> bool {
        interpreter.holds(state, self.predicate).unwrap() == self.wanted
    }

    /// Whether it is reached at some time of a delay.
    fn holds_during(&self, interpreter: &Interpreter<'_>, state: &State, delay: Rational) -> bool {
        let holds = interpreter.holds_during(state, delay, self.predicate).unwrap();
        if self.wanted {
            !holds.is_empty()
        } else {
            holds != Windows::up_to(delay)
        }
    }
}

/// Counts the steps that walks of at most `depth` steps take to reach the goal of query number `query`; `None` if `budget` steps
/// do not suffice.
pub(crate) fn search(loaded: &Loaded, query: usize, depth: usize, budget: usize) -> Option<usize> {
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let goal = Goal::of(&loaded.queries[query].kind)?;
    let mut random = Random::new(7);
    let mut steps = 0;
    for walk in 0.. {
        // The chance of the lower bound in per cent.
        let lower = [60, 90, 100, 0, 20, 40][walk % 6];
        let mut state = interpreter.initial().unwrap();
        for _ in 0..depth {
            if goal.holds(&interpreter, &state) {
                return Some(steps);
            }
            let transitions = interpreter.transitions(&state).unwrap();
            if transitions.is_empty() {
                break;
            }
            let transition = &transitions[random.below(transitions.len() as u64) as usize];
            let delay = bound(&transition.windows, random.below(100) < lower);
            if delay > Rational::ZERO && goal.holds_during(&interpreter, &state, delay) {
                return Some(steps);
            }
            let delayed = interpreter.delay(&state, delay).unwrap();
            state = interpreter.fire(&delayed, &transition.parts).unwrap();
            steps += 1;
        }
        if steps >= budget {
            return None;
        }
    }
    None
}

/// The first or last delay of a set, or one just inside; some way into a window without an end.
fn bound(windows: &Windows, wants_lower: bool) -> Rational {
    let first = windows.iter().next().unwrap();
    let last = windows.iter().last().unwrap();
    let inside = Rational::new(1, 64).unwrap();
    let (window, delay) = match (wants_lower, last.upper()) {
        (false, Some((upper, true))) => (last, upper),
        (false, Some((upper, false))) => (last, upper.minus(inside).unwrap()),
        _ => match first.lower() {
            (lower, true) => (first, lower),
            (lower, false) => (first, lower.plus(inside).unwrap()),
        },
    };
    if window.contains(delay) {
        return delay;
    }
    let (lower, _) = window.lower();
    let upper = window.upper().map_or(lower, |(upper, _)| upper);
    lower.plus(upper).unwrap().over(2.into()).unwrap()
}
