//! Analyses of a finished network: the effort of its code, whether that may fail, and which variables matter where.

pub mod effort;
pub mod live_variables;
mod may_fail;
mod meta_variables;
