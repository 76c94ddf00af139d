//! Readers: whatever a project is written in, it becomes a [`Project`].
//!
//! | written as | read by |
//! |---|---|
//! | a folder of JSON files | `folder`, `drawing`, `declarations`, `systems` |
//! | XML of ECDAR: templates are components | `document` |
//! | UPPAAL templates with parameters, channel arrays, `IO` lines | `document`, `instances` |
//!
//! All of them make a syntax tree of a template, have it checked, and unfold it.

mod check;
mod constants;
mod declarations;
mod document;
mod drawing;
mod folder;
mod instances;
mod json;
mod systems;
mod used;

pub use declarations::UNUSED_IO;
use std::path::Path;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::source::SourceMap;
use zonewalk_syntax::span::Span;
use zonewalk_syntax::stack::with_room;

pub(crate) use crate::action::Actions;
use crate::project::Project;

/// A project with the texts that it was read from.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The project.
    pub project: Project,
    /// The texts that diagnostics point into.
    pub sources: SourceMap,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Why there is no project.
#[derive(Clone, Debug, Default)]
pub struct LoadError {
    /// The texts that diagnostics point into.
    pub sources: SourceMap,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file of a project: its path inside the project's folder, with `/`, and what it holds.
#[derive(Clone, Debug)]
pub struct File {
    /// `Components/Machine.json`
    pub path: String,
    /// The bytes, or why they cannot be read.
    pub bytes: Result<Vec<u8>, String>,
}

/// Loads a project: a folder of JSON files, or a file of XML or text.
///
/// A component that cannot be used does not stop the others: it is in [`Project::broken`].
///
/// # Errors
/// Errors of the project as a whole.
pub fn load(path: &Path) -> Result<Loaded, Box<LoadError>> {
    load_with(path, &[])
}

/// Loads a project with new values for global constants, as the language writes them.
///
/// # Errors
/// Errors of the project as a whole, and values without a constant.
pub fn load_with(path: &Path, constants: &[(String, String)]) -> Result<Loaded, Box<LoadError>> {
    load_after(path, constants, SourceMap::new())
}

/// Adds the components of another file or folder to a project. Their actions are the same where they have the same name; queries
/// and drawn systems of the other one are left out.
///
/// # Errors
/// Errors of the other project as a whole, and a component that both have.
pub fn load_beside(mut loaded: Loaded, path: &Path) -> Result<Loaded, Box<LoadError>> {
    let sources = std::mem::take(&mut loaded.sources);
    let other = load_after(path, &[], sources)?;
    let Loaded {
        project,
        sources,
        warnings,
    } = other;
    loaded.sources = sources;
    loaded.warnings.extend(warnings);
    match loaded.project.join(project) {
        Ok(()) => Ok(loaded),
        Err(name) => {
            let message = format!(
                "{}: there is a component `{name}` already, in another file",
                path.display()
            );
            loaded
                .warnings
                .push(Diagnostic::error("duplicate-component", Span::NONE, message));
            Err(Box::new(LoadError {
                sources: loaded.sources,
                diagnostics: loaded.warnings,
            }))
        }
    }
}

/// Loads a project whose texts follow others.
fn load_after(
    path: &Path,
    constants: &[(String, String)],
    sources: SourceMap,
) -> Result<Loaded, Box<LoadError>> {
    let name = path.display().to_string();
    if path.is_dir() {
        let files = folder::list(path).map_err(|error| failed(*error))?;
        return with_room(|| folder::read(&name, files, constants, sources));
    }
    match std::fs::read(path) {
        Ok(bytes) => with_room(|| folder::single(&name, &bytes, constants, sources)),
        Err(error) => Err(failed(Diagnostic::error(
            "unreadable",
            Span::NONE,
            format!("{name}: {error}"),
        ))),
    }
}

/// Loads a project that is a folder of JSON files.
///
/// # Errors
/// Errors of the project as a whole.
pub fn load_folder(name: &str, files: Vec<File>) -> Result<Loaded, Box<LoadError>> {
    with_room(|| folder::read(name, files, &[], SourceMap::new()))
}

/// Loads a project that is one file of XML or text.
///
/// # Errors
/// Errors of the file.
pub fn load_file(name: &str, bytes: &[u8]) -> Result<Loaded, Box<LoadError>> {
    load_file_with(name, bytes, &[])
}

/// Loads a project that is one file, with new values for global constants.
///
/// # Errors
/// Errors of the file, and values without a constant.
pub fn load_file_with(
    name: &str,
    bytes: &[u8],
    constants: &[(String, String)],
) -> Result<Loaded, Box<LoadError>> {
    with_room(|| folder::single(name, bytes, constants, SourceMap::new()))
}

/// An error without any text.
fn failed(error: Diagnostic) -> Box<LoadError> {
    Box::new(LoadError {
        sources: SourceMap::new(),
        diagnostics: vec![error],
    })
}
