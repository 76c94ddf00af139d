//! Cost of walking, in steps of a small model: counted and not measured, so that it is the same on every machine.
//!
//! A step of a small model takes about a thousand machine instructions, some 250 ns. What makes other steps more expensive is code that
//! runs, processes whose guards read what has changed, edges with channels that become ready or cease to be, and clocks that
//! stop; a walk begins with a copy of the initial state. Each counts as a number of instructions of code.

use crate::plan::WalkPlan;
use crate::state::State;
use crate::walker::Walker;

/// Code that costs as much as a step of a small model, in instructions.
const INSTRUCTIONS_PER_STEP: u64 = 64;

/// Cost of asking for the location of a process whose guards read a changed cell.
pub(crate) const READING: u64 = 3;

/// Cost of a step where clocks can be stopped, besides all the rest.
pub(crate) const RATES: u64 = 64;

/// Cells that a return to an earlier state copies in the time of a step.
const CELLS_PER_STEP: usize = 1 << 10;

/// Cost of a return to an earlier state.
pub(crate) fn of_restart(plan: &WalkPlan<'_>) -> u64 {
    (State::size(plan) / CELLS_PER_STEP) as u64
}

impl Walker<'_> {
    /// Cost of code and edges since the walker was made, besides the steps themselves.
    pub(crate) fn extra_effort(&self) -> u64 {
        self.state.effort / INSTRUCTIONS_PER_STEP
    }
}
