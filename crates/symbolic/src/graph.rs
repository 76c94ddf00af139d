//! The zone graph: symbolic states and their successors.
//!
//! A state's zone holds the points that the discrete state can be in after any delay that is allowed there. A successor
//! is made of the points that fulfil the guards, with the clocks assigned, the target's invariant kept, time passed and the
//! zone abstracted. Every rule of the language that makes a set of points non-convex (who receives a broadcast, when an
//! urgent synchronisation stops time, what a higher priority blocks) splits the zone, so that each piece is exact.

pub mod abstraction;
mod assignment;
pub mod scratch;
pub mod stamps;
pub mod width;

use crate::goal::ZoneGoal;
use crate::graph::abstraction::Abstraction;
use crate::graph::scratch::Scratch;
use crate::graph::stamps::Stamps;
use crate::plan::ZonePlan;
use crate::plan::diagonals::{Diagonals, Unbounded};
use crate::sown::Bug;
use crate::state::ZoneState;
use crate::state::constraint::{ClockRef, Constraint};
use zonewalk_network::Measure;
use zonewalk_network::Transition;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_network::ids::{ClockId, InstanceId};
use zonewalk_network::live_variables::Liveness;
use zonewalk_zones::{Bound, Word};

/// A clock of the search's own, which the model does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtraClock {
    /// The largest constant that it is bounded from below with; `None` for none.
    pub lower: Option<i32>,
    /// Upper constant.
    pub upper: Option<i32>,
}

/// The transition that leads to a successor.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Edge instances: the initiator's, then the receivers'.
    pub parts: &'a [InstanceId],
    /// Values of the selects that no guard or channel needs, in the order of the parts.
    pub selects: &'a [i32],
    /// Whether the clock of [`ZoneGraph::ticking`] was set back.
    pub is_tick: bool,
    /// Conditions of the step on clocks, when they are recorded.
    pub record: Option<&'a StepRecord>,
}

impl Step<'_> {
    /// The transition on its own.
    pub fn to_transition(self) -> Transition {
        Transition {
            parts: self.parts.to_vec(),
            selects: self.selects.to_vec(),
        }
    }

    /// Whether it is this transition.
    pub(crate) fn is(self, transition: &Transition) -> bool {
        self.parts == transition.parts && self.selects == transition.selects
    }
}

/// Conditions of a step on clocks, and the effect of the state after it.
#[derive(Clone, Debug, Default)]
pub struct StepRecord {
    /// Before the transition: guards, and whatever else makes this transition the one that happens.
    pub guard: Vec<Constraint>,
    /// Clocks with the clock (or zero) and the number that make up their new values, in terms of the values before.
    pub assigned: Vec<(ClockId, ClockRef, i32)>,
    /// On entry of the target, and as long as it lasts.
    pub invariant: Vec<Constraint>,
    /// On entry of the target alone.
    pub entry: Vec<Constraint>,
    /// Whether time may pass in the target.
    pub may_delay: bool,
    /// When the target is left, or at the end.
    pub exit: Vec<Constraint>,
    /// Clocks that stand still in the target.
    pub stopped: Vec<ClockId>,
}

/// The zone graph of a network. Nothing in it changes: what computing successors writes to is a [`Scratch`], so that threads
/// can share the graph, and a goal can be tested while successors are computed.
pub struct ZoneGraph<'n> {
    pub(crate) plan: &'n ZonePlan<'n>,
    pub(crate) bounds: ClockBounds,
    /// By clock, those of the search included.
    pub(crate) everywhere: Vec<(i64, i64)>,
    /// The limit of clocks whose constants are not bounded.
    pub(crate) endless: i64,
    pub(crate) abstraction: Abstraction,
    /// The differences of clocks that are told apart, for [`Abstraction::Split`].
    pub(crate) diagonals: Diagonals,
    /// Why there may be infinitely many zones, although an abstraction was asked for.
    pub(crate) unbounded: Option<Unbounded>,
    /// States in which this holds are not entered, nor does time pass into them.
    pub(crate) avoided: Option<ZoneGoal>,
    pub(crate) is_recording: bool,
    /// Whether goals look for deadlocks, which takes zones to pieces.
    pub(crate) cuts_for_deadlocks: bool,
    /// The variables that are set to fixed values where they do not matter.
    pub(crate) liveness: Option<Liveness>,
    /// An extra clock that transitions set back when it is at least 1.
    pub(crate) ticking: Option<ClockId>,
    /// How clocks that stand still are kept; `None`: as values, whose relation to clocks that run is lost from one side.
    pub(crate) stamps: Option<Stamps>,
}

