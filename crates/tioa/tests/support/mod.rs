//! Support for several tests.

// Each test uses a part of it.
#![allow(dead_code, clippy::unwrap_used)]

pub(crate) mod written;

use std::fmt::Write;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::source::SourceMap;
use zonewalk_tioa::Loaded;
use zonewalk_tioa::read::{File, load_folder};

/// A small machine: coffee for coins.
pub(crate) const MACHINE: &str = r#"{
  "name": "Machine",
  "declarations": "clock x, y; // two of them",
  "locations": [
    {"id": "L0", "nickname": "Idle", "invariant": "", "type": "INITIAL", "urgency": "NORMAL"},
    {"id": "L1", "nickname": "", "invariant": "x\u003c\u003d5", "type": "NORMAL", "urgency": "NORMAL"},
    {"id": "U", "nickname": "", "invariant": "", "type": "UNIVERSAL", "urgency": "NORMAL"}
  ],
  "edges": [
    {"id": "E3", "sourceLocation": "L0", "targetLocation": "L1", "status": "INPUT", "select": "",
     "guard": "", "update": "x:=0, y = 2,", "sync": "coin"},
    {"sourceLocation": "L1", "targetLocation": "L0", "status": "OUTPUT",
     "guard": "x >= 2 and (y \u003c 9 or x - y \u003e 1);", "update": "", "sync": "cof!"},
    {"sourceLocation": "L1", "targetLocation": "U", "status": "INPUT", "guard": "x > 3", "sync": "coin?"},
    {"sourceLocation": "U", "targetLocation": "U", "status": "OUTPUT", "guard": "", "sync": "*"}
  ]
}"#;

/// A file of a project.
pub(crate) fn file(path: &str, text: &str) -> File {
    File {
        path: path.to_owned(),
        bytes: Ok(text.as_bytes().to_vec()),
    }
}

/// A project of these files.
pub(crate) fn project(files: &[(&str, &str)]) -> Loaded {
    let files = files.iter().map(|(path, text)| file(path, text)).collect();
    load_folder("p", files).unwrap_or_else(|error| panic!("{}", render(&error.sources, &error.diagnostics)))
}

/// Diagnostics as text: place, element, message, help.
pub(crate) fn render(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let start = diagnostic.primary.span.start;
        if let Some(source) = sources.source(start) {
            let at = source.position(start);
            write!(out, "{}:{}:{}: ", source.name, at.line, at.column).unwrap();
            if let Some(element) = source.element(start) {
                write!(out, "[{element}] ").unwrap();
            }
        }
        let kind = if diagnostic.is_error() { "error" } else { "warning" };
        writeln!(out, "{kind}: {}", diagnostic.message).unwrap();
        if !diagnostic.primary.text.is_empty() {
            writeln!(out, "    {}", diagnostic.primary.text).unwrap();
        }
        for related in &diagnostic.related {
            if let Some(source) = sources.source(related.span.start) {
                let at = source.position(related.span.start);
                writeln!(out, "    {}:{}: {}", at.line, at.column, related.text).unwrap();
            }
        }
        if let Some(help) = &diagnostic.help {
            writeln!(out, "    help: {help}").unwrap();
        }
    }
    out
}

/// All that is told about a project: what is broken, and warnings.
pub(crate) fn told(loaded: &Loaded) -> String {
    let mut out = String::new();
    for broken in &loaded.project.broken {
        writeln!(out, "{} is broken:", broken.name).unwrap();
        out.push_str(&render(&loaded.sources, &broken.errors));
    }
    out.push_str(&render(&loaded.sources, &loaded.warnings));
    out
}
