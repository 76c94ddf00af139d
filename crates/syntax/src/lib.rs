//! Readers and parsers for UPPAAL's language.

pub mod ast;
pub mod diagnostic;
pub mod fragment;
pub mod lexer;
pub mod parser;
pub mod source;
pub mod span;
pub mod token;
