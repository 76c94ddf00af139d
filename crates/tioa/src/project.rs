//! A project: components, drawn systems and queries, however they were written.

mod names;

use zonewalk_syntax::diagnostic::Diagnostic;

pub use crate::action::Action;
use crate::component::Component;
use crate::query::System;

/// Which actions a component knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AlphabetOf {
    /// Actions on the edges: files of ECDAR.
    Edges,
    /// Actions of the `IO` line and on the edges: UPPAAL templates.
    Declared,
}

/// A component or a drawn system whose text cannot be used, for those queries that need it.
#[derive(Clone, Debug)]
pub struct Broken {
    /// How queries would call it.
    pub name: String,
    /// Errors of the component.
    pub errors: Vec<Diagnostic>,
}

/// All components and actions that were read.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// The names of the actions. A name may be empty: files of ECDAR have such actions.
    pub actions: Vec<String>,
    /// Usable components, by name.
    pub components: Vec<Component>,
    /// Unusable components.
    pub broken: Vec<Broken>,
    /// Drawn systems: names that abbreviate an expression.
    pub systems: Vec<(String, System)>,
    /// Drawn systems that cannot be used. What is wrong with them is among the warnings as well: most projects do without them.
    pub broken_systems: Vec<Broken>,
    /// The project's own queries, as texts.
    pub queries: Vec<String>,
    /// Whether each of these texts is satisfied, where the project records that.
    pub outcomes: Vec<Option<bool>>,
    /// Which alphabet components have if nothing else is asked for.
    pub alphabet: Option<AlphabetOf>,
}

impl Project {
    /// The component that queries call `name`.
    pub fn component(&self, name: &str) -> Option<&Component> {
        self.components.iter().find(|component| component.name == name)
    }

    /// The component or drawn system of this name that cannot be used. The instance `Node(3)` cannot if `Node` cannot.
    pub fn broken(&self, name: &str) -> Option<&Broken> {
        let find = |name: &str| {
            let mut all = self.broken.iter().chain(&self.broken_systems);
            all.find(|broken| broken.name == name)
        };
        find(name).or_else(|| find(name.split_once('(')?.0))
    }

    /// The name of an action.
    pub fn action_name(&self, action: Action) -> &str {
        &self.actions[action.index()]
    }

    /// Adds the components of another project. Actions of one name are one action.
    ///
    /// # Errors
    /// The name of a component that both have.
    pub(crate) fn join(&mut self, other: Project) -> Result<(), String> {
        let names = other.actions.iter();
        let places: Vec<Action> = names.map(|name| self.intern(name)).collect();
        let new = |action: &mut Action| *action = places[action.index()];
        for mut component in other.components {
            if self.component(&component.name).is_some() || self.broken(&component.name).is_some() {
                return Err(component.name);
            }
            component.edges.iter_mut().for_each(|edge| new(&mut edge.action));
            for alphabet in [Some(&mut component.alphabet), component.declared.as_mut()]
                .into_iter()
                .flatten()
            {
                for list in [&mut alphabet.inputs, &mut alphabet.outputs] {
                    list.iter_mut().for_each(new);
                    list.sort_unstable();
                }
            }
            self.components.push(component);
        }
        for broken in other.broken {
            if self.component(&broken.name).is_some() || self.broken(&broken.name).is_some() {
                return Err(broken.name);
            }
            self.broken.push(broken);
        }
        Ok(())
    }

    /// The number of an action, which is new if the name is.
    pub fn intern(&mut self, name: &str) -> Action {
        let found = self.actions.iter().position(|known| known == name);
        let index = found.unwrap_or_else(|| {
            self.actions.push(name.to_owned());
            self.actions.len() - 1
        });
        Action(index as u32)
    }
}
