//! Gates: internal edges of many processes that wait for the same value of the same variable.
//!
//! In Fischer's protocol every idle process waits for `id == 0`. Such edges are listed together, whether the variable has
//! the value or not, and a change of the variable opens or closes the whole list at once: it costs the same for ten
//! processes and for a thousand.
//!
//! Internal edges that stand for several transitions each, because only their updates read what they select, are listed by
//! that number behind gates that are always open: the list then weighs what its edges weigh together.

use crate::plan::NONE;

/// No fewer edges make a gate: a single one is quicker to look at by itself.
pub(crate) const FEWEST: usize = 2;

/// Value that a gate waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    /// `NONE` if it is always open.
    pub(crate) cell: u32,
    pub(crate) value: i32,
    /// How many transitions each of its edges is.
    pub(crate) ways: u64,
}

impl Gate {
    pub(crate) fn is_open(&self, memory: &[i32]) -> bool {
        self.cell == NONE || memory[self.cell as usize] == self.value
    }
}
