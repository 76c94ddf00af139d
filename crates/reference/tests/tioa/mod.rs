//! The judge of timed I/O automata, by cases that were computed by hand.

mod component;
mod delay;
mod judge;
mod operators;
mod quotient;
mod reach;
mod support;
