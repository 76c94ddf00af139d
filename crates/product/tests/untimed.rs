//! The untimed product beside the reference interpreter: every transition that the interpreter knows is among those of the
//! product, with the same updates, and where no clocks are asked for both know the same.
//!
//! `ZONEWALK_NETWORKS` says how many random networks are drawn, `ZONEWALK_SEED` which is the first.

#![allow(clippy::unwrap_used)]

use crate::support;

use std::collections::BTreeMap;
use support::{Discrete, Untimed};
use zonewalk_network::InstanceId;
use zonewalk_network::vm::{LoopWork, NoClocks};
use zonewalk_product::{Moves, Product, Stop, Unprojected};
use zonewalk_reference::Step;
use zonewalk_testkit::{generate, xta};

/// Process, edge and selected values of every part.
type Key = Vec<(u32, u32, Vec<i32>)>;

/// The transitions of a discrete state, each with the state behind it.
fn moves(product: &Product<'_, Untimed>, memory: &[i32]) -> Result<BTreeMap<Key, Vec<i32>>, Stop> {
    let network = product.network;
    let mut room = memory.to_vec();
    let (mut moves, mut failed) = (Moves::new(product), None);
    let mut source = Discrete::new(network, &mut room);
    product.list_ready(&mut source, &mut moves, |_, stop| failed = Some(stop))?;
    if let Some(stop) = failed {
        return Err(stop);
    }
    let mut found = BTreeMap::new();
    while product.combine(&Untimed, &mut moves) {}
    for of in &moves.list {
        let parts = moves.parts(of);
        let mut selects = Vec::new();
        product.first_selects(parts, &mut selects);
        loop {
            room.copy_from_slice(memory);
            let mut target = Unprojected {
                network,
                memory: &mut room,
                clocks: &mut NoClocks,
                work: LoopWork::default(),
            };
            product.update(parts, &selects, &mut target)?;
            found.insert(key(product, parts, &selects), room.clone());
            if !product.next_selects(parts, &mut selects) {
                break;
            }
        }
    }
    Ok(found)
}

fn key(product: &Product<'_, Untimed>, parts: &[InstanceId], selects: &[i32]) -> Key {
    let network = product.network;
    let mut free = selects.iter().copied();
    let part = |&number: &InstanceId| {
        let instance = network.instance(number);
        let edge = network.edge(instance);
        let mut fixed = network.select_values(instance);
        let mut value = |is_expanded: bool| match is_expanded {
            true => fixed.next(),
            false => free.next(),
        };
        let values = edge.selects.iter().map(|s| value(s.expanded).unwrap());
        (instance.process.0, edge.id.0, values.collect())
    };
    parts.iter().map(part).collect()
}

/// Follows the interpreter for some steps; how many transitions were compared. Nothing for models that fail.
fn compare(text: &str, is_exact: bool) -> usize {
    let loaded = xta(text);
    let interpreter = loaded.interpreter().unwrap();
    let network = loaded.network();
    let Ok(product) = Product::<Untimed>::new(&network, Untimed);
    let Ok(mut state) = interpreter.initial() else {
        return 0;
    };
    let (mut memory, mut compared) = (network.memory(), 0);
    for step in 0..12 {
        let Ok(transitions) = interpreter.transitions(&state) else {
            break;
        };
        let Ok(known) = moves(&product, &memory) else {
            break;
        };
        let wanted = |t: &zonewalk_reference::Transition| -> Key {
            let part = |p: &zonewalk_reference::Part| (p.process.0, p.edge.0, p.selects.clone());
            t.parts.iter().map(part).collect()
        };
        for transition in &transitions {
            let key = wanted(transition);
            assert!(known.contains_key(&key), "{key:?} in step {step} of\n{text}");
            compared += 1;
        }
        if is_exact {
            assert_eq!(known.len(), transitions.len(), "step {step} of\n{text}");
        }
        // Another one in every step, so that the walk comes about.
        let Some(chosen) = transitions.get((step * 7 + 3) % transitions.len().max(1)) else {
            break;
        };
        let taken = Step {
            delay: chosen.windows.iter().next().unwrap().lower().0,
            parts: chosen.parts.clone(),
        };
        // A strict bound has no first instant.
        let Ok(next) = interpreter.replay_step(&state, &taken) else {
            break;
        };
        memory.clone_from(&known[&wanted(chosen)]);
        let locations = next.locations.iter().map(|l| l.0 as i32);
        assert!(
            locations.eq(memory[..next.locations.len()].iter().copied()),
            "{text}"
        );
        state = next;
    }
    compared
}

#[test]
fn transitions_of_the_interpreter_are_among_those_of_the_product() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first: u64 = number("ZONEWALK_SEED").unwrap_or(1);
    let seeds = first..first + number("ZONEWALK_NETWORKS").unwrap_or(300);
    let compared: usize = seeds
        .clone()
        .map(|s| compare(&generate::network(s).text, false))
        .sum();
    assert!(
        compared as u64 > 5 * (seeds.end - seeds.start),
        "{compared} transitions"
    );
}

/// Two processes of each template, over these declarations.
fn pair(declarations: &str, states: &str, edges: &str) -> String {
    format!(
        "{declarations} process P(const int[0,2] id) {{ state {states}; init A; trans {edges}; }} system P;"
    )
}

#[test]
fn without_clocks_both_know_the_same() {
    let models = [
        // A handshake, never with oneself; a channel that the state decides.
        pair("chan c; int n;", "A, B", "A -> B { sync c!; assign n = n + 1; }, A -> A { sync c?; }, B -> A { }"),
        pair(
            "chan d[3]; int[0,2] to;",
            "A, B",
            "A -> A { guard to < 2; assign to = to + 1; }, A -> B { guard to != id; sync d[to]!; }, A -> B { sync d[id]?; },
             B -> A { assign to = 0; }",
        ),
        // Every process that can receive does, by any of the edges; updates see what was done before.
        pair(
            "broadcast chan b; int[0,9] n;",
            "A, B, C",
            "A -> B { guard n < 6; sync b!; assign n = n + 1; }, A -> B { sync b?; assign n = n + 1; },
             A -> C { guard id > 0; sync b?; }, B -> A { assign n = 0; }, C -> A { }",
        ),
        // Some process leaves a committed location, be it a receiver.
        pair(
            "chan c; broadcast chan b; int n;",
            "A, B, C; commit B",
            "A -> B { }, A -> C { sync c!; }, B -> C { sync c?; }, C -> A { sync b!; }, B -> A { sync b?; }, B -> A { guard n == 9; }",
        ),
        // Values that a guard needs, and values that only an update does.
        pair(
            "int[0,5] n; int[0,5] m;",
            "A",
            "A -> A { select i : int[0,5], j : int[1,3]; guard i > n; assign m = j; }, A -> A { assign n = m; }",
        ),
        // All who have the label.
        pair("chan e; int n;", "A, B", "A -> B { sync e; assign n = n + id; }, A -> A { sync e; }, B -> A { }"),
    ];
    for text in models {
        let compared = compare(&text, true);
        assert!(compared > 12, "{compared} transitions of\n{text}");
    }
}
