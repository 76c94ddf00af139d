//! Templates with something that is not supported: the others do without them.

use zonewalk_syntax::ast::{Document, Name, SystemItem};
use zonewalk_syntax::diagnostic::Diagnostic;

use crate::project::Broken;

/// Takes the templates out of a model that have these errors, with all processes made of them.
///
/// Gives nothing if an error is in no template, or if no process would be left: then the whole model is to be refused.
pub(super) fn separate(document: &mut Document, errors: &[Diagnostic]) -> Option<Vec<Broken>> {
    let mut found: Vec<(Name, Vec<Diagnostic>)> = Vec::new();
    for error in errors {
        let name = template_at(document, error.primary.span.start)?;
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, errors)) => errors.push(error.clone()),
            None => found.push((name, vec![error.clone()])),
        }
    }
    // What is made of them follows.
    for item in &document.system {
        if let SystemItem::Instantiation(made) = item
            && let Some((_, errors)) = found.iter().find(|(name, _)| *name == made.template.name)
        {
            let errors = errors.clone();
            found.push((made.name.name.clone(), errors));
        }
    }
    let is_gone = |name: &Name| found.iter().any(|(gone, _)| gone == name);
    document
        .templates
        .retain(|template| !is_gone(&template.name.name));
    document.system.retain(|item| match item {
        SystemItem::Instantiation(made) => !is_gone(&made.name.name),
        SystemItem::Io(line) => !is_gone(&line.process.name),
        _ => true,
    });
    let mut processes = 0;
    for item in &mut document.system {
        if let SystemItem::System(line) = item {
            line.levels
                .iter_mut()
                .for_each(|level| level.retain(|name| !is_gone(&name.name)));
            line.levels.retain(|level| !level.is_empty());
            processes += line.levels.len();
        }
    }
    let broken = |(name, errors): (Name, Vec<Diagnostic>)| Broken {
        name: name.to_string(),
        errors,
    };
    (processes > 0).then(|| found.into_iter().map(broken).collect())
}

/// The template that a place is in: it goes from its name to the next one, or to the system section.
fn template_at(document: &Document, at: u32) -> Option<Name> {
    let templates = document.templates.iter();
    let before = templates.filter(|template| template.name.span.start <= at);
    let template = before.max_by_key(|template| template.name.span.start)?;
    let is_behind = |item: &SystemItem| match item {
        SystemItem::Instantiation(made) => made.name.span.start <= at,
        SystemItem::System(line) => line.span.start <= at,
        SystemItem::Io(line) => line.process.span.start <= at,
        SystemItem::Decl(_) => false,
    };
    (!document.system.iter().any(is_behind)).then(|| template.name.name.clone())
}
