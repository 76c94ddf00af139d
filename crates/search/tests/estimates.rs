//! Directed searches on random systems, with estimates made from the true distances.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::hash::{BuildHasher as _, Hash};

use proptest::prelude::*;
use rustc_hash::FxBuildHasher;
use support::{Graph, InclusionStore, Region, graphs, regions};
use zonewalk_search::{
    ExactStore, GeneratedState, Goal, Guide, Limit, Limits, Outcome, Preference, Queues, Rank, Reopening,
    Report, Ties, TransitionSystem, Verdict, Worker, guided_search, guided_search_by_depth, replay,
};

/// Ingredients of the test estimates: the true distance, and a pseudo-random number.
struct Known<F> {
    distance: F,
    seed: u64,
}

/// Quality of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quality {
    /// The true distance, halved.
    Consistent,
    /// Anything from 0 to the true distance.
    TooSmall,
    /// Anything.
    Wild,
}

/// The order of a directed search.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Greedy,
    /// Depth plus this many times the estimate.
    Weighted(u64),
}

struct Directed<F> {
    known: Known<F>,
    quality: Quality,
    order: Order,
    /// Whether states without a way to the goal are left out, and what is said about it.
    leaves_out: Option<bool>,
    /// Whether other states are left out by chance, too.
    is_careless: bool,
    has_lost: bool,
}

impl<F> Directed<F> {
    fn new(distance: F, seed: u64, quality: Quality, order: Order) -> Self {
        Directed {
            known: Known { distance, seed },
            quality,
            order,
            leaves_out: None,
            is_careless: false,
            has_lost: false,
        }
    }
}

impl<T, F> Guide<T> for Directed<F>
where
    T: TransitionSystem<Scratch = ()>,
    T::State: Hash,
    F: Fn(&T::State) -> Option<u32>,
{
    type Rank = Rank;

    fn rank(&mut self, met: &GeneratedState<'_, '_, T>) -> Verdict<Rank> {
        let draw = FxBuildHasher.hash_one((self.known.seed, met.state)) >> 20;
        let distance = (self.known.distance)(met.state).map(u64::from);
        if let (Some(is_safe), None) = (self.leaves_out, distance) {
            return Verdict::LeaveOut { is_safe };
        }
        if self.is_careless && draw & 3 == 0 {
            self.has_lost = true;
            return Verdict::LeaveOut { is_safe: false };
        }
        let distance = distance.unwrap_or(30);
        let estimate = match self.quality {
            Quality::Consistent => distance / 2,
            Quality::TooSmall => draw % (distance + 1),
            Quality::Wild => draw % 50,
        };
        let priority = match self.order {
            Order::Greedy => estimate,
            Order::Weighted(weight) => u64::from(met.depth) + weight * estimate,
        };
        Verdict::Keep(Rank { queue: 0, priority })
    }
}

fn steps<T>(system: &T, report: &Report<T::State, T::Fault>) -> Option<u32>
where
    T: TransitionSystem<State: PartialEq + std::fmt::Debug, Scratch = ()>,
{
    match &report.outcome {
        Outcome::Found { path, state } => {
            let states = replay(&mut Worker::new(system, &mut ()), path).ok().unwrap();
            assert_eq!(states.last(), Some(state));
            Some(path.len() as u32 - 1)
        }
        Outcome::Exhausted => None,
        Outcome::LimitReached(limit) => panic!("{limit:?}"),
    }
}

