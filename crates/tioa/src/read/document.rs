//! A project as one file of XML or text.
//!
//! In files of ECDAR templates are components, channels need not be declared, and the system section is ignored. Files
//! that use parameters or arrays of channels can only be understood as UPPAAL understands them: see `instances`.

use rustc_hash::FxHashSet;
use zonewalk_syntax::ast::{
    Decl, Direction as Suffix, Document, Edge, ExprKind, Ident, QueryEntry, SystemItem, Template, TypeKind,
};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::read::read_model;
use zonewalk_syntax::source::SourceMap;

use super::check::{self, UnsynchronisedTemplate, is_channel};
use super::constants::replace;
use super::used::Used;
use super::{Actions, LoadError, Loaded, declarations, instances};
use crate::component::{Component, Direction, Kind};
use crate::project::{AlphabetOf, Broken, Project};
use crate::unfold::{Label, Labels, LocationNotes, Mark};

/// Reads a file.
pub(super) fn read(
    name: &str,
    bytes: &[u8],
    constants: &[(String, String)],
    mut sources: SourceMap,
) -> Result<Loaded, Box<LoadError>> {
    let (document, diagnostics) = read_model(name, bytes, None, &mut sources);
    let warnings: Vec<Diagnostic> = diagnostics.iter().cloned().collect();
    let Some(mut document) = document.filter(|_| !diagnostics.has_errors()) else {
        return Err(Box::new(LoadError {
            sources,
            diagnostics: warnings,
        }));
    };
    if let Err(errors) = replace(&mut document.decls, constants, &mut sources) {
        let diagnostics = warnings.into_iter().chain(errors).collect();
        return Err(Box::new(LoadError { sources, diagnostics }));
    }
    if document.templates.is_empty() {
        let mut diagnostics = warnings;
        let message = "the file has no template, so there is no component";
        diagnostics.push(Diagnostic::error("no-project", document.end, message));
        return Err(Box::new(LoadError { sources, diagnostics }));
    }
    let mut loaded = Loaded {
        project: Project::default(),
        sources,
        warnings,
    };
    let queries = document.queries.entries.iter();
    loaded.project.outcomes = queries.clone().map(recorded).collect();
    loaded.project.queries = queries.map(|query| query.text.clone()).collect();
    if needs_instances(&document) {
        loaded = instances::read(&document, loaded)?;
    } else {
        templates(&document, &mut loaded);
    }
    if loaded.project.components.is_empty() && loaded.project.broken.is_empty() {
        let mut diagnostics = loaded.warnings;
        let message = "the system has no process, so there is no component";
        diagnostics.push(Diagnostic::error("no-project", document.end, message));
        let sources = loaded.sources;
        return Err(Box::new(LoadError { sources, diagnostics }));
    }
    Ok(loaded)
}

/// Whether a query is satisfied, if the file records that.
fn recorded(query: &QueryEntry) -> Option<bool> {
    match &*query.outcome.as_ref()?.outcome {
        "success" => Some(true),
        "failure" => Some(false),
        _ => None,
    }
}

/// Whether templates cannot be taken as they are: they have parameters, or channels that have to be computed.
fn needs_instances(document: &Document) -> bool {
    document.templates.iter().any(|template| {
        let is_computed = |edge: &Edge| {
            let channel = edge.sync.as_ref().map(|sync| &sync.channel.kind);
            channel.is_some_and(|kind| !matches!(kind, ExprKind::Name(_)))
        };
        !template.params.is_empty() || template.edges.iter().any(is_computed)
    })
}

/// Reads templates as components.
fn templates(document: &Document, loaded: &mut Loaded) {
    let mut actions = Actions::default();
    let globals: Vec<Decl> = document
        .decls
        .iter()
        .filter(|decl| !is_channel(decl))
        .cloned()
        .collect();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for template in &document.templates {
        let name = template.name.name.to_string();
        let found = if seen.insert(&template.name.name) {
            component(template, &globals, document, loaded, &mut actions)
        } else {
            let message = format!("a second template `{name}`");
            let error = Diagnostic::error("duplicate-component", template.name.span, message);
            // It is unknown which of the two is meant.
            loaded.project.components.retain(|known| known.name != name);
            Err(vec![error])
        };
        match found {
            Ok(component) => loaded.project.components.push(component),
            Err(errors) => loaded.project.broken.push(Broken { name, errors }),
        }
    }
    let told = declarations::apply(&document.system, &mut loaded.project, &mut actions);
    loaded.warnings.extend(told);
    loaded.project.alphabet = Some(default_alphabet(document, &loaded.project));
    loaded.project.actions = actions.into_names();
}

/// `IO` lines count in files that use what only UPPAAL has.
fn default_alphabet(document: &Document, project: &Project) -> AlphabetOf {
    let has_lines = document
        .system
        .iter()
        .any(|item| matches!(item, SystemItem::Io(_)));
    let has_data = |template: &Template| template.decls.iter().any(is_data);
    let uses_more = document.templates.iter().any(has_data) || !project.systems.is_empty();
    if has_lines && uses_more {
        AlphabetOf::Declared
    } else {
        AlphabetOf::Edges
    }
}

