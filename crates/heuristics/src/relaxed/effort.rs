//! What estimates cost, in the units of [`zonewalk_symbolic::effort`], some 12 ns each: counted and not measured.

/// A fact: it is found, stored, and read by the conditions that wait for it.
pub(super) const FACT: u64 = 3;
/// So many entries of tables are cleared at the beginning for one unit.
pub(super) const CLEARED: u64 = 32;
/// A run of code, whatever it does.
pub(super) const RUN: u64 = 3;
/// So many instructions of the code cost one unit.
pub(super) const INSTRUCTIONS: u64 = 4;
/// The values of a cell that code reads are laid out.
pub(super) const READ: u64 = 1;
/// So many values that were passed on within a transition are read for one unit.
pub(super) const PASSED: u64 = 8;
