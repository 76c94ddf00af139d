//! Readers and parsers for UPPAAL's language.
//!
//! # Rooms
//!
//! Text to tree. `read` is the entry: it decodes bytes, finds out the format and the dialect, and returns a tree
//! together with a list of errors. `parser` has a file for each part of the language, `ast` the trees, `xml` the reader
//! of XML. `Fragment` maps every byte of decoded text back to its place in the file, so that an error in `x &lt;= 5`
//! points at the right column. `Diagnostic` is the one type of error and warning for the whole workspace.

pub mod ast;
pub mod diagnostic;
pub mod encoding;
pub mod fragment;
mod heading;
pub mod lexer;
pub mod markup;
pub mod parser;
pub mod print;
mod queries;
pub mod read;
pub mod similar;
pub mod source;
pub mod span;
pub mod stack;
pub mod token;
mod xml;
