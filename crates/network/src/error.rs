//! Why a model cannot be compiled.

use std::fmt;
use zonewalk_syntax::diagnostic::{Code, Diagnostic};
use zonewalk_syntax::span::Span;

/// Why a model, or a part of it, cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// Kind of obstacle.
    pub kind: ErrorKind,
    /// For a person.
    pub message: String,
    /// Source span.
    pub span: Span,
}

/// Sorts of obstacles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A construct that code cannot express.
    Unsupported,
    /// A query names a process that does not exist.
    NoProcess,
    /// A limit on sizes.
    TooLarge,
    /// Tree and system do not fit together; a mistake of zonewalk.
    Internal,
}

/// Result of lowering. The error is boxed because it is rare and large.
pub(crate) type Result<T> = std::result::Result<T, Box<CompileError>>;

impl CompileError {
    pub(crate) fn unsupported(span: Span, message: impl Into<String>) -> Box<CompileError> {
        Box::new(CompileError {
            kind: ErrorKind::Unsupported,
            message: message.into(),
            span,
        })
    }

    pub(crate) fn no_process(span: Span, message: impl Into<String>) -> Box<CompileError> {
        Box::new(CompileError {
            kind: ErrorKind::NoProcess,
            message: message.into(),
            span,
        })
    }

    pub(crate) fn too_large(span: Span, message: impl Into<String>) -> Box<CompileError> {
        Box::new(CompileError {
            kind: ErrorKind::TooLarge,
            message: message.into(),
            span,
        })
    }

    pub(crate) fn internal(span: Span, message: impl Into<String>) -> Box<CompileError> {
        Box::new(CompileError {
            kind: ErrorKind::Internal,
            message: message.into(),
            span,
        })
    }

    /// As an error of the model.
    pub fn to_diagnostic(&self) -> Diagnostic {
        let code = match self.kind {
            ErrorKind::Unsupported => Code::UNSUPPORTED.as_str(),
            ErrorKind::NoProcess => "unknown-name",
            ErrorKind::TooLarge => "too-large",
            ErrorKind::Internal => "internal",
        };
        Diagnostic::error(code, self.span, self.message.clone())
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CompileError {}
