//! The searches of directed model checking, built from the public interface alone: pattern databases, A* within a bound,
//! bounded switches of context, late estimates with preferred steps.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::cell::Cell;
use std::collections::HashMap;
use std::convert::Infallible;

use proptest::prelude::*;
use support::survey;
use zonewalk_search::{
    Alternation, Breadth, Emit, ExactStore, GeneratedState, Goal, Guide, Limits, Outcome, Preference, Queues,
    Rank, Reopening, Report, StateId, Stored, Ties, TransitionSystem, Turns, Verdict, Worker, guided_search,
    guided_search_by_depth, search,
};

/// One process moves from a location to another.
#[derive(Clone, Copy, Debug)]
struct Part {
    process: usize,
    from: u8,
    to: u8,
}

/// Processes with a location each, and transitions that move one of them or several at once.
#[derive(Clone, Debug)]
struct Net {
    processes: usize,
    transitions: Vec<Vec<Part>>,
    /// The locations of the goal, where it names any.
    goal: Vec<Option<u8>>,
}

impl Net {
    fn is_goal(&self, state: &[u8]) -> bool {
        let mut pairs = self.goal.iter().zip(state);
        pairs.all(|(wanted, at)| wanted.is_none_or(|wanted| wanted == *at))
    }

    /// The net of the first processes alone, an abstraction that ignores the others.
    fn projected(&self, processes: usize) -> Net {
        let kept = |parts: &Vec<Part>| parts.iter().copied().filter(|p| p.process < processes).collect();
        Net {
            processes,
            transitions: self.transitions.iter().map(kept).collect(),
            goal: self.goal[..processes].to_vec(),
        }
    }

    /// The distances in a projection.
    fn pattern(&self, processes: usize) -> HashMap<Vec<u8>, Option<u32>> {
        let net = self.projected(processes);
        let store = &mut ExactStore::new();
        let (states, distances) = survey(&net, store, &mut Breadth::new(), &Limits::default(), |s| {
            net.is_goal(s)
        });
        let values = (0..).map(|id| distances.get(StateId(id)));
        states.into_iter().zip(values).collect()
    }
}

impl TransitionSystem for Net {
    type State = Vec<u8>;
    type Step<'s> = &'s [Part];
    type Fault = Infallible;
    type Scratch = ();

    fn initial<'e>(&'e self, _: &'e mut (), emit: Emit<'e, Self>) -> Result<(), Infallible> {
        let _ = emit(&vec![0; self.processes], &[]);
        Ok(())
    }

    fn successors<'e>(
        &'e self,
        _: &'e mut (),
        state: &Vec<u8>,
        emit: Emit<'e, Self>,
    ) -> Result<(), Infallible> {
        for parts in &self.transitions {
            if parts.iter().all(|part| state[part.process] == part.from) {
                let mut next = state.clone();
                for part in parts {
                    next[part.process] = part.to;
                }
                if emit(&next, parts).is_break() {
                    break;
                }
            }
        }
        Ok(())
    }
}

fn nets() -> impl Strategy<Value = Net> {
    let part = |process| (0u8..4, 0u8..4).prop_map(move |(from, to)| Part { process, from, to });
    let alone = (0usize..3).prop_flat_map(part).prop_map(|part| vec![part]);
    let pair = (0usize..3).prop_flat_map(move |p| (part(p), part((p + 1) % 3)));
    let transition = prop_oneof![alone, pair.prop_map(|(a, b)| vec![a, b])];
    let transitions = prop::collection::vec(transition, 5..25);
    let goal = prop::collection::vec(prop::option::weighted(0.7, 0u8..4), 3);
    (transitions, goal).prop_map(|(transitions, goal)| Net {
        processes: 3,
        transitions,
        goal,
    })
}

fn steps(report: &Report<Vec<u8>, Infallible>) -> Option<u32> {
    match &report.outcome {
        Outcome::Found { path, .. } => Some(path.len() as u32 - 1),
        Outcome::Exhausted => None,
        Outcome::LimitReached(limit) => panic!("{limit:?}"),
    }
}

/// The length of a shortest path, by breadth-first search.
fn shortest(net: &Net) -> Option<u32> {
    let mut test = |s: &Vec<u8>| net.is_goal(s);
    let goal = Goal::state(&mut test);
    let report = search(
        &mut Worker::new(net, &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        goal,
        &Limits::default(),
    );
    steps(&report)
}

/// A* with a pattern database: paths of fewer than so many steps.
struct AStar<'p> {
    pattern: &'p HashMap<Vec<u8>, Option<u32>>,
    processes: usize,
    bound: u32,
}

impl Guide<Net> for AStar<'_> {
    type Rank = Rank;

    fn rank(&mut self, met: &GeneratedState<'_, '_, Net>) -> Verdict<Rank> {
        // Every state that can be reached has a projection that can be reached.
        match self.pattern[&met.state[..self.processes]] {
            Some(estimate) if met.depth + estimate < self.bound => Verdict::Keep(Rank {
                queue: 0,
                priority: u64::from(met.depth + estimate) << 32 | u64::from(estimate),
            }),
            _ => Verdict::LeaveOut { is_safe: true },
        }
    }
}

/// States behind fewer switches of context first. A switch is a transition that moves none of the processes that the one
/// before has moved.
#[derive(Default)]
struct ContextBound {
    /// The processes moved last, as bits, and the switches on the way, by state.
    values: Vec<(u32, u32)>,
    ranked: (u32, u32),
    opened: Vec<u32>,
}

