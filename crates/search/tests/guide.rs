//! Calls that a guide receives, and the effects of its answers.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::Graph;
use zonewalk_search::aut::{Aut, AutSystem};
use zonewalk_search::{
    Breadth, ByValue, ExactStore, GeneratedState, Goal, Guide, Limit, Limits, Outcome, Preference, Queues,
    Rank, Reopening, Report, StateId, Stored, Ties, Verdict, Worker, guided_search, guided_search_by_depth,
};

/// Writes down all that it is told, and answers by a function.
struct Notes<A> {
    notes: Vec<String>,
    answer: A,
}

impl<A: Fn(u32) -> Verdict> Guide<Graph> for Notes<A> {
    type Rank = ();

    fn rank(&mut self, met: &GeneratedState<'_, '_, Graph>) -> Verdict {
        let parent = met.parent.map(|id| id.0);
        self.notes.push(format!(
            "rank {} by step {} of {parent:?} at depth {}",
            met.state, met.ordinal, met.depth
        ));
        (self.answer)(*met.state)
    }

    fn on_stored(&mut self, parent: Option<StateId>, at: Stored) {
        self.notes
            .push(format!("from {:?} to {at:?}", parent.map(|id| id.0)));
    }

    fn before_expand(&mut self, id: StateId, state: &u32, depth: u32) -> Verdict {
        self.notes
            .push(format!("open {} = {state} at depth {depth}", id.0));
        Verdict::Keep(())
    }

    fn after_expand(&mut self, id: StateId) {
        self.notes.push(format!("close {}", id.0));
    }
}

fn visit<A: Fn(u32) -> Verdict>(graph: &Graph, goal: u32, answer: A) -> (Report<u32, String>, Vec<String>) {
    let mut guide = Notes {
        notes: Vec::new(),
        answer,
    };
    let mut test = |s: &u32| *s == goal;
    let report = guided_search(
        &mut Worker::new(graph, &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        &mut guide,
        Goal::state(&mut test),
        &Limits::default(),
    );
    (report, guide.notes)
}

#[test]
fn a_guide_sees_new_states_before_they_are_stored_and_all_steps_between_stored_ones() {
    let mut graph = Graph::new(&[&[], &[5, 2, 5], &[], &[], &[], &[1]]);
    graph.initial = vec![1];
    let unsafe_two = |s| match s {
        2 => Verdict::LeaveOut { is_safe: false },
        _ => Verdict::Keep(()),
    };
    let (_, notes) = visit(&graph, 99, unsafe_two);
    assert_eq!(
        notes,
        [
            "rank 1 by step 0 of None at depth 0",
            "from None to New(StateId(0))",
            "open 0 = 1 at depth 0",
            "rank 5 by step 0 of Some(0) at depth 1",
            "from Some(0) to New(StateId(1))",
            "rank 2 by step 1 of Some(0) at depth 1",
            "from Some(0) to Covered(StateId(1))",
            "close 0",
            "open 1 = 5 at depth 1",
            "from Some(1) to Covered(StateId(0))",
            "close 1",
        ]
    );
}

#[test]
fn leaving_out_is_a_proof_only_where_it_is_safe() {
    // 3 lies behind 2, and 1 leads nowhere.
    let outcome = |left_out: u32, is_safe, goal| {
        let graph = Graph::new(&[&[1, 2, 1], &[], &[3], &[]]);
        let (report, _) = visit(&graph, goal, |s| {
            if s == left_out {
                Verdict::LeaveOut { is_safe }
            } else {
                Verdict::Keep(())
            }
        });
        let s = report.statistics;
        (report.outcome, s.left_out, s.states_stored)
    };
    assert_eq!(outcome(1, true, 9), (Outcome::Exhausted, 2, 3));
    assert_eq!(
        outcome(1, false, 9),
        (Outcome::LimitReached(Limit::LeftOut), 2, 3)
    );
    assert_eq!(
        outcome(2, false, 3),
        (Outcome::LimitReached(Limit::LeftOut), 1, 2)
    );
    // What is found is found, whatever was left out; and goals are seen before the guide is asked.
    assert!(matches!(outcome(1, false, 3).0, Outcome::Found { path, .. } if path == [0, 1, 0]));
    assert!(matches!(outcome(3, false, 3).0, Outcome::Found { path, .. } if path == [0, 1, 0]));
    // Without an initial state that is wanted nothing is known either.
    assert_eq!(
        outcome(0, false, 3),
        (Outcome::LimitReached(Limit::LeftOut), 1, 0)
    );
}

/// Estimates that are made when a state is expanded.
struct Late {
    dead: u32,
    is_safe: bool,
}

impl Guide<Graph> for Late {
    type Rank = ();

    fn rank(&mut self, _: &GeneratedState<'_, '_, Graph>) -> Verdict {
        Verdict::Keep(())
    }

    fn before_expand(&mut self, _: StateId, state: &u32, _: u32) -> Verdict {
        if *state == self.dead {
            Verdict::LeaveOut {
                is_safe: self.is_safe,
            }
        } else {
            Verdict::Keep(())
        }
    }
}

#[test]
fn a_state_can_be_left_out_when_its_turn_comes() {
    for (is_safe, expected) in [
        (true, Outcome::Exhausted),
        (false, Outcome::LimitReached(Limit::LeftOut)),
    ] {
        let report = guided_search(
            &mut Worker::new(&Graph::new(&[&[1, 2], &[3], &[], &[]]), &mut ()),
            &mut ExactStore::new(),
            &mut Breadth::new(),
            &mut Late { dead: 1, is_safe },
            Goal::none(),
            &Limits::default(),
        );
        let s = report.statistics;
        assert_eq!((report.outcome, s.states_explored, s.left_out), (expected, 2, 1));
    }
}

#[test]
fn a_guides_memory_counts() {
    struct Heavy(usize);
    impl Guide<Graph> for Heavy {
        type Rank = ();

        fn rank(&mut self, _: &GeneratedState<'_, '_, Graph>) -> Verdict {
            self.0 += 1 << 20;
            Verdict::Keep(())
        }

        fn bytes(&self) -> usize {
            self.0
        }
    }
    let edges: Vec<Vec<u32>> = (0..100).map(|s| vec![(s + 1) % 100]).collect();
    let edges: Vec<&[u32]> = edges.iter().map(Vec::as_slice).collect();
    let limits = Limits {
        memory: Some(10 << 20),
        ..Limits::default()
    };
    let report = guided_search(
        &mut Worker::new(&Graph::new(&edges), &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        &mut Heavy(0),
        Goal::none(),
        &limits,
    );
    assert_eq!(
        (report.outcome, report.statistics.states_stored),
        (Outcome::LimitReached(Limit::Memory), 10)
    );
}

/// Prefers steps with a label.
struct Preferred<'a> {
    aut: &'a Aut,
    label: &'a str,
}

impl<'a> Guide<AutSystem<'a>> for Preferred<'a> {
    type Rank = Rank;

    fn rank(&mut self, met: &GeneratedState<'_, '_, AutSystem<'a>>) -> Verdict<Rank> {
        let is_preferred = met.step.is_some_and(|label| self.aut.label(label) == self.label);
        Verdict::Keep(Rank {
            queue: u32::from(!is_preferred),
            priority: 0,
        })
    }
}

