//! From bytes to a model that can be worked on.

use crate::advice;
use crate::input;
use crate::skipped;
use crate::status::Error;
use crate::wrapped::Wrapped;
use std::path::{Path, PathBuf};
use std::time::Instant;
use zonewalk_model::check;
use zonewalk_model::instance::instantiate;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Model, Query};
use zonewalk_network::{CompileError, Network};
use zonewalk_report::info::LoadTimes;
use zonewalk_syntax::ast::{Document, Queries, QueryEntry, SkippedQuery};
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};
use zonewalk_syntax::read::{read_definition, read_model, read_queries, read_query};
use zonewalk_syntax::source::SourceMap;

/// What to load.
#[derive(Debug)]
pub(crate) struct Request {
    /// The model's file; `-` is standard input.
    pub(crate) model: PathBuf,
    /// Where the queries come from.
    pub(crate) queries: QuerySource,
    /// New values of global constants, as the language writes them.
    pub(crate) overrides: Vec<(String, String)>,
}

/// Where the queries come from.
#[derive(Debug)]
pub(crate) enum QuerySource {
    /// There is no need for any.
    Nothing,
    /// The model's own; failing that, the file of the same name with `.q`.
    Model,
    /// A file.
    File(PathBuf),
    /// The command line.
    Formulas(Vec<String>),
}

/// A model that can be worked on.
pub(crate) struct Loaded {
    /// What messages call it.
    pub(crate) name: String,
    pub(crate) model: Model,
    pub(crate) system: System,
    pub(crate) queries: Vec<LoadedQuery>,
    /// What stands in the place of a query and is none.
    pub(crate) skipped: Vec<SkippedQuery>,
    /// Warnings; no errors.
    pub(crate) diagnostics: Diagnostics,
    pub(crate) times: LoadTimes,
}

/// A query as read, and what became of it.
pub(crate) struct LoadedQuery {
    pub(crate) entry: QueryEntry,
    pub(crate) typed: Result<Query, Vec<Diagnostic>>,
}

/// A model that cannot be worked on, and why.
pub(crate) struct Malformed {
    pub(crate) name: String,
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Diagnostics,
}

/// Loads a model. The outer error is about files, the inner one about what they hold.
pub(crate) fn load(request: &Request) -> Result<Result<Loaded, Malformed>, Error> {
    let start = Instant::now();
    if input::is_explicit(&request.model) {
        return Err(Error::new(format_args!(
            "{} is an explicit system, which only check and explore support",
            input::name(&request.model)
        )));
    }
    let bytes = match input::read(&request.model) {
        Ok(bytes) => bytes,
        Err(Error::Message(message)) if !request.model.exists() => {
            let near = advice::nearby(&request.model).map(|near| format!("; did you mean {near}?"));
            return Err(Error::Message(message + near.as_deref().unwrap_or_default()));
        }
        Err(error) => return Err(error),
    };
    if let Some(why) = advice::of_name(&request.model) {
        return Err(Error::new(why));
    }
    load_bytes(start, input::name(&request.model), bytes, request)
}

/// Loads a model that is in memory. Requires: the queries are not in a file.
pub(crate) fn load_text(name: &str, text: &[u8], queries: QuerySource) -> Result<Loaded, Malformed> {
    let request = Request {
        model: PathBuf::from("-"),
        queries,
        overrides: Vec::new(),
    };
    let loaded = load_bytes(Instant::now(), name.to_owned(), text.to_owned(), &request);
    // Without files there is nothing about files to complain of.
    loaded.unwrap_or_else(|_| {
        Err(Malformed {
            name: name.to_owned(),
            sources: SourceMap::new(),
            diagnostics: Diagnostics::new(),
        })
    })
}

