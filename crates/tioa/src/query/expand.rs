//! Drawn systems in queries: names that abbreviate an expression.

use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

use super::{Instance, Query, System};
use crate::project::Project;

/// How deep abbreviations may stand in each other.
const MAX_NESTING: usize = 50;

/// Components that a query may come to have.
const MAX_COMPONENTS: usize = 100_000;

impl Query {
    /// The same query with the expressions that the names of drawn systems stand for. Names that are not there stay as they are:
    /// [`Parsed::unknown_names`](super::Parsed::unknown_names) tells of them.
    ///
    /// # Errors
    /// A drawn system that contains itself, or that becomes too large.
    pub fn expanded(&self, project: &Project) -> Result<Query, Box<Diagnostic>> {
        let mut expander = Expander {
            project,
            components: 0,
        };
        let mut query = self.clone();
        match &mut query {
            Query::Refinement { left, right } => {
                expander.replace(left, None, 0)?;
                expander.replace(right, None, 0)?;
            }
            Query::Consistency { system, .. }
            | Query::Determinism(system)
            | Query::Implementation(system)
            | Query::Specification(system)
            | Query::Reachability { system, .. }
            | Query::GetComponent { system, .. }
            | Query::Prune { system, .. }
            | Query::Minimise(system) => expander.replace(system, None, 0)?,
        }
        Ok(query)
    }
}

struct Expander<'a> {
    project: &'a Project,
    components: usize,
}

impl Expander<'_> {
    /// Replaces abbreviations. What a tagged abbreviation stands for gets the tag, unless it has one.
    fn replace(
        &mut self,
        system: &mut System,
        tag: Option<&str>,
        depth: usize,
    ) -> Result<(), Box<Diagnostic>> {
        match system {
            System::Component(instance) => {
                if instance.tag.is_none() {
                    instance.tag = tag.map(str::to_owned);
                }
                let Some(meant) = abbreviated(self.project, instance) else {
                    self.components += 1;
                    return self.check(instance, 0);
                };
                self.check(instance, depth)?;
                let mut meant = meant.clone();
                let tag = instance.tag.clone();
                self.replace(&mut meant, tag.as_deref(), depth + 1)?;
                *system = meant;
                Ok(())
            }
            System::Composition(parts) | System::Conjunction(parts) => parts
                .iter_mut()
                .try_for_each(|part| self.replace(part, tag, depth)),
            System::Quotient { whole, part } => {
                self.replace(whole, tag, depth)?;
                self.replace(part, tag, depth)
            }
        }
    }

    fn check(&self, instance: &Instance, depth: usize) -> Result<(), Box<Diagnostic>> {
        let message = if depth > MAX_NESTING {
            format!("the drawn system `{}` contains itself", instance.name)
        } else if self.components > MAX_COMPONENTS {
            format!("drawn systems stand for more than {MAX_COMPONENTS} components")
        } else {
            return Ok(());
        };
        Err(Box::new(Diagnostic::error("drawn-system", Span::NONE, message)))
    }
}

/// What an instance abbreviates; components go first.
fn abbreviated<'a>(project: &'a Project, instance: &Instance) -> Option<&'a System> {
    let found = project.systems.iter().find(|(name, _)| *name == instance.name)?;
    project.component(&instance.name).is_none().then_some(&found.1)
}

/// The components that a system names.
pub(super) fn names<'s>(system: &'s System, see: &mut impl FnMut(&'s str)) {
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
