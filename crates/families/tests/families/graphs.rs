//! The families without time have the states and transitions of the published systems. `corpus.rs` compares with those themselves.

use crate::expected::expects_witness;
use crate::support::graph::{Graph, explore};
use crate::support::lts::{Lts, classes};
use crate::support::member;
use crate::support::published::{self, distinct, graph};

/// States, transitions and deadlocks.
fn size(graph: &Graph) -> (usize, usize, usize) {
    (graph.states(), graph.transitions, graph.deadlocks)
}

/// All of the paper's 100 states, and their moves and reports.
#[test]
fn diamond() {
    for n in [2, 3, 10] {
        let diamond = graph("diamond", &format!("n={n}"));
        assert_eq!(size(&diamond), (n * n, 2 * n * (n - 1) + n, 1));
        assert_eq!(diamond.depths, [Some(n - 1), Some(2 * n - 2), None]);
        assert_eq!(diamond.levels.len(), 2 * n - 1);
        assert_eq!(diamond.levels[n - 1], n);
        for number in 1..=n {
            let numbered = graph("diamond", &format!("n={n} number={number}"));
            assert_eq!(numbered.depths[0], Some(n - 1));
        }
    }
}

/// The paper's graph for 9 has 47 states.
#[test]
fn back_loops() {
    for n in [1, 2, 3, 9] {
        let path = graph("back-loops", &format!("n={n}"));
        let inside = n * (n - 1) / 2;
        assert_eq!(size(&path), (n + 2 + inside, 2 * n + 2 + inside, 1));
        assert_eq!(path.depths, [Some(n + 1), Some(n + 1), None]);
    }
    assert_eq!(graph("back-loops", "").states(), 47);
}

/// A beginning, the paper's five components of five states, and an exit for each.
#[test]
fn scc() {
    for (n, inner) in [(1, 1), (2, 3), (5, 5)] {
        let components = graph("scc", &format!("n={n} size={inner}"));
        let inside = n * inner * (inner - 1);
        assert_eq!(size(&components), (1 + n * inner + n, n + inside + n, n));
        let depth = Some(2 + usize::from(inner > 1));
        assert_eq!(components.depths, [depth, depth, None]);
        let last = graph("scc", &format!("n={n} size={inner} number={n}"));
        assert_eq!(last.depths[0], depth);
    }
}

#[test]
fn dining() {
    assert_eq!(size(&graph("dining", "n=5")), (392, 1250, 1));
    let whole = &graph("dining", "n=8");
    assert_eq!((whole.states(), whole.transitions), (14_158, 72_336));
}

/// The original has as many deadlocks, but 31,952 states and 122,373 transitions: it has 15 states more, 9 to 11 steps away, by a
/// difference that has no consequences.
#[test]
fn lifts() {
    let [classes] = classes([&published::lift()]);
    assert_eq!(distinct(&classes), 6_897);
    let three = graph("lift", "n=3");
    assert_eq!(size(&three), (31_937, 122_349, 327));
    assert_eq!(three.depths[0], Some(13));
    let four = member("lift", "n=4");
    assert_eq!(explore(&four, 12).depths[0], Some(12));
}

/// The original has 188,569 states.
#[test]
fn link_layer() {
    let lts = published::link_layer();
    assert_eq!(lts.states.len(), 146_903);
    let [classes] = classes([&lts]);
    assert_eq!(distinct(&classes), 33_994);
}

/// A user joins, another member joins and sends: with what the entity does with each, and the message, seven actions.
#[test]
fn conference() {
    let near = explore(&member("conference", "n=2 titles=1 conferences=1 data=1"), 7);
    assert_eq!(near.depths[0], Some(7));
}

/// State counts agree with a separate program that plays by the game's rules.
#[test]
fn othello() {
    let game = member("othello", "n=4");
    assert_eq!(Lts::of(&game, str::to_owned).states.len(), 68_957);
    let near = explore(&game, 6);
    assert_eq!(near.levels, [1, 4, 12, 42, 120, 380, 1056]);
}

/// State counts at every distance up to the first fault agree with a separate program that implements the specification's
/// equations literally, and so do the distances to both faults.
#[test]
fn garage() {
    let near = explore(&member("garage", ""), 8);
    assert_eq!(near.levels[..6], [1, 11, 50, 126, 214, 322]);
    assert_eq!(near.depths, [Some(8), Some(6), None]);
}

#[test]
fn bounded_retransmission() {
    let whole = &graph("brp", "n=3");
    assert_eq!((whole.states(), whole.transitions), (10_548, 12_168));
    for n in 0..3 {
        // To set the timer, send, lose and notice it takes five steps; to begin, fail and say so takes three.
        let depths = graph("brp", &format!("n={n} frames=2 data=1")).depths;
        assert_eq!(depths, [Some(5 * (n + 1) + 3), Some(11), None, None, None]);
    }
}

/// The specification's first fault is nine steps deep with a window of one; with two, its 17th action is `error`. The full state
/// space was counted once, for a window of one and one data value: 792,833 states and 3,004,784 transitions.
#[test]
fn sliding_window() {
    let near = explore(&member("swp", "n=1 data=1"), 16);
    assert_eq!(near.depths, [Some(9), Some(16), None, None]);
    let near = explore(&member("swp", "n=2 data=1"), 16);
    assert_eq!(near.depths[0], Some(16));
}

/// Verdicts are as expected, where all states are few.
#[test]
fn verdicts() {
    for (family, params) in [
        ("dining", "n=2"),
        ("dining", "n=4"),
        ("brp", "n=0"),
        ("brp", "n=1 frames=0"),
        ("brp", "n=2 frames=3 data=2"),
        ("lift", "n=2"),
        ("lift", "n=3 starters=1 relays=prompt"),
        ("firewire", "n=1"),
        ("conference", "n=2 titles=1 conferences=1 data=1 capacity=1"),
        ("othello", "n=3"),
        ("othello", "n=2 rows=4"),
        ("diamond", "n=4 number=3"),
        ("back-loops", "n=4"),
        ("scc", "n=3 size=4"),
    ] {
        let loaded = member(family, params);
        let graph = explore(&loaded, usize::MAX);
        for (query, depth) in graph.depths.iter().enumerate() {
            let text = &loaded.entries[query].text;
            let Some(expected) = expects_witness(&loaded, query) else {
                continue;
            };
            assert_eq!(depth.is_some(), expected, "{family} {params}: {text}");
        }
    }
}
