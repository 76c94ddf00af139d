//! Exploration over zones: the states of one system, or of the pairs of a refinement, and exact runs of what is found.

pub mod concretise;
pub mod delay;
pub mod explore;
pub mod frame;
pub mod graph;
mod joint;
pub mod pair;
pub mod question;
pub mod refinement;
pub mod start;
mod store;
pub(crate) mod width;
