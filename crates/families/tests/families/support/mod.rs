//! Generated models, read and checked as a user's would be.

pub(crate) mod graph;
pub(crate) mod grid;
pub(crate) mod lts;
pub(crate) mod pairs;
pub(crate) mod walks;

use zonewalk_model::system::System;
use zonewalk_model::tree::{Model, Query};
use zonewalk_model::{check, instance};
use zonewalk_syntax::ast::QueryEntry;
use zonewalk_syntax::read;
use zonewalk_syntax::source::SourceMap;

/// A model that is ready to run.
pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) system: System,
    pub(crate) entries: Vec<QueryEntry>,
    pub(crate) queries: Vec<Query>,
}

/// The member of a family; `params` as in `n=3 k=2`.
#[track_caller]
pub(crate) fn generate(family: &str, params: &str) -> String {
    let params: Vec<_> = params
        .split_whitespace()
        .map(|param| param.split_once('=').unwrap())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    zonewalk_families::generate(family, &params).unwrap()
}

/// Reads a document, which must have neither errors nor warnings.
#[track_caller]
pub(crate) fn load(name: &str, text: &str) -> Loaded {
    let mut sources = SourceMap::new();
    let (document, mut diagnostics) = read::read_model(name, text.as_bytes(), None, &mut sources);
    let document = document.unwrap();
    let (model, more) = check::check(sources, &document, &[]);
    diagnostics.append(more);
    let found: Vec<_> = diagnostics.iter().map(|d| (d.code, &d.message)).collect();
    assert!(found.is_empty(), "{name}: {found:?}");
    let Ok(model) = model else {
        panic!("{name}: no model")
    };
    let system = instance::instantiate(&model).unwrap();
    let queries = check::queries(&model, &document.queries.entries);
    let queries = queries
        .into_iter()
        .zip(&document.queries.entries)
        .map(|(query, entry)| query.unwrap_or_else(|errors| panic!("{name}: {}: {errors:?}", entry.text)));
    Loaded {
        queries: queries.collect(),
        entries: document.queries.entries.clone(),
        model,
        system,
    }
}
