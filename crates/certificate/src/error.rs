//! Mistakes in a file, each with its place.

use std::fmt;

/// Why a file cannot be read as a certificate of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1; 0 where the file as a whole is meant.
    pub line: usize,
    /// The column in characters, from 1; 0 where the line as a whole is meant.
    pub column: usize,
    /// The error.
    pub message: String,
    /// Suggested remedy; empty where there is none.
    pub help: String,
}

impl ReadError {
    pub(crate) fn at(line: usize, column: usize, message: impl Into<String>) -> Self {
        ReadError {
            line,
            column,
            message: message.into(),
            help: String::new(),
        }
    }

    pub(crate) fn of_file(message: impl Into<String>) -> Self {
        ReadError::at(0, 0, message)
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => {}
            (line, 0) => write!(f, "line {line}: ")?,
            (line, column) => write!(f, "line {line}, column {column}: ")?,
        }
        f.write_str(&self.message)?;
        if !self.help.is_empty() {
            write!(f, " ({})", self.help)?;
        }
        Ok(())
    }
}

impl std::error::Error for ReadError {}
