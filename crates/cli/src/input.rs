//! Reads files and standard input, never more than fits.

use crate::status::Error;
use std::io;
use std::path::Path;
use zonewalk_checker::load::{self, EXPLICIT_LIMIT, FileProblem, LIMIT};

pub(crate) use zonewalk_checker::load::is_explicit;

/// The largest trace: a few million steps.
const TRACE_LIMIT: u64 = 1 << 30;

/// The largest certificate: some ten million nodes, many more where it is compressed.
const CERTIFICATE_LIMIT: u64 = 1 << 32;

/// The whole of a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    read_up_to(path, LIMIT)
}

/// The whole of a trace file.
pub(crate) fn read_trace(path: &Path) -> Result<Vec<u8>, Error> {
    read_up_to(path, TRACE_LIMIT)
}

/// The whole of a file with a certificate.
pub(crate) fn read_certificate(path: &Path) -> Result<Vec<u8>, Error> {
    read_up_to(path, CERTIFICATE_LIMIT)
}

/// The whole of a file with an explicit system.
pub(crate) fn read_explicit(path: &Path) -> Result<Vec<u8>, Error> {
    read_up_to(path, EXPLICIT_LIMIT)
}

fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    if !is_stdin(path) {
        return load::read_up_to(path, limit).map_err(|error| {
            // Projects of ECDAR are directories.
            let is_project =
                matches!(error.problem, FileProblem::Directory) && path.join("Components").is_dir();
            let remedy = if is_project {
                format!("; for an ECDAR project, use `zonewalk refine {}`", name(path))
            } else {
                String::new()
            };
            Error::new(format_args!("{error}{remedy}"))
        });
    }
    let name = name(path);
    match load::read_all(io::stdin().lock(), limit) {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err(Error::new(format_args!(
            "cannot read {name}: it is larger than {} MiB",
            limit >> 20
        ))),
        Err(error) => Err(Error::new(format_args!(
            "cannot read {name}: {}",
            load::io_reason(&error)
        ))),
    }
}

/// Name of the input in messages.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Whether it is standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
