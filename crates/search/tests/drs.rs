//! Deep random search: what the printed figure misses, and the two theorems on random graphs.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use proptest::prelude::*;
use support::{Graph, InclusionStore, graphs, regions};
use zonewalk_search::drs::{DrsReport, Fringe, Parameters, deep_random_search};
use zonewalk_search::{
    Breadth, ExactStore, Fault, Goal, Limit, Limits, Outcome, Random, Reopening, Worker, replay, search,
};

/// Fig. 3 to the letter, on a graph with one initial state 0; depths as there, the root having 1.
struct Figure<'a> {
    edges: &'a [Vec<u32>],
    accepting: u32,
    walks: u32,
    cutoff: u32,
    generated: BTreeSet<u32>,
    fringe: BTreeSet<(u32, u32)>,
    done: bool,
    random: Random,
}

/// The depth of the counterexample with which the figure exits.
type Exit = Result<(), u32>;

impl Figure<'_> {
    fn run(graph: &Graph, accepting: u32, walks: u32, cutoff: u32, increment: u32, seed: u64) -> Option<u32> {
        let mut figure = Figure {
            edges: &graph.edges,
            accepting,
            walks,
            cutoff,
            generated: BTreeSet::new(),
            fringe: BTreeSet::new(),
            done: false,
            random: Random::new(seed),
        };
        figure.drs(increment).err()
    }

    fn drs(&mut self, increment: u32) -> Exit {
        let mut co = increment;
        while !self.done && co <= self.cutoff {
            self.done = true;
            self.generated.clear();
            self.fringe.clear();
            self.bounded(co)?;
            co += increment;
        }
        Ok(())
    }

    fn bounded(&mut self, cutoff: u32) -> Exit {
        if self.accepting == 0 {
            return Err(1);
        }
        self.generated.insert(0);
        let mut children = self.nonaccepting_interior_children((0, 1))?;
        let mut i = 1;
        while !children.is_empty() && i <= self.walks {
            let node = self.pick(&children);
            children.remove(&node);
            self.generated.insert(node.0);
            self.fringe.insert(node);
            self.random_walk(node, cutoff)?;
            i += 1;
        }
        while !self.fringe.is_empty() {
            let node = self.pick(&self.fringe.clone());
            self.random_walk(node, cutoff)?;
        }
        Ok(())
    }

    fn random_walk(&mut self, node: (u32, u32), cutoff: u32) -> Exit {
        let mut next = node;
        while next.1 < cutoff {
            let children = self.nonaccepting_interior_children(next)?;
            if children.len() <= 1 {
                self.fringe.remove(&next);
                if children.is_empty() {
                    return Ok(());
                }
            }
            next = self.pick(&children);
            self.generated.insert(next.0);
            self.fringe.insert(next);
        }
        self.fringe.remove(&next);
        self.done = false;
        Ok(())
    }

    fn nonaccepting_interior_children(&self, node: (u32, u32)) -> Result<BTreeSet<(u32, u32)>, u32> {
        let mut children = BTreeSet::new();
        for next in &self.edges[node.0 as usize] {
            if !self.generated.contains(next) {
                if *next == self.accepting {
                    return Err(node.1 + 1);
                }
                if !self.edges[*next as usize].is_empty() {
                    children.insert((*next, node.1 + 1));
                }
            }
        }
        Ok(children)
    }

    fn pick(&mut self, nodes: &BTreeSet<(u32, u32)>) -> (u32, u32) {
        *nodes.iter().nth(self.random.index(nodes.len())).unwrap()
    }
}

fn ours(graph: &Graph, goal: u32, parameters: &Parameters) -> DrsReport<u32, String> {
    let mut test = |s: &u32| *s == goal;
    let store = || Reopening::new(ExactStore::new());
    deep_random_search(
        &mut Worker::new(graph, &mut ()),
        store,
        Goal::state(&mut test),
        parameters,
        &Limits::default(),
    )
}

