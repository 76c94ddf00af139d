//! Everything that a user of the command can see.
#![allow(clippy::unwrap_used)]

mod bench;
mod check;
mod command;
mod corpus;
mod diagnostics;
mod explore;
mod help;
mod info;
mod limits;
mod models;
mod replay;
mod simulate;
mod usage;
mod verifyta;
