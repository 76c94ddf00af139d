//! Loading models in tests.
#![allow(dead_code, unreachable_pub, missing_docs)] // Not every test uses everything.
#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

pub mod models;
pub mod oracle;

use zonewalk_model::system::System;
use zonewalk_model::tree::{self, Model, Query};
use zonewalk_syntax::read::Format;

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

/// Loads a model with formulas besides those in the file.
pub fn load_with(
    name: &str,
    bytes: &[u8],
    format: Option<Format>,
    formulas: &[&str],
) -> Result<Loaded, Vec<String>> {
    let loaded = zonewalk_testkit::load(name, bytes, format);
    let loaded = loaded.map_err(|refused| refused.0.into_iter().map(|d| d.message).collect::<Vec<_>>())?;
    let mut queries = loaded.queries();
    queries.extend(formulas.iter().filter_map(|formula| loaded.query(formula).ok()));
    Ok(Loaded {
        model: loaded.model,
        system: loaded.system,
        queries,
    })
}

/// Loads a textual model that must be well-formed.
pub fn xta(text: &str) -> Loaded {
    xta_with(text, &[])
}

/// Loads a textual model with formulas.
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
