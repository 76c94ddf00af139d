//! All searches on the same random systems: the same answer, and paths that are paths.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::num::NonZeroUsize;

use proptest::prelude::*;
use support::{Graph, InclusionStore, Regions, graphs, regions};
use zonewalk_search::drs::{Fringe, Parameters, deep_random_search};
use zonewalk_search::highway::{Choice, Highway, highway_search, random_search};
use zonewalk_search::{
    Breadth, ByValue, Depth, ExactStore, Frontier, Goal, Limit, Limits, Outcome, Preference, Queues,
    RandomDepth, Reopening, Report, Store, Ties, TransitionSystem, Worker, guided_search, replay, search,
    search_by_depth,
};

const LIMITS: Limits<'static> = Limits {
    stored: None,
    explored: None,
    memory: None,
    stop: None,
    alarm: None,
    ends_at_fault: false,
};

/// Whether a state is a goal.
type Test<'t, S> = &'t dyn Fn(&S) -> bool;

/// Searches in all orders and returns their reports, that of breadth-first search first. Without a test the goal is a deadlock.
fn in_all_orders<T, S>(
    system: &T,
    store: impl Fn() -> S,
    test: Option<Test<'_, T::State>>,
    (seed, value): (u64, fn(&T::State) -> u64),
) -> Vec<Report<T::State, T::Fault>>
where
    T: TransitionSystem<Scratch = ()>,
    S: Store<State = T::State>,
{
    let frontiers: [Option<Box<dyn Frontier>>; 4] = [
        Some(Box::new(Breadth::new())),
        Some(Box::new(Depth::new())),
        Some(Box::new(RandomDepth::new(seed))),
        None,
    ];
    let report = |frontier: Option<Box<dyn Frontier>>| {
        let (mut scratch, mut store) = ((), store());
        let (system, store) = (&mut Worker::new(system, &mut scratch), &mut store);
        let mut holds = |state: &T::State| test.is_some_and(|test| test(state));
        let goal = match test {
            Some(_) => Goal::state(&mut holds),
            None => Goal::deadlock(),
        };
        match frontier {
            Some(mut frontier) => search(system, store, &mut *frontier, goal, &LIMITS),
            None => {
                let queues = &mut Queues::new(Preference, Ties::Oldest);
                guided_search(system, store, queues, &mut ByValue(value), goal, &LIMITS)
            }
        }
    };
    frontiers.into_iter().map(report).collect()
}

