//! Traces as JSON documents: what a trace file holds, and what is read from one.
//!
//! Neutral about where the bytes come from and go to: files are the command's, uploads and downloads the server's.

use crate::trace::Trace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The version of the layout of trace files.
const SCHEMA: u32 = 1;

/// Origin of a trace: tool version, schema and model.
#[derive(Serialize)]
pub struct Origin<'a> {
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
pub enum Define {
    /// A number.
    Number(i32),
    /// Anything else.
    Text(String),
}

impl Define {
    /// Parses a value given in the language's syntax.
    pub fn new(text: &str) -> Self {
        match text.parse() {
            Ok(number) => Define::Number(number),
            Err(_) => Define::Text(text.to_owned()),
        }
    }

    /// Formats the value in the language's syntax.
    pub fn text(&self) -> String {
        match self {
            Define::Number(number) => number.to_string(),
            Define::Text(text) => text.clone(),
        }
    }
}

impl<'a> Origin<'a> {
    /// A model, a query if there is one, and constants with their new values.
    pub fn new(model: &'a str, query: Option<&'a str>, overrides: &'a [(String, String)]) -> Self {
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

/// Writes a trace. One line per step, so that a long trace can be read and compared with common tools.
///
/// # Errors
/// Errors of the writer.
pub fn write(out: &mut dyn Write, origin: &Origin<'_>, trace: &Trace) -> io::Result<()> {
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

/// The field with the steps, one on each line.
///
/// # Errors
/// Errors of the writer.
pub fn steps(out: &mut dyn Write, steps: &[impl Serialize]) -> io::Result<()> {
    writeln!(out, "\"steps\":[")?;
    for (index, step) in steps.iter().enumerate() {
        let comma = if index + 1 < steps.len() { "," } else { "" };
        writeln!(out, "{}{comma}", compact(step)?)?;
    }
    write!(out, "]")
}

/// A value on one line.
///
/// # Errors
/// None for what traces consist of.
pub fn compact(value: &impl Serialize) -> io::Result<String> {
    serde_json::to_string(value).map_err(io::Error::other)
}

/// A trace and what it belongs to, as read from a file.
#[derive(Debug, Deserialize)]
pub struct TraceDocument {
    /// The query that it decides.
    #[serde(default)]
    pub query: Option<String>,
    /// Constants that were overridden.
    #[serde(default)]
    pub defines: BTreeMap<String, Define>,
    /// The run.
    #[serde(flatten)]
    pub trace: Trace,
}

/// Whether this version knows what the document means. One that was written by hand may leave that open.
///
/// # Errors
/// The document is of another version.
pub fn has_schema(document: &serde_json::Value) -> Result<(), String> {
    match document.get("schema") {
        Some(schema) if *schema != SCHEMA => {
            Err(format!("it has schema {schema}, but this version reads {SCHEMA}"))
        }
        _ => Ok(()),
    }
}

/// An error without the names of Rust's types.
pub fn plain(error: &serde_json::Error) -> String {
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

/// Reads what [`write()`] writes, and the documents of `simulate --format json`.
///
/// # Errors
/// Why it is not a trace.
pub fn parse(bytes: &[u8]) -> Result<TraceDocument, String> {
    if bytes.trim_ascii_start().first().is_some_and(|&byte| byte != b'{') {
        return Err("it is not JSON; --trace-file writes JSON where the name ends in .json".to_owned());
    }
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
    use crate::trace::{End, State, Time};

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
            write(
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
}