fn load_bytes(
    start: Instant,
    name: String,
    bytes: Vec<u8>,
    request: &Request,
) -> Result<Result<Loaded, Malformed>, Error> {
    let mut sources = SourceMap::new();
    let (document, mut diagnostics) = read_model(&name, &bytes, None, &mut sources);
    drop(bytes);
    let (Queries { entries, skipped }, of_queries) = match &document {
        Some(document) => queries(request, document, &mut sources)?,
        None => (Queries::default(), Diagnostics::new()),
    };
    diagnostics.append(of_queries);
    let mut overrides = Vec::new();
    for (name, value) in &request.overrides {
        match read_definition(name, value, &mut sources) {
            Ok(init) => overrides.push((name.clone(), init)),
            Err(errors) => errors.into_iter().for_each(|error| diagnostics.push(error)),
        }
    }
    let mut times = LoadTimes {
        read_s: start.elapsed().as_secs_f64(),
        ..LoadTimes::default()
    };

    // What a broken text seems to declare is no ground to complain about the rest of it.
    let Some(document) = document.filter(|_| !diagnostics.has_errors()) else {
        return Ok(Err(Malformed {
            name,
            sources,
            diagnostics,
        }));
    };
    let phase = Instant::now();
    let (model, of_check) = check::check(sources, &document, &overrides);
    diagnostics.append(of_check);
    drop(document);
    let model = match model {
        Ok(model) => model,
        Err(sources) => {
            return Ok(Err(Malformed {
                name,
                sources,
                diagnostics,
            }));
        }
    };
    times.check_s = phase.elapsed().as_secs_f64();

    let phase = Instant::now();
    let system = match instantiate(&model) {
        Ok(system) => system,
        Err(errors) => {
            errors.into_iter().for_each(|error| diagnostics.push(error));
            return Ok(Err(Malformed {
                name,
                sources: model.sources,
                diagnostics,
            }));
        }
    };
    let wraps = Wrapped::known(&diagnostics).warnings(system.wraps.clone());
    for warning in system.warnings.iter().cloned().chain(wraps) {
        diagnostics.push(warning);
    }
    times.instantiate_s = phase.elapsed().as_secs_f64();

    let typed = check::queries(&model, &entries);
    let queries = entries
        .into_iter()
        .zip(typed)
        .map(|(entry, typed)| LoadedQuery { entry, typed })
        .collect();
    times.total_s = start.elapsed().as_secs_f64();
    Ok(Ok(Loaded {
        name,
        model,
        system,
        queries,
        skipped,
        diagnostics,
        times,
    }))
}

/// The queries: those that were given, else those in the model, else those in the file beside it.
fn queries(
    request: &Request,
    document: &Document,
    sources: &mut SourceMap,
) -> Result<(Queries, Diagnostics), Error> {
    let mut from_file = |path: &Path| {
        let bytes = input::read(path)?;
        if let Some(why) = advice::of_query_file(path, &bytes) {
            return Err(Error::new(why));
        }
        Ok(read_queries(&input::name(path), &bytes, sources))
    };
    let mut queries = Queries::default();
    match &request.queries {
        QuerySource::Nothing => {}
        QuerySource::File(path) if !path.exists() && advice::is_formula(path) => {
            let (model, formula) = (input::name(&request.model), path.display());
            return Err(Error::new(format_args!(
                "there is no such file; to check a formula, use `zonewalk check {model} -q '{formula}'`"
            )));
        }
        QuerySource::File(path) => return from_file(path),
        QuerySource::Formulas(formulas) => {
            for (i, text) in formulas.iter().enumerate() {
                queries.push(read_query(&format!("<-q {}>", i + 1), text, sources));
            }
        }
        QuerySource::Model => {
            let beside = request.model.with_extension("q");
            let is_alone = input::is_stdin(&request.model) || !beside.is_file();
            if is_alone || !document.queries.entries.is_empty() {
                queries = document.queries.clone();
            } else {
                return from_file(&beside);
            }
        }
    }
    Ok((queries, Diagnostics::new()))
}

impl Loaded {
    /// The queries with their numbers.
    pub(crate) fn numbered_queries(&self) -> Vec<(usize, &LoadedQuery)> {
        let numbered = |query: &'_ LoadedQuery| query.entry.number;
        self.queries
            .iter()
            .map(|query| (numbered(query), query))
            .collect()
    }

    /// There is nothing to decide; `remedy` says how to ask something.
    pub(crate) fn without_queries(&self, remedy: &str) -> Error {
        let name = &self.name;
        Error::new(if self.skipped.is_empty() {
            format!("{name} has no queries; {remedy}")
        } else {
            let skipped = skipped::list(&self.skipped);
            format!("no queries in {name}: skipped {skipped}; {remedy}")
        })
    }

    /// Compiles the model, and takes the time.
    pub(crate) fn compile(&mut self) -> Result<Network, Vec<CompileError>> {
        let phase = Instant::now();
        let network = Network::compile(&self.model, &self.system);
        self.times.compile_s = phase.elapsed().as_secs_f64();
        self.times.total_s += self.times.compile_s;
        network
    }
}
