//! Stores that know how deep a state was met.

use crate::chunked::Chunked;
use crate::store::{StateId, Store, Stored};

/// A store of *nodes*: states with the depth at which they were met.
///
/// A node covers another if its state covers the other's and it is no deeper: only then does a search that may go on
/// to a certain depth lose nothing by dropping the other. A state that is met again at a smaller depth is thus new
/// under a new number, and the old node is retired. [`Store::insert`] and [`Store::covering`] are those of depth 0.
pub trait DepthStore: Store {
    /// Stores a node unless it is covered by one that is no deeper. Retires only nodes that are at least as deep.
    fn insert_at(&mut self, state: &Self::State, depth: u32) -> Stored;

    /// A live node no deeper than `depth` that covers this state. With `u32::MAX`: at any depth.
    fn covering_at(&self, state: &Self::State, depth: u32) -> Option<StateId>;

    /// Number of nodes stored although a deeper one covered them: each is a state that was *reopened*.
    fn reopened(&self) -> u64;
}

/// Adds depths to a store by equality. Requires: the store covers equal states only, so it never retires any.
#[derive(Clone, Debug)]
pub struct Reopening<S> {
    store: S,
    /// The number in the inner store of each node.
    states: Chunked<u32>,
    /// The live node of each state of the inner store, and its depth.
    nodes: Chunked<(u32, u32)>,
    reopened: u64,
}

impl<S: Store> Reopening<S> {
    /// Requires: `store` is empty.
    pub fn new(store: S) -> Self {
        Reopening {
            store,
            states: Chunked::new(),
            nodes: Chunked::new(),
            reopened: 0,
        }
    }

    fn open(&mut self, inner: StateId) -> StateId {
        let node = StateId(self.states.len() as u32);
        self.states.push(inner.0);
        node
    }
}

impl<S: Store> Store for Reopening<S> {
    type State = S::State;

    fn insert(&mut self, state: &S::State) -> Stored {
        self.insert_at(state, 0)
    }

    fn covering(&self, state: &S::State) -> Option<StateId> {
        self.covering_at(state, 0)
    }

    fn load(&self, id: StateId, into: &mut S::State) {
        self.store.load(StateId(*self.states.get(id.index())), into);
    }

    fn is_alive(&self, id: StateId) -> bool {
        id.index() < self.states.len() && self.nodes.get(*self.states.get(id.index()) as usize).0 == id.0
    }

    fn stored(&self) -> usize {
        self.store.stored()
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.states.bytes() + self.nodes.bytes()
    }
}

impl<S: Store> DepthStore for Reopening<S> {
    fn insert_at(&mut self, state: &S::State, depth: u32) -> Stored {
        match self.store.insert(state) {
            Stored::New(inner) => {
                let node = self.open(inner);
                self.nodes.push((node.0, depth));
                Stored::New(node)
            }
            Stored::Covered(inner) => {
                let (node, least) = *self.nodes.get(inner.index());
                if least <= depth {
                    return Stored::Covered(StateId(node));
                }
                let node = self.open(inner);
                self.reopened += 1;
                *self.nodes.get_mut(inner.index()) = (node.0, depth);
                Stored::New(node)
            }
        }
    }

    fn covering_at(&self, state: &S::State, depth: u32) -> Option<StateId> {
        let (node, least) = *self.nodes.get(self.store.covering(state)?.index());
        (least <= depth).then_some(StateId(node))
    }

    fn reopened(&self) -> u64 {
        self.reopened
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::ExactStore;

    #[test]
    fn a_state_met_at_a_smaller_depth_is_new() {
        let mut store = Reopening::new(ExactStore::new());
        assert_eq!(store.insert_at(&'a', 5), Stored::New(StateId(0)));
        assert_eq!(store.insert_at(&'b', 1), Stored::New(StateId(1)));
        assert_eq!(store.insert_at(&'a', 6), Stored::Covered(StateId(0)));
        assert_eq!(store.covering_at(&'a', 4), None);
        assert_eq!(store.insert_at(&'a', 3), Stored::New(StateId(2)));
        assert_eq!(store.covering_at(&'a', u32::MAX), Some(StateId(2)));
        assert_eq!(
            [0, 1, 2].map(|id| store.is_alive(StateId(id))),
            [false, true, true]
        );
        let mut state = ' ';
        store.load(StateId(2), &mut state);
        assert_eq!((state, store.stored(), store.reopened()), ('a', 2, 1));
    }
}
