//! Support for several tests.

// Each target takes what it needs.
#![allow(dead_code)]

pub(crate) mod models;

use zonewalk_syntax::ast::{Dialect, Document, Drawing, Queries, SystemItem};
use zonewalk_syntax::span::Span;

/// A tree as text without places, drawings and the like: equal for equal models, computed without the printer.
pub(crate) fn skeleton(document: &Document) -> String {
    let mut document = document.clone();
    document.dialect = Dialect::New;
    document.end = Span::NONE;
    document.charts.clear();
    document.queries = Queries::default();
    // In the textual format nothing tells declarations of the system section from global ones.
    let is_decl = |item: &SystemItem| matches!(item, SystemItem::Decl(_));
    let leading = document.system.iter().take_while(|item| is_decl(item)).count();
    for item in document.system.drain(..leading) {
        if let SystemItem::Decl(decl) = item {
            document.decls.push(decl);
        }
    }
    for template in &mut document.templates {
        template.is_textual = true;
        for location in &mut template.locations {
            location.drawing = Drawing::default();
            location.is_named = true;
            location.id = None;
        }
        for branchpoint in &mut template.branchpoints {
            branchpoint.drawing = Drawing::default();
        }
        for edge in &mut template.edges {
            edge.drawing = Drawing::default();
            edge.action = None;
            edge.id = None;
        }
    }
    without_spans(&format!("{document:?}"))
}

/// Takes `Span { start: 1, end: 2 }` out of debug output.
pub(crate) fn without_spans(text: &str) -> String {
    let mut pieces = text.split("Span { start: ");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str(piece.split_once(" }").map_or("", |(_, rest)| rest));
    }
    out
}
