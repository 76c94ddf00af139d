//! Random and highway search: the distributions that the paper states, ends and limits.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use support::Graph;
use zonewalk_search::highway::{Choice, Highway, highway_search, random_search};
use zonewalk_search::{ExactStore, Fault, Goal, Limit, Limits, Outcome, Report, Worker, replay};

fn highway(
    graph: &Graph,
    goal: Goal<'_, u32>,
    width: usize,
    choice: Choice,
    seed: u64,
) -> Report<u32, String> {
    let highway = Highway {
        width: NonZeroUsize::new(width).unwrap(),
        choice,
        seed,
    };
    highway_search(
        &mut Worker::new(graph, &mut ()),
        ExactStore::new,
        goal,
        &highway,
        &Limits::default(),
    )
}

/// Number of times each state was in a lane, told by a goal behind each.
fn taken(
    graph: &Graph,
    states: std::ops::Range<u32>,
    width: usize,
    choice: Choice,
    runs: u64,
) -> BTreeMap<u32, f64> {
    let mut counts = BTreeMap::new();
    for seed in 0..runs {
        for state in states.clone() {
            let mut behind = |s: &u32| *s == state + 100;
            let report = highway(graph, Goal::state(&mut behind), width, choice, seed);
            *counts.entry(state).or_insert(0.0) +=
                f64::from(u8::from(matches!(report.outcome, Outcome::Found { .. }))) / runs as f64;
        }
    }
    counts
}

/// Two lanes, 1 and 2; both lead to 10, and each to two states of its own: 11 and 12, 13 and 14. State `s` leads to `s + 100`.
fn funnel() -> Graph {
    let mut edges = vec![Vec::new(); 115];
    edges[0] = vec![1, 2];
    edges[1] = vec![11, 12, 10];
    edges[2] = vec![10, 13, 14];
    for (s, list) in (10..15).zip(&mut edges[10..15]) {
        *list = vec![s + 100];
    }
    Graph {
        initial: vec![0],
        edges,
        faulty: None,
    }
}

#[test]
fn the_exact_choice_is_uniform() {
    let taken = taken(&funnel(), 10..15, 2, Choice::Exact, 4000);
    // Definition 5: two of five candidates.
    assert!(
        taken.values().all(|share| (share - 0.4).abs() < 0.03),
        "{taken:?}"
    );
}

#[test]
fn the_approximate_choice_prefers_funnels() {
    let taken = taken(&funnel(), 10..15, 2, Choice::Approximate, 4000);
    // In the order 11, 12, 10, 10, 13, 14 (the lanes may be the other way round in no run: both are taken). State 10 is
    // in with 2/3 when the third was considered; if it was not, it is considered again and gets in with 2/4. Then two
    // more candidates come: with 10 counted once they are the 4th and 5th, otherwise the 5th and 6th.
    let stays = |c: f64| 1.0 - 1.0 / c;
    let expected = 2.0 / 3.0 * stays(4.0) * stays(5.0) + 1.0 / 3.0 * 0.5 * stays(5.0) * stays(6.0);
    assert!(
        (taken[&10] - expected).abs() < 0.03,
        "{taken:?}, expected {expected}"
    );
    assert!(taken[&10] > taken[&11] + 0.1, "{taken:?}");
}

