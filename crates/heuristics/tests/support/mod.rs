//! Models with a goal, exact distances in their zone graphs, and directed searches of them.

// Every test file takes what it needs.
#![allow(dead_code)]

use zonewalk_heuristics::{
    Alternation, Directed, Estimate, GoalCount, GoalFormula, GroupDistance, Heuristic, LocalDistance, Order,
    Relaxed,
};
use zonewalk_network::ids::InstanceId;
use zonewalk_network::{Network, Predicate};
use zonewalk_search::{
    Breadth, Flow, Goal as Wanted, Limits, Outcome, Predecessors, StateId, Statistics, Store, guided_search,
    guided_search_by_depth, replay, search_by_depth,
};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::store::{Covering, ZoneStore};
use zonewalk_testkit::load;

/// A network with predicates that are asked about.
pub(crate) struct Case {
    pub(crate) network: Network,
    pub(crate) predicates: Vec<Predicate>,
}

impl Case {
    /// A model in any format, by the name of its file.
    pub(crate) fn read(name: &str, bytes: &[u8], questions: &[&str]) -> Result<Case, String> {
        let loaded = load(name, bytes, None).map_err(|refused| refused.to_string())?;
        let (network, predicates) = loaded.compiled(questions)?;
        let predicates = predicates.into_iter().map(|(predicate, _)| predicate);
        Ok(Case {
            network,
            predicates: predicates.collect(),
        })
    }

    /// A model in the textual format.
    pub(crate) fn new(text: &str, questions: &[&str]) -> Case {
        Case::read("model.xta", text.as_bytes(), questions).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    /// The first predicate.
    pub(crate) fn goal(&self) -> GoalFormula {
        GoalFormula::new(&self.network, &self.predicates[0], true)
    }

    /// The initial state.
    pub(crate) fn initial(&self) -> ZoneState {
        let plan = ZonePlan::new(&self.network).unwrap();
        let looked = ZoneGoal::new(&self.network, &self.predicates[0], true);
        let bounds = self.network.bounds_for(&[&self.predicates[0]]);
        let graph = ZoneGraph::new(&plan, bounds, &[], Abstraction::LuPlus, &[&looked]);
        let mut states = replay(&mut Explorer::from(graph).worker(), &[0]).unwrap();
        states.remove(0)
    }

    /// The successors of a state, with the edge instances of their transitions.
    pub(crate) fn each_successor(&self, state: &ZoneState, visit: &mut dyn FnMut(&[InstanceId], &ZoneState)) {
        let plan = ZonePlan::new(&self.network).unwrap();
        let looked = ZoneGoal::new(&self.network, &self.predicates[0], true);
        let bounds = self.network.bounds_for(&[&self.predicates[0]]);
        let graph = ZoneGraph::new(&plan, bounds, &[], Abstraction::LuPlus, &[&looked]);
        let mut system = Explorer::from(graph);
        system
            .successors(state, &mut |state, step| {
                visit(step.parts, state);
                Flow::Continue(())
            })
            .unwrap();
    }

    /// Estimate of a heuristic for the initial state.
    pub(crate) fn first(&self, heuristic: &mut dyn Heuristic) -> Option<u32> {
        heuristic.estimate(&self.initial()).number()
    }
}

/// All the heuristics for a goal, by their names.
pub(crate) fn all<'n>(network: &'n Network, goal: &GoalFormula) -> Vec<Box<dyn Heuristic + 'n>> {
    vec![
        Box::new(LocalDistance::lower(network, goal)),
        Box::new(LocalDistance::upper(network, goal)),
        Box::new(GroupDistance::new(network, goal)),
        Box::new(Relaxed::lower(network, goal)),
        Box::new(Relaxed::upper(network, goal)),
    ]
}

/// The zone graph in which a predicate, or its negation, is looked for.
pub(crate) struct Space<'n> {
    network: &'n Network,
    looked: ZoneGoal,
    system: Explorer<'n>,
}

