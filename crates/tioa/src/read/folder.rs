//! A project as a folder of JSON files.

use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use zonewalk_syntax::ast::Decl;
use zonewalk_syntax::diagnostic::{Diagnostic, Severity};
use zonewalk_syntax::encoding::{Oddity, decode};
use zonewalk_syntax::source::{Region, SourceMap};
use zonewalk_syntax::span::Span;

use super::constants::replace;
use super::json::{Kind as Json, Value, parse};
use super::{Actions, File, LoadError, Loaded, check, declarations, drawing, systems};
use crate::project::{AlphabetOf, Broken, Project};
use crate::query;

/// Where components are.
const COMPONENTS: &str = "Components";
/// Where drawn systems are.
const SYSTEMS: &str = "Systems";

/// The files of a folder that matter, in a fixed order.
pub(super) fn list(folder: &Path) -> Result<Vec<File>, Box<Diagnostic>> {
    let mut files = Vec::new();
    for part in [COMPONENTS, SYSTEMS] {
        for path in json_files(&folder.join(part))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            files.push(file(format!("{part}/{name}"), &path));
        }
    }
    for path in json_files(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        files.push(file(name.to_string(), &path));
    }
    if files.iter().any(|file| file.path.starts_with(COMPONENTS)) {
        return Ok(files);
    }
    Err(Box::new(no_components(folder, &files)))
}

fn file(path: String, place: &Path) -> File {
    let bytes = std::fs::read(place).map_err(|error| error.to_string());
    File { path, bytes }
}

/// The JSON files right inside a folder; none where there is no folder.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let unreadable = |error: std::io::Error| {
        Box::new(Diagnostic::error(
            "unreadable",
            Span::NONE,
            format!("{}: {error}", folder.display()),
        ))
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let is_json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
        if is_json && !path.is_dir() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Says why a folder is not a project, and where one may be.
fn no_components(folder: &Path, files: &[File]) -> Diagnostic {
    let name = folder.display();
    let message = format!("{name} is not a project: it has no folder {COMPONENTS} with JSON files");
    let error = Diagnostic::error("no-project", Span::NONE, message);
    if folder.file_name().is_some_and(|last| last == COMPONENTS) {
        let above = folder.parent().unwrap_or(folder).display().to_string();
        let above = if above.is_empty() { ".".to_owned() } else { above };
        return error.help(format!("give the parent folder: {above}"));
    }
    let inner = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut inner: Vec<PathBuf> = inner
        .map(|entry| entry.path())
        .filter(|path| path.join(COMPONENTS).is_dir())
        .collect();
    inner.sort();
    match inner.first() {
        Some(project) => error.help(format!("did you mean {}?", project.display())),
        None if files.is_empty() => error.help("a project is a folder of JSON files, or one XML file"),
        None => error,
    }
}

/// One file: a model as XML or text, or a part of a project given by mistake.
pub(super) fn single(
    name: &str,
    bytes: &[u8],
    constants: &[(String, String)],
    mut sources: SourceMap,
) -> Result<Loaded, Box<LoadError>> {
    let is_json = name.to_ascii_lowercase().ends_with(".json");
    if !is_json {
        return super::document::read(name, bytes, constants, sources);
    }
    let diagnostic = match add(name, bytes, &mut sources) {
        Err(error) => *error,
        Ok((base, _)) => {
            let text = sources.source(base).map_or("", |source| source.text.as_str());
            match parse(text, base) {
                Err(error) => *error,
                Ok(value) => part_of_project(name, &value, base),
            }
        }
    };
    Err(Box::new(LoadError {
        sources,
        diagnostics: vec![diagnostic],
    }))
}

