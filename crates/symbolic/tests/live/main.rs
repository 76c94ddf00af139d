//! Liveness and extremes: small models whose answers follow by hand, and the rows of the public corpus.

#![allow(clippy::unwrap_used)]

mod corpus;
mod lasso;
mod support;
mod zeno;
