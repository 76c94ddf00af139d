//! How a run ends.

use std::fmt;
use std::io;
use std::process::ExitCode;
use zonewalk_checker::load::io_reason;

/// The exit statuses of zonewalk. Of several the largest one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// All is well.
    Success,
    /// Some query is undecided, or a limit cut the run short.
    Undecided,
    /// Some query is not satisfied, a trace is not valid, or an outcome is not as recorded.
    No,
    /// Interrupted by the user.
    Interrupted,
    /// Bad usage, a bad model, or a run-time error of the model.
    Failure,
    /// A bug of zonewalk.
    Bug,
}

impl Status {
    /// The number that the process ends with.
    pub(crate) fn code(self) -> u8 {
        match self {
            Status::Success => 0,
            Status::No => 1,
            Status::Failure => 2,
            Status::Undecided => 3,
            Status::Bug => 70,
            Status::Interrupted => 130,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status.code())
    }
}

/// Reason why a run ends early.
#[derive(Debug)]
pub(crate) enum Error {
    /// Something to tell the user.
    Message(String),
    /// The reader of what is made to be read has gone: nothing can be reported.
    BrokenPipe,
}

impl Error {
    /// An error that the user can do something about.
    pub(crate) fn new(message: impl fmt::Display) -> Self {
        Error::Message(message.to_string())
    }
}

impl From<io::Error> for Error {
    /// Error of writing results; reading has messages of its own.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Error::BrokenPipe
        } else {
            Error::Message(unwritten(&error))
        }
    }
}

/// Message about results that cannot be written.
pub(crate) fn unwritten(error: &io::Error) -> String {
    format!("cannot write standard output: {}", io_reason(error))
}
