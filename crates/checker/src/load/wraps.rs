//! Warnings of arithmetic that wraps: each expression once in a run.

use std::collections::BTreeSet;
use zonewalk_model::eval::{WRAPS, wrap_warning};
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};
use zonewalk_syntax::span::Span;

/// The places that have been reported.
pub struct Wrapped(BTreeSet<Span>);

impl Wrapped {
    /// Places that loading the model has found.
    pub fn known(diagnostics: &Diagnostics) -> Self {
        let wraps = diagnostics.iter().filter(|d| d.code == WRAPS);
        Wrapped(wraps.map(|d| d.primary.span).collect())
    }

    /// Warnings of the places that are new.
    pub fn warnings(&mut self, places: Vec<Span>) -> Vec<Diagnostic> {
        let is_new = |place: &Span| self.0.insert(*place);
        places.into_iter().filter(is_new).map(wrap_warning).collect()
    }
}
