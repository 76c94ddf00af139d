//! Visited states.

use std::hash::{BuildHasher as _, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::chunked::Chunked;

/// The number of a stored state: 0, 1, 2, … in order of insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

impl StateId {
    /// Numbers from here on are not given to states: searches use them as marks.
    pub const END: u32 = u32::MAX;

    /// As an index into a side table.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Result of inserting a state into a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It was stored under this number.
    New(StateId),
    /// It was not stored, because this state, which is alive, covers it.
    Covered(StateId),
}

/// A set of states that answers whether a state is covered: present already, or included in one that is.
///
/// Whatever can be reached from a state must be reachable, up to covering, from any state that covers it, with no more
/// steps; and a goal that holds in a state must hold in those that cover it. Equality always qualifies.
///
/// New states are numbered consecutively from 0, whatever is retired; a search never brings more than
/// [`StateId::END`] new states.
pub trait Store {
    /// A state to work with.
    type State;

    /// Stores a state unless it is covered. States that the new one covers may be retired: they are then not alive.
    fn insert(&mut self, state: &Self::State) -> Stored;

    /// A live state that covers this one, if there is any. Stores nothing.
    fn covering(&self, state: &Self::State) -> Option<StateId>;

    /// Unpacks a state exactly as it was inserted. Requires: `id` is alive.
    fn load(&self, id: StateId, into: &mut Self::State);

    /// Whether the state has not been retired.
    fn is_alive(&self, id: StateId) -> bool;

    /// Live states.
    fn stored(&self) -> usize;

    /// Memory held, in bytes. Called often: it must cost next to nothing.
    fn bytes(&self) -> usize;

    /// Memory that a state holds outside of the store, in bytes.
    fn bytes_of(&self, _state: &Self::State) -> usize {
        size_of::<Self::State>()
    }
}

/// A store by equality for any type that can be hashed and compared.
#[derive(Clone, Debug)]
pub struct ExactStore<S> {
    table: HashTable<u32>,
    states: Chunked<S>,
    heap: usize,
    heap_of: fn(&S) -> usize,
}

impl<S: Hash + Eq + Clone> ExactStore<S> {
    /// An empty store. States that own memory of their own are counted by their size alone; see [`with_heap`](Self::with_heap).
    pub fn new() -> Self {
        ExactStore::with_heap(|_| 0)
    }

    /// An empty store for states that own as much memory as `heap_of` says, which then counts against the limit.
    pub fn with_heap(heap_of: fn(&S) -> usize) -> Self {
        ExactStore {
            table: HashTable::new(),
            states: Chunked::new(),
            heap: 0,
            heap_of,
        }
    }

    fn find(&self, hash: u64, state: &S) -> Option<StateId> {
        self.table
            .find(hash, |id| self.states.get(*id as usize) == state)
            .map(|id| StateId(*id))
    }
}

impl<S: Hash + Eq + Clone> Default for ExactStore<S> {
    fn default() -> Self {
        ExactStore::new()
    }
}

impl<S: Hash + Eq + Clone> Store for ExactStore<S> {
    type State = S;

    fn insert(&mut self, state: &S) -> Stored {
        let hash = FxBuildHasher.hash_one(state);
        if let Some(id) = self.find(hash, state) {
            return Stored::Covered(id);
        }
        let id = self.states.len() as u32;
        self.heap += (self.heap_of)(state);
        self.states.push(state.clone());
        let states = &self.states;
        self.table
            .insert_unique(hash, id, |id| FxBuildHasher.hash_one(states.get(*id as usize)));
        Stored::New(StateId(id))
    }

    fn covering(&self, state: &S) -> Option<StateId> {
        self.find(FxBuildHasher.hash_one(state), state)
    }

    fn load(&self, id: StateId, into: &mut S) {
        into.clone_from(self.states.get(id.index()));
    }

    fn is_alive(&self, id: StateId) -> bool {
        id.index() < self.states.len()
    }

    fn stored(&self) -> usize {
        self.states.len()
    }

    fn bytes(&self) -> usize {
        self.table.allocation_size() + self.states.bytes() + self.heap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_states_are_stored_once() {
        let mut store = ExactStore::with_heap(|s: &String| s.capacity());
        assert_eq!(store.insert(&"a".to_owned()), Stored::New(StateId(0)));
        assert_eq!(store.insert(&"b".to_owned()), Stored::New(StateId(1)));
        assert_eq!(store.insert(&"a".to_owned()), Stored::Covered(StateId(0)));
        assert_eq!(store.covering(&"b".to_owned()), Some(StateId(1)));
        assert_eq!(store.covering(&"c".to_owned()), None);
        let mut state = String::new();
        store.load(StateId(1), &mut state);
        assert_eq!((state.as_str(), store.stored()), ("b", 2));
        assert!(store.bytes() > 2 * size_of::<String>());
    }
}
