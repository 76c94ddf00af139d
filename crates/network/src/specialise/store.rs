//! Known values of temporaries at a point of the code.

use crate::code::cell::{Cell, Extent};
use std::collections::BTreeMap;

/// Known value of a temporary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum KnownValue {
    /// Its value.
    Value(i32),
    /// Equal to the content of an address.
    Same(u32),
}

/// Known values by temporary. A known value need not be in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    known: BTreeMap<Cell, KnownValue>,
}

/// Hashable form of a store.
pub(super) type Facts = Vec<(Cell, KnownValue)>;

impl Store {
    pub(super) fn get(&self, cell: Cell) -> Option<KnownValue> {
        self.known.get(&cell).copied()
    }

    pub(super) fn set(&mut self, cell: Cell, known: KnownValue) {
        self.known.insert(cell, known);
    }

    pub(super) fn forget(&mut self, cell: Cell) {
        self.known.remove(&cell);
    }

    pub(super) fn retain(&mut self, keep: impl Fn(Cell) -> bool) {
        self.known.retain(|cell, _| keep(*cell));
    }

    pub(super) fn facts(&self) -> Facts {
        self.known.iter().map(|(cell, known)| (*cell, *known)).collect()
    }

    /// The temporaries that are the same as something in an extent of addresses.
    pub(super) fn copies_of(&self, extent: Extent) -> Vec<Cell> {
        let is_copy =
            |known: &KnownValue| matches!(*known, KnownValue::Same(address) if extent.contains(address));
        let copies = self.known.iter().filter(|(_, known)| is_copy(known));
        copies.map(|(cell, _)| *cell).collect()
    }

    /// The temporaries of which something else is known, or nothing, in `other`.
    pub(super) fn beyond(&self, other: &Store) -> Vec<Cell> {
        let differs = |cell: &Cell, known: &KnownValue| other.known.get(cell) != Some(known);
        let beyond = self.known.iter().filter(|(cell, known)| differs(cell, known));
        beyond.map(|(cell, _)| *cell).collect()
    }
}