/// Reports a JSON file given in place of its project.
fn part_of_project(name: &str, value: &Value<'_>, base: u32) -> Diagnostic {
    let path = Path::new(name);
    let folder = path.parent();
    let is_inside = folder
        .and_then(Path::file_name)
        .is_some_and(|f| f == COMPONENTS || f == SYSTEMS);
    let folder = if is_inside {
        folder.and_then(Path::parent)
    } else {
        folder
    };
    let folder = folder.map(|f| f.display().to_string()).filter(|f| !f.is_empty());
    let folder = folder.unwrap_or_else(|| ".".to_owned());
    let what = match &value.kind {
        Json::List(_) => "a list of queries",
        _ if value.get("locations").is_some() => "one component of a project",
        _ if value.get("componentInstances").is_some() => "a drawn system of a project",
        _ if value.get("declarations").is_some() => "the declarations of a project",
        _ => "a JSON file",
    };
    let message = format!("this is {what}, not a project");
    Diagnostic::error("no-project", Span::new(base, base), message)
        .help(format!("a project is a folder: give {folder}"))
}

/// Reads a project.
pub(super) fn read(
    name: &str,
    files: Vec<File>,
    constants: &[(String, String)],
    sources: SourceMap,
) -> Result<Loaded, Box<LoadError>> {
    let mut reader = Reader {
        sources,
        project: Project {
            alphabet: Some(AlphabetOf::Edges),
            ..Project::default()
        },
        warnings: Vec::new(),
        actions: Actions::default(),
        names: FxHashMap::default(),
        globals: Vec::new(),
    };
    let mut declared = None;
    let mut drawn = Vec::new();
    let (global, files): (Vec<File>, Vec<File>) = files
        .into_iter()
        .partition(|file| file.path == "GlobalDeclarations.json");
    for file in global {
        reader.globals(
            &format!("{}/{}", name.trim_end_matches('/'), file.path),
            file.bytes,
        );
    }
    if let Err(errors) = replace(&mut reader.globals, constants, &mut reader.sources) {
        reader.warnings.extend(errors);
        return Err(Box::new(LoadError {
            sources: reader.sources,
            diagnostics: reader.warnings,
        }));
    }
    for file in files {
        let (folder, leaf) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let stem = leaf.rsplit_once('.').map_or(leaf, |(stem, _)| stem).to_owned();
        let full = format!("{}/{}", name.trim_end_matches('/'), file.path);
        match (folder, leaf) {
            (COMPONENTS, _) => reader.component(&full, &stem, file.bytes),
            (SYSTEMS, _) => drawn.push((full, stem, file.bytes)),
            ("", "SystemDeclarations.json") => declared = Some((full, file.bytes)),
            ("", "SystemDeclaration.json") if declared.is_none() => {
                let message = format!("{full} is read as SystemDeclarations.json");
                reader
                    .warnings
                    .push(Diagnostic::warning("file-name", Span::NONE, message));
                declared = Some((full, file.bytes));
            }
            ("", "Queries.json") => reader.queries(&full, file.bytes),
            // Settings of tests and the like.
            _ => {}
        }
    }
    if reader.project.components.is_empty() && reader.project.broken.is_empty() {
        let message = format!("{name} is not a project: it has no component");
        reader
            .warnings
            .push(Diagnostic::error("no-project", Span::NONE, message));
        return Err(Box::new(LoadError {
            sources: reader.sources,
            diagnostics: reader.warnings,
        }));
    }
    if let Some((full, bytes)) = declared {
        reader.declarations(&full, bytes);
    }
    for (full, stem, bytes) in drawn {
        reader.system(&full, &stem, bytes);
    }
    reader.project.actions = reader.actions.into_names();
    Ok(Loaded {
        project: reader.project,
        sources: reader.sources,
        warnings: reader.warnings,
    })
}

/// Decodes a file and adds it to the map; gives its address, and a warning about its bytes.
pub(super) fn add(
    name: &str,
    bytes: &[u8],
    sources: &mut SourceMap,
) -> Result<(u32, Option<Diagnostic>), Box<Diagnostic>> {
    let decoded = decode(bytes);
    let base = sources.add(name, decoded.text).map_err(|_| {
        let message = format!("{name} is too large");
        Box::new(Diagnostic::error("file-too-large", Span::NONE, message))
    })?;
    let told = decoded.oddity.map(|oddity| oddity.diagnostic(base));
    match decoded.oddity {
        Some(Oddity::Binary { .. } | Oddity::BrokenUtf16 { .. }) => {
            Err(Box::new(told.unwrap_or_else(|| {
                Diagnostic::error(
                    "binary-file",
                    Span::new(base, base),
                    format!("{name} is not text"),
                )
            })))
        }
        _ => Ok((base, told)),
    }
}

