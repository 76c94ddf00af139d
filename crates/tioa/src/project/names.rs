//! Whether what a query names is there.

use zonewalk_syntax::diagnostic::{Code, Diagnostic};

use super::Project;
use crate::closest::closest;
use crate::query::{Parsed, System};

impl Parsed {
    /// Reports names that the queries use and the project lacks. For a component that exists but is unusable, its first error is
    /// reported.
    pub fn unknown_names(&self, project: &Project) -> Vec<Diagnostic> {
        let mut errors = Vec::new();
        for (name, span) in &self.mentions {
            if project.component(name).is_some() {
                continue;
            }
            if let Some((_, system)) = project.systems.iter().find(|(known, _)| known == name) {
                let is_there = |part: &str| {
                    project.component(part).is_some()
                        || project.systems.iter().any(|(known, _)| known == part)
                        // Told when the system is used.
                        || project.broken(part).is_some()
                };
                names(system, &mut |part| {
                    if !is_there(part) {
                        let message = format!("the system `{name}` names `{part}`, which does not exist");
                        errors.push(Diagnostic::error("unknown-component", *span, message));
                    }
                });
                continue;
            }
            if let Some(broken) = project.broken(name) {
                let is_component = project.broken.iter().any(|known| known.name == broken.name);
                let what = if is_component { "component" } else { "drawn system" };
                let message = format!("the {what} `{name}` cannot be used");
                let mut error = Diagnostic::error(Code::BROKEN_COMPONENT, *span, message);
                if let Some(why) = broken.errors.first() {
                    error = error.related(why.primary.span, why.message.clone());
                }
                errors.push(error);
                continue;
            }
            let message = format!("there is no component `{name}`");
            let error = Diagnostic::error("unknown-component", *span, message);
            let components = project.components.iter().map(|c| c.name.as_str());
            let systems = project.systems.iter().map(|(name, _)| name.as_str());
            let known: Vec<&str> = components.chain(systems).collect();
            errors.push(match closest(name, known.iter().copied()) {
                Some(similar) => error
                    .help(format!("did you mean `{similar}`?"))
                    .suggest(*span, similar),
                None => match listed(&known) {
                    Some(list) => error.help(format!("the names are: {list}")),
                    None => error,
                },
            });
        }
        errors.extend(self.unknown_members(project));
        errors
    }

    fn unknown_members(&self, project: &Project) -> Vec<Diagnostic> {
        let mut errors = Vec::new();
        for (owner, name, span) in &self.members {
            // What is not there at all has been told.
            let Some(component) = project.component(owner) else {
                continue;
            };
            let locations = component.locations.iter();
            let names = locations.flat_map(|l| l.alias.iter().chain([&l.name]).map(String::as_str));
            let known: Vec<&str> = names.chain(component.clocks.iter().map(String::as_str)).collect();
            if known.contains(&name.as_str()) {
                continue;
            }
            let message = format!("the component `{owner}` has no location and no clock `{name}`");
            let error = Diagnostic::error("unknown-member", *span, message);
            errors.push(match closest(name, known.iter().copied()) {
                Some(similar) => error
                    .help(format!("did you mean `{similar}`?"))
                    .suggest(*span, similar),
                None => error,
            });
        }
        errors
    }
}

/// The first names of a list, for messages.
fn listed(names: &[&str]) -> Option<String> {
    const SHOWN: usize = 10;
    match names {
        [] => None,
        names if names.len() <= SHOWN => Some(names.join(", ")),
        names => Some(format!(
            "{} and {} more",
            names[..SHOWN].join(", "),
            names.len() - SHOWN
        )),
    }
}

/// The components that a system names.
fn names<'s>(system: &'s System, see: &mut impl FnMut(&'s str)) {
    match system {
        System::Component(instance) => see(&instance.name),
        System::Composition(parts) | System::Conjunction(parts) => {
            parts.iter().for_each(|part| names(part, see));
        }
        System::Quotient { whole, part } => {
            names(whole, see);
            names(part, see);
        }
    }
}
