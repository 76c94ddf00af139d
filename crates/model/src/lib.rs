//! The typed model of a network of timed automata.
//!
//! [`check`] turns a syntax tree into a [`tree::Model`] (names, types, constants), [`instance`] makes the
//! [`system::System`] of its processes, clocks and channels, and [`eval`] evaluates its expressions over values.

mod alphabet;
pub mod builtin;
pub mod check;
pub mod eval;
pub mod hybrid;
pub mod ids;
pub mod instance;
pub mod late;
pub mod system;
pub mod tree;
pub mod types;
