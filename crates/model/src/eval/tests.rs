//! Hand-built typed trees.

mod build;
mod constants;
mod expressions;
mod functions;
