//! Explicit transition systems in the Aldebaran format (`.aut`).

mod read;

use std::borrow::Cow;
use std::convert::Infallible;

pub use read::AutError;

use crate::system::{Emit, TransitionSystem};

/// A labelled transition system, eight bytes a transition and four a state.
#[derive(Clone, Debug)]
pub struct Aut {
    initial: u32,
    states: u32,
    /// Where the steps of each state begin, up to the last state that has any.
    starts: Vec<u32>,
    labels: Vec<u32>,
    targets: Vec<u32>,
    names: Vec<Box<[u8]>>,
}

impl Aut {
    /// Reads a file's contents.
    pub fn read(bytes: &[u8]) -> Result<Aut, AutError> {
        read::read(bytes)
    }

    /// The initial state.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// The number of states.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.targets.len()
    }

    /// The steps of a state as label and target, in the order of the file.
    pub fn steps(&self, state: u32) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        let at = state as usize;
        let range = match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(start), Some(end)) => *start as usize..*end as usize,
            _ => 0..0,
        };
        self.labels[range.clone()]
            .iter()
            .copied()
            .zip(self.targets[range].iter().copied())
    }

    /// Whether a state has no steps.
    pub fn is_deadlock(&self, state: u32) -> bool {
        self.steps(state).len() == 0
    }

    /// The text of a label, without the quotation marks around it. Requires: a label of this system.
    pub fn label(&self, label: u32) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.names[label as usize])
    }

    /// For each label whether it names this action: as a whole, up to its arguments (`name(…)`, `name !…`), or as one
    /// of the actions `a|b` that happen together.
    pub fn labels_of_action(&self, action: &str) -> Vec<bool> {
        self.names
            .iter()
            .map(|name| names_action(name, action.as_bytes()))
            .collect()
    }
}

fn names_action(label: &[u8], action: &[u8]) -> bool {
    let mut depth = 0i32;
    let parts = label.split(|byte| {
        depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
        depth == 0 && *byte == b'|'
    });
    label == action
        || parts.map(<[u8]>::trim_ascii).any(|part| {
            let end = part
                .iter()
                .position(|b| matches!(b, b'(' | b' ' | b'\t' | b'!' | b'?'));
            &part[..end.unwrap_or(part.len())] == action
        })
}

/// A state of an explicit system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AutState {
    /// Its number in the file.
    pub number: u32,
    /// Whether the step that led here was the action looked for. A search that looks for an action looks for such a
    /// state and ends with it, so that the last step of the path is the action.
    pub by_action: bool,
}

/// An explicit system as searches see it.
#[derive(Clone, Debug)]
pub struct AutSystem<'a> {
    aut: &'a Aut,
    is_action: Vec<bool>,
}

impl<'a> AutSystem<'a> {
    /// The system as it is.
    pub fn new(aut: &'a Aut) -> Self {
        AutSystem {
            aut,
            is_action: Vec::new(),
        }
    }

    /// The system with the steps of an action marked; see [`AutState::by_action`]. Nothing if there is no such label.
    pub fn with_action(aut: &'a Aut, action: &str) -> Option<Self> {
        let is_action = aut.labels_of_action(action);
        is_action.contains(&true).then_some(AutSystem { aut, is_action })
    }

    /// The labels along a path, as far as it can be followed.
    pub fn labels(&self, path: &[u32]) -> Vec<Cow<'a, str>> {
        let mut at = self.aut.initial;
        let mut labels = Vec::new();
        for ordinal in path.iter().skip(1) {
            let Some((label, target)) = self.aut.steps(at).nth(*ordinal as usize) else {
                break;
            };
            labels.push(self.aut.label(label));
            at = target;
        }
        labels
    }
}

impl TransitionSystem for AutSystem<'_> {
    type State = AutState;
    /// The number of the label; an initial state has none.
    type Step<'s> = Option<u32>;
    type Fault = Infallible;
    type Scratch = ();

    fn initial<'e>(&'e self, _: &'e mut (), emit: Emit<'e, Self>) -> Result<(), Infallible> {
        let initial = AutState {
            number: self.aut.initial,
            by_action: false,
        };
        let _ = emit(&initial, None);
        Ok(())
    }

    fn successors<'e>(
        &'e self,
        _: &'e mut (),
        state: &AutState,
        emit: Emit<'e, Self>,
    ) -> Result<(), Infallible> {
        for (label, number) in self.aut.steps(state.number) {
            let by_action = self.is_action.get(label as usize).copied().unwrap_or(false);
            if emit(&AutState { number, by_action }, Some(label)).is_break() {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_named_by_the_part_before_their_arguments() {
        for label in ["a", "a(1, b(2))", "a !1 !2", "b(x|a)|a(1)", "a|b", "b | a"] {
            assert!(names_action(label.as_bytes(), b"a"), "{label}");
        }
        for label in ["ab", "b(a)", "", "b(x|a)", "A"] {
            assert!(!names_action(label.as_bytes(), b"a"), "{label}");
        }
        assert!(names_action(b"a(1)", b"a(1)"));
    }
}