struct Reader {
    sources: SourceMap,
    project: Project,
    warnings: Vec<Diagnostic>,
    actions: Actions,
    /// Where each component is named.
    names: FxHashMap<String, Span>,
    /// Constants, types and functions of the whole project.
    globals: Vec<Decl>,
}

/// The outcome of an entry of `Queries.json`, if its comment ends with one: `Expected: satisfied.`
fn recorded(entry: &Value<'_>) -> Option<bool> {
    let Json::Text(comment) = &entry.get("comment")?.kind else {
        return None;
    };
    let (_, outcome) = comment.text().rsplit_once("Expected: ")?;
    match outcome.trim().trim_end_matches('.') {
        "satisfied" => Some(true),
        "not satisfied" => Some(false),
        _ => None,
    }
}

/// The text of an entry of `Queries.json`, or why there is none, and where.
fn query_text(entry: &Value<'_>) -> Result<String, (String, Span)> {
    let at_start = Span::new(entry.span.start, entry.span.start + 1);
    if !matches!(entry.kind, Json::Object(_)) {
        let why = format!("it is {}, not an object with a `query`", entry.describe());
        return Err((why, entry.span));
    }
    let Some(query) = entry.get("query") else {
        return Err(("it has no `query`".to_owned(), at_start));
    };
    match &query.kind {
        Json::Text(text) if text.is_blank() => Err(("its `query` is empty".to_owned(), at_start)),
        Json::Text(text) => Ok(text.text().trim().to_owned()),
        _ => Err((
            format!("its `query` is {}, not a string", query.describe()),
            query.span,
        )),
    }
}

/// The bytes of a file, or why they cannot be read.
type Bytes = Result<Vec<u8>, String>;

impl Reader {
    /// Puts a file into the map and gives its address.
    fn open(&mut self, full: &str, bytes: Bytes) -> Result<u32, Box<Diagnostic>> {
        let unreadable = |error| {
            Box::new(Diagnostic::error(
                "unreadable",
                Span::NONE,
                format!("{full}: {error}"),
            ))
        };
        let (base, told) = add(full, &bytes.map_err(unreadable)?, &mut self.sources)?;
        self.warnings.extend(told);
        Ok(base)
    }

    fn component(&mut self, full: &str, stem: &str, bytes: Bytes) {
        let base = match self.open(full, bytes) {
            Ok(base) => base,
            Err(error) => return self.broken(stem.to_owned(), vec![*error]),
        };
        let source = self.sources.source(base);
        let text = source.map_or("", |source| source.text.as_str());
        let drawn = match parse(text, base) {
            Ok(value) if matches!(value.kind, Json::Object(_)) => drawing::component(&value, stem),
            Ok(value) => {
                let message = format!("found {}, expected a component", value.describe());
                let error = Diagnostic::error("json-shape", value.span, message);
                return self.broken(stem.to_owned(), vec![error]);
            }
            Err(error) => return self.broken(stem.to_owned(), vec![*error]),
        };
        if let Some(source) = self.sources.source_mut(base) {
            source.regions = drawn.regions;
        }
        self.warnings.extend(drawn.warnings);
        if let Some(&first) = self.names.get(&drawn.name) {
            let message = format!("a second component `{}`", drawn.name);
            let error = Diagnostic::error("duplicate-component", drawn.span, message);
            return self.duplicate(&drawn.name, error.related(first, "the first one"));
        }
        self.names.insert(drawn.name.clone(), drawn.span);
        let component = drawn.plain.and_then(|mut plain| {
            plain.globals.clone_from(&self.globals);
            check::component(plain, &mut self.sources, &mut self.actions, &mut self.warnings)
        });
        match component {
            Ok(component) => self.project.components.push(component),
            Err(errors) => self.broken(drawn.name, errors),
        }
    }

    fn broken(&mut self, name: String, errors: Vec<Diagnostic>) {
        self.project.broken.push(Broken { name, errors });
    }

