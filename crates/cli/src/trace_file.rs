//! Traces in files.

use crate::whole_file;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use zonewalk_report::layout::WIDTH;
use zonewalk_report::palette::Palette;
use zonewalk_report::refinement::{self, Run};
use zonewalk_report::trace::{Trace, text};

/// The version of the layout of trace files.
const SCHEMA: u32 = 1;

/// What a trace belongs to.
#[derive(Serialize)]
pub(crate) struct Origin<'a> {
    zonewalk: &'static str,
    schema: u32,
    model: &'a str,
    /// The query that it decides.
    query: Option<&'a str>,
    /// Constants that were overridden.
    defines: BTreeMap<&'a str, Define>,
}

/// The value of a constant: a number, or anything else as the language writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Define {
    Number(i32),
    Text(String),
}

impl Define {
    pub(crate) fn new(text: &str) -> Self {
        match text.parse() {
            Ok(number) => Define::Number(number),
            Err(_) => Define::Text(text.to_owned()),
        }
    }

    /// As the language writes it.
    pub(crate) fn text(&self) -> String {
        match self {
            Define::Number(number) => number.to_string(),
            Define::Text(text) => text.clone(),
        }
    }
}

impl<'a> Origin<'a> {
    pub(crate) fn new(model: &'a str, query: Option<&'a str>, overrides: &'a [(String, String)]) -> Self {
        Origin {
            zonewalk: env!("CARGO_PKG_VERSION"),
            schema: SCHEMA,
            model,
            query,
            defines: overrides
                .iter()
                .map(|(name, value)| (name.as_str(), Define::new(value)))
                .collect(),
        }
    }
}

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
            json(out, origin, trace)
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
pub(crate) fn write_run(path: &Path, origin: &Origin<'_>, run: &Run) -> io::Result<()> {
    whole_file::write(path, |out| {
        if !is_json(path) {
            return out.write_all(refinement::text::run(run, WIDTH, Palette::Plain).as_bytes());
        }
        let head = compact(origin)?;
        writeln!(out, "{},", head.strip_suffix('}').unwrap_or(&head))?;
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

/// One line per step, so that a long trace can be read and compared with common tools.
fn json(out: &mut dyn Write, origin: &Origin<'_>, trace: &Trace) -> io::Result<()> {
    let head = compact(origin)?;
    // The object that the head is goes on with the trace's own fields.
    writeln!(out, "{},", head.strip_suffix('}').unwrap_or(&head))?;
    writeln!(out, "\"initial\":{},", compact(&trace.initial)?)?;
    steps(out, &trace.steps)?;
    writeln!(
        out,
        ",\n\"last_delay\":{},\n\"end\":{}}}",
        compact(&trace.last_delay)?,
        compact(&trace.end)?
    )
}

fn steps(out: &mut dyn Write, steps: &[impl Serialize]) -> io::Result<()> {
    writeln!(out, "\"steps\":[")?;
    for (index, step) in steps.iter().enumerate() {
        let comma = if index + 1 < steps.len() { "," } else { "" };
        writeln!(out, "{}{comma}", compact(step)?)?;
    }
    write!(out, "]")
}

fn compact(value: &impl Serialize) -> io::Result<String> {
    serde_json::to_string(value).map_err(io::Error::other)
}

/// A trace and what it belongs to, as read from a file.
#[derive(Debug, Deserialize)]
pub(crate) struct TraceDocument {
    /// The query that it decides.
    #[serde(default)]
    pub(crate) query: Option<String>,
    /// Constants that were overridden.
    #[serde(default)]
    pub(crate) defines: BTreeMap<String, Define>,
    #[serde(flatten)]
    pub(crate) trace: Trace,
}

/// A run of timed I/O automata and what it belongs to, as read from a file.
#[derive(Debug, Deserialize)]
pub(crate) struct RunDocument {
    /// The query that it decides.
    pub(crate) query: String,
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

/// Whether this version knows what the document means. One that was written by hand may leave that open.
fn has_schema(document: &serde_json::Value) -> Result<(), String> {
    match document.get("schema") {
        Some(schema) if *schema != SCHEMA => {
            Err(format!("it has schema {schema}, but this version reads {SCHEMA}"))
        }
        _ => Ok(()),
    }
}

/// An error without the names of Rust's types.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let Some((before, expected)) = text.rsplit_once("expected ") else {
        return text;
    };
    let is_type = |word: &str| matches!(word, "struct" | "enum");
    if expected.split_whitespace().any(is_type) {
        format!("{before}expected an object")
    } else {
        text
    }
}

/// Reads what [`write`] writes, and the documents of `simulate --format json`.
pub(crate) fn parse(bytes: &[u8]) -> Result<TraceDocument, String> {
    let mut document: serde_json::Value = serde_json::from_slice(bytes).map_err(|error| plain(&error))?;
    has_schema(&document)?;
    if document.get("steps").is_none()
        && let Some(inner) = document.get_mut("trace").map(serde_json::Value::take)
    {
        document = inner;
    }
    serde_json::from_value(document).map_err(|error| plain(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewalk_report::trace::{End, State, Time};

    #[test]
    fn written_and_read() {
        let trace = Trace {
            initial: State::default(),
            steps: Vec::new(),
            last_delay: Time::new(7, 2).unwrap(),
            end: End::Goal,
        };
        let define = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        for overrides in [vec![], vec![define("N", "3"), define("D", "{1, 2}")]] {
            let mut bytes = Vec::new();
            json(
                &mut bytes,
                &Origin::new("m.xml", Some("E<> p"), &overrides),
                &trace,
            )
            .unwrap();
            let read = parse(&bytes).unwrap();
            assert_eq!(read.trace, trace);
            assert_eq!(read.query.as_deref(), Some("E<> p"));
            let defines = read.defines.iter();
            let mut defines: Vec<_> = defines.map(|(name, value)| define(name, &value.text())).collect();
            defines.reverse();
            assert_eq!(defines, overrides);
        }
        assert!(parse(b"{}").unwrap_err().contains("missing field"));
        assert!(parse(b"[1,").is_err());
    }

    #[test]
    fn names_with_numbers() {
        let name = |path: &str| numbered(Path::new(path), 3).to_string_lossy().into_owned();
        assert_eq!(name("a/trace.json"), "a/trace-3.json");
        assert_eq!(name("trace"), "trace-3");
    }
}
