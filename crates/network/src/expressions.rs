//! Expressions of the typed tree before they are compiled: their constants, ranges of values, and what holds of them.

pub(crate) mod constants;
pub(crate) mod facts;
pub(crate) mod fold;
pub(crate) mod interval;
pub(crate) mod visit;
