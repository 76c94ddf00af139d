//! A zone graph with room to work in: what a search explores.

use crate::goal::ZoneGoal;
use crate::graph::scratch::Scratch;
use crate::graph::{Step, ZoneGraph};
use crate::state::ZoneState;
use crate::stop::Stop;
use std::sync::Arc;
use zonewalk_network::Transition;
use zonewalk_search::{Emit, TransitionSystem};
use zonewalk_zones::{Federation, Word};

/// A zone graph, which explorers may share, and a [`Scratch`], which they do not. Searches
/// see it as a system of transitions; for other questions there are both [`parts`](Explorer::parts).
pub struct Explorer<'n, W = i32> {
    graph: Arc<ZoneGraph<'n>>,
    scratch: Scratch<W>,
}

impl<'n, W: Word> From<ZoneGraph<'n>> for Explorer<'n, W> {
    fn from(graph: ZoneGraph<'n>) -> Explorer<'n, W> {
        let scratch = graph.scratch();
        let graph = Arc::new(graph);
        Explorer { graph, scratch }
    }
}

impl<'n, W: Word> Explorer<'n, W> {
    /// Another explorer of the same graph: for another thread, or for a goal to be tested while this one is busy with
    /// successors.
    #[must_use]
    pub fn another(&self) -> Explorer<'n, W> {
        Explorer {
            graph: Arc::clone(&self.graph),
            scratch: self.graph.scratch(),
        }
    }

    /// The graph.
    pub fn graph(&self) -> &ZoneGraph<'n> {
        &self.graph
    }

    /// The room to work on it, with what was noted there.
    pub fn scratch(&self) -> &Scratch<W> {
        &self.scratch
    }

    /// Both.
    pub fn parts(&mut self) -> (&ZoneGraph<'n>, &mut Scratch<W>) {
        (&self.graph, &mut self.scratch)
    }

    /// See [`ZoneGraph::points`].
    ///
    /// # Errors
    /// When the model fails.
    pub fn points(&mut self, goal: &ZoneGoal, state: &ZoneState<W>) -> Result<Federation<W>, Stop> {
        self.graph.points(&mut self.scratch, goal, state)
    }

    /// See [`ZoneGraph::meets`].
    ///
    /// # Errors
    /// When the model fails.
    pub fn meets(&mut self, goal: &ZoneGoal, state: &ZoneState<W>) -> Result<bool, Stop> {
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

impl<W: Word> TransitionSystem for Explorer<'_, W> {
    type State = ZoneState<W>;
    type Step<'s> = Step<'s>;
    type Fault = Stop;

    fn initial<'e>(&'e mut self, emit: Emit<'e, Self>) -> Result<(), Stop> {
        let emit = &mut |state: &ZoneState<W>, step: Step<'_>| emit(state, step);
        self.graph.each_initial(&mut self.scratch, emit)
    }

    fn successors<'e>(&'e mut self, state: &ZoneState<W>, emit: Emit<'e, Self>) -> Result<(), Stop> {
        let emit = &mut |state: &ZoneState<W>, step: Step<'_>| emit(state, step);
        self.graph.each_successor(&mut self.scratch, state, emit)
    }
}
