//! Our decisions.