impl<'n> ZoneGraph<'n> {
    /// The zone graph with these bounds of clocks (those of the network, with the predicates that are asked about), clocks of
    /// the search's own, and the goals whose differences of clocks must be told apart. With lower and upper bounds apart, a
    /// deadlock is real if the bounds say what is [refused](zonewalk_network::refusals) in its locations; others are suspects.
    pub fn new(
        plan: &'n ZonePlan<'n>,
        bounds: ClockBounds,
        extra: &[ExtraClock],
        abstraction: Abstraction,
        goals: &[&ZoneGoal],
    ) -> ZoneGraph<'n> {
        let endless = Bound::<i64>::MAX_CONSTANT;
        let limit = |bound: Option<i32>| match bound {
            None => <i64 as Word>::NO_BOUND,
            Some(i32::MAX) => endless,
            Some(bound) => i64::from(bound),
        };
        let mut everywhere: Vec<(i64, i64)> = (0..plan.network.clocks.len() as u32)
            .map(|clock| {
                let limits = bounds.everywhere(ClockId(clock));
                (limit(limits.lower()), limit(limits.upper()))
            })
            .collect();
        everywhere.extend(extra.iter().map(|e| (limit(e.lower), limit(e.upper))));
        let mut diagonals = plan.diagonals.clone();
        for goal in goals {
            diagonals =
                diagonals.and_then(|mut known| goal.add_diagonals(plan.network, &mut known).map(|()| known));
        }
        let diagonals = diagonals.and_then(|known| Diagonals::closed(plan.network, &bounds, known));
        ZoneGraph {
            cuts_for_deadlocks: goals.iter().any(|goal| goal.mentions_deadlock()),
            unbounded: diagonals
                .as_ref()
                .err()
                .copied()
                .filter(|_| abstraction != Abstraction::None),
            abstraction: abstraction.sound_for(diagonals.is_ok(), &bounds),
            diagonals: diagonals.unwrap_or_default(),
            plan,
            bounds,
            everywhere,
            endless,
            avoided: None,
            is_recording: false,
            liveness: None,
            ticking: None,
            stamps: None,
        }
    }

    /// Removes the states in which `goal` holds, and the delays through them.
    #[must_use]
    pub fn avoiding(mut self, goal: ZoneGoal) -> Self {
        self.avoided = Some(goal);
        self.abstraction = self.abstraction.exact_in_both_ways();
        self
    }

    /// Takes states as one that differ only in variables which do not matter any more. Its paths are
    /// those of the whole graph. Requires: nothing but these goals and measures looks at the variables of its states.
    #[must_use]
    pub fn forgetting(self, goals: &[&ZoneGoal], measures: &[Measure]) -> Self {
        self.forgetting_all_but(&[], goals, measures)
    }

    /// Forgets variables, but has these cells examined in every state, too.
    #[must_use]
    pub fn forgetting_all_but(mut self, kept: &[u32], goals: &[&ZoneGoal], measures: &[Measure]) -> Self {
        let goals = goals.iter().copied().chain(&self.avoided);
        let mut observed: Vec<_> = goals.flat_map(ZoneGoal::reads).copied().collect();
        if Bug::Liveness.is_sown() {
            observed.clear();
        }
        observed.extend(measures.iter().map(Measure::reads));
        self.liveness = Liveness::new(self.plan.network, &observed, kept);
        self
    }

    /// Sets the limit of all clocks whose constants do not fit into 32 bits.
    #[must_use]
    pub(crate) fn with_ceiling(mut self, ceiling: i64) -> Self {
        for (lower, upper) in &mut self.everywhere {
            for limit in [lower, upper] {
                if *limit == self.endless {
                    *limit = ceiling;
                }
            }
        }
        self.endless = ceiling;
        self
    }

    /// From now on steps come with what they ask of the clocks.
    #[must_use]
    pub fn recording(mut self) -> Self {
        self.is_recording = true;
        self
    }

    /// The strongly non-zeno form (Tripakis, Yovine, Bouajjani: Checking timed Büchi automata emptiness efficiently, FMSD
    /// 2005): a transition that happens when the first extra clock is at least 1 sets it back, and its step says so. On a
    /// cycle with such a step at least one unit of time passes. Requires: that clock exists, with both bounds 1.
    #[must_use]
    pub fn ticking(mut self) -> Self {
        self.ticking = Some(self.extra_clock(0));
        self
    }

    /// The plan.
    pub fn plan(&self) -> &'n ZonePlan<'n> {
        self.plan
    }

    /// The abstraction that is used: the one asked for, or the closest one that is sound for the model.
    pub fn abstraction(&self) -> Abstraction {
        self.abstraction
    }

    /// Why there may be infinitely many zones, although an abstraction was asked for.
    pub fn unbounded(&self) -> Option<Unbounded> {
        self.unbounded
    }

    /// The extra clock `index`, which is numbered after the clocks of the network.
    pub fn extra_clock(&self, index: usize) -> ClockId {
        ClockId::from_index(self.plan.network.clocks.len() + index)
    }

    /// Takes the discrete part of a state as the current one.
    pub(crate) fn load<W: Word>(&self, scratch: &mut Scratch<W>, state: &ZoneState<W>) {
        let count = self.plan.network.layout.locations as usize;
        scratch.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        scratch.source.set(&self.bounds, &state.discrete[..count]);
        if let Some(stamps) = &self.stamps {
            stamps.load(&mut scratch.source, state);
        }
        debug_assert_eq!(scratch.source.clocks, state.clocks);
    }
}
