//! Exploring a projection: the distance from the beginning, or those of all abstract states.

use super::table::Table;
use crate::estimate::Estimate;
use crate::goal;
use crate::relaxed::Relaxed;
use zonewalk_network::bounds::ClockBounds;
use zonewalk_network::ids::{ClockId, InstanceId};
use zonewalk_network::refusals::Refusals;
use zonewalk_network::{Network, Node, Predicate};
use zonewalk_product::{Influences, Pattern};
use zonewalk_search::{
    self as search, Breadth, GeneratedState, Guide, Limit, Limits, Outcome, Predecessors, StateId, Stored,
    TransitionSystem, Verdict,
};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::stop::Stop;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_symbolic::width::Width;
use zonewalk_zones::Word;

/// Data shared by all projections of a network toward a goal.
pub struct Basis<'n> {
    pub(super) plan: &'n ZonePlan<'n>,
    predicate: &'n Predicate,
    bounds: ClockBounds,
    goal: ZoneGoal,
    /// The goal as the relaxation sees it.
    pub(super) aim: goal::GoalFormula,
    pub(super) influences: Influences,
    /// The cells that can have to do with the goal, as far as that can be seen without clocks.
    relevant: Vec<u32>,
}

/// Distance to the goal in a projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbstractDistance {
    /// The exact number of transitions.
    Exactly(u32),
    /// At least this many: the search was cut off.
    AtLeast(u32),
    /// It cannot be reached: neither can the goal of the network.
    Never,
}

impl AbstractDistance {
    /// The number of transitions that are certainly needed.
    pub fn least(self) -> u32 {
        match self {
            AbstractDistance::Exactly(length) | AbstractDistance::AtLeast(length) => length,
            AbstractDistance::Never => u32::MAX,
        }
    }
}

/// The steps of an abstract trace; the first leads to an initial state.
pub(super) type AbstractPath = Vec<AbstractStep>;

/// A step of an abstract trace.
#[derive(Clone, Debug)]
pub(super) struct AbstractStep {
    /// Edge instances of the network. The partner of one that asks for nothing and does nothing is not among them.
    pub(super) parts: Vec<InstanceId>,
    /// The discrete part of the state after it.
    pub(super) discrete: Vec<i32>,
}

/// All abstract states with their distances.
pub(super) enum Explored<W> {
    All {
        states: u64,
        table: Table<W>,
        initial: Estimate,
    },
    Limit(Limit, u64),
}

