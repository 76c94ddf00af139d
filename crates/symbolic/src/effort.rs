//! What work in the zone graph costs: counted and not measured, so that shares of effort are the same on every machine.
//!
//! The figures were fitted to the processor time of breadth-first searches of 24 models, and are rather too low than too high. Most
//! of it goes into successors: their zones are made, closed and compared, many bounds at once, and their discrete parts written
//! and hashed. In models of many processes it goes into looking for the edges that are enabled, and where clocks can be stopped, into
//! asking whether they run. How many stored zones a new one is compared with is not counted.

use crate::state::ZoneState;

/// Units that cost as much as a step of a walk in a small model, some 250 ns.
pub const UNITS_PER_STEP: u64 = 20;

/// What it costs to look for the enabled edges of so many processes, which have so many edges where they are.
pub(crate) fn of_listing(processes: usize, edges: usize) -> u64 {
    6 * processes as u64 + 3 * edges as u64
}

/// What it costs to ask for so many rates of clocks.
pub(crate) fn of_rates(rates: usize) -> u64 {
    3 * rates as u64
}

/// What it costs to make a state and to look for it in a store.
pub fn of_successor(state: &ZoneState) -> u64 {
    16 + 8 * state.dim() as u64 + state.discrete.len() as u64 / 2
}
