//! Paths: stored as a tree of steps, followed by exploring again.

use crate::chunked::Chunked;
use crate::store::StateId;
use crate::system::{Emit, Flow, TransitionSystem, Worker};

/// How each state of a search was met first: eight bytes a state.
#[derive(Clone, Debug)]
pub struct Tree {
    steps: Chunked<(u32, u32)>,
}

impl Default for Tree {
    fn default() -> Self {
        Tree::new()
    }
}

impl Tree {
    /// An empty tree.
    pub const fn new() -> Self {
        Tree {
            steps: Chunked::new(),
        }
    }

    /// Records the step to the next state: the one whose number is the number of states recorded before.
    pub fn push(&mut self, parent: Option<StateId>, ordinal: u32) {
        self.steps.push((parent.map_or(StateId::END, |p| p.0), ordinal));
    }

    /// Whether no number is left for another state.
    pub fn is_full(&self) -> bool {
        self.steps.len() >= StateId::END as usize
    }

    /// States recorded.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether no state is recorded.
    pub fn is_empty(&self) -> bool {
        self.steps.len() == 0
    }

    /// The step by which a state was met: its source (none for an initial state) and its ordinal. Requires: recorded.
    pub fn step(&self, id: StateId) -> (Option<StateId>, u32) {
        let (parent, ordinal) = *self.steps.get(id.index());
        ((parent != StateId::END).then_some(StateId(parent)), ordinal)
    }

    /// The ordinals that lead to a state. Requires: recorded.
    pub fn path(&self, id: StateId) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            let (parent, ordinal) = self.step(id);
            path.push(ordinal);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The ordinals that lead over one more step from `parent`, or to an initial state.
    pub fn path_over(&self, parent: Option<StateId>, ordinal: u32) -> Vec<u32> {
        let mut path = parent.map_or_else(Vec::new, |p| self.path(p));
        path.push(ordinal);
        path
    }

    /// Memory held.
    pub fn bytes(&self) -> usize {
        self.steps.bytes()
    }
}

/// Why a path could not be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError<F> {
    /// The model made an error.
    Fault(F),
    /// There is no step with this index in the path: its source has fewer successors.
    NoSuchStep(usize),
}

/// Follows a path, and gives each state on it, the first of which is an initial one, with the step that leads there: all that
/// the system says of the step, of which the path has the ordinal alone.
pub fn follow<T: TransitionSystem>(
    worker: &mut Worker<'_, T>,
    path: &[u32],
    mut visit: impl FnMut(&T::State, T::Step<'_>),
) -> Result<(), ReplayError<T::Fault>> {
    let mut source: Option<T::State> = None;
    for (index, ordinal) in path.iter().enumerate() {
        let (mut at, mut target) = (0, None);
        let emit: Emit<'_, T> = &mut |state, step| {
            // Systems need not stop at once when the flow is broken.
            if at == *ordinal && target.is_none() {
                target = Some(state.clone());
                visit(state, step);
            }
            at += 1;
            if target.is_some() {
                Flow::Break(())
            } else {
                Flow::Continue(())
            }
        };
        let result = match &source {
            Some(source) => worker.successors(source, emit),
            None => worker.initial(emit),
        };
        // A model may fail in a later successor although it should stop: the step exists nevertheless.
        if target.is_none() {
            result.map_err(ReplayError::Fault)?;
        }
        source = Some(target.ok_or(ReplayError::NoSuchStep(index))?);
    }
    Ok(())
}

/// The states along a path of ordinals: the first is an initial state.
pub fn replay<T: TransitionSystem>(
    worker: &mut Worker<'_, T>,
    path: &[u32],
) -> Result<Vec<T::State>, ReplayError<T::Fault>> {
    let mut states = Vec::with_capacity(path.len());
    follow(worker, path, |state, _| states.push(state.clone()))?;
    Ok(states)
}
