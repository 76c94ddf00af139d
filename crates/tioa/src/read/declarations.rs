//! System declarations of a project: `system` lists, `IO` lines, and other names for components.
//!
//! Engines of ECDAR do not agree on what they read here, and projects do without it. So nothing here is an error.

use rustc_hash::{FxHashMap, FxHashSet};
use zonewalk_syntax::ast::{Dialect, Direction as Suffix, IoLine, SystemItem};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};
use zonewalk_syntax::fragment::Fragment;
use zonewalk_syntax::parser::{self, Context};
use zonewalk_syntax::print;
use zonewalk_syntax::span::Span;

use super::Actions;
use crate::component::{Alphabet, Component, Direction};
use crate::project::{Action, Project};
use crate::query::{Instance, System};
use crate::unfold::alphabet;

/// The code of warnings about actions that are declared and that no edge has. They mean nothing where declarations count.
pub const UNUSED_IO: Code = Code::UNUSED_IO;

/// Reads the text, and tells what looks wrong.
pub(super) fn read(text: &Fragment<'_>, project: &mut Project, actions: &mut Actions) -> Vec<Diagnostic> {
    let mut cx = Context::new(Dialect::New);
    let items = parser::system(text, &mut cx);
    let mut warnings: Vec<Diagnostic> = cx.diagnostics.iter().cloned().collect();
    warnings.extend(apply(&items, project, actions));
    warnings
}

/// Adds to the project what the system section says.
pub(super) fn apply(items: &[SystemItem], project: &mut Project, actions: &mut Actions) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let places: FxHashMap<String, usize> = (project.components.iter().enumerate())
        .map(|(index, component)| (component.name.clone(), index))
        .collect();
    let is_broken = |name: &str, project: &Project| project.broken.iter().any(|broken| broken.name == name);
    // Other names for components: `A1 = A();`
    let mut others: FxHashMap<String, String> = FxHashMap::default();
    let mut told: FxHashSet<&str> = FxHashSet::default();
    let mut differences = Vec::new();
    for item in items {
        if let SystemItem::Instantiation(instantiation) = item {
            let (name, template) = (&instantiation.name.name, &instantiation.template.name);
            if places.contains_key(&**template) && !places.contains_key(&**name) {
                others.insert(name.to_string(), template.to_string());
                let instance = Instance {
                    name: template.to_string(),
                    tag: None,
                };
                project
                    .systems
                    .push((name.to_string(), System::Component(instance)));
            } else if !is_broken(template, project) {
                told.insert(name);
                let message = format!("`{template}` is not a component, so `{name}` is not one either");
                warnings.push(Diagnostic::warning(
                    "unknown-name",
                    instantiation.template.span,
                    message,
                ));
            }
        }
    }
    for item in items {
        match item {
            SystemItem::System(line) => {
                for name in line.levels.iter().flatten() {
                    let is_known = places.contains_key(&*name.name) || others.contains_key(&*name.name);
                    if !is_known && !is_broken(&name.name, project) && !told.contains(&*name.name) {
                        let message = format!("the system list names `{}`, which does not exist", name.name);
                        warnings.push(Diagnostic::warning("unknown-name", name.span, message));
                    }
                }
            }
            SystemItem::Io(line) => {
                let name = &*line.process.name;
                let own = others.get(name).map_or(name, String::as_str);
                match places.get(own) {
                    Some(&index) => {
                        let component = &mut project.components[index];
                        let found = declare(line, component, actions);
                        differences.extend(found.map(|warning| (component.name.clone(), warning)));
                    }
                    None if is_broken(own, project) => {}
                    None => {
                        let message = format!("an `IO` line for `{name}`, which does not exist");
                        warnings.push(Diagnostic::warning("unknown-name", line.process.span, message));
                    }
                }
            }
            SystemItem::Decl(_) | SystemItem::Instantiation(_) => {}
        }
    }
    warnings.extend(together(differences));
    warnings
}

/// One warning of each kind for all components whose lines differ from their edges: in files of ECDAR most of them do.
pub(super) fn together(differences: Vec<(String, Diagnostic)>) -> impl Iterator<Item = Diagnostic> {
    let (unused, others): (Vec<_>, Vec<_>) = differences
        .into_iter()
        .partition(|(_, difference)| difference.code == UNUSED_IO);
    [others, unused].into_iter().filter_map(of_a_kind)
}