impl<'n> Basis<'n> {
    /// For states in which `predicate` holds, or for those in which it does not.
    pub fn new(plan: &'n ZonePlan<'n>, predicate: &'n Predicate, holds: bool) -> Basis<'n> {
        let network = plan.network;
        let aim = goal::GoalFormula::new(network, predicate, holds);
        let mut relaxed = Relaxed::lower(network, &aim);
        let values = relaxed.reachable_values(&network.memory()[..network.layout.meta as usize]);
        Basis {
            plan,
            predicate,
            // Deadlocks count as true in projections.
            bounds: network.bounds_with(&[predicate], &[], &Refusals::nowhere(network)),
            goal: ZoneGoal::new(network, predicate, holds),
            influences: Influences::new(network, values),
            relevant: relaxed.relevant().to_vec(),
            aim,
        }
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.plan.network
    }

    /// The smallest and the largest value of a cell in any reachable state, where that is known.
    pub fn values(&self, cell: u32) -> Option<(i32, i32)> {
        self.influences.values(cell)
    }

    /// The processes and variables that the goal is about.
    pub fn goal_pattern(&self) -> Pattern {
        let network = self.network();
        let mut pattern = Pattern::empty(network);
        for node in &self.predicate.nodes {
            match node {
                Node::At { process, .. } => pattern.set(network, process.0, true),
                Node::Data { reads, .. } | Node::Clock { reads, .. } => {
                    let cells = network.sets.members(*reads);
                    cells.for_each(|cell| pattern.set(network, cell, true));
                }
                _ => {}
            }
            if let Node::Clock { clocks, .. } = node {
                network
                    .sets
                    .clocks(*clocks)
                    .for_each(|clock| pattern.set_clock(clock, true));
            }
        }
        pattern
    }

    /// The pattern of all clocks and all cells that can influence the goal.
    pub fn cone(&self) -> Pattern {
        let network = self.network();
        let mut pattern = self.goal_pattern();
        self.relevant
            .iter()
            .for_each(|&cell| pattern.set(network, cell, true));
        let clocks = (0..network.clocks.len() as u32).map(ClockId);
        clocks.for_each(|clock| pattern.set_clock(clock, true));
        pattern
    }

    /// Removes from a pattern what cannot be kept without what is removed.
    pub fn close(&self, pattern: &mut Pattern) {
        pattern.close(self.network(), &self.influences);
    }

    fn project<W: Word, R>(
        &self,
        pattern: &Pattern,
        work: impl FnOnce(Explorer<'_, W>, &ZoneGoal) -> R,
    ) -> Result<R, Stop> {
        let goal = self.goal.projected(self.network(), pattern);
        let plan = self.plan.projected(pattern, &self.influences)?;
        let bounds = self
            .bounds
            .projected(|p| pattern.keeps_process(p), |c| pattern.keeps_clock(c));
        let graph = ZoneGraph::new(&plan, bounds, &[], Abstraction::LuPlus, &[&goal]);
        Ok(work(Explorer::from(graph), &goal))
    }

    /// Computes the distance from the initial state to the goal in a projection by breadth-first search within limits, and the
    /// number of explored abstract states. Requires: the pattern is closed.
    ///
    /// # Errors
    /// When the network cannot be laid out.
    pub(super) fn distance(
        &self,
        pattern: &Pattern,
        limits: &Limits<'_>,
    ) -> Result<(AbstractDistance, u64, AbstractPath), Stop> {
        match self.width() {
            Width::Narrow => self.distance_in_words::<i32>(pattern, limits),
            Width::Wide => self.distance_in_words::<i64>(pattern, limits),
        }
    }

    /// The words that zones of the network are computed in. Those of its projections have fewer clocks and no other constants.
    fn width(&self) -> Width {
        ZoneGraph::new(
            self.plan,
            self.bounds.clone(),
            &[],
            Abstraction::LuPlus,
            &[&self.goal],
        )
        .width()
    }

    fn distance_in_words<W: Word>(
        &self,
        pattern: &Pattern,
        limits: &Limits<'_>,
    ) -> Result<(AbstractDistance, u64, AbstractPath), Stop> {
        self.project(pattern, |mut explorer: Explorer<'_, W>, goal| {
            let mut judge = explorer.another();
            let mut test = |state: &ZoneState<W>| judge.meets(goal, state).unwrap_or(false);
            let mut store = ZoneStore::new(self.network(), Covering::Inclusion);
            let goal = search::Goal::state(&mut test);
            let report = search::search_by_depth(
                &mut explorer.worker(),
                &mut store,
                &mut Breadth::new(),
                goal,
                limits,
            );
            let mut trace = Vec::new();
            let reach = match report.outcome {
                // The first ordinal chooses the initial state.
                Outcome::Found { path, .. } => {
                    let plan = explorer.graph().plan();
                    // The path was found a moment ago.
                    let _ = search::follow(&mut explorer.worker(), &path, |state, step| {
                        trace.push(AbstractStep {
                            parts: step.parts.iter().map(|&p| plan.edge(p).instance).collect(),
                            discrete: state.discrete.clone(),
                        });
                    });
                    AbstractDistance::Exactly(path.len() as u32 - 1)
                }
                Outcome::Exhausted => AbstractDistance::Never,
                Outcome::LimitReached(_) => AbstractDistance::AtLeast(report.statistics.max_depth),
            };
            (reach, report.statistics.states_explored, trace)
        })
    }

    /// All abstract states and their distances. Requires: the pattern is closed.
    pub(super) fn explore<W: Word>(
        &self,
        pattern: &Pattern,
        limits: &Limits<'_>,
    ) -> Result<Explored<W>, Stop> {
        self.project(pattern, |mut explorer: Explorer<'_, W>, goal| {
            let mut recorder = Recorder {
                predecessors: Predecessors::new(),
                judge: explorer.another(),
                goal,
                is_goal: false,
                goals: Vec::new(),
                initial: Vec::new(),
            };
            // A retired state would hand its distance over to a larger one, whose distance may be smaller.
            let mut store = ZoneStore::new(self.network(), Covering::Kept);
            let (frontier, none) = (&mut Breadth::new(), search::Goal::none());
            let report = search::guided_search(
                &mut explorer.worker(),
                &mut store,
                frontier,
                &mut recorder,
                none,
                limits,
            );
            let states = report.statistics.states_explored;
            if let Outcome::LimitReached(limit) = report.outcome {
                return Explored::Limit(limit, states);
            }
            let distances = recorder.predecessors.index().distances(recorder.goals);
            let mut table = Table::new(pattern);
            let mut state = ZoneState::default();
            let ids = (0..search::Store::stored(&store) as u32).map(StateId);
            for id in ids {
                search::Store::load(&store, id, &mut state);
                table.add(
                    &state,
                    distances.get(id).map_or(Estimate::INFINITE, Estimate::finite),
                );
            }
            table.finish();
            let initial = recorder.initial.iter().filter_map(|id| distances.get(*id)).min();
            let initial = initial.map_or(Estimate::INFINITE, Estimate::finite);
            Explored::All {
                states,
                table,
                initial,
            }
        })
    }
}

/// Keeps all steps, and which states are goals.
struct Recorder<'a, 'n, W> {
    predecessors: Predecessors,
    judge: Explorer<'n, W>,
    goal: &'a ZoneGoal,
    /// Whether the state ranked last is a goal.
    is_goal: bool,
    goals: Vec<StateId>,
    initial: Vec<StateId>,
}

impl<'n, W: Word, T> Guide<T> for Recorder<'_, 'n, W>
where
    T: TransitionSystem<State = ZoneState<W>> + ?Sized,
{
    type Rank = ();

    fn rank(&mut self, met: &GeneratedState<'_, '_, T>) -> Verdict {
        // Where the goal fails it is not reached.
        self.is_goal = self.judge.meets(self.goal, met.state).unwrap_or(false);
        Verdict::Keep(())
    }

    fn on_stored(&mut self, parent: Option<StateId>, at: Stored) {
        self.predecessors.add(parent, at);
        if let (Stored::New(id), true) = (at, self.is_goal) {
            self.goals.push(id);
        }
        if parent.is_none() {
            let (Stored::New(id) | Stored::Covered(id)) = at;
            self.initial.push(id);
        }
    }

    fn after_expand(&mut self, id: StateId) {
        self.predecessors.close(id);
    }

    fn bytes(&self) -> usize {
        self.predecessors.bytes()
    }
}