#[test]
fn a_guide_sees_what_the_model_says_about_a_step() {
    let text = "des (0,5,6)\n(0,\"a\",1)\n(0,\"b\",2)\n(1,\"a\",3)\n(2,\"a\",4)\n(2,\"b\",5)\n";
    let aut = Aut::read(text.as_bytes()).unwrap();
    let order = |label| {
        let mut order = Vec::new();
        let mut note = |state: &zonewalk_search::aut::AutState| {
            order.push(state.number);
            false
        };
        guided_search(
            &mut Worker::new(&AutSystem::new(&aut), &mut ()),
            &mut ExactStore::new(),
            &mut Queues::new(Preference, Ties::Oldest),
            &mut Preferred { aut: &aut, label },
            Goal::when_expanded(&mut note),
            &Limits::default(),
        );
        order
    };
    assert_eq!(order("a"), [0, 1, 3, 2, 4, 5]);
    assert_eq!(order("b"), [0, 2, 5, 1, 4, 3]);
}

#[test]
fn best_first_takes_the_smallest_value_and_then_the_oldest() {
    let order = |value: fn(&u32) -> u64| {
        let mut order = Vec::new();
        let mut note = |s: &u32| {
            order.push(*s);
            false
        };
        guided_search(
            &mut Worker::new(
                &Graph::new(&[&[1, 2], &[3, 4], &[5, 6], &[], &[0], &[], &[6]]),
                &mut (),
            ),
            &mut ExactStore::new(),
            &mut Queues::new(Preference, Ties::Oldest),
            &mut ByValue(value),
            Goal::when_expanded(&mut note),
            &Limits::default(),
        );
        order
    };
    assert_eq!(order(|s| 10 - u64::from(*s)), [0, 2, 6, 5, 1, 4, 3]);
    assert_eq!(order(|_| 7), [0, 1, 2, 3, 4, 5, 6]);
}

/// A* with an estimate that is never too large and falls by three on the step from 2 to 3: 3 is met over 1 and 4 after
/// three steps, and expanded; then it is met again after two.
#[test]
fn a_state_met_again_after_fewer_steps_is_reopened() {
    struct Sum;
    impl Guide<Graph> for Sum {
        type Rank = Rank;

        fn rank(&mut self, met: &GeneratedState<'_, '_, Graph>) -> Verdict<Rank> {
            let estimate = [0, 0, 3, 0, 0, 0, 0][*met.state as usize];
            Verdict::Keep(Rank {
                queue: 0,
                priority: u64::from(met.depth) + estimate,
            })
        }
    }
    let graph = Graph::new(&[&[1, 2], &[4], &[3], &[5], &[3], &[6], &[]]);
    let mut expanded = Vec::new();
    let mut test = |s: &u32| {
        expanded.push(*s);
        *s == 6
    };
    let report = guided_search_by_depth(
        &mut Worker::new(&graph, &mut ()),
        &mut Reopening::new(ExactStore::new()),
        &mut Queues::new(Preference, Ties::Oldest),
        &mut Sum,
        Goal::when_expanded(&mut test),
        &Limits::default(),
    );
    let Outcome::Found { path, .. } = report.outcome else {
        panic!("{:?}", report.outcome)
    };
    assert_eq!(path, [0, 1, 0, 0, 0]);
    assert_eq!(expanded, [0, 1, 4, 3, 2, 3, 5, 6]);
}
