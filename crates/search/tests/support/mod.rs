//! Explicit graphs, and a small system whose states include one another.
#![allow(dead_code, unreachable_pub)]

use proptest::prelude::*;
use zonewalk_search::{
    DepthStore, Distances, Emit, Flow, Frontier, GeneratedState, Goal, Guide, Limits, Predecessors, StateId,
    Store, Stored, TransitionSystem, Verdict, Worker, guided_search,
};

/// Successor lists, and a state whose expansion fails.
#[derive(Clone, Debug)]
pub struct Graph {
    pub initial: Vec<u32>,
    pub edges: Vec<Vec<u32>>,
    pub faulty: Option<u32>,
}

impl Graph {
    pub fn new(edges: &[&[u32]]) -> Self {
        let edges = edges.iter().map(|list| list.to_vec()).collect();
        Graph {
            initial: vec![0],
            edges,
            faulty: None,
        }
    }

    /// The number of steps to each state, by the plainest of methods.
    pub fn distances(&self) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.edges.len()];
        let mut level: Vec<u32> = self.initial.clone();
        for depth in 0.. {
            level.retain(|s| distances[*s as usize].is_none());
            if level.is_empty() {
                break;
            }
            for s in &level {
                distances[*s as usize] = Some(depth);
            }
            level = level
                .iter()
                .flat_map(|s| self.edges[*s as usize].clone())
                .collect();
        }
        distances
    }
}

impl Graph {
    /// The fewest steps from each state to a goal.
    pub fn distances_to(&self, goal: u32) -> Vec<Option<u32>> {
        let mut edges = vec![Vec::new(); self.edges.len()];
        for (from, list) in (0..).zip(&self.edges) {
            for to in list {
                edges[*to as usize].push(from);
            }
        }
        let reversed = Graph {
            initial: (0..edges.len() as u32).filter(|s| *s == goal).collect(),
            edges,
            faulty: None,
        };
        reversed.distances()
    }
}

pub fn emit_all<S>(states: &[S], emit: &mut dyn FnMut(&S, ()) -> Flow) {
    for state in states {
        if emit(state, ()).is_break() {
            return;
        }
    }
}

impl TransitionSystem for Graph {
    type State = u32;
    type Step<'s> = ();
    type Fault = String;
    type Scratch = ();

    fn initial<'e>(&'e self, _: &'e mut (), emit: Emit<'e, Self>) -> Result<(), String> {
        emit_all(&self.initial, emit);
        Ok(())
    }

    fn successors<'e>(&'e self, _: &'e mut (), state: &u32, emit: Emit<'e, Self>) -> Result<(), String> {
        emit_all(&self.edges[*state as usize], emit);
        if self.faulty == Some(*state) {
            Err(format!("in {state}"))
        } else {
            Ok(())
        }
    }
}

/// Graphs of up to `most` states, sparse enough for being deep, with loops, parallel edges and leaves.
pub fn graphs(most: u32) -> impl Strategy<Value = Graph> {
    (2..=most).prop_flat_map(|n| {
        let edges = prop::collection::vec(prop::collection::vec(0..n, 0..4), n as usize);
        let initial = prop::collection::vec(0..n, 1..3);
        (edges, initial).prop_map(|(edges, initial)| Graph {
            initial,
            edges,
            faulty: None,
        })
    })
}

/// A place, and a set of points as the bits of a mask: like a zone, it may include another.
pub type Region = (u8, u16);

/// Steps between places, each with the points to which each point goes.
#[derive(Clone, Debug)]
pub struct Regions {
    pub steps: Vec<Vec<(u8, [u16; 6])>>,
}

impl Regions {
    /// The fewest steps from a region to a goal, over the plainest of graphs: that of points.
    pub fn nearest(&self, is_goal: impl Fn(&Region) -> bool) -> impl Fn(&Region) -> Option<u32> {
        let places = self.steps.len();
        let of_place =
            |place| std::array::from_fn::<_, 6, _>(|point| is_goal(&(place as u8, 1 << point)).then_some(0));
        let mut points: Vec<[Option<u32>; 6]> = (0..places).map(of_place).collect();
        for round in 1..=(places * 6) as u32 {
            for place in 0..places {
                for (target, image) in &self.steps[place] {
                    for point in 0..6 {
                        let reaches = |p: usize| {
                            image[point] >> p & 1 == 1 && points[*target as usize][p] == Some(round - 1)
                        };
                        if points[place][point].is_none() && (0..6).any(reaches) {
                            points[place][point] = Some(round);
                        }
                    }
                }
            }
        }
        move |region| {
            let of_region = (0..6).filter(|p| region.1 >> p & 1 == 1);
            of_region.filter_map(|p| points[region.0 as usize][p]).min()
        }
    }
}

impl TransitionSystem for Regions {
    type State = Region;
    type Step<'s> = ();
    type Fault = std::convert::Infallible;
    type Scratch = ();

