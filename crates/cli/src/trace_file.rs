//! Traces in files.

use crate::whole_file;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use zonewalk_report::layout::WIDTH;
use zonewalk_report::palette::Palette;
use zonewalk_report::refinement::{self, Run};
use zonewalk_report::trace::document::{self, compact, has_schema, plain, steps};
use zonewalk_report::trace::{Trace, text};

pub(crate) use zonewalk_report::trace::document::{Define, Origin, TraceDocument, parse};

/// The name for the trace of one query among several.
pub(crate) fn numbered(path: &Path, number: usize) -> PathBuf {
    named(path, &number.to_string())
}

/// The name for another trace beside one that has this name.
pub(crate) fn named(path: &Path, which: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{which}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{which}"),
    };
    path.with_file_name(name)
}

/// Writes a trace: as JSON where the name ends so, as text otherwise.
pub(crate) fn write(path: &Path, origin: &Origin<'_>, trace: &Trace) -> io::Result<()> {
    whole_file::write(path, |out| {
        if is_json(path) {
            document::write(out, origin, trace)
        } else {
            out.write_all(text::render(trace).as_bytes())
        }
    })
}

/// Writes the trace of an explicit system, its labels.
pub(crate) fn write_labels(path: &Path, origin: &Origin<'_>, labels: &[String]) -> io::Result<()> {
    whole_file::write(path, |out| {
        if is_json(path) {
            let head = compact(origin)?;
            writeln!(out, "{},", head.strip_suffix('}').unwrap_or(&head))?;
            writeln!(out, "\"labels\":[")?;
            for (index, label) in labels.iter().enumerate() {
                let comma = if index + 1 < labels.len() { "," } else { "" };
                writeln!(out, "{}{comma}", compact(label)?)?;
            }
            writeln!(out, "]}}")
        } else {
            out.write_all(text::labels(labels).as_bytes())
        }
    })
}

/// Writes a run of timed I/O automata.
pub(crate) fn write_run(path: &Path, origin: &Origin<'_>, with: &[PathBuf], run: &Run) -> io::Result<()> {
    whole_file::write(path, |out| {
        if !is_json(path) {
            return out.write_all(refinement::text::run(run, WIDTH, Palette::Plain).as_bytes());
        }
        let head = compact(origin)?;
        writeln!(out, "{},", head.strip_suffix('}').unwrap_or(&head))?;
        if !with.is_empty() {
            writeln!(out, "\"with\":{},", compact(&with)?)?;
        }
        writeln!(
            out,
            "\"systems\":{},\n\"alphabet\":{},\n\"inputs\":{},",
            compact(&run.systems)?,
            compact(&run.alphabet)?,
            compact(&run.inputs)?
        )?;
        if let Some(start) = &run.start {
            writeln!(out, "\"start\":{},", compact(start)?)?;
        }
        steps(out, &run.steps)?;
        writeln!(
            out,
            ",\n\"last_delay\":{},\n\"end\":{}}}",
            compact(&run.last_delay)?,
            compact(&run.end)?
        )
    })
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"))
}

/// A run of timed I/O automata and what it belongs to, as read from a file.
#[derive(Debug, Deserialize)]
pub(crate) struct RunDocument {
    /// The query that it decides.
    pub(crate) query: String,
    /// Values of constants that were given to the project.
    #[serde(default)]
    pub(crate) defines: BTreeMap<String, Define>,
    /// Further files of the project.
    #[serde(default)]
    pub(crate) with: Vec<PathBuf>,
    #[serde(flatten)]
    pub(crate) run: Run,
}

/// Reads what [`write_run`] writes; `None` for what looks like another trace.
pub(crate) fn parse_run(bytes: &[u8]) -> Option<Result<RunDocument, String>> {
    // Other traces may be large, and are not to be read twice.
    let mark = b"\"systems\"";
    if !bytes.windows(mark.len()).any(|window| window == mark) {
        return None;
    }
    let document: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    document.get("systems")?;
    Some(has_schema(&document).and_then(|()| serde_json::from_value(document).map_err(|error| plain(&error))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_numbers() {
        let name = |path: &str| numbered(Path::new(path), 3).to_string_lossy().into_owned();
        assert_eq!(name("a/trace.json"), "a/trace-3.json");
        assert_eq!(name("trace"), "trace-3");
    }
}
