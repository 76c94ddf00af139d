//! The models of this repository, with the outcomes that are recorded beside their queries.

use crate::load::{Loaded, load, load_file};
use std::path::{Path, PathBuf};
use zonewalk_model::tree::Query;

/// A model of this repository.
#[derive(Debug)]
pub struct Own {
    /// Its path below `models`, or the family and its parameters.
    pub name: String,
    /// The model.
    pub loaded: Loaded,
}

/// The files of networks below `models`. Members of families of timed I/O automata are not networks.
pub fn paths() -> Vec<PathBuf> {
    let mut paths = crate::files(&crate::root().join("models"), &crate::MODEL);
    paths.retain(|path| !path.to_string_lossy().ends_with("-tioa.xml"));
    assert!(paths.len() >= 49, "only {} models in models/", paths.len());
    paths
}

/// All networks below `models`.
pub fn models() -> impl Iterator<Item = Own> {
    let folder = crate::root().join("models");
    paths().into_iter().map(move |path| {
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        let loaded = load_file(&path).unwrap_or_else(|refused| panic!("{name}: {refused}"));
        Own { name, loaded }
    })
}

/// The text of a family's member; `params` as in `n=3 k=2`.
#[track_caller]
pub fn generate(family: &str, params: &str) -> String {
    let pair = |param: &str| {
        let (name, value) = param.split_once('=').expect("name=value");
        (name.to_owned(), value.to_owned())
    };
    let pairs: Vec<_> = params.split_whitespace().map(pair).collect();
    zonewalk_families::generate(family, &pairs).unwrap_or_else(|e| panic!("{family} {params}: {e:?}"))
}

/// A family's member, loaded.
#[track_caller]
pub fn member(family: &str, params: &str) -> Own {
    let name = format!("{family} {params}");
    let loaded = load("family.xml", generate(family, params).as_bytes(), None);
    let loaded = loaded.unwrap_or_else(|refused| panic!("{name}: {refused}"));
    Own { name, loaded }
}

/// A project of timed I/O automata.
#[derive(Debug)]
pub struct Project {
    /// Its folder.
    pub path: PathBuf,
    /// Its queries, and whether each is satisfied, as the comment of the query says.
    pub queries: Vec<(String, bool)>,
}

/// The projects below `models`.
pub fn projects() -> Vec<Project> {
    let files = crate::files(&crate::root().join("models"), &["json"]);
    let files = files.into_iter().filter(|path| path.ends_with("Queries.json"));
    let projects: Vec<Project> = files.map(|file| project(&file)).collect();
    assert!(projects.len() >= 2, "{projects:?}");
    projects
}

/// Each query is on a line of its own, with its comment on the next one.
fn project(file: &Path) -> Project {
    let text = std::fs::read_to_string(file).unwrap();
    let field = |line: &str, name: &str| {
        let start = line.trim().strip_prefix(&format!("\"{name}\": \""))?;
        Some(start.trim_end_matches(',').trim_end_matches('"').to_owned())
    };
    let mut queries = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(query) = field(line, "query") else {
            continue;
        };
        let comment = lines.next().and_then(|line| field(line, "comment"));
        let comment = comment.unwrap_or_else(|| panic!("{}: {query} has no comment", file.display()));
        let is_satisfied = match comment.rsplit_once("Expected: ") {
            Some((_, "satisfied.")) => true,
            Some((_, "not satisfied.")) => false,
            _ => panic!("{}: {query} has no outcome", file.display()),
        };
        queries.push((query, is_satisfied));
    }
    Project {
        path: file.parent().expect("a folder").to_owned(),
        queries,
    }
}

impl Own {
    /// The queries, each with whether it is satisfied, where that is recorded. All of them are well-formed.
    #[track_caller]
    pub fn queries(&self) -> Vec<(Query, Option<bool>)> {
        let queries = zonewalk_model::check::queries(&self.loaded.model, &self.loaded.entries);
        let query = |query: Result<Query, _>| {
            let query = query.unwrap_or_else(|errors| panic!("{}: {errors:?}", self.name));
            let outcome = query.outcome.as_ref();
            let satisfied = outcome.and_then(|outcome| match &*outcome.outcome {
                "success" => Some(true),
                "failure" => Some(false),
                _ => None,
            });
            (query, satisfied)
        };
        queries.into_iter().map(query).collect()
    }
}
