//! Readers and parsers for UPPAAL's language.

pub mod ast;
pub mod diagnostic;
pub mod encoding;
pub mod fragment;
mod heading;
pub mod lexer;
pub mod parser;
pub mod print;
mod queries;
pub mod read;
pub mod source;
pub mod span;
pub mod stack;
pub mod token;
mod xml;
