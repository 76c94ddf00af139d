//! Models for the command: standard input, and what to do about mistakes with files.

use crate::advice;
use crate::input;
use crate::skipped;
use crate::status::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;
use zonewalk_checker::load::{self, Text, load_with};

pub(crate) use zonewalk_checker::load::{Loaded, LoadedQuery, Malformed, QuerySource};

/// Model and queries to load.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The model's file; `-` is standard input.
    pub(crate) model: PathBuf,
    /// Where the queries come from.
    pub(crate) queries: QuerySource,
    /// New values of global constants, as the language writes them.
    pub(crate) overrides: Vec<(String, String)>,
    /// How far states are on their way to the goal of a query, for importance splitting.
    pub(crate) levels: Option<String>,
}

impl Request {
    fn rest(&self) -> load::Request {
        load::Request {
            queries: self.queries.clone(),
            constants: self.overrides.clone(),
            levels: self.levels.clone(),
            formulas_are_called: "-q",
        }
    }
}

/// Loads a model. The outer error is about files, the inner one about what they hold.
pub(crate) fn load(request: &Request) -> Result<Result<Loaded, Malformed>, Error> {
    let start = Instant::now();
    let bytes = read(&request.model)?;
    load_read(request, bytes, start)
}

/// The text of a model.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    if input::is_explicit(path) {
        return Err(Error::new(format_args!(
            "{} is an explicit system, which only check and explore support",
            input::name(path)
        )));
    }
    let bytes = match input::read(path) {
        Ok(bytes) => bytes,
        Err(Error::Message(message)) if !path.exists() => {
            let near = advice::nearby(path).map(|near| format!("; did you mean {near}?"));
            return Err(Error::Message(message + near.as_deref().unwrap_or_default()));
        }
        Err(error) => return Err(error),
    };
    match advice::of_name(path) {
        Some(why) => Err(Error::new(why)),
        None => Ok(bytes),
    }
}

/// Loads a model from its text; `start` is when that began.
pub(crate) fn load_read(
    request: &Request,
    bytes: Vec<u8>,
    start: Instant,
) -> Result<Result<Loaded, Malformed>, Error> {
    let path = request.model.as_path();
    let text = Text {
        name: input::name(path),
        bytes,
        path: Some(path).filter(|path| !input::is_stdin(path)),
        start,
    };
    load_with(text, &request.rest(), &mut |queries| read_queries(path, queries))
}

/// A file of queries.
fn read_queries(model: &Path, path: &Path) -> Result<(String, Vec<u8>), Error> {
    if !path.exists() && advice::is_formula(path) {
        let (model, formula) = (input::name(model), path.display());
        return Err(Error::new(format_args!(
            "there is no such file; to check a formula, use `zonewalk check {model} -q '{formula}'`"
        )));
    }
    let bytes = input::read(path)?;
    match advice::of_query_file(path, &bytes) {
        Some(why) => Err(Error::new(why)),
        None => Ok((input::name(path), bytes)),
    }
}

/// There is nothing to decide; `remedy` says how to ask something.
pub(crate) fn without_queries(loaded: &Loaded, remedy: &str) -> Error {
    let name = &loaded.name;
    Error::new(if loaded.skipped.is_empty() {
        format!("{name} has no queries; {remedy}")
    } else {
        let skipped = skipped::list(&loaded.skipped);
        format!("no queries in {name}: skipped {skipped}; {remedy}")
    })
}
