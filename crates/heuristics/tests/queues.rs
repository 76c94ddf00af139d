//! Several queues: which of them states wait in, and what searches find with them.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod support;

use support::{Case, Found, Space};
use zonewalk_heuristics::{Directed, Heuristic, Order, Relaxed, Useless};
use zonewalk_network::ids::InstanceId;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::Plan;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::store::Covering;

/// The successors of the initial state, with the transitions that lead to them.
fn successors(case: &Case) -> Vec<(Vec<InstanceId>, ZoneState)> {
    let mut found = Vec::new();
    case.each_successor(&case.initial(), &mut |parts, state| {
        found.push((parts.to_vec(), state.clone()));
    });
    found
}

/// Whether the transitions of the initial state are useless, in the order of the edges.
fn useless(text: &str, question: &str) -> Vec<bool> {
    let case = Case::new(text, &[question]);
    let mut heuristic = Relaxed::upper(&case.network, &case.goal());
    let source = case.initial();
    let each = successors(&case);
    each.iter()
        .map(|(parts, target)| heuristic.is_useless(&source, parts, target))
        .collect()
}

/// What the goal does not need is useless, and so is what leads away from it.
#[test]
fn transitions_that_do_not_matter_are_useless() {
    let text = "bool a, b; process P() { state s, g, away; init s; trans
        s -> s { assign a = true; }, s -> s { assign b = true; }, s -> g { guard a; }, s -> away { }, away -> s { }; } system P;";
    assert_eq!(useless(text, "P.g"), [false, true, true]);
}

/// A transition that is on the way, and without which there is another way that is no longer.
#[test]
fn a_transition_with_an_equal_is_useless_only_if_it_leads_no_nearer() {
    let text = "bool a, b; process P() { state s, g; init s; trans
        s -> s { assign a = true; }, s -> s { assign b = true; }, s -> g { guard a; }, s -> g { guard b; }; } system P;";
    assert_eq!(useless(text, "P.g"), [false, false], "both are a step nearer");
    let text = "bool a, b; process P() { state s, g; init s; trans
        s -> s { guard !a; assign a = true, b = false; }, s -> s { guard !b; assign b = true; }, s -> g { guard a && b; }; } system P;";
    assert_eq!(useless(text, "P.g"), [false, false]);
}

/// Of a handshake the pair is asked about, and its edges stay in other pairs: here the receiver can do without this sender.
#[test]
fn pairs_are_useless_and_not_edges() {
    let text = "chan c; bool a, b; process S() { state s; init s; trans s -> s { sync c!; }, s -> s { sync c!; assign a = true; }; }
        process R() { state r, g; init r; trans r -> r { sync c?; }, r -> g { guard a; }; } system S, R;";
    assert_eq!(useless(text, "R.g"), [true, false]);
}

/// Explored states of a search with one queue and with two, by `hU`.
fn explored(text: &str, question: &str) -> [u64; 2] {
    let case = Case::new(text, &[question]);
    let plan = Plan::new(&case.network).unwrap();
    [false, true].map(|has_queues| {
        let mut heuristic = Relaxed::upper(&case.network, &case.goal());
        let guide = Directed::new(&mut heuristic as &mut dyn Heuristic, Order::Greedy);
        let guide = match has_queues {
            true => guide.with_queues(Useless::default()),
            false => guide,
        };
        let mut space = Space::new(&case, &plan, &case.predicates[0], true, Abstraction::LuPlus, true);
        let (found, statistics) = space.led_by(guide, Covering::Inclusion, 100_000);
        assert_ne!(found, Found::Unknown);
        statistics.states_explored
    })
}

/// Inputs that do not matter multiply the states of a cycle that the estimate does not see the end of: the clock must have run
/// for ten rounds.
#[test]
fn useless_transitions_are_put_off() {
    let inputs: String = (0..6)
        .map(|i| format!("process I{i}() {{ state s; init s; trans s -> s {{ assign in{i} = !in{i}; }}; }} "))
        .collect();
    let names: Vec<String> = (0..6).map(|i| format!("in{i}")).collect();
    let guard = names.join(" || ");
    let text = format!(
        "bool {}; clock x, y; process P() {{ state a {{ x <= 1 }}, b, g; commit b; init a; trans
            a -> b {{ guard x >= 1; assign x = 0; }}, b -> a {{ guard y < 10; }}, b -> a {{ guard {guard}; }}, b -> g {{ guard y >= 10; }}; }}
        {inputs} system P, {};",
        names.join(", "),
        (0..6).map(|i| format!("I{i}")).collect::<Vec<_>>().join(", ")
    );
    let [plain, useless] = explored(&text, "P.g");
    assert!(10 * useless < plain, "{useless} {plain}");
}

/// The only transition of a state is not useless, though the estimate sees another one: the one that the clock does not allow yet.
#[test]
fn the_only_transition_is_not_useless() {
    let text = "clock x, y; bool late; process P() { state a { x <= 1 }, b, g; commit b; init a; trans
        a -> b { guard x >= 1; assign x = 0; }, b -> a { guard y < 5; assign late = !late; }, b -> g { guard y >= 5; }; }
        process Q() { state q0, q1, q2; init q0; trans q0 -> q1 { }, q1 -> q2 { }, q2 -> q0 { }; } system P, Q;";
    let [_, useless] = explored(text, "P.g");
    // Five rounds of two transitions; Q never moves.
    assert_eq!(useless, 10);
}
