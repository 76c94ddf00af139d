//! The verdicts that the queries expect are right.

use crate::support::{Loaded, generate, grid, load, walks};

/// Whether the expected verdict is that the goal of an `E<>` is reached, or that of an `A[]` violated.
pub(crate) fn expects_witness(loaded: &Loaded, query: usize) -> Option<bool> {
    let entry = &loaded.entries[query];
    let outcome = entry.outcome.as_ref()?;
    assert!(outcome.expected);
    Some((outcome.outcome == "success") == entry.text.starts_with("E<>"))
}

/// Every state on a grid of time points: small members of the families whose state space is small enough.
#[test]
fn exhaustively() {
    // The largest constant that a clock is compared with, and steps of a unit.
    for (family, params, cap, grain) in [
        ("fischer", "n=2 k=1", 1, 4),
        ("fischer", "n=2 k=1 buggy=weak", 1, 4),
        ("fischer", "n=2 k=1 buggy=short", 1, 4),
        ("fischer", "n=2 k=1 buggy=short least=1", 1, 4),
        ("fischer", "n=2 k=1 least=1", 1, 4),
        ("fischer", "n=3 k=1", 1, 4),
        ("fischer", "n=3 k=1 buggy=weak", 1, 2),
        ("csma-cd", "n=2 sigma=1 lambda=3", 3, 2),
        ("csma-cd", "n=3 sigma=1 lambda=3", 3, 2),
        ("train-gate", "n=3", 20, 1),
        ("milner", "n=2 d=1 deadline=3 slack=1", 9, 2),
        ("milner", "n=3 d=0 deadline=2 slack=0", 8, 2),
        ("gossip", "n=3 call=1 bound=3", 3, 1),
        ("gossip", "n=3 call=1 bound=2", 3, 1),
        ("gossip", "n=3 call=1 bound=3 style=board", 3, 1),
        ("gossip", "n=3 call=1 bound=2 style=board", 3, 1),
        ("gossip", "n=4 call=1 bound=1 style=board", 2, 1),
        ("brp", "timed=yes n=0 frames=2 data=1", 6, 1),
        ("brp", "timed=yes n=2 frames=2 data=2", 12, 1),
        // Ten quarters of 20 with their tolerance, and of 10.
        ("philips-audio", "n=1 tolerance=50", 210, 1),
        ("philips-audio", "n=1 tolerance=100", 110, 1),
    ] {
        let name = format!("{family} {params}");
        let loaded = load(&name, &generate(family, params));
        let reached = grid::explore(&loaded, cap, grain);
        for (query, reached) in reached.into_iter().enumerate() {
            let text = &loaded.entries[query].text;
            assert_eq!(Some(reached), expects_witness(&loaded, query), "{name}: {text}");
        }
    }
}

/// Walks find what should be found, and nothing else.
#[test]
fn by_walks() {
    for (family, params, depth) in [
        ("fischer", "n=5", 200),
        ("fischer", "n=4 buggy=weak", 200),
        ("csma-cd", "n=7", 200),
        ("train-gate", "n=8", 100),
        ("milner", "n=10 slack=11", 300),
        ("milner", "n=5 slack=0", 100),
        ("leader-election", "n=3", 200),
        ("gossip", "n=5", 20),
        ("gossip", "n=5 style=board", 20),
        ("scheduler", "n=5 f=80", 100),
        ("scheduler", "n=4 f=60 protocol=inheritance", 100),
        ("scheduler", "n=4 f=81", 100),
        ("scheduler", "n=4 f=81 protocol=inheritance", 100),
        ("scheduler", "n=8 f=100", 200),
        ("philips-audio", "n=1 tolerance=58", 100),
        ("philips-audio", "n=1 tolerance=59", 100),
        ("philips-audio", "n=2 tolerance=52", 100),
        ("philips-audio", "n=2 tolerance=53", 100),
        ("philips-audio", "n=28", 100),
        ("dining", "n=17", 300),
        ("brp", "n=3", 300),
        ("brp", "n=3 timed=yes", 300),
        ("swp", "", 300),
        ("swp", "n=2 numbers=3", 300),
        ("swp", "n=2 numbers=5 capacity=2", 300),
    ] {
        let name = format!("{family} {params}");
        let loaded = load(&name, &generate(family, params));
        for query in 0..loaded.queries.len() {
            let Some(expected) = expects_witness(&loaded, query) else {
                continue;
            };
            let budget = if expected { 100_000 } else { 3_000 };
            let found = walks::search(&loaded, query, depth, budget);
            let text = &loaded.entries[query].text;
            assert_eq!(found.is_some(), expected, "{name}: {text}");
        }
    }
}
