//! The engine on explicit graphs: orders, paths, limits, faults.

use zonewalk_search::{
    Breadth, Depth, Emit, ExactStore, Fault, Frontier, Goal, Limit, Limits, Outcome, RandomDepth, Report,
    TransitionSystem, Worker, replay, search,
};

use crate::support;

use support::{Graph, emit_all};

fn visit(graph: &Graph, frontier: &mut dyn Frontier, goal: u32) -> Report<u32, String> {
    let mut test = |s: &u32| *s == goal;
    search(
        &mut Worker::new(graph, &mut ()),
        &mut ExactStore::new(),
        frontier,
        Goal::state(&mut test),
        &Limits::default(),
    )
}

/// The order in which states are expanded.
fn order(graph: &Graph, frontier: &mut dyn Frontier) -> Vec<u32> {
    let mut order = Vec::new();
    let mut test = |s: &u32| {
        order.push(*s);
        false
    };
    let goal = Goal::when_expanded(&mut test);
    let report = search(
        &mut Worker::new(graph, &mut ()),
        &mut ExactStore::new(),
        frontier,
        goal,
        &Limits::default(),
    );
    assert_eq!(report.outcome, Outcome::Exhausted);
    order
}

fn tree() -> Graph {
    Graph::new(&[&[1, 2], &[3, 4], &[5, 6], &[], &[0], &[], &[6]])
}

