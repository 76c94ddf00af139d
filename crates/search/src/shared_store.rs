//! Visited states that several threads fill.

use crate::store::{StateId, Store, Stored};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A [`Store`] for all workers of a search. Numbers tell states apart, and need not be consecutive, so that a store of several
/// parts can number each on its own.
pub trait SharedStore: Sync {
    /// A state to work with.
    type State;

    /// Stores a state unless it is covered, see [`Store::insert`]. Of states that cover each other and are inserted at
    /// the same time one is stored.
    fn insert(&self, state: &Self::State) -> Stored;

    /// Unpacks a state as it was inserted, unless it has been retired: then the answer is no.
    fn load(&self, id: StateId, into: &mut Self::State) -> bool;

    /// Live states.
    fn stored(&self) -> usize;

    /// Memory held, in bytes.
    fn bytes(&self) -> usize;
}

/// A store that one thread at a time looks into.
impl<S: Store + Send> SharedStore for Mutex<S> {
    type State = S::State;

    fn insert(&self, state: &S::State) -> Stored {
        locked(self).insert(state)
    }

    fn load(&self, id: StateId, into: &mut S::State) -> bool {
        let store = locked(self);
        let is_alive = store.is_alive(id);
        if is_alive {
            store.load(id, into);
        }
        is_alive
    }

    fn stored(&self) -> usize {
        locked(self).stored()
    }

    fn bytes(&self) -> usize {
        locked(self).bytes()
    }
}

/// The store, also after a panic of another thread, which ends the search anyway.
fn locked<S>(store: &Mutex<S>) -> MutexGuard<'_, S> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}
