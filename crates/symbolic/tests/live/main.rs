//! Liveness and extremes: small models whose answers follow by hand, and the rows of the public corpus.

#![allow(clippy::unwrap_used)]

mod corpus;
mod extremes;
mod lasso;
mod regions;
mod shortest;
mod support;
mod zeno;
