//! A zone graph with room to work in: what a search explores.

use crate::goal::Goal;
use crate::graph::{Step, ZoneGraph};
use crate::path::Transition;
use crate::scratch::Scratch;
use crate::state::ZoneState;
use crate::stop::Stop;
use std::sync::Arc;
use zonewalk_search::{Emit, Flow, TransitionSystem};
use zonewalk_zones::{Bound, Federation};

/// A zone graph, which explorers may share, and a [`Scratch`], which they do not. Its methods are those of the graph.
pub struct Explorer<'n> {
    graph: Arc<ZoneGraph<'n>>,
    scratch: Scratch,
}

impl<'n> From<ZoneGraph<'n>> for Explorer<'n> {
    fn from(graph: ZoneGraph<'n>) -> Explorer<'n> {
        let scratch = graph.scratch();
        let graph = Arc::new(graph);
        Explorer { graph, scratch }
    }
}

impl<'n> Explorer<'n> {
    /// Another explorer of the same graph: for another thread, or for a goal to be tested while this one is busy with
    /// successors.
    #[must_use]
    pub fn another(&self) -> Explorer<'n> {
        Explorer {
            graph: Arc::clone(&self.graph),
            scratch: self.graph.scratch(),
        }
    }

    /// The graph.
    pub fn graph(&self) -> &ZoneGraph<'n> {
        &self.graph
    }

    /// The graph, and the room to work on it.
    pub(crate) fn parts(&mut self) -> (&ZoneGraph<'n>, &mut Scratch) {
        (&self.graph, &mut self.scratch)
    }

    /// See [`Scratch::effort`].
    pub fn effort(&self) -> u64 {
        self.scratch.effort()
    }

    /// See [`Scratch::attempt`].
    pub fn attempt(&self) -> Option<Transition> {
        self.scratch.attempt()
    }

    /// See [`ZoneGraph::each_initial`].
    ///
    /// # Errors
    /// When the model fails. What does not depend on that was emitted.
    pub fn each_initial(&mut self, emit: &mut dyn FnMut(&ZoneState, Step<'_>) -> Flow) -> Result<(), Stop> {
        self.graph.each_initial(&mut self.scratch, emit)
    }

    /// See [`ZoneGraph::each_successor`].
    ///
    /// # Errors
    /// When the model fails in some transition. The others were emitted.
    pub fn each_successor(
        &mut self,
        state: &ZoneState,
        emit: &mut dyn FnMut(&ZoneState, Step<'_>) -> Flow,
    ) -> Result<(), Stop> {
        self.graph.each_successor(&mut self.scratch, state, emit)
    }

    /// See [`ZoneGraph::restart`].
    pub(crate) fn restart(
        &mut self,
        state: &ZoneState,
        zone: &[Bound],
        emit: &mut dyn FnMut(&ZoneState, Step<'_>) -> Flow,
    ) -> Result<Flow, Stop> {
        self.graph.restart(&mut self.scratch, state, zone, emit)
    }

    /// See [`ZoneGraph::points`].
    ///
    /// # Errors
    /// When the model fails.
    pub fn points(&mut self, goal: &Goal, state: &ZoneState) -> Result<Federation, Stop> {
        self.graph.points(&mut self.scratch, goal, state)
    }

    /// See [`ZoneGraph::meets`].
    ///
    /// # Errors
    /// When the model fails.
    pub fn meets(&mut self, goal: &Goal, state: &ZoneState) -> Result<bool, Stop> {
        self.graph.meets(&mut self.scratch, goal, state)
    }

    /// See [`ZoneGraph::transitions`].
    ///
    /// # Errors
    /// When the model fails on the way.
    pub fn transitions(&mut self, path: &[u32]) -> Result<Option<Vec<Transition>>, Stop> {
        self.graph.transitions(&mut self.scratch, path)
    }
}

impl TransitionSystem for Explorer<'_> {
    type State = ZoneState;
    type Step<'s> = Step<'s>;
    type Fault = Stop;

    fn initial<'e>(&'e mut self, emit: Emit<'e, Self>) -> Result<(), Stop> {
        self.each_initial(&mut |state, step| emit(state, step))
    }

    fn successors<'e>(&'e mut self, state: &ZoneState, emit: Emit<'e, Self>) -> Result<(), Stop> {
        self.each_successor(state, &mut |state, step| emit(state, step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_can_share_a_graph_and_own_a_scratch() {
        fn is_shared<T: Send + Sync>() {}
        fn is_owned<T: Send>() {}
        is_shared::<ZoneGraph<'_>>();
        is_owned::<Scratch>();
        is_owned::<Explorer<'_>>();
    }
}