fn on_graph<F>(graph: &Graph, goal: u32, guide: &mut Directed<F>) -> Report<u32, String>
where
    F: Fn(&u32) -> Option<u32>,
{
    let mut test = |s: &u32| *s == goal;
    guided_search_by_depth(
        &mut Worker::new(graph, &mut ()),
        &mut Reopening::new(ExactStore::new()),
        &mut Queues::new(Preference, Ties::Newest),
        guide,
        Goal::when_expanded(&mut test),
        &Limits::default(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn paths_are_as_short_as_the_estimate_promises(graph in graphs(25), goal in 0u32..25, seed: u64) {
        let shortest = graph.distances().get(goal as usize).copied().flatten();
        let to_goal = graph.distances_to(goal);
        let distance = |s: &u32| to_goal[*s as usize];
        for quality in [Quality::Consistent, Quality::TooSmall] {
            let guide = &mut Directed::new(distance, seed, quality, Order::Weighted(1));
            prop_assert_eq!(steps(&graph, &on_graph(&graph, goal, guide)), shortest);
            guide.order = Order::Weighted(3);
            let found = steps(&graph, &on_graph(&graph, goal, guide));
            prop_assert!(found >= shortest && found <= shortest.map(|steps| 3 * steps));
            prop_assert_eq!(found.is_some(), shortest.is_some());
        }
    }

    #[test]
    fn shortest_paths_are_found_with_covering_by_inclusion(
        regions in regions(), place in 0u8..6, points in 1u16..64, seed: u64
    ) {
        let is_goal = |s: &Region| s.0 == place && s.1 & points != 0;
        let distance = regions.nearest(is_goal);
        let mut test = is_goal;
        let shortest = distance(&(0, 0b111));
        for (quality, leaves_out) in [(Quality::Consistent, None), (Quality::TooSmall, Some(true))] {
            let mut guide = Directed::new(&distance, seed, quality, Order::Weighted(1));
            guide.leaves_out = leaves_out;
            let report = guided_search_by_depth(
                &mut Worker::new(&regions, &mut ()),
                &mut InclusionStore::default(),
                &mut Queues::new(Preference, Ties::Oldest),
                &mut guide,
                Goal::when_expanded(&mut test),
                &Limits::default(),
            );
            prop_assert_eq!(steps(&regions, &report), shortest);
        }
    }

    #[test]
    fn greedy_search_finds_what_there_is(graph in graphs(25), goal in 0u32..25, seed: u64) {
        let is_reachable = graph.distances().get(goal as usize).copied().flatten().is_some();
        let to_goal = graph.distances_to(goal);
        let mut test = |s: &u32| *s == goal;
        for quality in [Quality::Consistent, Quality::TooSmall, Quality::Wild] {
            let report = guided_search(
                &mut Worker::new(&graph, &mut ()),
                &mut ExactStore::new(),
                &mut Queues::new(Preference, Ties::Oldest),
                &mut Directed::new(|s: &u32| to_goal[*s as usize], seed, quality, Order::Greedy),
                Goal::state(&mut test),
                &Limits::default(),
            );
            prop_assert_eq!(steps(&graph, &report).is_some(), is_reachable);
        }
    }

    #[test]
    fn only_safe_omissions_leave_a_proof(graph in graphs(25), goal in 0u32..25, seed: u64) {
        let is_reachable = graph.distances().get(goal as usize).copied().flatten().is_some();
        let to_goal = graph.distances_to(goal);
        let distance = |s: &u32| to_goal[*s as usize];
        let mut guide = Directed::new(distance, seed, Quality::TooSmall, Order::Weighted(1));
        guide.leaves_out = Some(true);
        let report = on_graph(&graph, goal, &mut guide);
        prop_assert_eq!(steps(&graph, &report).is_some(), is_reachable);
        // Without a goal nothing but the initial states is examined, and those not at length.
        prop_assert!(is_reachable || report.statistics.states_explored == 0);
        guide.is_careless = true;
        let report = on_graph(&graph, goal, &mut guide);
        match report.outcome {
            Outcome::Found { .. } => prop_assert!(is_reachable),
            Outcome::Exhausted => prop_assert!(!guide.has_lost && !is_reachable),
            Outcome::LimitReached(limit) => {
                prop_assert_eq!(limit, Limit::LeftOut);
                prop_assert!(guide.has_lost && report.statistics.left_out > 0);
            }
        }
    }
}
