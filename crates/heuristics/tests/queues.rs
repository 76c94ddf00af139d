//! Several queues: which of them states wait in, and what searches find with them.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::{Case, Found, Space};
use zonewalk_heuristics::{
    Blind, Context, Directed, Estimate, Heuristic, Order, QueueRule, Reached, Relaxed, Switch, Switches,
    Useless,
};
use zonewalk_network::ids::InstanceId;
use zonewalk_search::{StateId, Stored};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::ZonePlan;
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

/// Transitions that the goal does not need, or that lead away from it, are useless.
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

/// Usefulness of a handshake is judged per pair: an edge may be useful in other pairs. Here the receiver does not need this
/// sender.
#[test]
fn pairs_are_useless_and_not_edges() {
    let text = "chan c; bool a, b; process S() { state s; init s; trans s -> s { sync c!; }, s -> s { sync c!; assign a = true; }; }
        process R() { state r, g; init r; trans r -> r { sync c?; }, r -> g { guard a; }; } system S, R;";
    assert_eq!(useless(text, "R.g"), [true, false]);
}

/// Explored states of a search with one queue and with two, by `hU`.
fn explored(text: &str, question: &str) -> [u64; 2] {
    let case = Case::new(text, &[question]);
    let plan = ZonePlan::new(&case.network).unwrap();
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

/// Goes along transitions from the initial state, given by their numbers, and tells in which queues the successors of each state on
/// the way belong.
fn along(case: &Case, rule: &mut dyn QueueRule, way: &[usize]) -> Vec<Vec<u32>> {
    let mut heuristic = Blind::default();
    let mut stored = 0..;
    let mut state = case.initial();
    let mut reach = |rule: &mut dyn QueueRule, parts: &[InstanceId], state: &ZoneState| {
        let reached = Reached {
            state,
            estimate: Estimate::ZERO,
            parts,
            parent: None,
        };
        let queue = rule.queue(&reached, &mut heuristic);
        let id = StateId(stored.next().unwrap());
        rule.on_stored(Stored::New(id));
        (id, queue)
    };
    let (mut at, _) = reach(rule, &[], &state);
    rule.rank_together(&mut [0]);
    let mut seen = Vec::new();
    for number in way.iter().map(Some).chain([None]) {
        rule.before_expand(at, &state);
        let mut each = Vec::new();
        case.each_successor(&state, &mut |parts, next| {
            each.push((parts.to_vec(), next.clone()));
        });
        let mut queues = Vec::new();
        let mut ids = Vec::new();
        for (parts, next) in &each {
            rule.on_generated(parts);
            let (id, queue) = reach(rule, parts, next);
            ids.push(id);
            queues.push(queue);
        }
        rule.rank_together(&mut queues);
        seen.push(queues);
        if let Some(&number) = number {
            (at, state) = (ids[number], each[number].1.clone());
        }
    }
    seen
}

/// Two processes that go on for themselves, and one of them meets a third.
const CONTEXTS: &str =
    "chan c; process P() { state p0, p1, p2; init p0; trans p0 -> p1 { }, p1 -> p2 { sync c!; }; }
    process Q() { state q0, q1, q2; init q0; trans q0 -> q1 { }, q1 -> q2 { }; }
    process R() { state r0, r1; init r0; trans r0 -> r1 { sync c?; }; } system P, Q, R;";

#[test]
fn switches_are_counted() {
    let case = Case::new(CONTEXTS, &["Q.q2"]);
    let of = |counts| along(&case, &mut Switches::new(&case.network, counts), &[0, 1, 1]);
    // First P or Q; the first transition is no switch. Behind P: the handshake of P and R, or Q. Behind Q: the
    // handshake, or Q again.
    let seen = of(Switch::Any);
    assert_eq!(seen, [vec![0, 0], vec![0, 1], vec![2, 1], vec![2]]);
    // P takes part in both, but not the same processes do.
    assert_eq!(of(Switch::Equal), [vec![0, 0], vec![1, 1], vec![2, 1], vec![2]]);
}

/// A process that cannot continue is not preempted.
#[test]
fn a_process_that_is_stuck_gives_way_for_nothing() {
    let text = "process P() { state p0, p1; init p0; trans p0 -> p1 { }; }
        process Q() { state q0, q1; init q0; trans q0 -> q1 { }; } system P, Q;";
    let case = Case::new(text, &["Q.q1"]);
    let of = |counts| along(&case, &mut Switches::new(&case.network, counts), &[0])[1].clone();
    assert_eq!(of(Switch::Any), [1]);
    assert_eq!(of(Switch::Preempting), [0], "P has ended");
    let text = text.replace("p0 -> p1 { };", "p0 -> p1 { }, p1 -> p0 { };");
    let case = Case::new(&text, &["Q.q1"]);
    let of = |counts| along(&case, &mut Switches::new(&case.network, counts), &[0])[1].clone();
    assert_eq!(
        of(Switch::Preempting),
        [0, 1],
        "Q interrupts P, which could have gone on"
    );
}

/// A chain of processes, each of which reads what the one before it writes.
#[test]
fn distances_of_interference() {
    let text = "int a, b, c, d, z; clock x;
        process P0() { state s; init s; trans s -> s { assign a = 1; }; }
        process P1() { state s; init s; trans s -> s { assign b = a; }; }
        process P2() { state s; init s; trans s -> s { assign c = b; }; }
        process P3() { state s; init s; trans s -> s { assign d = c; }; }
        process P4() { state s; init s; trans s -> s { guard d >= 0 && x >= 1; }; }
        process P5() { state s; init s; trans s -> s { assign x = 0; }; }
        process P6() { state s; init s; trans s -> s { assign z = 1; }; }
        process P7() { state s, t { x <= 5 }; init s; trans s -> t { }; }
        system P0, P1, P2, P3, P4, P5, P6, P7;";
    let case = Case::new(text, &["P7.t"]);
    let mut rule = Context::new(&case.network, None);
    let seen = along(&case, &mut rule, &[0]);
    assert_eq!(seen[0], [1; 8], "the first transition");
    // After P0: itself, P1 next to it, P2 with one between them, and so on: P4 has three. A clock leads from P4 to P5, which sets
    // it; that P7 has it in its invariant leads from P5 to P7. P6 has nothing to do with any other.
    assert_eq!(seen[1], [1, 1, 1, 2, 3, 4, 16, 5]);
}

/// Transitions that make a part of the goal true come first.
#[test]
fn progress_comes_first() {
    let text = "bool a, b; process P() { state s, g; init s; trans s -> s { assign a = !a; }, s -> g { }; }
        process Q() { state s; init s; trans s -> s { assign b = !b; }; } system P, Q;";
    let case = Case::new(text, &["P.g && a && b"]);
    let mut rule = Context::new(&case.network, Some(&case.goal()));
    let seen = along(&case, &mut rule, &[0, 0]);
    assert_eq!(seen[0], [0, 0, 0], "each is a part of the goal");
    assert_eq!(seen[1], [1, 0, 0], "a becomes false");
}

/// A hundred thousand edges of ten thousand processes: no table of pairs.
#[test]
fn interference_of_many_edges() {
    let edges: String = (0..10)
        .map(|i| {
            format!(
                "l{i} -> l{} {{ guard v[(id + {i}) % 10000] == 0; assign v[id] = 1; }}",
                (i + 1) % 10
            )
        })
        .collect::<Vec<_>>()
        .join(", ");
    let text = format!(
        "int[0,1] v[10000]; process P(const int[0,9999] id) {{ state {}; init l0; trans {edges}; }} system P;",
        (0..10).map(|i| format!("l{i}")).collect::<Vec<_>>().join(", ")
    );
    let case = Case::new(&text, &["P(7).l9"]);
    assert_eq!(case.network.instances.len(), 100_000);
    let mut rule = Context::new(&case.network, Some(&case.goal()));
    let state = case.initial();
    let mut stored = 0..;
    let mut distance = |from: u32, to: u32| {
        let mut ask = |process: u32, edge: u32| {
            let reached = Reached {
                state: &state,
                estimate: Estimate::ZERO,
                parts: &[InstanceId(10 * process + edge)],
                parent: None,
            };
            let queue = rule.queue(&reached, &mut Blind::default());
            let id = StateId(stored.next().unwrap());
            QueueRule::<i32>::on_stored(&mut rule, Stored::New(id));
            rule.before_expand(id, &state);
            queue
        };
        ask(from, 0);
        ask(to, 3)
    };
    // Each process reads what the next nine write, each with another edge.
    assert_eq!(
        [distance(500, 500), distance(500, 503), distance(500, 509)],
        [1; 3]
    );
    assert_eq!([distance(500, 540), distance(500, 5000)], [5, 15]);
}