fn with(walks: u32, cutoff: Option<u32>, increment: u32, fringe: Fringe, seed: u64) -> Parameters {
    Parameters {
        walks,
        cutoff,
        increment: NonZeroU32::new(increment).unwrap(),
        fringe,
        seed,
    }
}

const FRINGES: [Fringe; 2] = [Fringe::Node, Fringe::Children];

#[test]
fn a_child_of_the_root_without_an_initial_walk_is_not_lost() {
    let graph = Graph::new(&[&[1, 2], &[3], &[4], &[3], &[]]);
    let figure: Vec<_> = (0..50)
        .map(|seed| Figure::run(&graph, 4, 1, u32::MAX, 1, seed))
        .collect();
    assert!(figure.contains(&None), "the figure loses state 2: {figure:?}");
    for (seed, fringe) in (0..50).flat_map(|seed| FRINGES.map(|f| (seed, f))) {
        for increment in [1, 2, u32::MAX] {
            assert_eq!(
                ours(&graph, 4, &with(1, None, increment, fringe, seed)).depth(),
                Some(2)
            );
        }
    }
}

#[test]
fn a_state_first_met_deep_does_not_block_a_shorter_path() {
    // State 5 is met after three steps over 1 and 3, or after two over 2.
    let graph = Graph::new(&[&[1, 2], &[3], &[5], &[5], &[], &[6], &[]]);
    let figure: BTreeSet<_> = (0..50)
        .map(|seed| Figure::run(&graph, 6, 2, u32::MAX, 1, seed))
        .collect();
    assert_eq!(
        figure,
        [Some(4), Some(5)].into(),
        "the figure's counterexample is not always shortest"
    );
    for (seed, fringe) in (0..50).flat_map(|seed| FRINGES.map(|f| (seed, f))) {
        assert_eq!(ours(&graph, 6, &with(2, None, 1, fringe, seed)).depth(), Some(3));
        // A finite cutoff that allows the shorter path must find it in a single iteration too.
        assert_eq!(
            ours(&graph, 6, &with(2, Some(3), 3, fringe, seed)).depth(),
            Some(3)
        );
    }
    let figure: Vec<_> = (0..50)
        .map(|seed| Figure::run(&graph, 6, 2, 4, 4, seed))
        .collect();
    assert!(
        figure.contains(&None),
        "the figure is not complete up to its cutoff: {figure:?}"
    );
}

#[test]
fn the_last_iteration_reaches_the_cutoff() {
    let graph = Graph::new(&[&[1], &[2], &[3], &[]]);
    // In the figure's counting the goal has depth 4, which the cutoff allows; it stops at 3, or does not begin.
    assert_eq!(Figure::run(&graph, 3, 1, 4, 3, 0), None);
    assert_eq!(
        Figure::run(&graph, 0, 1, 4, 5, 0),
        None,
        "not even the initial state is explored"
    );
    for increment in [1, 2, 3, 4, 100] {
        let report = ours(&graph, 3, &with(1, Some(3), increment, Fringe::Node, 0));
        assert_eq!((report.depth(), report.bound), (Some(3), 3));
    }
}

#[test]
fn a_search_that_was_cut_off_does_not_claim_absence() {
    let graph = Graph::new(&[&[1], &[2], &[3], &[3]]);
    assert_eq!(Figure::run(&graph, 9, 1, 2, 1, 0), None);
    for cutoff in 0..3 {
        let report = ours(&graph, 9, &with(1, Some(cutoff), 1, Fringe::Node, 0));
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::Depth));
    }
    let report = ours(&graph, 9, &with(1, Some(4), 1, Fringe::Node, 0));
    assert_eq!((report.outcome, report.bound), (Outcome::Exhausted, 4));
}

