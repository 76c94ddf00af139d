//! The length of code that is parsed.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::span::Span;

/// Code beyond this length is not parsed: a tree takes up to 80 times the room of its text. It is ten times the
/// length of the largest models known.
pub(crate) const MAX_CODE: usize = 16 << 20;

/// Whether code of that length is short enough to be parsed; an error at `span` otherwise.
pub(crate) fn is_parsable(length: usize, span: Span, diagnostics: &mut Diagnostics) -> bool {
    if length > MAX_CODE {
        let message = format!(
            "{} MiB of code; the limit is {} MiB",
            length.div_ceil(1 << 20),
            MAX_CODE >> 20
        );
        diagnostics.push(Diagnostic::error("too-much-code", span, message));
    }
    length <= MAX_CODE
}
