//! Loading models in tests.
#![allow(dead_code, unreachable_pub, missing_docs)] // Not every test uses everything.
#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

pub mod oracle;

use std::path::{Path, PathBuf};
use zonewalk_model::instance::instantiate;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Model, Query};
use zonewalk_model::{check, tree};
use zonewalk_syntax::read::{Format, read_formula, read_model};
use zonewalk_syntax::source::SourceMap;

/// A checked model with its system.
pub struct Loaded {
    pub model: Model,
    pub system: System,
    pub queries: Vec<Query>,
}

/// Loads a model; `None` when it is not well-formed.
pub fn load(name: &str, bytes: &[u8], format: Option<Format>) -> Result<Loaded, Vec<String>> {
    load_with(name, bytes, format, &[])
}

/// The same with formulas besides those in the file.
pub fn load_with(
    name: &str,
    bytes: &[u8],
    format: Option<Format>,
    formulas: &[&str],
) -> Result<Loaded, Vec<String>> {
    let mut sources = SourceMap::new();
    let (document, mut diagnostics) = read_model(name, bytes, format, &mut sources);
    let errors = |d: &zonewalk_syntax::diagnostic::Diagnostics| {
        d.iter()
            .filter(|d| d.is_error())
            .map(|d| d.message.clone())
            .collect::<Vec<_>>()
    };
    let Some(document) = document else {
        return Err(errors(&diagnostics));
    };
    if diagnostics.has_errors() {
        return Err(errors(&diagnostics));
    }
    let mut entries = document.queries.entries.clone();
    entries.extend(formulas.iter().map(|f| read_formula("<-q>", f, &mut sources)));
    let (model, more) = check::check(sources, &document, &[]);
    diagnostics.append(more);
    let Ok(model) = model else {
        return Err(errors(&diagnostics));
    };
    let system = instantiate(&model).map_err(|e| e.into_iter().map(|d| d.message).collect::<Vec<_>>())?;
    let queries = check::queries(&model, &entries)
        .into_iter()
        .filter_map(Result::ok)
        .collect();
    Ok(Loaded {
        model,
        system,
        queries,
    })
}

/// Loads a textual model that must be well-formed.
pub fn xta(text: &str) -> Loaded {
    xta_with(text, &[])
}

/// The same with formulas.
pub fn xta_with(text: &str, formulas: &[&str]) -> Loaded {
    let loaded = load_with("test.xta", text.as_bytes(), Some(Format::Xta), formulas);
    loaded.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The state predicate of a query.
pub fn predicate(query: &Query) -> &tree::Expr {
    match &query.kind {
        tree::QueryKind::Reachable(p) | tree::QueryKind::Invariant(p) => p,
        _ => panic!("{}", query.text),
    }
}

/// The public models, where they are present.
pub fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    folder.is_dir().then_some(folder)
}
