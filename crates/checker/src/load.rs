//! From a file or a text to a model that can be worked on: the one way to load a model.

mod file;
mod simulation;
mod wraps;

pub use file::{EXPLICIT_LIMIT, FileError, FileProblem, LIMIT, io_reason, is_explicit, read_all, read_up_to};
pub use simulation::Simulation;
pub use wraps::Wrapped;
pub use zonewalk_model::tree::Query;

use std::path::{Path, PathBuf};
use std::time::Instant;
use zonewalk_model::check;
use zonewalk_model::instance::instantiate;
use zonewalk_model::system::System;
use zonewalk_model::tree::Model;
use zonewalk_network::{CompileError, Network};
use zonewalk_reference::Interpreter;
use zonewalk_report::info::LoadTimes;
use zonewalk_syntax::ast::{self, Document, Queries, QueryEntry, SkippedQuery};
use zonewalk_syntax::diagnostic::{Code, Diagnostic, Diagnostics};
use zonewalk_syntax::read::{
    read_definition, read_expression, read_formula, read_model, read_queries, read_query,
};
use zonewalk_syntax::source::SourceMap;

/// Queries and constants that go with a model.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where the queries come from.
    pub queries: QuerySource,
    /// New values of global constants, as the language writes them.
    pub constants: Vec<(String, String)>,
    /// How far states are on their way to the goal of a query, for importance splitting; see [`Loaded::split_by`].
    pub levels: Option<String>,
    /// Name of formulas in messages, before their numbers.
    pub formulas_are_called: &'static str,
}

impl Default for Request {
    fn default() -> Self {
        Request {
            queries: QuerySource::Model,
            constants: Vec::new(),
            levels: None,
            formulas_are_called: "query",
        }
    }
}

/// Where the queries come from.
#[derive(Clone, Debug)]
pub enum QuerySource {
    /// There is no need for any.
    Nothing,
    /// The model's own; failing that, the file of the same name with `.q`.
    Model,
    /// A file.
    File(PathBuf),
    /// Formulas.
    Formulas(Vec<String>),
}

/// Why there is no model.
#[derive(Debug)]
pub enum LoadError {
    /// A file cannot be read.
    File(FileError),
    /// The texts are malformed.
    Malformed(Box<Malformed>),
}

impl From<FileError> for LoadError {
    fn from(error: FileError) -> Self {
        LoadError::File(error)
    }
}

/// A model that can be worked on.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its name in messages.
    pub name: String,
    /// The typed tree.
    pub model: Model,
    /// The templates as they were written, for drawings.
    pub templates: Vec<ast::Template>,
    /// Its processes, clocks and channels.
    pub system: System,
    /// Its queries, malformed ones too.
    pub queries: Vec<LoadedQuery>,
    /// Headings and blanks listed among the queries.
    pub skipped: Vec<SkippedQuery>,
    /// Warnings; no errors.
    pub diagnostics: Diagnostics,
    /// How long each phase took.
    pub times: LoadTimes,
}

/// A query as read, and what became of it.
#[derive(Clone, Debug)]
pub struct LoadedQuery {
    /// As it was read.
    pub entry: QueryEntry,
    /// The typed query, or its errors.
    pub typed: Result<Query, Vec<Diagnostic>>,
}

/// A model that cannot be worked on, and why.
#[derive(Debug)]
pub struct Malformed {
    /// Its name in messages.
    pub name: String,
    /// The texts that the places are in.
    pub sources: SourceMap,
    /// Errors and warnings, with their places.
    pub diagnostics: Diagnostics,
}

/// Loads the model in a file.
///
/// # Errors
/// The file or that of the queries cannot be read, or what they hold is malformed.
pub fn load_file(path: &Path, request: &Request) -> Result<Box<Loaded>, LoadError> {
    let start = Instant::now();
    if is_explicit(path) {
        return Err(FileError::explicit(path).into());
    }
    let bytes = read_up_to(path, LIMIT)?;
    let name = path.display().to_string();
    let text = Text {
        name,
        bytes,
        path: Some(path),
        start,
    };
    finish(load_with(text, request, &mut read_named))
}

