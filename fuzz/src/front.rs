//! Bytes as a model, through the whole front end: reading, checking, instantiating, typing its queries.

use zonewalk_model::check::{check, queries};
use zonewalk_model::instance::instantiate;
use zonewalk_syntax::read::read_model;
use zonewalk_syntax::source::SourceMap;

/// One input.
pub fn run(bytes: &[u8]) {
    let mut sources = SourceMap::new();
    let (document, diagnostics) = read_model("fuzz.xta", bytes, None, &mut sources);
    let Some(document) = document.filter(|_| !diagnostics.has_errors()) else {
        return;
    };
    let (Ok(model), _) = check(sources, &document, &[]) else {
        return;
    };
    queries(&model, &document.queries.entries);
    let _ = instantiate(&model);
}
