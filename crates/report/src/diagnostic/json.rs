//! Diagnostics for programs.

use super::{as_written, help};
use serde::Serialize;
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics, Label, Severity};
use zonewalk_syntax::source::SourceMap;
use zonewalk_syntax::span::Span;

/// All the diagnostics of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiagnosticsJson {
    /// Number of errors, those that are not listed included.
    pub errors: usize,
    /// Number of warnings, those that are not listed included.
    pub warnings: usize,
    /// Number of diagnostics that are not listed.
    pub suppressed: usize,
    /// The others, in order of discovery.
    pub diagnostics: Vec<DiagnosticJson>,
}

/// One diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiagnosticJson {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The kind of error, such as `unknown-name`.
    pub code: &'static str,
    /// Message.
    pub message: String,
    /// Where.
    #[serde(flatten)]
    pub place: PlaceJson,
    /// The element of the model, such as `template Train, edge Safe → Appr, guard`.
    pub element: Option<String>,
    /// Text about the place.
    pub label: Option<String>,
    /// Other places that explain it.
    pub related: Vec<RelatedJson>,
    /// Suggested remedy.
    pub help: Option<String>,
    /// Suggested remedy as a replacement.
    pub suggestion: Option<SuggestionJson>,
}

/// A range of a file; all `null` for something without a place. Lines and columns count from 1, columns in
/// characters; the end is one past the last character.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlaceJson {
    /// The file as it was named.
    pub file: Option<String>,
    /// First line.
    pub line: Option<u32>,
    /// First column.
    pub column: Option<u32>,
    /// Last line.
    pub end_line: Option<u32>,
    /// One past the last column.
    pub end_column: Option<u32>,
}

/// Another place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RelatedJson {
    /// Text about the place.
    pub message: String,
    /// Where.
    #[serde(flatten)]
    pub place: PlaceJson,
    /// The element of the model.
    pub element: Option<String>,
}

/// A replacement of a part of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SuggestionJson {
    /// The text to put there, with entities where the file needs them.
    pub replacement: String,
    /// Place to replace.
    #[serde(flatten)]
    pub place: PlaceJson,
}

/// All of them as data.
pub fn all(diagnostics: &Diagnostics, sources: &SourceMap) -> DiagnosticsJson {
    DiagnosticsJson {
        errors: diagnostics.error_count(),
        warnings: diagnostics.warning_count(),
        suppressed: diagnostics.suppressed(),
        diagnostics: diagnostics.iter().map(|d| one(d, sources)).collect(),
    }
}

/// One as data.
pub fn one(diagnostic: &Diagnostic, sources: &SourceMap) -> DiagnosticJson {
    DiagnosticJson {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: diagnostic.code.as_str(),
        message: diagnostic.message.clone(),
        place: place(diagnostic.primary.span, sources),
        element: element(diagnostic.primary.span, sources),
        label: (!diagnostic.primary.text.is_empty()).then(|| diagnostic.primary.text.clone()),
        related: diagnostic
            .related
            .iter()
            .map(|label| related(label, sources))
            .collect(),
        help: help(diagnostic).map(str::to_owned),
        suggestion: diagnostic.suggestion.as_ref().and_then(|suggestion| {
            let source = sources.source(suggestion.span.start)?;
            Some(SuggestionJson {
                replacement: as_written(source, &suggestion.replacement).into_owned(),
                place: place(suggestion.span, sources),
            })
        }),
    }
}

fn related(label: &Label, sources: &SourceMap) -> RelatedJson {
    RelatedJson {
        message: label.text.clone(),
        place: place(label.span, sources),
        element: element(label.span, sources),
    }
}

fn element(span: Span, sources: &SourceMap) -> Option<String> {
    sources.source(span.start)?.element(span.start).map(str::to_owned)
}

fn place(span: Span, sources: &SourceMap) -> PlaceJson {
    let Some(source) = sources.source(span.start) else {
        return PlaceJson::default();
    };
    let (start, end) = (source.position(span.start), source.position(span.end));
    PlaceJson {
        file: Some(source.name.clone()),
        line: Some(start.line),
        column: Some(start.column),
        end_line: Some(end.line),
        end_column: Some(end.column),
    }
}