/// Loads a model that is in memory.
///
/// # Errors
/// The file of the queries cannot be read, or the texts are malformed.
pub fn load_text(name: &str, bytes: &[u8], request: &Request) -> Result<Box<Loaded>, LoadError> {
    let text = Text {
        name: name.to_owned(),
        bytes: bytes.to_owned(),
        path: None,
        start: Instant::now(),
    };
    finish(load_with(text, request, &mut read_named))
}

/// A file of queries, with what messages call it.
fn read_named(path: &Path) -> Result<(String, Vec<u8>), FileError> {
    Ok((path.display().to_string(), read_up_to(path, LIMIT)?))
}

fn finish(loaded: Result<Result<Loaded, Malformed>, FileError>) -> Result<Box<Loaded>, LoadError> {
    match loaded? {
        Ok(loaded) => Ok(Box::new(loaded)),
        Err(malformed) => Err(LoadError::Malformed(Box::new(malformed))),
    }
}

/// The text of a model.
pub struct Text<'p> {
    /// Its name in messages; the ending says how to read it.
    pub name: String,
    /// The text.
    pub bytes: Vec<u8>,
    /// Its file, if it has one: queries may be in a file beside it.
    pub path: Option<&'p Path>,
    /// When loading began.
    pub start: Instant,
}

/// Reads a file of queries, and says what messages call it.
pub type ReadQueries<'r, E> = &'r mut dyn FnMut(&Path) -> Result<(String, Vec<u8>), E>;

/// Loads a model; `read` reads a file of queries, if there is one, and says what messages call it. The outer error is that of `read`, the inner one is about what
/// the texts say.
///
/// # Errors
/// Errors of `read`.
pub fn load_with<E>(
    text: Text<'_>,
    request: &Request,
    read: ReadQueries<'_, E>,
) -> Result<Result<Loaded, Malformed>, E> {
    let Text {
        name,
        bytes,
        path,
        start,
    } = text;
    let mut sources = SourceMap::new();
    let (document, mut diagnostics) = read_model(&name, &bytes, None, &mut sources);
    drop(bytes);
    let (Queries { entries, skipped }, of_queries) = match &document {
        Some(document) => queries(request, path, document, &mut sources, read)?,
        None => (Queries::default(), Diagnostics::new()),
    };
    diagnostics.append(of_queries);
    let mut overrides = Vec::new();
    for (name, value) in &request.constants {
        match read_definition(name, value, &mut sources) {
            Ok(init) => overrides.push((name.clone(), init)),
            Err(errors) => errors.into_iter().for_each(|error| diagnostics.push(error)),
        }
    }
    let mut times = LoadTimes {
        read_s: start.elapsed().as_secs_f64(),
        ..LoadTimes::default()
    };

    // What a broken text seems to declare is no reason to complain about the rest of it.
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
    let templates = document.templates;
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
    let mut loaded = Loaded {
        name,
        model,
        templates,
        system,
        queries,
        skipped,
        diagnostics,
        times,
    };
    if let Some(levels) = &request.levels
        && let Err(errors) = loaded.split_by(levels)
    {
        let mut diagnostics = loaded.diagnostics;
        errors.into_iter().for_each(|error| diagnostics.push(error));
        return Ok(Err(Malformed {
            name: loaded.name,
            sources: loaded.model.sources,
            diagnostics,
        }));
    }
    loaded.times.total_s = start.elapsed().as_secs_f64();
    Ok(Ok(loaded))
}

/// The queries: those that were given, else those in the model, else those in the file beside it.
fn queries<E>(
    request: &Request,
    model: Option<&Path>,
    document: &Document,
    sources: &mut SourceMap,
    read: ReadQueries<'_, E>,
) -> Result<(Queries, Diagnostics), E> {
    let mut from_file = |path: &Path| {
        let (name, bytes) = read(path)?;
        Ok(read_queries(&name, &bytes, sources))
    };
    let mut queries = Queries::default();
    match &request.queries {
        QuerySource::Nothing => {}
        QuerySource::File(path) => return from_file(path),
        QuerySource::Formulas(formulas) => {
            for (i, text) in formulas.iter().enumerate() {
                let name = format!("<{} {}>", request.formulas_are_called, i + 1);
                queries.push(read_query(&name, text, sources));
            }
        }
        QuerySource::Model => {
            let beside = model.map(|model| model.with_extension("q"));
            match beside.filter(|beside| beside.is_file() && document.queries.entries.is_empty()) {
                Some(beside) => return from_file(&beside),
                None => queries = document.queries.clone(),
            }
        }
    }
    Ok((queries, Diagnostics::new()))
}