#[test]
fn orders_are_what_their_names_say() {
    assert_eq!(order(&tree(), &mut Breadth::new()), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(order(&tree(), &mut Depth::new()), [0, 1, 3, 4, 2, 5, 6]);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..200 {
        seen.insert(order(&tree(), &mut RandomDepth::new(seed)));
    }
    assert_eq!(seen.len(), 8, "each of the three branchings either way: {seen:?}");
    assert!(seen.contains(&vec![0, 2, 5, 6, 1, 4, 3]));
}

#[test]
fn statistics_count_what_was_done() {
    for frontier in [
        &mut Breadth::new() as &mut dyn Frontier,
        &mut Depth::new(),
        &mut RandomDepth::new(1),
    ] {
        let report = visit(&tree(), frontier, 99);
        assert_eq!(report.outcome, Outcome::Exhausted);
        let s = report.statistics;
        assert_eq!(
            (s.states_explored, s.states_stored, s.transitions, s.max_depth),
            (7, 7, 8, 2)
        );
        assert!(s.waiting == 0 && s.peak_bytes >= s.bytes && s.bytes > 0);
    }
}

#[test]
fn breadth_first_paths_are_shortest_and_lead_to_the_goal() {
    let graph = Graph::new(&[&[1, 1, 2], &[3], &[4, 5], &[4], &[5], &[]]);
    let Outcome::Found { path, state } = visit(&graph, &mut Breadth::new(), 5).outcome else {
        panic!()
    };
    assert_eq!((path.as_slice(), state), ([0, 2, 1].as_slice(), 5));
    assert_eq!(
        replay(&mut Worker::new(&graph, &mut ()), &path),
        Ok(vec![0, 2, 5])
    );
    let Outcome::Found { path, .. } = visit(&graph, &mut Depth::new(), 5).outcome else {
        panic!()
    };
    assert_eq!(
        replay(&mut Worker::new(&graph, &mut ()), &path),
        Ok(vec![0, 1, 3, 4, 5])
    );
}

#[test]
fn the_first_ordinal_names_the_initial_state() {
    let mut graph = tree();
    graph.initial = vec![3, 6, 1];
    let report = visit(&graph, &mut Breadth::new(), 4);
    assert_eq!(
        report.outcome,
        Outcome::Found {
            path: vec![2, 1],
            state: 4
        }
    );
    let report = visit(&graph, &mut Breadth::new(), 6);
    assert_eq!(
        report.outcome,
        Outcome::Found {
            path: vec![1],
            state: 6
        }
    );
}

#[test]
fn deadlocks_are_states_without_successors() {
    let report = search(
        &mut Worker::new(&tree(), &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        Goal::deadlock(),
        &Limits::default(),
    );
    assert_eq!(
        report.outcome,
        Outcome::Found {
            path: vec![0, 0, 0],
            state: 3
        }
    );
}

#[test]
fn a_search_goes_on_behind_a_fault_and_keeps_the_path_to_it() {
    let mut graph = tree();
    graph.faulty = Some(2);
    let fault = Some(Fault {
        fault: "in 2".to_owned(),
        path: vec![0, 1],
    });
    let report = visit(&graph, &mut Breadth::new(), 99);
    assert_eq!(
        (report.outcome, report.fault),
        (Outcome::Exhausted, fault.clone())
    );
    assert_eq!(report.statistics.states_explored, 7);
    for goal in [5, 6] {
        let report = visit(&graph, &mut Breadth::new(), goal);
        assert!(matches!(report.outcome, Outcome::Found { state, .. } if state == goal));
    }
    let limits = Limits {
        ends_at_fault: true,
        ..Limits::default()
    };
    let report = search(
        &mut Worker::new(&graph, &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        Goal::none(),
        &limits,
    );
    assert_eq!(
        (report.outcome, report.fault),
        (Outcome::LimitReached(Limit::Fault), fault)
    );
}

#[test]
fn a_state_that_fails_is_no_deadlock() {
    let mut graph = Graph::new(&[&[1, 2], &[], &[]]);
    graph.faulty = Some(1);
    let report = search(
        &mut Worker::new(&graph, &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        Goal::deadlock(),
        &Limits::default(),
    );
    assert!(matches!(report.outcome, Outcome::Found { state: 2, .. }));
    assert_eq!(report.fault.map(|fault| fault.path), Some(vec![0, 0]));
}

/// 0 → 1 → 2 → …, with a way back to 0 from everywhere.
struct Line(u32);

impl TransitionSystem for Line {
    type State = u32;
    type Step<'s> = ();
    type Fault = std::convert::Infallible;
    type Scratch = ();

    fn initial<'e>(&'e self, _: &'e mut (), emit: Emit<'e, Self>) -> Result<(), Self::Fault> {
        emit_all(&[0], emit);
        Ok(())
    }

    fn successors<'e>(&'e self, _: &'e mut (), state: &u32, emit: Emit<'e, Self>) -> Result<(), Self::Fault> {
        emit_all(&[0, (state + 1).min(self.0)], emit);
        Ok(())
    }
}

#[test]
fn a_million_deep_is_not_too_deep() {
    let mut test = |s: &u32| *s == 1_000_000;
    let report = search(
        &mut Worker::new(&Line(1_000_000), &mut ()),
        &mut ExactStore::new(),
        &mut Depth::new(),
        Goal::state(&mut test),
        &Limits::default(),
    );
    let Outcome::Found { path, .. } = report.outcome else {
        panic!()
    };
    assert_eq!(path.len(), 1_000_001);
}

#[test]
fn limits_are_obeyed() {
    let run = |limits: &Limits<'_>| {
        let report = search(
            &mut Worker::new(&Line(10_000_000), &mut ()),
            &mut ExactStore::new(),
            &mut RandomDepth::new(0),
            Goal::none(),
            limits,
        );
        (report.outcome, report.statistics)
    };
    let (outcome, s) = run(&Limits {
        stored: Some(1000),
        ..Limits::default()
    });
    assert_eq!(
        (outcome, s.states_stored),
        (Outcome::LimitReached(Limit::States), 1001)
    );
    let (outcome, s) = run(&Limits {
        explored: Some(1000),
        ..Limits::default()
    });
    assert_eq!(
        (outcome, s.states_explored),
        (Outcome::LimitReached(Limit::States), 1000)
    );
    let (outcome, s) = run(&Limits {
        memory: Some(1 << 20),
        ..Limits::default()
    });
    assert_eq!(outcome, Outcome::LimitReached(Limit::Memory));
    assert!(s.peak_bytes > 1 << 20 && s.peak_bytes < 2 << 20, "{s:?}");
    let stop = |p: &zonewalk_search::Progress| p.states_explored > 5000;
    let (outcome, s) = run(&Limits {
        stop: Some(&stop),
        ..Limits::default()
    });
    assert_eq!(outcome, Outcome::LimitReached(Limit::Stopped));
    assert!(s.states_explored > 5000 && s.states_explored < 10_000);
}
