//! Generated models, read and checked as a user's would be.

// Each target takes what it needs.
#![allow(dead_code)]

pub(crate) mod graph;
pub(crate) mod grid;
pub(crate) mod lts;
pub(crate) mod pairs;
pub(crate) mod published;
pub(crate) mod walks;

use zonewalk_model::system::System;
use zonewalk_model::tree::{Model, Query};
use zonewalk_syntax::ast::QueryEntry;
pub(crate) use zonewalk_testkit::own::generate;

/// A model that is ready to run.
pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) system: System,
    pub(crate) entries: Vec<QueryEntry>,
    pub(crate) queries: Vec<Query>,
}

/// A member that is ready to run.
#[track_caller]
pub(crate) fn member(family: &str, params: &str) -> Loaded {
    load(&format!("{family} {params}"), &generate(family, params))
}

/// Reads a document, which must have neither errors nor warnings.
#[track_caller]
pub(crate) fn load(name: &str, text: &str) -> Loaded {
    let loaded = zonewalk_testkit::load(name, text.as_bytes(), None);
    let loaded = loaded.unwrap_or_else(|refused| panic!("{name}: {refused}"));
    let warnings: Vec<_> = loaded.warnings.iter().map(|d| (d.code, &d.message)).collect();
    assert!(warnings.is_empty(), "{name}: {warnings:?}");
    let queries = loaded.queries();
    assert_eq!(
        queries.len(),
        loaded.entries.len(),
        "{name}: a query is not well-formed"
    );
    Loaded {
        queries,
        entries: loaded.entries,
        model: loaded.model,
        system: loaded.system,
    }
}
