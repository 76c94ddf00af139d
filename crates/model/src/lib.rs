//! The typed model of a network of timed automata.
//!
//! [`check`] turns a syntax tree into a [`tree::Model`] (names, types, constants), [`instance`] makes the
//! [`system::System`] of its processes, clocks and channels, and [`eval`] evaluates its expressions over values.
//!
//! # Rooms
//!
//! Tree to meaning. `check` turns a syntax tree into a `Model` in which every name is an id and every expression has a
//! type; `instance` makes the `System`; `eval` evaluates expressions over plain values and is used for constants,
//! initialisers and by the reference interpreter; `eval::arithmetic` is the one arithmetic of both interpreters;
//! `builtin` is the table of built-in functions; `alphabet` lists the participants of synchronisations without `!` or
//! `?`. Features that only some engines support are recorded with their first position.

mod alphabet;
pub mod builtin;
pub mod check;
pub mod eval;
pub mod hybrid;
pub mod ids;
pub mod instance;
pub mod run_start;
pub mod system;
pub mod tree;

pub use tree::types;