impl<'n> Space<'n> {
    pub(crate) fn new(
        case: &'n Case,
        plan: &'n ZonePlan<'n>,
        predicate: &Predicate,
        holds: bool,
        abstraction: Abstraction,
        forgets: bool,
    ) -> Space<'n> {
        let looked = ZoneGoal::new(&case.network, predicate, holds);
        let bounds = case.network.bounds_for(&[predicate]);
        let mut graph = ZoneGraph::new(plan, bounds, &[], abstraction, &[&looked]);
        if forgets {
            graph = graph.forgetting(&[&looked], &[]);
        }
        Space {
            network: &case.network,
            looked,
            system: graph.into(),
        }
    }

    /// All states with their exact distances to a goal. Nothing if there are more than `most`, or if the model fails.
    pub(crate) fn distances(&mut self, most: usize) -> Option<Vec<(ZoneState, Option<u32>)>> {
        let mut store = ZoneStore::new(self.network, Covering::Equality);
        let mut steps = Predecessors::new();
        let limits = Limits {
            stored: Some(most),
            ..Limits::default()
        };
        let report = guided_search(
            &mut self.system.worker(),
            &mut store,
            &mut Breadth::new(),
            &mut steps,
            Wanted::none(),
            &limits,
        );
        if report.outcome != Outcome::Exhausted || report.fault.is_some() || store.stored() == 0 {
            return None;
        }
        let mut states = Vec::new();
        for id in (0..store.stored() as u32).map(StateId) {
            let mut state = ZoneState::default();
            store.load(id, &mut state);
            states.push(state);
        }
        let mut goals = Vec::new();
        for (id, state) in (0..).map(StateId).zip(&states) {
            if self.system.meets(&self.looked, state).ok()? {
                goals.push(id);
            }
        }
        let distances = steps.index().distances(goals);
        let with = (0..).map(StateId).zip(states);
        Some(with.map(|(id, state)| (state, distances.get(id))).collect())
    }

    /// The number of transitions that breadth-first search finds, and what it did.
    pub(crate) fn breadth(&mut self, covering: Covering, most: usize) -> (Found, Statistics) {
        let mut judge = self.system.another();
        let looked = &self.looked;
        let mut test = |state: &ZoneState| judge.meets(looked, state).unwrap_or(false);
        let limits = Limits {
            stored: Some(most),
            ..Limits::default()
        };
        let report = search_by_depth(
            &mut self.system.worker(),
            &mut ZoneStore::new(self.network, covering),
            &mut Breadth::new(),
            Wanted::state(&mut test),
            &limits,
        );
        (
            Found::new(&report.outcome, report.fault.is_some()),
            report.statistics,
        )
    }

    /// Runs a directed search.
    pub(crate) fn directed(
        &mut self,
        heuristic: &mut dyn Heuristic,
        order: Order,
        covering: Covering,
        most: usize,
    ) -> (Found, Statistics) {
        self.led_by(Directed::new(heuristic, order), covering, most)
    }

    /// Runs a search with any guide.
    pub(crate) fn led_by(
        &mut self,
        mut guide: Directed<'_, &mut dyn Heuristic>,
        covering: Covering,
        most: usize,
    ) -> (Found, Statistics) {
        let order = guide.order();
        let mut judge = self.system.another();
        let looked = &self.looked;
        let mut test = |state: &ZoneState| judge.meets(looked, state).unwrap_or(false);
        let limits = Limits {
            stored: Some(most),
            ..Limits::default()
        };
        let mut store = ZoneStore::new(self.network, covering);
        let wanted = Wanted::state(&mut test);
        let report = match order {
            Order::AStar => guided_search_by_depth(
                &mut self.system.worker(),
                &mut store,
                &mut order.frontier(),
                &mut guide,
                wanted,
                &limits,
            ),
            Order::Greedy => guided_search(
                &mut self.system.worker(),
                &mut store,
                &mut order.frontier(),
                &mut guide,
                wanted,
                &limits,
            ),
        };
        assert_eq!(report.statistics.left_out, guide.pruned());
        (
            Found::new(&report.outcome, report.fault.is_some()),
            report.statistics,
        )
    }
}

impl Space<'_> {
    /// Runs a search with several alternating orders.
    pub(crate) fn alternating(
        &mut self,
        informed: Directed<'_, &mut dyn Heuristic>,
        goal: &GoalFormula,
        covering: Covering,
        most: usize,
    ) -> (Found, Statistics) {
        let mut judge = self.system.another();
        let looked = &self.looked;
        let mut test = |state: &ZoneState| judge.meets(looked, state).unwrap_or(false);
        let limits = Limits {
            stored: Some(most),
            ..Limits::default()
        };
        let (mut guide, mut frontier) = Alternation::new(informed, GoalCount::new(self.network, goal), 1);
        let report = guided_search(
            &mut self.system.worker(),
            &mut ZoneStore::new(self.network, covering),
            &mut frontier,
            &mut guide,
            Wanted::state(&mut test),
            &limits,
        );
        assert_eq!(report.statistics.left_out, guide.pruned());
        (
            Found::new(&report.outcome, report.fault.is_some()),
            report.statistics,
        )
    }
}

/// Compares all estimates of all states of a small model with exact distances; returns those of the initial state, in the
/// order of [`all`], and its distance.
pub(crate) fn checked(text: &str, question: &str) -> (Vec<Option<u32>>, Option<u32>) {
    let case = Case::new(text, &[question]);
    let plan = ZonePlan::new(&case.network).unwrap();
    let predicate = &case.predicates[0];
    let mut first = None;
    for forgets in [false, true] {
        let mut space = Space::new(&case, &plan, predicate, true, Abstraction::LuPlus, forgets);
        let states = space.distances(20_000).expect("a small model without errors");
        let mut heuristics = all(&case.network, &case.goal());
        for (state, exact) in &states {
            let estimates: Vec<Estimate> = heuristics.iter_mut().map(|h| h.estimate(state)).collect();
            for (heuristic, &estimate) in heuristics.iter().zip(&estimates) {
                check_estimate(heuristic, estimate, *exact)
                    .unwrap_or_else(|e| panic!("{question}: {e} from {:?}", state.discrete));
            }
            assert_eq!(
                estimates[3].is_infinite(),
                estimates[4].is_infinite(),
                "hL and hU"
            );
            first.get_or_insert((estimates.iter().map(|e| e.number()).collect(), *exact));
        }
    }
    first.unwrap()
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    After(usize),
    Nothing,
    /// Too many states, or an error of the model.
    Unknown,
}

impl Found {
    fn new(outcome: &Outcome<ZoneState>, has_failed: bool) -> Found {
        match outcome {
            Outcome::Found { path, .. } => Found::After(path.len() - 1),
            Outcome::Exhausted if !has_failed => Found::Nothing,
            _ => Found::Unknown,
        }
    }
}

/// Whether an estimate fits an exact distance.
pub(crate) fn check_estimate(
    heuristic: &dyn Heuristic,
    estimate: Estimate,
    exact: Option<u32>,
) -> Result<(), String> {
    let name = heuristic.name();
    match (estimate.number(), exact) {
        (None, Some(exact)) => Err(format!("{name} is infinite, and a goal is {exact} away")),
        (Some(number), Some(exact)) if heuristic.is_admissible() && number > exact => {
            Err(format!("{name} says {number}, and a goal is {exact} away"))
        }
        _ => Ok(()),
    }
}