impl Guide<Net> for ContextBound {
    type Rank = Rank;

    fn rank(&mut self, met: &GeneratedState<'_, '_, Net>) -> Verdict<Rank> {
        let moved = met.step.iter().fold(0, |set, part| set | 1 << part.process);
        let (before, switches) = met.parent.map_or((0, 0), |id| self.values[id.index()]);
        let switches = switches + u32::from(before != 0 && before & moved == 0);
        self.ranked = (moved, switches);
        Verdict::Keep(Rank {
            queue: switches,
            priority: u64::from(met.depth),
        })
    }

    fn on_stored(&mut self, _: Option<StateId>, at: Stored) {
        if let Stored::New(_) = at {
            self.values.push(self.ranked);
        }
    }

    fn before_expand(&mut self, id: StateId, _: &Vec<u8>, _: u32) -> Verdict {
        self.opened.push(self.values[id.index()].1);
        Verdict::Keep(())
    }

    fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<(u32, u32)>()
    }
}

/// Estimates are made when a state is expanded, and order its successors; those that bring a process to where the goal
/// wants it wait in a second queue as well, which has more turns after progress.
struct Late<'p> {
    net: &'p Net,
    pattern: &'p HashMap<Vec<u8>, Option<u32>>,
    processes: usize,
    turns: &'p Cell<u32>,
    estimate: u32,
    best: u32,
    evaluations: u64,
}

impl Guide<Net> for Late<'_> {
    type Rank = [Option<u64>; 2];

    fn rank(&mut self, met: &GeneratedState<'_, '_, Net>) -> Verdict<Self::Rank> {
        let mut parts = met.step.iter();
        let is_preferred = parts.any(|part| self.net.goal[part.process] == Some(part.to));
        let priority = u64::from(self.estimate);
        Verdict::Keep([Some(priority), is_preferred.then_some(priority)])
    }

    fn before_expand(&mut self, _: StateId, state: &Vec<u8>, _: u32) -> Verdict {
        self.evaluations += 1;
        let Some(estimate) = self.pattern[&state[..self.processes]] else {
            return Verdict::LeaveOut { is_safe: true };
        };
        self.estimate = estimate;
        if estimate < self.best {
            self.best = estimate;
            self.turns.set(self.turns.get() + 10);
        }
        Verdict::Keep(())
    }
}

/// Alternates, but for the turns that the second queue has won.
struct Boosted<'p> {
    won: &'p Cell<u32>,
    others: Alternation,
}

impl Turns for Boosted<'_> {
    fn next(&mut self, sizes: &[usize]) -> usize {
        if self.won.get() > 0 && sizes.get(1).is_some_and(|size| *size > 0) {
            self.won.set(self.won.get() - 1);
            return 1;
        }
        self.others.next(sizes)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_star_with_a_pattern_database_is_shortest_within_any_bound(net in nets(), processes in 0usize..4) {
        let (shortest, pattern) = (shortest(&net), net.pattern(processes));
        let mut test = |s: &Vec<u8>| net.is_goal(s);
        for bound in [u32::MAX, 4] {
            let report = guided_search_by_depth(
                &mut Worker::new(&net, &mut ()),
                &mut Reopening::new(ExactStore::new()),
                &mut Queues::new(Preference, Ties::Newest),
                &mut AStar { pattern: &pattern, processes, bound },
                Goal::when_expanded(&mut test),
                &Limits::default(),
            );
            prop_assert_eq!(steps(&report), shortest.filter(|steps| *steps < bound));
            if let (3, Some(steps)) = (processes, steps(&report)) {
                // With everything in the pattern nothing beside a shortest path is expanded.
                prop_assert_eq!(report.statistics.states_explored, u64::from(steps));
            }
        }
    }

    #[test]
    fn contexts_are_bounded_one_switch_after_the_other(net in nets()) {
        let mut test = |s: &Vec<u8>| net.is_goal(s);
        let mut guide = ContextBound::default();
        let report = guided_search(
            &mut Worker::new(&net, &mut ()),
            &mut ExactStore::new(),
            &mut Queues::new(Preference, Ties::Oldest),
            &mut guide,
            Goal::state(&mut test),
            &Limits::default(),
        );
        prop_assert_eq!(steps(&report).is_some(), shortest(&net).is_some());
        prop_assert!(guide.opened.is_sorted());
    }

    #[test]
    fn late_estimates_with_preferred_steps_find_what_there_is(net in nets(), processes in 1usize..4) {
        let pattern = net.pattern(processes);
        let mut test = |s: &Vec<u8>| net.is_goal(s);
        let turns = Cell::new(0);
        let mut guide =
            Late { net: &net, pattern: &pattern, processes, turns: &turns, estimate: 0, best: 99, evaluations: 0 };
        let report = guided_search(
            &mut Worker::new(&net, &mut ()),
            &mut ExactStore::new(),
            &mut Queues::new(Boosted { won: &turns, others: Alternation::default() }, Ties::Oldest),
            &mut guide,
            Goal::state(&mut test),
            &Limits::default(),
        );
        prop_assert_eq!(steps(&report).is_some(), shortest(&net).is_some());
        let s = report.statistics;
        prop_assert_eq!(guide.evaluations, s.states_explored + s.left_out);
    }
}
