//! One graph, several scratches.

use crate::support::Case;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::thread;
use zonewalk_network::ids::InstanceId;
use zonewalk_search::Flow;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::{Step, ZoneGraph};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::scratch::Scratch;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::stop::Stop;

/// Broadcasts, an urgent channel, priorities, clocks that are compared where time stops, and an update that fails.
const MODEL: &str = "clock x; int[0,3] n; broadcast chan b; urgent chan u; chan c; chan priority c < u;
    process P() { clock y; state A { y <= 4 }, B, C; init A;
      trans A -> B { guard y >= 1; sync b!; assign n = n + 1, y = 0; },
            B -> A { guard y <= 3; sync u!; assign y = 0; },
            B -> C { guard y >= 2; sync c!; },
            C -> A { select s : int[0,1]; assign x = s, y = 0; }; }
    process Q() { clock z; state A, B; init A;
      trans A -> B { guard z >= 2; sync b?; assign z = 0; },
            A -> A { guard z < 2; sync b?; },
            B -> A { guard z >= 1; sync u?; },
            B -> B { guard x <= 2; sync c?; assign z = 0; }; }
    process R() { state A, B; init A; trans A -> B { guard x >= 3; }, B -> A { assign x = 0, n = 0; }; }
    system P, Q, R;";

/// Successors of a state as they are told.
type Said = (Vec<(ZoneState, Vec<InstanceId>, Vec<i32>)>, Result<(), Stop>);

fn said(run: impl FnOnce(&mut dyn FnMut(&ZoneState, Step<'_>) -> Flow) -> Result<(), Stop>) -> Said {
    let mut list = Vec::new();
    let result = run(&mut |state, step| {
        list.push((state.clone(), step.parts.to_vec(), step.selects.to_vec()));
        ControlFlow::Continue(())
    });
    (list, result)
}

fn successors(graph: &ZoneGraph<'_>, scratch: &mut Scratch, state: &ZoneState) -> Said {
    said(|emit| graph.each_successor(scratch, state, emit))
}

#[test]
fn threads_share_a_graph_and_what_a_scratch_was_used_for_does_not_matter() {
    let case = Case::new(MODEL, &["deadlock && P.y > 3"]).unwrap();
    let plan = ZonePlan::new(&case.network).unwrap();
    let question = &case.questions[0];
    let goal = ZoneGoal::new(&case.network, &question.predicate, true);
    let graph = ZoneGraph::new(&plan, case.bounds(question), &[], Abstraction::M, &[&goal])
        .avoiding(goal.clone())
        .forgetting(&[&goal], &[]);

    // A new scratch for every state.
    let (initial, begun) = said(|emit| graph.each_initial(&mut graph.scratch(), emit));
    assert_eq!(begun, Ok(()));
    let mut states: Vec<ZoneState> = Vec::new();
    let mut expected: Vec<Said> = Vec::new();
    let mut waiting: VecDeque<ZoneState> = initial.into_iter().map(|entry| entry.0).collect();
    while let Some(state) = waiting.pop_front() {
        if !states.contains(&state) {
            let said = successors(&graph, &mut graph.scratch(), &state);
            waiting.extend(said.0.iter().map(|entry| entry.0.clone()));
            states.push(state);
            expected.push(said);
        }
    }
    assert!(states.len() > 20, "{} states", states.len());
    assert!(expected.iter().any(|said| said.1.is_err()), "an update fails");

    // Both directions at the same time, with one scratch each.
    let numbers: Vec<usize> = (0..states.len()).collect();
    let backwards: Vec<usize> = numbers.iter().rev().copied().collect();
    thread::scope(|scope| {
        for order in [&numbers, &backwards] {
            let (graph, goal, states, expected) = (&graph, &goal, &states, &expected);
            scope.spawn(move || {
                let mut scratch = graph.scratch();
                for &number in order {
                    let state = &states[number];
                    assert_eq!(successors(graph, &mut scratch, state), expected[number]);
                    let met = graph.meets(&mut scratch, goal, state);
                    assert_eq!(met, graph.meets(&mut graph.scratch(), goal, state));
                }
            });
        }
    });
}