#[test]
fn lanes_never_return_and_end_by_chance() {
    // The back-loops of the paper's section 5.1.2: a line with a way back to the root from each state.
    let n = 12u32;
    let edges = (0..=n)
        .map(|s| if s < n { vec![0, s + 1] } else { vec![] })
        .collect();
    let graph = Graph {
        initial: vec![0],
        edges,
        faulty: None,
    };
    let report = highway(&graph, Goal::deadlock(), 1, Choice::Approximate, 0);
    assert!(matches!(report.outcome, Outcome::Found { path, .. } if path.len() == n as usize + 1));
    // A fork into two lines with one lane: the goal is missed in half of the runs, which is no proof of absence.
    let graph = Graph::new(&[&[1, 2], &[3], &[4], &[3], &[4]]);
    let mut missed = 0;
    for seed in 0..400 {
        let mut test = |s: &u32| *s == 4;
        match highway(&graph, Goal::state(&mut test), 1, Choice::Exact, seed).outcome {
            Outcome::Found { .. } => {}
            Outcome::LimitReached(Limit::LeftOut) => missed += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!((150..250).contains(&missed), "{missed}");
    let mut test = |s: &u32| *s == 9;
    let report = highway(&graph, Goal::state(&mut test), 2, Choice::Approximate, 0);
    assert_eq!(
        (report.outcome, report.statistics.states_stored),
        (Outcome::Exhausted, 5)
    );
}

#[test]
fn deadlocks_are_seen_beside_the_lanes() {
    let graph = Graph::new(&[&[1, 2], &[1, 3], &[], &[3]]);
    for seed in 0..20 {
        let report = highway(&graph, Goal::deadlock(), 1, Choice::Approximate, seed);
        assert_eq!(
            report.outcome,
            Outcome::Found {
                path: vec![0, 1],
                state: 2
            }
        );
        let report = random_search(
            &mut Worker::new(&graph, &mut ()),
            &mut ExactStore::new(),
            Goal::deadlock(),
            seed,
            &Limits::default(),
        );
        assert_eq!(
            report.outcome,
            Outcome::Found {
                path: vec![0, 1],
                state: 2
            }
        );
    }
}

#[test]
fn a_random_walk_revisits_and_its_trace_is_short() {
    // A ring of 6 with both directions, and the goal behind state 3.
    let mut edges: Vec<Vec<u32>> = (0..6).map(|s| vec![(s + 1) % 6, (s + 5) % 6]).collect();
    edges[3].push(6);
    edges.push(vec![]);
    let graph = Graph {
        initial: vec![0],
        edges,
        faulty: None,
    };
    let (mut steps, mut longest) = (0, 0);
    for seed in 0..200 {
        let mut test = |s: &u32| *s == 6;
        let report = random_search(
            &mut Worker::new(&graph, &mut ()),
            &mut ExactStore::new(),
            Goal::state(&mut test),
            seed,
            &Limits::default(),
        );
        let Outcome::Found { path, .. } = report.outcome else {
            panic!()
        };
        assert_eq!(
            replay(&mut Worker::new(&graph, &mut ()), &path).unwrap().last(),
            Some(&6)
        );
        assert!(path.len() >= 5);
        longest = longest.max(path.len());
        steps += report.statistics.states_explored;
    }
    assert!(longest <= 7, "the ring is met from either side: {longest}");
    // The mean time to the opposite side of a ring of 2n is n²: 9 steps, and the state there is explored as well.
    assert!((1800..2200).contains(&steps), "{steps}");
}

#[test]
fn both_go_on_behind_a_fault_and_end_at_limits() {
    let mut graph = Graph::new(&[&[1, 1], &[2], &[3], &[4], &[]]);
    graph.faulty = Some(2);
    let fault = Some(Fault {
        fault: "in 2".to_owned(),
        path: vec![0, 0, 0],
    });
    let mut test = |s: &u32| *s == 4;
    let report = highway(&graph, Goal::state(&mut test), 3, Choice::Exact, 1);
    assert!(matches!(report.outcome, Outcome::Found { state: 4, .. }));
    assert_eq!(report.fault, fault);
    graph.edges[4].push(1);
    let report = highway(&graph, Goal::none(), 3, Choice::Exact, 1);
    assert_eq!(
        (report.outcome, report.fault),
        (Outcome::Exhausted, fault.clone())
    );
    // Whether a state that fails is a deadlock is not known.
    let mut leaves = Graph::new(&[&[1], &[]]);
    leaves.faulty = Some(1);
    let report = highway(&leaves, Goal::deadlock(), 3, Choice::Exact, 1);
    assert_eq!(report.outcome, Outcome::Exhausted);
    assert_eq!(report.fault.map(|fault| fault.path), Some(vec![0, 0]));
    let walk = |graph: &Graph, limits: &Limits<'_>| {
        random_search(
            &mut Worker::new(graph, &mut ()),
            &mut ExactStore::new(),
            Goal::none(),
            1,
            limits,
        )
    };
    let report = walk(
        &graph,
        &Limits {
            explored: Some(100),
            ..Limits::default()
        },
    );
    assert_eq!(report.fault, fault);
    assert_eq!(
        (report.outcome, report.statistics.states_explored),
        (Outcome::LimitReached(Limit::States), 100)
    );
    let mut line = Graph {
        initial: vec![0],
        edges: (0..500).map(|s| vec![s + 1]).collect(),
        faulty: None,
    };
    line.edges.push(vec![]);
    let parameters = Highway {
        width: NonZeroUsize::MIN,
        choice: Choice::Approximate,
        seed: 0,
    };
    for (limits, limit) in [
        (
            Limits {
                stored: Some(100),
                ..Limits::default()
            },
            Limit::States,
        ),
        (
            Limits {
                memory: Some(1500),
                ..Limits::default()
            },
            Limit::Memory,
        ),
        (
            Limits {
                stop: Some(&|_| true),
                ..Limits::default()
            },
            Limit::Stopped,
        ),
    ] {
        let report = highway_search(
            &mut Worker::new(&line, &mut ()),
            ExactStore::new,
            Goal::none(),
            &parameters,
            &limits,
        );
        assert_eq!(report.outcome, Outcome::LimitReached(limit));
    }
    assert_eq!(
        walk(&line, &Limits::default()).outcome,
        Outcome::LimitReached(Limit::LeftOut)
    );
}
