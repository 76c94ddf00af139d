//! Cost of estimates in the units of [`zonewalk_symbolic::effort`], about 12 ns each: counted, not measured.

/// A fact: it is found, stored, and read by the conditions that wait for it.
pub(super) const FACT: u64 = 3;
/// Table entries cleared per unit of effort at the beginning.
pub(super) const CLEARED: u64 = 32;
/// A run of code, whatever it does.
pub(super) const RUN: u64 = 3;
/// Instructions of the code per unit of effort.
pub(super) const INSTRUCTIONS: u64 = 4;
/// The values of a cell that code reads are laid out.
pub(super) const READ: u64 = 1;
/// Values passed on within a transition that are read per unit of effort.
pub(super) const PASSED: u64 = 8;
