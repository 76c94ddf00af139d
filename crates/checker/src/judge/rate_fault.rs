//! Describes an illegal rate of a clock, for a person.

use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// A rate that does not fit: one that no search supports, or one that contradicts another (`semantics.md` 3). The searches
/// stop at either, and the number tells which it is.
pub(crate) fn rate_fault(clock: &str, rate: i32, span: Span) -> Diagnostic {
    if matches!(rate, 0 | 1) {
        let message = format!("{clock} gets two rates at the same time, 0 and 1");
        Diagnostic::error("conflicting-rates", span, message).help(
            "the invariants of the locations that the processes are in must agree on the rate of a clock",
        )
    } else {
        let message = format!("{clock} gets the rate {rate}; rates other than 0 and 1 are not supported");
        Diagnostic::error("unsupported-rate", span, message)
    }
}
