//! Sanity checks.