fn of_a_kind(differences: Vec<(String, Diagnostic)>) -> Option<Diagnostic> {
    let mut differences = differences.into_iter();
    let (_, first) = differences.next()?;
    let others: Vec<String> = differences.map(|(name, _)| name).collect();
    Some(match others.len() {
        0 => first,
        1..=8 => first.help(format!("the same kind of difference: {}", others.join(", "))),
        more => first.help(format!(
            "the same kind of difference: {} and {} more",
            others[..8].join(", "),
            more - 8
        )),
    })
}

/// Gives a component its declared alphabet.
fn declare(line: &IoLine, component: &mut Component, actions: &mut Actions) -> Option<Diagnostic> {
    let mut declared = Vec::new();
    for action in &line.actions {
        let direction = match action.direction {
            Suffix::Send => Direction::Output,
            Suffix::Receive => Direction::Input,
            // An error has been told.
            Suffix::Together => continue,
        };
        let name: String = print::expr(&action.channel).split_whitespace().collect();
        declared.push((actions.intern(&name), direction));
    }
    let declared = alphabet(declared);
    let warning = contradiction(&declared, component, actions, line.process.span)
        .or_else(|| difference(&declared, component, actions, line.process.span));
    component.declared = Some(without_conflicts(declared, component));
    warning
}

/// Warns of actions that are declared the other way round than edges have them.
pub(super) fn contradiction(
    declared: &Alphabet,
    component: &Component,
    actions: &Actions,
    span: Span,
) -> Option<Diagnostic> {
    let own = &component.alphabet;
    let turned = |list: &[Action], other: &[Action], sign: &str| -> Vec<String> {
        let both = list.iter().filter(|action| other.binary_search(action).is_ok());
        both.map(|action| format!("{}{sign}", actions.name(*action)))
            .collect()
    };
    let mut found = turned(&declared.inputs, &own.outputs, "?");
    found.extend(turned(&declared.outputs, &own.inputs, "!"));
    found.extend(turned(&declared.inputs, &declared.outputs, "?"));
    if found.is_empty() {
        return None;
    }
    let message = format!(
        "{} is declared with {}, the opposite of its use elsewhere; these declarations are ignored",
        component.name,
        found.join(", ")
    );
    Some(Diagnostic::warning("io-line", span, message))
}

/// Removes conflicts from a declared alphabet, so that no action is both an input and an output. Edges take precedence, then
/// outputs.
pub(super) fn without_conflicts(mut declared: Alphabet, component: &Component) -> Alphabet {
    let own = &component.alphabet;
    let has = |list: &[Action], action: &Action| list.binary_search(action).is_ok();
    declared.outputs.retain(|action| !has(&own.inputs, action));
    let outputs = &declared.outputs;
    declared
        .inputs
        .retain(|action| !has(&own.outputs, action) && !has(outputs, action));
    declared
}

/// Warns of a declaration that differs from what the edges have.
pub(super) fn difference(
    declared: &Alphabet,
    component: &Component,
    actions: &Actions,
    span: Span,
) -> Option<Diagnostic> {
    let missing = |from: &[Action], list: &[Action], sign: &str| -> Vec<String> {
        let absent = from.iter().filter(|action| list.binary_search(action).is_err());
        absent
            .map(|action| format!("{}{sign}", actions.name(*action)))
            .collect()
    };
    let own = &component.alphabet;
    let mut unused = missing(&declared.inputs, &own.inputs, "?");
    unused.extend(missing(&declared.outputs, &own.outputs, "!"));
    let mut unknown = missing(&own.inputs, &declared.inputs, "?");
    unknown.extend(missing(&own.outputs, &declared.outputs, "!"));
    let them = if unused.len() == 1 { "it" } else { "them" };
    let are = if unknown.len() == 1 { "is" } else { "are" };
    let message = match (unused.is_empty(), unknown.is_empty()) {
        (true, true) => return None,
        (false, true) => {
            let message = format!(
                "no edge of {} has {}; only `--alphabet declared` counts {them}",
                component.name,
                unused.join(", ")
            );
            return Some(Diagnostic::warning(UNUSED_IO, span, message));
        }
        (true, false) => format!(
            "edges of {} have {}, which {are} not declared",
            component.name,
            unknown.join(", ")
        ),
        (false, false) => format!(
            "no edge of {} has {} (only `--alphabet declared` counts {them}), and its edges have {}, which {are} not declared",
            component.name,
            unused.join(", "),
            unknown.join(", ")
        ),
    };
    Some(Diagnostic::warning("io-line", span, message))
}
