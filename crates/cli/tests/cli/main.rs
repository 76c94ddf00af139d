//! Everything that a user of the command can see.
#![allow(clippy::unwrap_used)]

mod command;
mod corpus;
mod diagnostics;
mod help;
mod info;
mod models;
mod simulate;
mod usage;