    /// Drops both components of the same name, since it is unknown which is meant.
    fn duplicate(&mut self, name: &str, error: Diagnostic) {
        self.project.components.retain(|component| component.name != name);
        match self.project.broken.iter_mut().find(|broken| broken.name == name) {
            Some(broken) => broken.errors.push(error),
            None => self.broken(name.to_owned(), vec![error]),
        }
    }

    /// Reads a file that is not a component: its errors are warnings, because engines do without it.
    fn other(&mut self, full: &str, bytes: Bytes, read: impl FnOnce(&mut Self, &Value<'_>, u32)) {
        let base = match self.open(full, bytes) {
            Ok(base) => base,
            Err(error) => return self.warn(*error),
        };
        let text = self.sources.source(base).map(|source| source.text.clone());
        match parse(&text.unwrap_or_default(), base) {
            Ok(value) => read(self, &value, base),
            Err(error) => self.warn(*error),
        }
    }

    fn warn(&mut self, mut diagnostic: Diagnostic) {
        diagnostic.severity = Severity::Warning;
        self.warnings.push(diagnostic);
    }

    fn queries(&mut self, full: &str, bytes: Bytes) {
        self.other(full, bytes, |reader, value, _| {
            let Json::List(items) = &value.kind else {
                let message = format!("found {}, expected a list of queries", value.describe());
                return reader.warn(Diagnostic::warning("json-shape", value.span, message));
            };
            // An entry may have several queries, with `;` between them.
            let mut next = 1;
            for (index, item) in items.iter().enumerate() {
                match query_text(item) {
                    Ok(text) => {
                        next += query::parse(&text).map_or(1, |queries| queries.len());
                        reader.project.queries.push(text);
                        reader.project.outcomes.push(recorded(item));
                    }
                    Err((why, span)) => {
                        let message = format!("entry {} of the queries is skipped: {why}", index + 1);
                        let help = format!("queries are numbered without it: the next one is query {next}");
                        reader.warn(Diagnostic::warning("skipped-query", span, message).help(help));
                    }
                }
            }
        });
    }

    /// Engines of ECDAR do not look at global declarations. So what is wrong there is no error, and nothing of it is used then.
    fn globals(&mut self, full: &str, bytes: Bytes) {
        self.other(full, bytes, |reader, value, base| {
            let Some(Json::Text(text)) = value.get("declarations").map(|text| &text.kind) else {
                return;
            };
            reader.region(base, text.span(), "global declarations");
            match check::globals(text, &mut reader.sources) {
                Ok(globals) => reader.globals = globals,
                Err(errors) => errors.into_iter().for_each(|error| reader.warn(error)),
            }
        });
    }

    fn region(&mut self, base: u32, span: Span, element: &str) {
        if let Some(source) = self.sources.source_mut(base) {
            source.regions.push(Region {
                span,
                element: element.to_owned(),
            });
        }
    }

    fn declarations(&mut self, full: &str, bytes: Bytes) {
        self.other(full, bytes, |reader, value, base| {
            let Some(Json::Text(text)) = value.get("declarations").map(|text| &text.kind) else {
                return;
            };
            reader.region(base, text.span(), "system declarations");
            let found = declarations::read(text, &mut reader.project, &mut reader.actions);
            found.into_iter().for_each(|warning| reader.warn(warning));
        });
    }

    fn system(&mut self, full: &str, stem: &str, bytes: Bytes) {
        self.other(full, bytes, |reader, value, _| {
            let (name, system) = systems::read(value, stem);
            let is_component = reader.names.contains_key(&name);
            match system {
                Ok(_) if is_component => {
                    let message = format!(
                        "the drawn system `{name}` has the name of a component, which takes precedence"
                    );
                    reader.warn(Diagnostic::warning(
                        "duplicate-component",
                        Span::new(value.span.start, value.span.start + 1),
                        message,
                    ));
                }
                Ok(system) => reader.project.systems.push((name, system)),
                Err(error) => {
                    if !is_component {
                        let mut error = error.clone();
                        error.severity = Severity::Error;
                        let errors = vec![*error];
                        reader.project.broken_systems.push(Broken { name, errors });
                    }
                    reader.warn(*error);
                }
            }
        });
    }
}
