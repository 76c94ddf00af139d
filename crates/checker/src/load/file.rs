//! Reads files whole, never more than fits.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{error, fmt};

/// The largest model or file of queries. The largest model known to us has 1.4 MB; the reader has a closer limit for the code in
/// it, whose tree is many times as large.
pub const LIMIT: u64 = 64 << 20;

/// The largest explicit system: some hundred million transitions.
pub const EXPLICIT_LIMIT: u64 = 8 << 30;

/// A file that cannot be read, and why.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// Errors in it.
    pub problem: FileProblem,
}

/// Problem with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileProblem {
    /// The system does not read it.
    Io(io::Error),
    /// It is a directory.
    Directory,
    /// It has more bytes than this.
    TooLarge(u64),
    /// It is an explicit system (`.aut`): `search::aut` reads these.
    ExplicitSystem,
}

impl FileError {
    fn new(path: &Path, problem: FileProblem) -> FileError {
        FileError {
            path: path.to_owned(),
            problem,
        }
    }

    pub(crate) fn explicit(path: &Path) -> FileError {
        FileError::new(path, FileProblem::ExplicitSystem)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: ", self.path.display())?;
        match &self.problem {
            FileProblem::Io(error) => f.write_str(&io_reason(error)),
            FileProblem::Directory => f.write_str("it is a directory"),
            FileProblem::TooLarge(limit) => write!(f, "it is larger than {} MiB", limit >> 20),
            FileProblem::ExplicitSystem => f.write_str("it is an explicit system, not a model"),
        }
    }
}

impl error::Error for FileError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.problem {
            FileProblem::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// The system's words without its number.
pub fn io_reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

/// The whole of a file, if it has no more than `limit` bytes.
///
/// # Errors
/// It cannot be read, it is a directory, or it has more.
pub fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let describe = |error| FileError::new(path, FileProblem::Io(error));
    let file = File::open(path).map_err(describe)?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(FileError::new(path, FileProblem::Directory));
    }
    read_all(file, limit)
        .map_err(describe)?
        .ok_or_else(|| FileError::new(path, FileProblem::TooLarge(limit)))
}

/// All that a reader has; `None` when that is too much. Devices have no size, so the size is not asked for but met.
///
/// # Errors
/// Errors of the reader.
pub fn read_all(reader: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Whether a file holds an explicit system, as far as its name tells.
pub fn is_explicit(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("aut"))
}