/// Whether a declaration is one of variables.
fn is_data(decl: &Decl) -> bool {
    match decl {
        Decl::Variables { ty, .. } => {
            !ty.prefix.is_const && !matches!(ty.kind, TypeKind::Clock | TypeKind::Chan)
        }
        _ => false,
    }
}

/// A component of a template whose edges have plain channels.
fn component(
    template: &Template,
    globals: &[Decl],
    document: &Document,
    loaded: &mut Loaded,
    actions: &mut Actions,
) -> Result<Component, Vec<Diagnostic>> {
    let name = template.name.name.to_string();
    let mut errors = Vec::new();
    let mut labels = Labels {
        places: places(template),
        marks: Vec::new(),
    };
    if let Some(branchpoint) = template.branchpoints.first() {
        return Err(vec![check::unsupported(
            check::BRANCHPOINT,
            branchpoint.name.span,
        )]);
    }
    if template.initial.is_none() {
        let message = format!("the component {name} has no initial location");
        errors.push(Diagnostic::error("no-initial", template.name.span, message));
    }
    let mut used = Used::default();
    for (index, edge) in template.edges.iter().enumerate() {
        let (action, direction) = plain_label(edge);
        let span = edge.sync.as_ref().map_or(edge.span, |sync| sync.span);
        errors.extend(used.note(&name, &action, direction, span));
        labels.marks.push(Mark {
            id: edge_id(edge, index),
            label: Label::Fixed(action, direction),
        });
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let silent: Vec<&Edge> = template.edges.iter().filter(|edge| edge.sync.is_none()).collect();
    if let Some(first) = silent.first() {
        let message = match silent.len() {
            1 => "an edge without a synchronisation counts as an unnamed output".to_owned(),
            n => format!("{n} edges without a synchronisation count as unnamed outputs"),
        };
        let warning = Diagnostic::warning("no-action", first.span, message);
        let help = format!("give the edges of {name} an action, such as `go!`");
        loaded.warnings.push(warning.help(help));
    }
    let plain = UnsynchronisedTemplate {
        name,
        template: renamed(template, &loaded.sources),
        labels,
        globals: globals.to_vec(),
        dialect: document.dialect,
    };
    check::component(plain, &mut loaded.sources, actions, &mut loaded.warnings)
}

/// Names of the locations: the id, and the drawn name as an alias.
pub(super) fn places(template: &Template) -> Vec<LocationNotes> {
    let place = |location: &zonewalk_syntax::ast::Location| {
        let drawn = location.is_named.then(|| location.name.name.to_string());
        // A word of ECDAR's files, which have no parameters.
        let kind = if drawn.as_deref() == Some("inc") && template.params.is_empty() {
            Kind::Inconsistent
        } else {
            Kind::Normal
        };
        let name = match &location.id {
            Some(id) => id.name.to_string(),
            None => location.name.name.to_string(),
        };
        LocationNotes {
            alias: drawn.filter(|drawn| *drawn != name),
            name,
            kind,
            urgent: false,
        }
    };
    template.locations.iter().map(place).collect()
}

/// Name of an edge.
pub(super) fn edge_id(edge: &Edge, index: usize) -> String {
    match &edge.id {
        Some(id) => id.name.to_string(),
        None => format!("E{}", index + 1),
    }
}

/// The action of an edge with a plain channel. One without any is an output without a name, as in files of JSON.
fn plain_label(edge: &Edge) -> (String, Direction) {
    let Some(sync) = &edge.sync else {
        return (String::new(), Direction::Output);
    };
    let action = match &sync.channel.kind {
        ExprKind::Name(name) => name.to_string(),
        _ => String::new(),
    };
    let direction = match sync.direction {
        Suffix::Send => Direction::Output,
        Suffix::Receive => Direction::Input,
        Suffix::Together if edge.controllable => Direction::Input,
        Suffix::Together => Direction::Output,
    };
    (action, direction)
}

/// Copy of the template whose location names clash with no other name, and without synchronisations.
///
/// Drawn names may be there twice. Edges know the ids: they stand under the places of their ends.
fn renamed(template: &Template, sources: &SourceMap) -> Template {
    let mut renamed = template.clone();
    let find = |end: &Ident| {
        let id = sources.slice(end.span).trim();
        let by_id = |l: &zonewalk_syntax::ast::Location| l.id.as_ref().is_some_and(|own| &*own.name == id);
        let by_name = |l: &zonewalk_syntax::ast::Location| l.name.name == end.name;
        let locations = &template.locations;
        let found = locations.iter().position(by_id);
        found.or_else(|| locations.iter().position(by_name))
    };
    let rename = |end: &mut Ident| {
        if let Some(index) = find(end) {
            end.name = format!("@{index}").into();
        }
    };
    renamed.initial.iter_mut().for_each(rename);
    for edge in &mut renamed.edges {
        rename(&mut edge.source);
        rename(&mut edge.target);
        edge.sync = None;
    }
    for (index, location) in renamed.locations.iter_mut().enumerate() {
        location.name.name = format!("@{index}").into();
    }
    renamed
}
