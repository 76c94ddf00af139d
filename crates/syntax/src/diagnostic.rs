//! Errors and warnings as data; the `report` crate renders them.

use crate::span::Span;
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model is usable; something in it looks wrong.
    Warning,
    /// The model is not well-formed.
    Error,
}

/// A place with something to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// Message; may be empty for the primary place.
    pub text: String,
}

/// A replacement that mends the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// Span to replace.
    pub span: Span,
    /// With what.
    pub replacement: String,
}

/// The stable name of a kind of error or warning, such as `unknown-name`. Users and files know it as text; code that decides
/// something by it compares with one of the constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code(&'static str);

impl Code {
    /// The model or the query is right, and what was to be done with it is not supported.
    pub const UNSUPPORTED: Code = Code("unsupported");
    /// The search that was asked for cannot decide the query.
    pub const UNDECIDABLE: Code = Code("undecidable");
    /// A query names a component that has errors.
    pub const BROKEN_COMPONENT: Code = Code("broken-component");
    /// An `IO` line names an action that no edge has.
    pub const UNUSED_IO: Code = Code("io-line-unused");
    /// Arithmetic that does not fit into 32 bits.
    pub const ARITHMETIC_WRAPS: Code = Code("arithmetic-wraps");
    /// A process that stands twice in the system line.
    pub const DUPLICATE_PROCESS: Code = Code("duplicate-process");
    /// An XML file that ends too early.
    pub const XML_TRUNCATED: Code = Code("xml-truncated");
    /// A value outside the range of its variable.
    pub const VALUE_OUT_OF_RANGE: Code = Code("value-out-of-range");

    /// As text.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl From<&'static str> for Code {
    fn from(name: &'static str) -> Self {
        Code(name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Code of the error.
    pub code: Code,
    /// Lower case, no full stop; names the thing.
    pub message: String,
    /// The place that is wrong.
    pub primary: Label,
    /// Other places that explain it, such as the earlier declaration.
    pub related: Vec<Label>,
    /// Suggested remedy.
    pub help: Option<String>,
    /// Suggested remedy as a patch.
    pub suggestion: Option<Suggestion>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: impl Into<Code>, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code.into(), span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: impl Into<Code>, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code.into(), span, message)
    }

    fn new(severity: Severity, code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            primary: Label {
                span,
                text: String::new(),
            },
            related: Vec::new(),
            help: None,
            suggestion: None,
        }
    }

    /// Says something under the caret.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Points at another place. Places without a position (built-ins) are left out.
    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        if span != Span::NONE {
            self.related.push(Label {
                span,
                text: text.into(),
            });
        }
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Offers a replacement.
    #[must_use]
    pub fn suggest(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.suggestion = Some(Suggestion {
            span,
            replacement: replacement.into(),
        });
        self
    }

    /// Whether this makes the model ill-formed.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Collects diagnostics, up to a limit that keeps a hopeless file readable and its memory bounded.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// All errors, those over the limit included.
    errors: usize,
    /// All warnings, those over the limit included.
    warnings: usize,
}

/// Diagnostics kept per run and severity; further ones are only counted.
const KEPT: usize = 100;

impl Diagnostics {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one. A second report at the very same place with the same code adds nothing.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same = |d: &Diagnostic| d.primary.span == diagnostic.primary.span && d.code == diagnostic.code;
        if self.list.iter().rev().take(20).any(same) {
            return;
        }
        let count = if diagnostic.is_error() {
            &mut self.errors
        } else {
            &mut self.warnings
        };
        *count += 1;
        if *count <= KEPT {
            self.list.push(diagnostic);
        }
    }

    /// Whether an error was reported.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Number of errors, those over the limit included.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Number of warnings, those over the limit included.
    pub fn warning_count(&self) -> usize {
        self.warnings
    }

    /// Kept diagnostics, in order of discovery.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Number of diagnostics dropped over the limit.
    pub fn suppressed(&self) -> usize {
        self.errors + self.warnings - self.list.len()
    }

    /// Appends all of `other`.
    pub fn append(&mut self, other: Diagnostics) {
        let kept_errors = other.list.iter().filter(|d| d.is_error()).count();
        let kept_warnings = other.list.len() - kept_errors;
        for d in other.list {
            self.push(d);
        }
        self.errors += other.errors - kept_errors;
        self.warnings += other.warnings - kept_warnings;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_what_it_drops() {
        let mut all = Diagnostics::new();
        for i in 0..KEPT as u32 + 7 {
            all.push(Diagnostic::error("e", Span::new(i + 1, i + 2), "no"));
            all.push(Diagnostic::warning("w", Span::new(i + 1, i + 2), "hm"));
        }
        let mut sum = Diagnostics::new();
        sum.append(all);
        assert_eq!(sum.error_count(), KEPT + 7);
        assert_eq!(sum.warning_count(), KEPT + 7);
        assert_eq!(sum.iter().count(), 2 * KEPT);
        assert_eq!(sum.suppressed(), 14);
    }

    #[test]
    fn the_same_error_is_told_once() {
        let mut all = Diagnostics::new();
        all.push(Diagnostic::error("e", Span::new(1, 2), "no"));
        all.push(Diagnostic::error("e", Span::new(1, 2), "no"));
        assert_eq!(all.error_count(), 1);
    }
}
