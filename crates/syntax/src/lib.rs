//! Readers and parsers for UPPAAL's language.

pub mod ast;
pub mod diagnostic;
pub mod fragment;
pub mod source;
pub mod span;
