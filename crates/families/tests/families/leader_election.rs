//! Witnesses for the goals of leader election, which walks of the reference interpreter are too slow to find: a plain
//! re-enactment of the protocol finds the order in which messages have to arrive, and the interpreter replays it.

use crate::support::walks::Goal;
use crate::support::{Loaded, generate, load};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::Random;
use zonewalk_reference::{Interpreter, State};

/// A message in its slot.
#[derive(Clone, Copy)]
struct Message {
    from: usize,
    to: usize,
    leader: usize,
    hops: i64,
}

/// The protocol without time: messages arrive at once, in any order.
struct Network {
    /// Leader and hops.
    nodes: Vec<(usize, i64)>,
    slots: Vec<Option<Message>>,
}

/// Events of a run, in order.
#[derive(Default)]
struct Script {
    /// Nodes `0..announcers` announce themselves first.
    announcers: usize,
    /// Then the messages in these slots arrive.
    arrivals: Vec<usize>,
}

impl Network {
    fn tell(&mut self, from: usize, except: usize) {
        let (leader, hops) = self.nodes[from];
        for to in (0..self.nodes.len()).filter(|&to| to != from && to != except) {
            if let Some(slot) = self.slots.iter_mut().find(|slot| slot.is_none()) {
                *slot = Some(Message {
                    from,
                    to,
                    leader,
                    hops,
                });
            }
        }
    }

    /// Slots that are taken.
    fn in_transit(&self) -> Vec<(usize, Message)> {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(i, message)| Some((i, (*message)?))).collect()
    }

    fn deliver(&mut self, slot: usize) {
        let Some(Message {
            from,
            to,
            leader,
            hops,
        }) = self.slots[slot].take()
        else {
            return;
        };
        if (leader, hops) <= self.nodes[to] {
            self.nodes[to] = (leader, hops + 1);
            self.tell(to, from);
        }
    }
}

/// A run that ends with a message of `hops` hops, or with all slots taken when there is no such number.
fn attempt(count: usize, slots: usize, hops: Option<i64>, random: &mut Random) -> Option<Script> {
    let mut below = |n: usize| random.below(n as u64) as usize;
    let mut network = Network {
        nodes: (0..count).map(|i| (i, 0)).collect(),
        slots: vec![None; slots],
    };
    let mut script = Script {
        announcers: 1 + below(count),
        ..Script::default()
    };
    (0..script.announcers).for_each(|node| network.tell(node, count));
    for _ in 0..50 * count {
        let messages = network.in_transit();
        if messages.is_empty() || (hops.is_none() && messages.len() == slots) {
            return (messages.len() == slots).then_some(script);
        }
        // Mostly equal distances, which raise each other, and the greatest of them as often as not.
        let is_equal = |(_, m): &&(usize, Message)| network.nodes[m.to] == (m.leader, m.hops);
        let equal: Vec<_> = messages.iter().filter(is_equal).collect();
        let (slot, message) = match below(8) {
            2..=4 if !equal.is_empty() => *equal[below(equal.len())],
            5.. if !equal.is_empty() => **equal.iter().max_by_key(|(_, m)| m.hops).unwrap(),
            _ => messages[below(messages.len())],
        };
        script.arrivals.push(slot);
        if hops.is_some_and(|hops| message.hops >= hops) {
            return Some(script);
        }
        network.deliver(slot);
    }
    None
}

/// Runs the script on the interpreter and says whether the goal of a query was seen on the way.
fn replay(loaded: &Loaded, script: &Script, query: usize) -> bool {
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let goal = Goal::of(&loaded.queries[query].kind).unwrap();
    // All timers have ended, and none must be noticed yet.
    let initial = interpreter.initial().unwrap();
    let mut state = interpreter.delay(&initial, Rational::from(11)).unwrap();
    let mut seen = false;
    let mut take = |state: &State, process: Option<&str>| {
        let enabled = interpreter.enabled_now(state).unwrap();
        let mut fitting = enabled.iter().filter(|t| {
            let sender = interpreter.name(t.parts[0].process);
            process.is_none_or(|process| *sender == *process)
        });
        let next = interpreter.fire(state, &fitting.next().unwrap().parts).unwrap();
        assert!(fitting.next().is_none(), "the script leaves no choice");
        seen |= goal.holds(&interpreter, &next);
        next
    };
    let is_committed = |state: &State| {
        let places = state.locations.iter().zip(&loaded.system.processes);
        places.into_iter().any(|(location, process)| {
            let template = &loaded.model.templates[process.template.index()];
            ["judge", "telling"].contains(&&*template.locations[location.index()].name)
        })
    };
    let announcements = (0..script.announcers).map(|node| format!("Node({node})"));
    let arrivals = script.arrivals.iter().map(|slot| format!("Message({slot})"));
    for process in announcements.chain(arrivals) {
        state = take(&state, Some(&process));
        while is_committed(&state) {
            state = take(&state, None);
        }
    }
    seen
}

#[test]
fn the_usual_goals_are_in_reach() {
    for (n, hops, slots) in [(3, 2, 6), (4, 10, 18), (5, 12, 100), (6, 14, 120)] {
        let text = generate("leader-election", &format!("n={n}"));
        for constant in [format!("H = {hops};"), format!("M = {slots};")] {
            assert!(text.contains(&constant), "n = {n}: {constant}");
        }
        let loaded = load("leader-election", &text);
        for (query, hops) in [(0, Some(hops)), (1, None)] {
            assert!(
                loaded.entries[query].outcome.is_some(),
                "n = {n}: a verdict is expected"
            );
            let mut random = Random::new(1);
            let script = (0..50_000).find_map(|_| attempt(n, slots, hops, &mut random));
            let script = script.unwrap_or_else(|| panic!("n = {n}: no witness of query {query}"));
            assert!(replay(&loaded, &script, query), "n = {n}, query {query}");
        }
    }
}
