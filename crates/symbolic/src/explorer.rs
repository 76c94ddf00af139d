//! A zone graph with room to work in: what a search explores.

use crate::goal::ZoneGoal;
use crate::graph::scratch::Scratch;
use crate::graph::{Step, ZoneGraph};
use crate::state::ZoneState;
use crate::stop::Stop;
use std::marker::PhantomData;
use std::sync::Arc;
use zonewalk_network::Transition;
use zonewalk_search::{Alarm, Emit, Flow, ReplayError, TransitionSystem, Worker, follow};
use zonewalk_zones::{Federation, Word};

/// A zone graph as a system of transitions, its zones in words of one width. Explorers share it.
pub struct Zones<'n, W = i32> {
    graph: Arc<ZoneGraph<'n>>,
    width: PhantomData<fn() -> W>,
}

impl<'n, W> Zones<'n, W> {
    pub(crate) fn graph(&self) -> &ZoneGraph<'n> {
        &self.graph
    }
}

impl<W> Clone for Zones<'_, W> {
    fn clone(&self) -> Self {
        Zones {
            graph: Arc::clone(&self.graph),
            width: PhantomData,
        }
    }
}

impl<W: Word> TransitionSystem for Zones<'_, W> {
    type State = ZoneState<W>;
    type Step<'s> = Step<'s>;
    type Fault = Stop;
    type Scratch = Scratch<W>;

    fn initial<'e>(&'e self, scratch: &'e mut Scratch<W>, emit: Emit<'e, Self>) -> Result<(), Stop> {
        self.graph.each_initial(scratch, emit)
    }

    fn successors<'e>(
        &'e self,
        scratch: &'e mut Scratch<W>,
        state: &ZoneState<W>,
        emit: Emit<'e, Self>,
    ) -> Result<(), Stop> {
        self.graph.each_successor(scratch, state, emit)
    }
}

/// A zone graph, which explorers may share, and a [`Scratch`], which they do not. Searches take its
/// [`worker`](Explorer::worker); for other questions there are both [`parts`](Explorer::parts).
pub struct Explorer<'n, W = i32> {
    zones: Zones<'n, W>,
    scratch: Scratch<W>,
}

impl<'n, W: Word> From<ZoneGraph<'n>> for Explorer<'n, W> {
    fn from(graph: ZoneGraph<'n>) -> Explorer<'n, W> {
        let scratch = graph.scratch();
        let zones = Zones {
            graph: Arc::new(graph),
            width: PhantomData,
        };
        Explorer { zones, scratch }
    }
}

impl<'n, W: Word> Explorer<'n, W> {
    /// Another explorer of the same graph: for another thread, or for a goal to be tested while this one is busy with
    /// successors.
    #[must_use]
    pub fn another(&self) -> Explorer<'n, W> {
        Explorer {
            zones: self.zones.clone(),
            scratch: self.graph().scratch(),
        }
        .leaving_off(self.scratch.alarm.clone())
    }

    /// Leaves off within a state when the alarm rings, with [`Stop::Alarm`].
    #[must_use]
    pub fn leaving_off(mut self, alarm: Alarm) -> Explorer<'n, W> {
        self.set_alarm(alarm);
        self
    }

    /// See [`leaving_off`](Explorer::leaving_off).
    pub(crate) fn set_alarm(&mut self, alarm: Alarm) {
        self.scratch.alarm = alarm;
    }

    /// A worker for a search.
    pub fn worker(&mut self) -> Worker<'_, Zones<'n, W>> {
        Worker::new(&self.zones, &mut self.scratch)
    }

    /// Emits every initial state.
    ///
    /// # Errors
    /// When some could not be computed.
    pub fn initial(&mut self, emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow) -> Result<(), Stop> {
        self.zones.graph.each_initial(&mut self.scratch, emit)
    }

    /// Emits every successor.
    ///
    /// # Errors
    /// When some could not be computed.
    pub fn successors(
        &mut self,
        state: &ZoneState<W>,
        emit: &mut dyn FnMut(&ZoneState<W>, Step<'_>) -> Flow,
    ) -> Result<(), Stop> {
        self.zones.graph.each_successor(&mut self.scratch, state, emit)
    }

    /// Leaves out successors by other transitions than this one, or none again.
    pub(crate) fn look_for(&mut self, transition: Option<&Transition>) {
        self.scratch.moves.only.clear();
        self.scratch.only_selects = None;
        if let Some(transition) = transition.filter(|_| !self.zones.graph.plan.has_priorities) {
            self.scratch.moves.only.extend_from_slice(&transition.parts);
            self.scratch.only_selects = Some(transition.selects.clone());
        }
    }

    /// The graph.
    pub fn graph(&self) -> &ZoneGraph<'n> {
        &self.zones.graph
    }

    /// The room to work on it, with what was noted there.
    pub fn scratch(&self) -> &Scratch<W> {
        &self.scratch
    }

    /// The graph and the scratch.
    pub fn parts(&mut self) -> (&ZoneGraph<'n>, &mut Scratch<W>) {
        (&self.zones.graph, &mut self.scratch)
    }

    /// Both, for a system of transitions that observes this one.
    pub fn into_parts(self) -> (Zones<'n, W>, Scratch<W>) {
        (self.zones, self.scratch)
    }

    /// See [`ZoneGraph::points`].
    ///
    /// # Errors
    /// When the model fails.
    pub fn points(&mut self, goal: &ZoneGoal, state: &ZoneState<W>) -> Result<Federation<W>, Stop> {
        self.zones.graph.points(&mut self.scratch, goal, state)
    }

    /// See [`ZoneGraph::meets`].
    ///
    /// # Errors
    /// When the model fails.
    pub fn meets(&mut self, goal: &ZoneGoal, state: &ZoneState<W>) -> Result<bool, Stop> {
        self.zones.graph.meets(&mut self.scratch, goal, state)
    }

    /// The transitions of a path of ordinals; `None` when there is no such path.
    ///
    /// # Errors
    /// When the model fails on the way.
    pub fn transitions(&mut self, path: &[u32]) -> Result<Option<Vec<Transition>>, Stop> {
        let mut transitions = Vec::with_capacity(path.len());
        let result = follow(&mut self.worker(), path, |_, step| {
            transitions.push(step.to_transition());
        });
        match result {
            Err(ReplayError::Fault(stop)) => Err(stop),
            // The first ordinal chooses the initial state, which no transition leads to.
            Ok(()) if !path.is_empty() => Ok(Some(transitions.split_off(1))),
            _ => Ok(None),
        }
    }
}