impl Loaded {
    /// The queries with their numbers.
    pub fn numbered_queries(&self) -> Vec<(usize, &LoadedQuery)> {
        let numbered = |query: &'_ LoadedQuery| query.entry.number;
        self.queries
            .iter()
            .map(|query| (numbered(query), query))
            .collect()
    }

    /// Asks one more query; its index.
    ///
    /// # Errors
    /// Errors in it.
    pub fn add_query(&mut self, formula: &str) -> Result<usize, Vec<Diagnostic>> {
        let index = self.queries.len();
        // No number: it is not one of the queries that came with the model.
        let entry = read_formula("<query>", formula, &mut self.model.sources);
        let typed = check::queries(&self.model, std::slice::from_ref(&entry));
        let query = typed.into_iter().next().unwrap_or_else(|| Err(Vec::new()))?;
        self.queries.push(LoadedQuery {
            entry,
            typed: Ok(query),
        });
        Ok(index)
    }

    /// Estimates rare events by importance splitting: the expression says how far a state is on its way to the goal. It goes with
    /// all queries, and those that have no use for it are malformed from then on.
    ///
    /// # Errors
    /// The expression cannot be read.
    pub fn split_by(&mut self, levels: &str) -> Result<(), Vec<Diagnostic>> {
        let levels = read_expression("<--levels>", levels, &mut self.model.sources)?;
        for query in &mut self.queries {
            query.entry.levels = Some(levels.clone());
            let typed = check::queries(&self.model, std::slice::from_ref(&query.entry));
            query.typed = typed.into_iter().next().unwrap_or_else(|| Err(Vec::new()));
        }
        Ok(())
    }

    /// Compiles the model, and takes the time.
    ///
    /// # Errors
    /// Constructs that cannot be compiled.
    pub fn compile(&mut self) -> Result<Network, Vec<CompileError>> {
        let phase = Instant::now();
        let network = Network::compile(&self.model, &self.system);
        self.times.compile_s = phase.elapsed().as_secs_f64();
        self.times.total_s += self.times.compile_s;
        network
    }

    /// Asks one more query, to be estimated by importance splitting; its index.
    ///
    /// # Errors
    /// Errors in it or in the expression of the levels.
    pub fn add_query_by_levels(&mut self, formula: &str, levels: &str) -> Result<usize, Vec<Diagnostic>> {
        let levels = read_expression("<levels>", levels, &mut self.model.sources)?;
        let index = self.add_query(formula)?;
        let query = &mut self.queries[index];
        query.entry.levels = Some(levels);
        let typed = check::queries(&self.model, std::slice::from_ref(&query.entry));
        match typed.into_iter().next().unwrap_or_else(|| Err(Vec::new())) {
            Ok(typed) => query.typed = Ok(typed),
            Err(errors) => {
                self.queries.pop();
                return Err(errors);
            }
        }
        Ok(index)
    }

    /// The reference interpreter for it.
    ///
    /// # Errors
    /// The first construct that it does not support.
    pub fn interpreter(&self) -> Result<Interpreter<'_>, Box<Diagnostic>> {
        interpreter(&self.model, &self.system)
    }
}

/// The reference interpreter for a model, or the first construct that it does not support.
pub(crate) fn interpreter<'m>(
    model: &'m Model,
    system: &'m System,
) -> Result<Interpreter<'m>, Box<Diagnostic>> {
    Interpreter::new(model, system).map_err(|found| {
        Box::new(Diagnostic::error(
            Code::UNSUPPORTED,
            found.span,
            found.to_string(),
        ))
    })
}
