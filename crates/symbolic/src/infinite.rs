//! Infinite runs: lassos in the zone graph, loops in which time does not pass, and states that are never left.

pub mod lasso;
pub mod standstill;
pub mod zeno;
