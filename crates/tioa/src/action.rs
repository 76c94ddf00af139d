//! Actions of a project.

use rustc_hash::FxHashMap;

/// An action of a project, by its place in [`Project::actions`](crate::project::Project::actions). Components that share an action
/// share its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(pub u32);

impl Action {
    /// The place of the action in the list of its project.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The actions of a project while it is read: by name as well.
#[derive(Debug, Default)]
pub(crate) struct Actions {
    names: Vec<String>,
    numbers: FxHashMap<String, Action>,
}

impl Actions {
    /// The number of an action, which is new if the name is.
    pub(crate) fn intern(&mut self, name: &str) -> Action {
        if let Some(&action) = self.numbers.get(name) {
            return action;
        }
        let action = Action(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), action);
        action
    }

    pub(crate) fn name(&self, action: Action) -> &str {
        &self.names[action.index()]
    }

    pub(crate) fn into_names(self) -> Vec<String> {
        self.names
    }
}