    fn initial<'e>(&'e self, _: &'e mut (), emit: Emit<'e, Self>) -> Result<(), Self::Fault> {
        emit_all(&[(0, 0b111)], emit);
        Ok(())
    }

    fn successors<'e>(
        &'e self,
        _: &'e mut (),
        state: &Region,
        emit: Emit<'e, Self>,
    ) -> Result<(), Self::Fault> {
        for (place, image) in &self.steps[state.0 as usize] {
            let points = (0..6)
                .filter(|p| state.1 >> p & 1 == 1)
                .fold(0, |set, p| set | image[p]);
            if points != 0 && emit(&(*place, points), ()).is_break() {
                break;
            }
        }
        Ok(())
    }
}

pub fn regions() -> impl Strategy<Value = Regions> {
    (2u8..6).prop_flat_map(|places| {
        // A point goes to one point or nowhere: images of sets then include one another often, and rarely fill up.
        let image = prop::array::uniform6(prop_oneof![Just(0u16), (0u32..6).prop_map(|p| 1 << p)]);
        let steps = prop::collection::vec((0..places, image), 0..5);
        prop::collection::vec(steps, places as usize).prop_map(|steps| Regions { steps })
    })
}

/// A store by inclusion that retires what is covered.
#[derive(Default)]
pub struct InclusionStore {
    nodes: Vec<(Region, u32, bool)>,
}

fn includes(a: &Region, b: &Region) -> bool {
    a.0 == b.0 && a.1 & b.1 == b.1
}

impl Store for InclusionStore {
    type State = Region;

    fn insert(&mut self, state: &Region) -> Stored {
        self.insert_at(state, 0)
    }

    fn covering(&self, state: &Region) -> Option<StateId> {
        self.covering_at(state, 0)
    }

    fn load(&self, id: StateId, into: &mut Region) {
        let (state, _, alive) = self.nodes[id.index()];
        assert!(alive, "only live states may be loaded");
        *into = state;
    }

    fn is_alive(&self, id: StateId) -> bool {
        self.nodes[id.index()].2
    }

    fn stored(&self) -> usize {
        self.nodes.iter().filter(|n| n.2).count()
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<(Region, u32, bool)>()
    }
}

impl DepthStore for InclusionStore {
    fn insert_at(&mut self, state: &Region, depth: u32) -> Stored {
        if let Some(id) = self.covering_at(state, depth) {
            return Stored::Covered(id);
        }
        for (other, its_depth, alive) in &mut self.nodes {
            *alive &= !(includes(state, other) && depth <= *its_depth);
        }
        self.nodes.push((*state, depth, true));
        Stored::New(StateId(self.nodes.len() as u32 - 1))
    }

    fn covering_at(&self, state: &Region, depth: u32) -> Option<StateId> {
        let at = self
            .nodes
            .iter()
            .position(|(s, d, alive)| *alive && *d <= depth && includes(s, state))?;
        Some(StateId(at as u32))
    }

    fn reopened(&self) -> u64 {
        let deeper = |(at, node): (usize, &(Region, u32, bool))| {
            let covers = |(s, d, _): &(Region, u32, bool)| *d > node.1 && includes(s, &node.0);
            self.nodes[..at].iter().any(covers)
        };
        self.nodes.iter().enumerate().filter(|&node| deeper(node)).count() as u64
    }
}

/// Keeps all predecessors, and the states by their numbers.
struct Survey<S> {
    arcs: Predecessors,
    states: Vec<S>,
    ranked: Option<S>,
}

impl<T: TransitionSystem> Guide<T> for Survey<T::State> {
    type Rank = ();

    fn rank(&mut self, met: &GeneratedState<'_, '_, T>) -> Verdict {
        self.ranked = Some(met.state.clone());
        Verdict::Keep(())
    }

    fn on_stored(&mut self, parent: Option<StateId>, at: Stored) {
        self.arcs.add(parent, at);
        if let Stored::New(_) = at {
            self.states.extend(self.ranked.take());
        }
    }

    fn after_expand(&mut self, id: StateId) {
        self.arcs.close(id);
    }

    fn bytes(&self) -> usize {
        self.arcs.bytes()
    }
}

/// Explores a system, and gives the states with their distances to the goals among them. States that were not expanded
/// count as goals.
pub fn survey<T: TransitionSystem<Scratch = ()>>(
    system: &T,
    store: &mut dyn Store<State = T::State>,
    frontier: &mut dyn Frontier,
    limits: &Limits<'_>,
    is_goal: impl Fn(&T::State) -> bool,
) -> (Vec<T::State>, Distances) {
    let mut guide = Survey {
        arcs: Predecessors::new(),
        states: Vec::new(),
        ranked: None,
    };
    guided_search(
        &mut Worker::new(system, &mut ()),
        store,
        frontier,
        &mut guide,
        Goal::none(),
        limits,
    );
    let goals = (0..).map(StateId).zip(&guide.states).filter(|(_, s)| is_goal(s));
    let mut goals: Vec<StateId> = goals.map(|(id, _)| id).collect();
    goals.extend(guide.arcs.unexpanded());
    let distances = guide.arcs.index().distances(goals);
    (guide.states, distances)
}
