//! Systems before they are used: abbreviations written out, and names for the inputs that quotients add.

use std::fmt::{self, Display, Formatter};

use crate::project::{Action, Project};
use crate::query::{Instance, System};

/// A name in a system that means nothing usable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// Neither a component nor a drawn system.
    Unknown(String),
    /// A component or a drawn system whose text has errors.
    Broken(String),
    /// A drawn system that contains itself.
    Cyclic(String),
}

impl Display for Unresolved {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Unresolved::Unknown(name) => write!(f, "there is no component `{name}`"),
            Unresolved::Broken(name) => write!(f, "`{name}` has errors"),
            Unresolved::Cyclic(name) => write!(f, "the drawn system `{name}` contains itself"),
        }
    }
}

impl std::error::Error for Unresolved {}

impl Project {
    /// The system with all abbreviations written out. A component hides a drawn system of its name. The tag of an abbreviation
    /// becomes that of the components in it that have none: `Pair[1]` has `Sender[1]` and `Receiver[1]`.
    ///
    /// # Errors
    /// A name that means nothing usable.
    pub fn expand(&self, system: &System) -> Result<System, Unresolved> {
        expand(self, system, None, &mut Vec::new())
    }

    /// Gives a number to the fresh input of every quotient in a system. Requires: the system is expanded.
    pub fn intern_fresh_inputs(&mut self, system: &System) {
        match system {
            System::Component(_) => {}
            System::Composition(parts) | System::Conjunction(parts) => {
                for part in parts {
                    self.intern_fresh_inputs(part);
                }
            }
            System::Quotient { whole, part } => {
                self.intern(&fresh_input_name(whole, part));
                self.intern_fresh_inputs(whole);
                self.intern_fresh_inputs(part);
            }
        }
    }

    /// The number of the fresh input of a quotient, if it has one already.
    pub fn fresh_input(&self, whole: &System, part: &System) -> Option<Action> {
        let name = fresh_input_name(whole, part);
        let index = self.actions.iter().position(|known| *known == name)?;
        Some(Action(index as u32))
    }
}

fn expand<'p>(
    project: &'p Project,
    system: &System,
    tag: Option<&str>,
    within: &mut Vec<&'p str>,
) -> Result<System, Unresolved> {
    let mut all = |parts: &[System]| {
        let parts = parts.iter().map(|part| expand(project, part, tag, within));
        parts.collect::<Result<Vec<_>, _>>()
    };
    Ok(match system {
        System::Component(instance) => return expand_name(project, instance, tag, within),
        System::Composition(parts) => System::Composition(all(parts)?),
        System::Conjunction(parts) => System::Conjunction(all(parts)?),
        System::Quotient { whole, part } => System::Quotient {
            whole: Box::new(expand(project, whole, tag, within)?),
            part: Box::new(expand(project, part, tag, within)?),
        },
    })
}

fn expand_name<'p>(
    project: &'p Project,
    instance: &Instance,
    tag: Option<&str>,
    within: &mut Vec<&'p str>,
) -> Result<System, Unresolved> {
    let Instance { name, tag: own } = instance;
    let tag = own.as_deref().or(tag);
    if project.component(name).is_some() {
        return Ok(System::Component(Instance {
            name: name.clone(),
            tag: tag.map(str::to_owned),
        }));
    }
    if project.broken.iter().any(|broken| broken.name == *name) {
        return Err(Unresolved::Broken(name.clone()));
    }
    let Some((name, drawn)) = project.systems.iter().find(|(known, _)| known == name) else {
        let name = name.clone();
        return Err(match project.broken(&name) {
            Some(_) => Unresolved::Broken(name),
            None => Unresolved::Unknown(name),
        });
    };
    if within.contains(&name.as_str()) {
        return Err(Unresolved::Cyclic(name.clone()));
    }
    within.push(name);
    let expanded = expand(project, drawn, tag, within);
    within.pop();
    expanded
}

/// The name of the input that the quotient `whole // part` adds: `i_new(T // S)`.
///
/// It is made of the operands without the tags of instances, so that equal quotients on both sides of `<=` have the same input.
/// Requires: the operands are expanded.
pub fn fresh_input_name(whole: &System, part: &System) -> String {
    let mut out = "i_new(".to_owned();
    write_operand(whole, &mut out);
    out.push_str(" // ");
    write_operand(part, &mut out);
    out.push(')');
    out
}

fn write_operand(system: &System, out: &mut String) {
    let (parts, sign): (Vec<&System>, _) = match system {
        System::Component(instance) => return out.push_str(&instance.name),
        System::Composition(parts) => (parts.iter().collect(), " || "),
        System::Conjunction(parts) => (parts.iter().collect(), " && "),
        System::Quotient { whole, part } => (vec![whole, part], " // "),
    };
    out.push('(');
    for (i, part) in parts.into_iter().enumerate() {
        if i > 0 {
            out.push_str(sign);
        }
        write_operand(part, out);
    }
    out.push(')');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::{Alphabet, Component, LocationId};

    fn named(name: &str, tag: Option<&str>) -> System {
        System::Component(Instance {
            name: name.to_owned(),
            tag: tag.map(str::to_owned),
        })
    }

    fn project(components: &[&str], systems: Vec<(&str, System)>) -> Project {
        let component = |name: &&str| Component {
            name: (*name).to_owned(),
            clocks: Vec::new(),
            locations: Vec::new(),
            initial: LocationId(0),
            edges: Vec::new(),
            alphabet: Alphabet::default(),
            declared: None,
        };
        Project {
            components: components.iter().map(component).collect(),
            systems: systems
                .into_iter()
                .map(|(name, system)| (name.to_owned(), system))
                .collect(),
            ..Project::default()
        }
    }

    #[test]
    fn abbreviations_are_written_out_with_their_tags() {
        let pair = System::Composition(vec![named("A", None), named("B", Some("x"))]);
        let project = project(&["A", "B"], vec![("Pair", pair)]);
        let expanded = project.expand(&named("Pair", Some("1")));
        let wanted = System::Composition(vec![named("A", Some("1")), named("B", Some("x"))]);
        assert_eq!(expanded, Ok(wanted));
    }

    #[test]
    fn names_that_mean_nothing_are_told() {
        let project = project(&["A"], vec![("P", named("Q", None)), ("Q", named("P", None))]);
        assert_eq!(
            project.expand(&named("Z", None)),
            Err(Unresolved::Unknown("Z".to_owned()))
        );
        assert_eq!(
            project.expand(&named("P", None)),
            Err(Unresolved::Cyclic("P".to_owned()))
        );
    }

    #[test]
    fn fresh_inputs_are_named_by_their_operands_without_tags() {
        let inner = System::Quotient {
            whole: Box::new(System::Composition(vec![named("T", Some("1")), named("U", None)])),
            part: Box::new(named("S", None)),
        };
        assert_eq!(
            fresh_input_name(&inner, &named("R", Some("7"))),
            "i_new(((T || U) // S) // R)"
        );
        let mut project = project(&[], Vec::new());
        let outer = System::Quotient {
            whole: Box::new(inner),
            part: Box::new(named("R", None)),
        };
        project.intern_fresh_inputs(&outer);
        assert_eq!(
            project.actions,
            ["i_new(((T || U) // S) // R)", "i_new((T || U) // S)"]
        );
    }
}
