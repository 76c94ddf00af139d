//! Reads files and standard input, never more than fits.

use crate::status::Error;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest input. The largest model known to us has 1.4 MB; the reader has a closer limit for the code in it, whose
/// tree is many times as large.
const LIMIT: u64 = 64 << 20;

/// The largest trace: a few million steps.
const TRACE_LIMIT: u64 = 1 << 30;

/// The largest explicit system: some hundred million transitions.
const EXPLICIT_LIMIT: u64 = 8 << 30;

/// The whole of a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    read_up_to(path, LIMIT)
}

/// The whole of a trace file.
pub(crate) fn read_trace(path: &Path) -> Result<Vec<u8>, Error> {
    read_up_to(path, TRACE_LIMIT)
}

/// The whole of a file with an explicit system.
pub(crate) fn read_explicit(path: &Path) -> Result<Vec<u8>, Error> {
    read_up_to(path, EXPLICIT_LIMIT)
}

/// Whether the file holds an explicit system.
pub(crate) fn is_explicit(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("aut"))
}

fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let describe =
        |error: io::Error| Error::new(format_args!("cannot read {}: {}", name(path), reason(&error)));
    let bytes = if is_stdin(path) {
        read_all(io::stdin().lock(), limit)
    } else {
        let file = File::open(path).map_err(describe)?;
        if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
            let name = name(path);
            let remedy = if path.join("Components").is_dir() {
                format!("; for an ECDAR project, use `zonewalk refine {name}`")
            } else {
                String::new()
            };
            return Err(Error::new(format_args!(
                "cannot read {name}: it is a directory{remedy}"
            )));
        }
        read_all(file, limit)
    };
    match bytes.map_err(describe)? {
        Some(bytes) => Ok(bytes),
        None => Err(Error::new(format_args!(
            "cannot read {}: it is larger than {} MiB",
            name(path),
            limit >> 20
        ))),
    }
}

/// What messages call the input.
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

/// The system's words without its number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

/// `None` when there is too much. Devices have no size, so the size is not asked for but met.
fn read_all(reader: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}
