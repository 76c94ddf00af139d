//! Where arithmetic has wrapped.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};
use zonewalk_syntax::span::Span;

/// Expressions whose results did not fit into 32 bits, each once. Evaluators on several threads may share it.
#[derive(Debug, Default)]
pub struct Wraps(Mutex<BTreeSet<Span>>);

impl Wraps {
    /// An expression has wrapped.
    pub fn note(&self, span: Span) {
        // A set of places is whole whatever happened to a thread that held it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(span);
    }

    /// The places, in the order of the text.
    pub fn places(&self) -> Vec<Span> {
        let places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        places.iter().copied().collect()
    }
}

/// The code of [`wrap_warning`].
pub const WRAPS: Code = Code::ARITHMETIC_WRAPS;

/// Says that arithmetic wraps at a place.
pub fn wrap_warning(span: Span) -> Diagnostic {
    Diagnostic::warning(
        WRAPS,
        span,
        "the result does not fit into 32 bits and wraps around",
    )
    .help("integers are computed in two's complement: `INT32_MAX + 1` is `INT32_MIN`")
}
