//! Loads text into a model that is ready to run.

use std::fmt;
use std::path::Path;
use zonewalk_model::check;
use zonewalk_model::instance::instantiate;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, Model, Query, QueryKind};
use zonewalk_network::{Network, NetworkBuilder, Predicate};
use zonewalk_reference::{Interpreter, Unsupported};
use zonewalk_syntax::ast::{Init, QueryEntry};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::read::{Format, read_definition, read_formula, read_model, read_queries};
use zonewalk_syntax::source::SourceMap;

/// A checked model with its instances.
#[derive(Debug)]
pub struct Loaded {
    /// The typed tree.
    pub model: Model,
    /// Its processes, clocks and channels.
    pub system: System,
    /// The queries of the file, as they were read.
    pub entries: Vec<QueryEntry>,
    /// Warnings given while loading.
    pub warnings: Vec<Diagnostic>,
}

/// Why a model or a query is not usable: its errors.
#[derive(Clone, Debug)]
pub struct Refused(pub Vec<Diagnostic>);

impl Refused {
    fn of<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> Self {
        let errors = diagnostics.into_iter().filter(|d| d.is_error());
        Refused(errors.cloned().collect())
    }

    /// The codes of the errors, each with its message.
    pub fn words(&self) -> Vec<String> {
        let word = |d: &Diagnostic| format!("{}: {}", d.code, d.message);
        self.0.iter().map(word).collect()
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words().join("\n"))
    }
}

/// Reads, checks and instantiates a model. Without a format its name and text say which it is.
pub fn load(name: &str, bytes: &[u8], format: Option<Format>) -> Result<Loaded, Refused> {
    load_with(name, bytes, format, &[])
}

/// Loads a model with other values for constants, given as text.
pub fn load_with(
    name: &str,
    bytes: &[u8],
    format: Option<Format>,
    definitions: &[(&str, &str)],
) -> Result<Loaded, Refused> {
    let mut sources = SourceMap::new();
    let (document, mut diagnostics) = read_model(name, bytes, format, &mut sources);
    let Some(document) = document.filter(|_| !diagnostics.has_errors()) else {
        return Err(Refused::of(diagnostics.iter()));
    };
    let mut overrides: Vec<(String, Init)> = Vec::new();
    for &(constant, value) in definitions {
        let value = read_definition(constant, value, &mut sources).map_err(Refused)?;
        overrides.push((constant.to_owned(), value));
    }
    let (model, more) = check::check(sources, &document, &overrides);
    diagnostics.append(more);
    let Ok(model) = model else {
        return Err(Refused::of(diagnostics.iter()));
    };
    let system = instantiate(&model).map_err(|errors| Refused::of(&errors))?;
    Ok(Loaded {
        model,
        system,
        entries: document.queries.entries,
        warnings: diagnostics.iter().cloned().collect(),
    })
}

/// Loads a file. A model without queries has those of the `.q` file beside it, if there is one.
pub fn load_file(path: &Path) -> Result<Loaded, Refused> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut loaded = load(&path.to_string_lossy(), &bytes, None)?;
    if loaded.entries.is_empty()
        && let Ok(bytes) = std::fs::read(path.with_extension("q"))
    {
        let (queries, _) = read_queries("queries", &bytes, &mut loaded.model.sources);
        loaded.entries = queries.entries;
    }
    Ok(loaded)
}

/// Loads a textual model that is well-formed.
#[track_caller]
pub fn xta(text: &str) -> Loaded {
    match load("model.xta", text.as_bytes(), Some(Format::Xta)) {
        Ok(loaded) => loaded,
        Err(refused) => panic!("{refused}\n{text}"),
    }
}

impl Loaded {
    /// The typed form of a query.
    pub fn query(&self, text: &str) -> Result<Query, Refused> {
        let entry = read_formula("query", text, &mut self.model.sources.clone());
        check::queries(&self.model, &[entry]).remove(0).map_err(Refused)
    }

    /// The queries of the file that are well-formed.
    pub fn queries(&self) -> Vec<Query> {
        let queries = check::queries(&self.model, &self.entries);
        queries.into_iter().flatten().collect()
    }

    /// A state predicate, and how many slots it needs.
    pub fn predicate(&self, text: &str) -> Result<(usize, Expr), Refused> {
        let query = self.query(&format!("E<> {text}"))?;
        match query.kind {
            QueryKind::Reachable(expr) => Ok((query.slots, expr)),
            other => panic!("{text} is not a state predicate: {other:?}"),
        }
    }

    /// The judge of runs.
    pub fn interpreter(&self) -> Result<Interpreter<'_>, Unsupported> {
        Interpreter::new(&self.model, &self.system)
    }

    /// The compiled network.
    #[track_caller]
    pub fn network(&self) -> Network {
        Network::compile(&self.model, &self.system).unwrap_or_else(|errors| panic!("{errors:?}"))
    }

    /// The network with state predicates, each compiled and as an expression.
    pub fn compiled(&self, predicates: &[&str]) -> Result<(Network, Vec<(Predicate, Expr)>), String> {
        let mut builder = NetworkBuilder::new(&self.model, &self.system).map_err(|e| format!("{e:?}"))?;
        let mut compiled = Vec::new();
        for text in predicates {
            let (slots, expr) = self.predicate(text).map_err(|refused| refused.to_string())?;
            let predicate = builder.predicate(slots, &expr).map_err(|e| format!("{e:?}"))?;
            compiled.push((predicate, expr));
        }
        Ok((builder.finish(), compiled))
    }
}
