//! The families without time have the states and transitions of the published systems.

use crate::expected::expects_witness;
use crate::support::graph::{Graph, explore};
use crate::support::{Loaded, generate, load};
use std::path::PathBuf;

fn member(family: &str, params: &str) -> Loaded {
    load(&format!("{family} {params}"), &generate(family, params))
}

fn graph(family: &str, params: &str) -> Graph {
    explore(&member(family, params), usize::MAX)
}

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
    compare(&graph("dining", "n=8"), "dining8.aut", 14_158, 72_336);
}

#[test]
fn bounded_retransmission() {
    compare(&graph("brp", "n=3"), "brp.aut", 10_548, 12_168);
    for n in 0..3 {
        // To set the timer, send, lose and notice it takes five steps; to begin, fail and say so takes three.
        let depths = graph("brp", &format!("n={n} frames=2 data=1")).depths;
        assert_eq!(depths, [Some(5 * (n + 1) + 3), Some(11), None, None, None]);
    }
}

/// As the specification says, it takes nine steps to the fault with a window of one; with two, its 17th action is `error`. All
/// states were counted once, for a window of one and one value of data: 792,833, with 3,004,784 transitions.
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
        ("diamond", "n=4 number=3"),
        ("back-loops", "n=4"),
        ("scc", "n=3 size=4"),
    ] {
        let loaded = member(family, params);
        let graph = explore(&loaded, usize::MAX);
        for (query, depth) in graph.depths.iter().enumerate() {
            let text = &loaded.entries[query].text;
            let expected = expects_witness(&loaded, query);
            assert_eq!(Some(depth.is_some()), expected, "{family} {params}: {text}");
        }
    }
}

/// The graph has this size, and where the file of the original system is at hand, as many states at every distance.
fn compare(graph: &Graph, file: &str, states: usize, transitions: usize) {
    assert_eq!((graph.states(), graph.transitions), (states, transitions));
    let corpus = ["..", "..", "..", "shared", "corpus", "aut", file];
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR")].iter().chain(&corpus).collect();
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    let mut lines = text.lines();
    let header = format!("des (0,{transitions},{states})");
    assert_eq!(lines.next().map(str::trim), Some(header.as_str()));
    let mut successors = vec![Vec::new(); states];
    for line in lines {
        let (source, rest) = line.trim_matches(['(', ')', ' ']).split_once(',').unwrap();
        let (_, target) = rest.rsplit_once(',').unwrap();
        successors[source.parse::<usize>().unwrap()].push(target.parse::<usize>().unwrap());
    }
    let mut seen = vec![false; states];
    seen[0] = true;
    let mut level = vec![0];
    let mut levels = Vec::new();
    while !level.is_empty() {
        levels.push(level.len());
        let next = level.iter().flat_map(|&state: &usize| &successors[state]);
        let next: Vec<_> = next.copied().collect();
        level = next
            .into_iter()
            .filter(|&state| !std::mem::replace(&mut seen[state], true))
            .collect();
    }
    assert_eq!(graph.levels, levels, "{file}");
}
