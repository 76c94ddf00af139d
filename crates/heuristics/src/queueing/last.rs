//! The transition that led to each state.

use rustc_hash::FxHashMap;
use zonewalk_network::ids::InstanceId;
use zonewalk_search::{StateId, Stored};

/// Transitions by number, and those of stored states.
#[derive(Clone, Debug, Default)]
pub(super) struct Last {
    numbers: FxHashMap<Box<[InstanceId]>, u32>,
    /// By number: the edge instances.
    transitions: Vec<Box<[InstanceId]>>,
    /// By state: the number of the transition into it.
    of: Vec<u32>,
    /// Number of the transition into the state queried last.
    latest: u32,
    bytes: usize,
}

impl Last {
    /// A state has been reached by a transition; returns its number.
    pub(super) fn reach(&mut self, parts: &[InstanceId]) -> u32 {
        self.latest = match self.numbers.get(parts) {
            Some(&number) => number,
            None => {
                let number = self.transitions.len() as u32;
                self.transitions.push(parts.into());
                self.numbers.insert(parts.into(), number);
                self.bytes += 2 * size_of_val(parts) + 64;
                number
            }
        };
        self.latest
    }

    /// Records the transition into a state that has just been stored: the one queried last.
    pub(super) fn on_stored(&mut self, at: Stored) {
        if let Stored::New(id) = at {
            debug_assert_eq!(id.index(), self.of.len(), "states have consecutive numbers");
            self.of.push(self.latest);
        }
    }

    /// The number of the transition that led to a state, with its edge instances; none for an initial state.
    pub(super) fn to(&self, state: StateId) -> (u32, &[InstanceId]) {
        let number = self.of[state.index()];
        (number, &self.transitions[number as usize])
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.of.capacity() * size_of::<u32>()
    }
}