/// The steps of a path that was found, after following it.
fn check(graph: &Graph, goal: u32, outcome: &Outcome<u32>) -> Option<u32> {
    match outcome {
        Outcome::Found { path, state } => {
            assert_eq!(*state, goal);
            assert_eq!(
                replay(&mut Worker::new(graph, &mut ()), path).unwrap().last(),
                Some(&goal)
            );
            Some(path.len() as u32 - 1)
        }
        Outcome::Exhausted => None,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn all_searches_agree(graph in graphs(25), goal in 0u32..25, seed: u64) {
        let distance = graph.distances().get(goal as usize).copied().flatten();
        let mut test = |s: &u32| *s == goal;
        let value = |s: &u32| u64::from(*s) * 7 % 5;
        let reports = in_all_orders(&graph, ExactStore::new, Some(&|s| *s == goal), (seed, value));
        for (index, report) in reports.into_iter().enumerate() {
            let steps = check(&graph, goal, &report.outcome);
            prop_assert_eq!(steps.is_some(), distance.is_some());
            prop_assert!(index > 0 || steps == distance, "breadth-first paths are shortest");
            if steps.is_none() {
                let reachable = graph.distances().iter().flatten().count();
                prop_assert_eq!(report.statistics.states_stored, reachable);
                prop_assert_eq!(report.statistics.states_explored, reachable as u64);
            }
        }
        for fringe in [Fringe::Node, Fringe::Children] {
            let parameters = Parameters { fringe, seed, ..Parameters::default() };
            let store = || Reopening::new(ExactStore::new());
            let report =
                deep_random_search(&mut Worker::new(&graph, &mut ()), store, Goal::state(&mut test), &parameters, &LIMITS);
            prop_assert_eq!(check(&graph, goal, &report.outcome).is_some(), distance.is_some());
        }
        for choice in [Choice::Exact, Choice::Approximate] {
            let wide = Highway { width: NonZeroUsize::new(100).unwrap(), choice, seed };
            let report =
                highway_search(&mut Worker::new(&graph, &mut ()), ExactStore::new, Goal::state(&mut test), &wide, &LIMITS);
            prop_assert_eq!(check(&graph, goal, &report.outcome), distance, "a wide highway is breadth-first");
            let narrow = Highway { width: NonZeroUsize::new(2).unwrap(), ..wide };
            let report =
                highway_search(&mut Worker::new(&graph, &mut ()), ExactStore::new, Goal::state(&mut test), &narrow, &LIMITS);
            match report.outcome {
                Outcome::LimitReached(limit) => prop_assert_eq!(limit, Limit::LeftOut),
                outcome => prop_assert_eq!(check(&graph, goal, &outcome).is_some(), distance.is_some()),
            }
        }
        let limits = Limits { explored: Some(200), ..LIMITS };
        let report = random_search(
            &mut Worker::new(&graph, &mut ()), &mut ExactStore::new(), Goal::state(&mut test), seed, &limits,
        );
        if let Outcome::Found { .. } = report.outcome {
            prop_assert!(check(&graph, goal, &report.outcome) >= distance);
        }
    }

    #[test]
    fn all_searches_agree_on_deadlocks(graph in graphs(25), seed: u64) {
        let distances = graph.distances();
        let nearest = graph.edges.iter().zip(&distances).filter(|(e, _)| e.is_empty()).filter_map(|(_, d)| *d).min();
        let reports = in_all_orders(&graph, ExactStore::new, None, (seed, |s| u64::from(*s)));
        for (index, report) in reports.into_iter().enumerate() {
            let steps = match &report.outcome {
                Outcome::Found { path, state } => {
                    prop_assert!(graph.edges[*state as usize].is_empty());
                    Some(path.len() as u32 - 1)
                }
                _ => None,
            };
            prop_assert_eq!(steps.is_some(), nearest.is_some());
            prop_assert!(index > 0 || steps == nearest);
        }
        let wide = Highway { width: NonZeroUsize::new(100).unwrap(), choice: Choice::Exact, seed };
        let report = highway_search(&mut Worker::new(&graph, &mut ()), ExactStore::new, Goal::deadlock(), &wide, &LIMITS);
        let steps = match report.outcome {
            Outcome::Found { path, .. } => Some(path.len() as u32 - 1),
            _ => None,
        };
        prop_assert_eq!(steps, nearest);
    }

    #[test]
    fn covering_by_inclusion_changes_no_answer(
        regions in regions(), place in 0u8..6, points in 1u16..64, seed: u64
    ) {
        let mut test = |s: &(u8, u16)| s.0 == place && s.1 & points != 0;
        let steps = |regions: &Regions, outcome: Outcome<(u8, u16)>| match outcome {
            Outcome::Found { path, state } => {
                assert_eq!(replay(&mut Worker::new(regions, &mut ()), &path).unwrap().last(), Some(&state));
                Some(path.len() - 1)
            }
            Outcome::Exhausted => None,
            other => panic!("{other:?}"),
        };
        let exact = search(
            &mut Worker::new(&regions, &mut ()), &mut ExactStore::new(), &mut Breadth::new(), Goal::state(&mut test), &LIMITS,
        );
        let shortest = steps(&regions, exact.outcome);
        let is_goal = |s: &(u8, u16)| s.0 == place && s.1 & points != 0;
        for report in in_all_orders(&regions, InclusionStore::default, Some(&is_goal), (seed, |s| u64::from(s.1))) {
            prop_assert_eq!(steps(&regions, report.outcome).is_some(), shortest.is_some());
        }
        let report = search_by_depth(
            &mut Worker::new(&regions, &mut ()), &mut InclusionStore::default(), &mut Breadth::new(), Goal::state(&mut test), &LIMITS,
        );
        prop_assert_eq!(steps(&regions, report.outcome), shortest);
        let wide = Highway { width: NonZeroUsize::new(1000).unwrap(), choice: Choice::Approximate, seed };
        let report = highway_search(
            &mut Worker::new(&regions, &mut ()), InclusionStore::default, Goal::state(&mut test), &wide, &LIMITS,
        );
        prop_assert_eq!(steps(&regions, report.outcome), shortest);
    }
}

/// A waiting state is retired by a larger one met a step later, and the shortest path with it.
#[test]
fn breadth_first_with_inclusion_is_shortest_by_depth_only() {
    let all = [1, 2, 4, 8, 16, 32];
    let regions = Regions {
        steps: vec![
            // Place 0 leads to places 1 and 2; 1 leads at once to a larger set of 2.
            vec![(1, all), (2, [1, 0, 0, 0, 0, 0])],
            vec![(2, all)],
            vec![(3, [1, 0, 0, 0, 0, 0])],
            vec![],
        ],
    };
    let length = |outcome: Outcome<(u8, u16)>| match outcome {
        Outcome::Found { path, .. } => path.len() - 1,
        other => panic!("{other:?}"),
    };
    let mut test = |s: &(u8, u16)| s.0 == 3;
    let mut store = InclusionStore::default();
    let plain = search(
        &mut Worker::new(&regions, &mut ()),
        &mut store,
        &mut Breadth::new(),
        Goal::state(&mut test),
        &LIMITS,
    );
    assert_eq!(length(plain.outcome), 3);
    let mut store = InclusionStore::default();
    let by_depth = search_by_depth(
        &mut Worker::new(&regions, &mut ()),
        &mut store,
        &mut Breadth::new(),
        Goal::state(&mut test),
        &LIMITS,
    );
    assert_eq!(length(by_depth.outcome), 2);
}
