//! Finds errors in real-time system models: a model and a query go in, a verdict with its evidence comes out.

pub use zonewalk_checker::*;
