//! Everything that a user of the command can see.
#![allow(clippy::unwrap_used)]

mod bench;
mod check;
mod command;
mod defines;
mod diagnostics;
mod directed;
mod docs;
mod explicit;
mod explore;
mod extremes;
mod faults;
mod guided;
mod help;
mod info;
mod limits;
mod mistakes;
mod models;
mod own;
mod pattern;
mod refine;
mod replay;
mod reports;
mod rules;
mod schedule;
mod schema;
mod screen;
mod searches;
mod shortest;
mod simulate;
mod statistics;
mod tables;
mod unread;
mod usage;
mod verifyta;
mod wraps;
