//! Errors as types.

use std::fmt;
use zonewalk_checker::load::LoadError;
use zonewalk_checker::{Code, Diagnostic, Diagnostics, SourceMap};
use zonewalk_report::diagnostic::json;
use zonewalk_report::diagnostic::text::{Style, render_all};

pub use zonewalk_checker::load::{FileError, FileProblem};
pub use zonewalk_checker::{Invalid as InvalidTrace, Severity};

/// An error or a warning about a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// A stable name of its kind, such as `unknown-name`.
    pub code: &'static str,
    /// Message in words.
    pub message: String,
    /// The file, as it was named when it was loaded; `<query 1>` and the like for other texts.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column in characters, from 1.
    pub column: Option<u32>,
    /// Suggested remedy.
    pub hint: Option<String>,
    described: Box<json::DiagnosticJson>,
}

impl Problem {
    /// The object that `--format json` has for it in `diagnostics`: with the end of the place, related places and replacements.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.described).unwrap_or_default()
    }

    pub(crate) fn new(diagnostic: &Diagnostic, sources: &SourceMap) -> Problem {
        let described = json::one(diagnostic, sources);
        Problem {
            severity: diagnostic.severity,
            code: diagnostic.code.as_str(),
            message: described.message.clone(),
            file: described.place.file.clone(),
            line: described.place.line,
            column: described.place.column,
            hint: described.help.clone(),
            described: Box::new(described),
        }
    }
}

impl fmt::Display for Problem {
    /// `file:line:column: message`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(file), Some(line), Some(column)) = (&self.file, self.line, self.column) {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Problems of a model. They are shown with the lines concerned.
#[derive(Clone, Debug)]
pub struct Problems {
    list: Vec<Problem>,
    text: String,
}

impl Problems {
    pub(crate) fn new(diagnostics: &Diagnostics, sources: &SourceMap) -> Problems {
        Problems {
            list: diagnostics.iter().map(|d| Problem::new(d, sources)).collect(),
            text: render_all(diagnostics, sources, Style::default())
                .trim_end()
                .to_owned(),
        }
    }

    pub(crate) fn of(errors: impl IntoIterator<Item = Diagnostic>, sources: &SourceMap) -> Problems {
        let mut diagnostics = Diagnostics::new();
        errors.into_iter().for_each(|error| diagnostics.push(error));
        Problems::new(&diagnostics, sources)
    }

    /// One after the other, in the order of the text.
    pub fn iter(&self) -> std::slice::Iter<'_, Problem> {
        self.list.iter()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = std::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why something could not be done.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read.
    File(FileError),
    /// A model, a constant, a file of queries or a project has errors.
    Malformed(Problems),
    /// A query has errors: in its syntax, or in the names, types and processes that it uses.
    MalformedQuery(Problems),
    /// The search does not support the model, or cannot decide the query.
    Unsupported(Problems),
    /// There is no query with this index.
    NoSuchQuery {
        /// The index that was asked for, from 0.
        index: usize,
        /// Number of queries.
        count: usize,
    },
    /// A range of walks was asked for, and the walks of this search are not independent of each other.
    DependentWalks {
        /// The name of the search.
        search: &'static str,
    },
    /// A trace is not one of the model, or does not show what its query asks for.
    InvalidTrace(InvalidTrace),
    /// A file is not a certificate of the model, in words.
    InvalidCertificate(String),
    /// A request that cannot be met, in words: a query about a project, a member of a family, a pattern.
    Query(String),
    /// zonewalk contradicts itself: a bug, in words. Please report it.
    Internal(String),
}

impl Error {
    /// Problems in texts, for errors about texts.
    pub fn problems(&self) -> &[Problem] {
        match self {
            Error::Malformed(problems) | Error::MalformedQuery(problems) | Error::Unsupported(problems) => {
                &problems.list
            }
            _ => &[],
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File(error) => write!(f, "{error}"),
            Error::Malformed(problems) | Error::MalformedQuery(problems) | Error::Unsupported(problems) => {
                write!(f, "{problems}")
            }
            Error::NoSuchQuery { index, count } => {
                write!(
                    f,
                    "there is no query with index {index}: the model has {count}, counted from 0"
                )
            }
            Error::DependentWalks { search } => write!(
                f,
                "walks of {search} depend on earlier ones, so a range of them is not a unit of work; those of sem, ret, rlc, com \
                 and smc do not"
            ),
            Error::InvalidTrace(invalid) => write!(f, "{invalid}"),
            Error::InvalidCertificate(message) => write!(f, "the certificate cannot be read: {message}"),
            Error::Query(message) => f.write_str(message),
            Error::Internal(message) => write!(f, "bug in zonewalk: {message}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File(error) => Some(error),
            _ => None,
        }
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Error::File(error)
    }
}

impl Error {
    /// Errors that keep a model or a query from being compiled: `wrong` makes the error, unless searches are not able to support
    /// what is well-formed.
    pub(crate) fn of_compile(
        errors: Vec<Diagnostic>,
        sources: &SourceMap,
        wrong: fn(Problems) -> Error,
    ) -> Self {
        let is_unsupported =
            (errors.iter()).any(|error| matches!(error.code, Code::UNSUPPORTED | Code::UNDECIDABLE));
        let problems = Problems::of(errors, sources);
        if is_unsupported {
            Error::Unsupported(problems)
        } else {
            wrong(problems)
        }
    }

    pub(crate) fn of_load(error: LoadError) -> Self {
        match error {
            LoadError::File(error) => error.into(),
            LoadError::Malformed(malformed) => {
                Error::Malformed(Problems::new(&malformed.diagnostics, &malformed.sources))
            }
        }
    }
}
