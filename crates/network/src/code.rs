//! The code of a network as data: instructions, the cells and clocks that they name, conditions, and what code reads and writes.

pub mod cell;
pub mod constraint;
pub(crate) mod double;
pub(crate) mod footprint;
pub mod ids;
pub mod instr;
pub(crate) mod sets;
mod wraps;