#[test]
fn a_cut_off_is_forgotten_when_its_state_turns_up_higher() {
    // A clique: walks can be as long as there are states, but nothing is more than one step away.
    let n = 12u32;
    let graph = Graph {
        initial: vec![0],
        edges: vec![(0..n).collect(); n as usize],
        faulty: None,
    };
    for fringe in FRINGES {
        let report = ours(&graph, 99, &with(1, None, 1, fringe, 3));
        assert_eq!((report.outcome, report.bound), (Outcome::Exhausted, 2));
    }
    // Without a bound every state is generated once: Theorem 4.
    let report = ours(&graph, 99, &Parameters::default());
    assert_eq!((report.generated, report.generated_in_all), (12, 12));
}

#[test]
fn leaves_are_not_walked_to_but_may_be_goals() {
    let graph = Graph::new(&[&[1, 2, 3], &[], &[], &[4], &[3]]);
    for (seed, fringe) in (0..20).flat_map(|seed| FRINGES.map(|f| (seed, f))) {
        let report = ours(&graph, 99, &with(5, None, u32::MAX, fringe, seed));
        assert_eq!((report.outcome, report.generated), (Outcome::Exhausted, 3));
        assert_eq!(ours(&graph, 2, &with(5, None, 1, fringe, seed)).depth(), Some(1));
        let store = || Reopening::new(ExactStore::new());
        let parameters = with(1, None, 1, fringe, seed);
        let report = deep_random_search(
            &mut Worker::new(&graph, &mut ()),
            store,
            Goal::deadlock(),
            &parameters,
            &Limits::default(),
        );
        assert_eq!(report.depth(), Some(1));
    }
}

#[test]
fn the_search_goes_on_behind_a_fault_and_ends_at_limits() {
    let mut graph = Graph::new(&[&[1], &[2, 3], &[1], &[3, 4], &[4]]);
    graph.faulty = Some(2);
    let report = ours(&graph, 9, &Parameters::default());
    let fault = Some(Fault {
        fault: "in 2".to_owned(),
        path: vec![0, 0, 0],
    });
    assert_eq!((report.outcome, report.fault), (Outcome::Exhausted, fault));
    let report = ours(&graph, 4, &Parameters::default());
    assert!(matches!(report.outcome, Outcome::Found { state: 4, .. }));
    // A leaf that fails may be none.
    let mut leaf = Graph::new(&[&[1], &[]]);
    leaf.faulty = Some(1);
    let store = || Reopening::new(ExactStore::new());
    let (goal, parameters) = (Goal::deadlock(), Parameters::default());
    let report = deep_random_search(
        &mut Worker::new(&leaf, &mut ()),
        store,
        goal,
        &parameters,
        &Limits::default(),
    );
    assert_eq!(report.outcome, Outcome::Exhausted);
    assert_eq!(report.fault.map(|fault| fault.path), Some(vec![0, 0]));
    let line = Graph {
        initial: vec![0],
        edges: (0..1000).map(|i| vec![(i + 1) % 1000]).collect(),
        faulty: None,
    };
    let run = |limits: Limits<'_>| {
        let store = || Reopening::new(ExactStore::new());
        deep_random_search(
            &mut Worker::new(&line, &mut ()),
            store,
            Goal::none(),
            &Parameters::default(),
            &limits,
        )
    };
    let report = run(Limits {
        explored: Some(10),
        ..Limits::default()
    });
    assert_eq!(
        (report.outcome, report.statistics.states_explored),
        (Outcome::LimitReached(Limit::States), 10)
    );
    let report = run(Limits {
        stored: Some(10),
        ..Limits::default()
    });
    assert_eq!(
        (report.outcome, report.generated),
        (Outcome::LimitReached(Limit::States), 11)
    );
    let report = run(Limits {
        memory: Some(2000),
        ..Limits::default()
    });
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Memory));
    let report = run(Limits {
        stop: Some(&|_| true),
        ..Limits::default()
    });
    assert_eq!(report.outcome, Outcome::LimitReached(Limit::Stopped));
}

