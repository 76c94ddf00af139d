//! Backward distances beside plain ones.
#![allow(clippy::unwrap_used)]

use crate::support;

use proptest::prelude::*;
use support::{Graph, InclusionStore, Region, graphs, regions, survey};
use zonewalk_search::{
    Breadth, Depth, ExactStore, Frontier, Goal, Limit, Limits, Outcome, Predecessors, StateId, Store, Stored,
    Worker, guided_search,
};

/// All distances by Floyd and Warshall.
fn all_distances(graph: &Graph) -> Vec<Vec<Option<u32>>> {
    let n = graph.edges.len();
    let mut distances = vec![vec![None; n]; n];
    for (from, list) in graph.edges.iter().enumerate() {
        for to in list {
            distances[from][*to as usize] = Some(1);
        }
        distances[from][from] = Some(0);
    }
    for over in 0..n {
        for from in 0..n {
            for to in 0..n {
                if let (Some(a), Some(b)) = (distances[from][over], distances[over][to]) {
                    let known = distances[from][to].unwrap_or(u32::MAX);
                    distances[from][to] = Some(known.min(a + b));
                }
            }
        }
    }
    distances
}

/// By inclusion; nothing is ever retired.
#[derive(Default)]
struct Keeping(Vec<Region>);

impl Store for Keeping {
    type State = Region;

    fn insert(&mut self, state: &Region) -> Stored {
        if let Some(id) = self.covering(state) {
            return Stored::Covered(id);
        }
        self.0.push(*state);
        Stored::New(StateId(self.0.len() as u32 - 1))
    }

    fn covering(&self, state: &Region) -> Option<StateId> {
        let covers = |s: &Region| s.0 == state.0 && s.1 & state.1 == state.1;
        self.0.iter().position(covers).map(|at| StateId(at as u32))
    }

    fn load(&self, id: StateId, into: &mut Region) {
        *into = self.0[id.index()];
    }

    fn is_alive(&self, _: StateId) -> bool {
        true
    }

    fn stored(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        0
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn distances_are_exact_by_equality(graph in graphs(25), goals in prop::collection::btree_set(0u32..25, 0..4)) {
        let plain = all_distances(&graph);
        for frontier in [&mut Breadth::new() as &mut dyn Frontier, &mut Depth::new()] {
            let store = &mut ExactStore::new();
            let (states, distances) = survey(&graph, store, frontier, &Limits::default(), |s| goals.contains(s));
            prop_assert_eq!(states.len(), graph.distances().iter().flatten().count());
            for (id, state) in (0..).map(StateId).zip(&states) {
                let to = |goal: &u32| plain[*state as usize].get(*goal as usize).copied().flatten();
                prop_assert_eq!(distances.get(id), goals.iter().filter_map(to).min());
            }
        }
    }

    #[test]
    fn distances_are_lower_bounds_by_inclusion_and_of_parts(
        regions in regions(), place in 0u8..6, points in 1u16..64, most in 1u64..20
    ) {
        let is_goal = |s: &Region| s.0 == place && s.1 & points != 0;
        let nearest = regions.nearest(is_goal);
        let part = Limits { explored: Some(most), ..Limits::default() };
        for limits in [Limits::default(), part] {
            for retires in [false, true] {
                let (mut retiring, mut keeping) = (InclusionStore::default(), Keeping::default());
                let store: &mut dyn Store<State = Region> = if retires { &mut retiring } else { &mut keeping };
                let (states, distances) = survey(&regions, store, &mut Breadth::new(), &limits, is_goal);
                for (id, state) in (0..).map(StateId).zip(&states) {
                    let (bound, exact) = (distances.get(id), nearest(state));
                    prop_assert!(exact.is_none_or(|exact| bound.is_some_and(|bound| bound <= exact)));
                }
            }
        }
    }
}

#[test]
fn predecessors_come_with_every_step_in_order() {
    let mut arcs = Predecessors::new();
    let report = guided_search(
        &mut Worker::new(&Graph::new(&[&[1, 2, 2], &[2], &[0], &[]]), &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        &mut arcs,
        Goal::none(),
        &Limits::default(),
    );
    assert_eq!(report.outcome, Outcome::Exhausted);
    assert_eq!(arcs.unexpanded().count(), 0);
    let index = arcs.index();
    let of = |id| index.of(StateId(id)).map(|id| id.0).collect::<Vec<_>>();
    assert_eq!([of(0), of(1), of(2)], [vec![2], vec![0], vec![0, 0, 1]]);
    let distances = index.distances([StateId(1)]);
    assert_eq!(
        [0, 1, 2].map(|id| distances.get(StateId(id))),
        [Some(1), Some(0), Some(2)]
    );
}

#[test]
fn predecessors_count_against_the_limit() {
    // Few states and many steps.
    let edges: Vec<u32> = (0..1000).collect();
    let edges = vec![edges.as_slice(); 1000];
    let most = 1 << 22;
    let limits = Limits {
        memory: Some(most),
        ..Limits::default()
    };
    let mut arcs = Predecessors::new();
    let report = guided_search(
        &mut Worker::new(&Graph::new(&edges), &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        &mut arcs,
        Goal::none(),
        &limits,
    );
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Memory));
    assert!(arcs.bytes() < 2 * most, "{}", arcs.bytes());
    assert!(arcs.unexpanded().count() > 0);
}
