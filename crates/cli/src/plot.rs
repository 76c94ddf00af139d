//! Drawings and tables of statistical answers.

use crate::whole_file;
use std::path::{Path, PathBuf};
use zonewalk_report::statistics::{Estimate, csv, svg};

/// Writes what there is to draw. For several queries the name of the file gets their numbers.
///
/// # Errors
/// Why it cannot be written.
pub(crate) fn write(
    path: &Path,
    number: Option<usize>,
    title: &str,
    estimate: &Estimate,
) -> Result<Option<PathBuf>, String> {
    let path = match number {
        Some(number) => crate::trace_file::numbered(path, number),
        None => path.to_owned(),
    };
    let is_table = path.extension().is_some_and(|extension| extension == "csv");
    let text = if is_table {
        csv(estimate)
    } else {
        svg(estimate, title)
    };
    let Some(text) = text else {
        return Ok(None);
    };
    match whole_file::write(&path, |out| out.write_all(text.as_bytes())) {
        Ok(()) => Ok(Some(path)),
        Err(error) => Err(whole_file::failure("the plot", &path, &error)),
    }
}
