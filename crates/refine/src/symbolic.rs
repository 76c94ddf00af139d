//! Exploration over zones: the states of one system, or of the pairs of a refinement, and exact runs of what is found.

pub mod concretise;
pub mod delay;
pub mod explore;
pub mod frame;
pub mod pair;
pub mod refinement;
pub mod start;
pub mod store;
pub(crate) mod width;
