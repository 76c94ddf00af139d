//! Where tables and errors go.

use std::{fmt, io};
use zonewalk_checker::load::FileError;

/// The streams that tables are written to.
pub trait Output {
    /// Writes a part of the tables.
    ///
    /// # Errors
    /// Errors of the stream.
    fn result(&mut self, text: &str) -> io::Result<()>;

    /// Makes sure that tables have reached their reader.
    ///
    /// # Errors
    /// Errors of the stream.
    fn flush(&mut self) -> io::Result<()>;

    /// Writes a remark beside the tables.
    fn note(&mut self, text: &str);

    /// Shows how far the measurements are; the next line replaces this one.
    fn progress(&mut self, line: &str);
}

/// Reason why measurements end early.
#[derive(Debug)]
pub enum Error {
    /// Something to tell the user.
    Message(String),
    /// Tables cannot be written.
    Unwritten(io::Error),
}

impl Error {
    /// An error that the user can do something about.
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Error::Message(message.to_string())
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Unwritten(error)
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Error::new(error)
    }
}