fn fringe() -> impl Strategy<Value = Fringe> {
    prop_oneof![Just(Fringe::Node), Just(Fringe::Children)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn theorem_3_complete(
        graph in graphs(14), goal in 0u32..14, walks in 0u32..4, increment in 1u32..6, fringe in fringe(), seed: u64
    ) {
        let distance = graph.distances().get(goal as usize).copied().flatten();
        for increment in [increment, u32::MAX] {
            let report = ours(&graph, goal, &with(walks, None, increment, fringe, seed));
            match (&report.outcome, distance) {
                (Outcome::Exhausted, None) => {}
                (Outcome::Found { path, state }, Some(distance)) => {
                    prop_assert_eq!(*state, goal);
                    prop_assert_eq!(replay(&mut Worker::new(&graph, &mut ()), path).unwrap().last().copied(), Some(goal));
                    let depth = path.len() as u32 - 1;
                    prop_assert!(depth < distance.saturating_add(increment), "optimal up to the increment");
                    // Theorem 5.
                    prop_assert!(increment > 1 || depth == distance);
                }
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }

    #[test]
    fn complete_up_to_the_cutoff(
        graph in graphs(14), goal in 0u32..14, cutoff in 0u32..8, increment in 1u32..9, fringe in fringe(), seed: u64
    ) {
        let distances = graph.distances();
        let report = ours(&graph, goal, &with(1, Some(cutoff), increment, fringe, seed));
        match distances.get(goal as usize).copied().flatten() {
            Some(distance) if distance <= cutoff => prop_assert!(report.depth().is_some()),
            None if distances.iter().flatten().all(|d| *d < cutoff) => {
                prop_assert_eq!(report.outcome, Outcome::Exhausted);
            }
            Some(_) => prop_assert_eq!(report.outcome, Outcome::LimitReached(Limit::Depth)),
            None => prop_assert!(report.depth().is_none()),
        }
    }

    #[test]
    fn nearest_deadlocks(graph in graphs(14), fringe in fringe(), walks in 0u32..3, seed: u64) {
        let distances = graph.distances();
        let nearest = graph.edges.iter().zip(&distances).filter(|(e, _)| e.is_empty()).filter_map(|(_, d)| *d).min();
        let store = || Reopening::new(ExactStore::new());
        let parameters = with(walks, None, 1, fringe, seed);
        let report =
            deep_random_search(&mut Worker::new(&graph, &mut ()), store, Goal::deadlock(), &parameters, &Limits::default());
        prop_assert_eq!(report.depth(), nearest.map(|d| d as usize));
    }

    #[test]
    fn theorems_3_and_5_with_covering_by_inclusion(
        regions in regions(), place in 0u8..6, points in 1u16..64, fringe in fringe(), walks in 0u32..3, seed: u64
    ) {
        let mut test = |s: &(u8, u16)| s.0 == place && s.1 & points != 0;
        let exact = search(
            &mut Worker::new(&regions, &mut ()), &mut ExactStore::new(), &mut Breadth::new(), Goal::state(&mut test),
            &Limits::default(),
        );
        let shortest = match exact.outcome {
            Outcome::Found { path, .. } => Some(path.len() - 1),
            _ => None,
        };
        for increment in [1, 3, u32::MAX] {
            let report = deep_random_search(
                &mut Worker::new(&regions, &mut ()), InclusionStore::default, Goal::state(&mut test),
                &with(walks, None, increment, fringe, seed), &Limits::default(),
            );
            prop_assert_eq!(report.depth().is_some(), shortest.is_some());
            prop_assert!(increment > 1 || report.depth() == shortest);
            if let Outcome::Found { path, state } = &report.outcome {
                prop_assert_eq!(replay(&mut Worker::new(&regions, &mut ()), path).unwrap().last().copied(), Some(*state));
            } else {
                prop_assert_eq!(report.outcome, Outcome::Exhausted);
            }
        }
    }
}
