//! A small model for every row of `semantics.md` that says what a model does.

mod actions;
mod common;
mod data;
mod forms;
mod functions;
mod operators;
mod queries;
mod templates;
mod time;
mod together;
