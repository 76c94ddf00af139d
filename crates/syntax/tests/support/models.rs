//! Whole models: what is wrong with them, and what is left of them when they are printed.

use super::skeleton;
use std::path::Path;
use zonewalk_syntax::ast::Dialect;
use zonewalk_syntax::fragment::Fragment;
use zonewalk_syntax::parser::{self, Context};
use zonewalk_syntax::print;
use zonewalk_syntax::read::read_model;
use zonewalk_syntax::source::SourceMap;

/// Reads a model; its errors as text.
pub(crate) fn errors(name: &str, path: &Path) -> Vec<String> {
    let mut sources = SourceMap::new();
    let (_, diagnostics) = read_model(name, &std::fs::read(path).unwrap(), None, &mut sources);
    for source in sources.iter() {
        for pair in source.regions.windows(2) {
            assert!(pair[0].span.end <= pair[1].span.start, "{name}: {pair:?}");
        }
    }
    let errors = diagnostics.iter().filter(|d| d.is_error()).map(|d| {
        let source = sources.source(d.primary.span.start).unwrap();
        let at = source.position(d.primary.span.start);
        let element = source.element(d.primary.span.start).unwrap_or("");
        format!("{}:{}: {} [{element}]", at.line, at.column, d.message)
    });
    errors.collect()
}

/// Whether a printed model is read as the same model; `None` for one with errors. An error of the second reading as its message.
pub(crate) fn survives_printing(name: &str, path: &Path) -> Option<Result<(), String>> {
    let mut sources = SourceMap::new();
    let (document, diagnostics) = read_model(name, &std::fs::read(path).unwrap(), None, &mut sources);
    let document = document.filter(|_| !diagnostics.has_errors())?;
    let printed = print::document(&document);
    let mut cx = Context::new(Dialect::New);
    let again = parser::document(&Fragment::plain(&printed, 1), &mut cx);
    if let Some(error) = cx.diagnostics.iter().find(|d| d.is_error()) {
        return Some(Err(error.message.clone()));
    }
    if skeleton(&document) != skeleton(&again) {
        return Some(Err("another tree".to_owned()));
    }
    Some(Ok(()))
}
