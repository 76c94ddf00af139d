//! The published systems themselves: ours are strongly bisimilar to them, or have as many states at every distance.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

#[path = "families/support/mod.rs"]
mod support;

use std::path::Path;
use support::graph::Graph;
use support::lts::{Lts, classes};
use support::published::{self, distinct, graph};
use zonewalk_testkit::corpus_tests;

corpus_tests! {
    philosophers,
    bounded_retransmission,
    lift,
    link_layer,
}

fn philosophers(folder: &Path) {
    compare(&graph("dining", "n=8"), folder, "dining8.aut");
}

fn bounded_retransmission(folder: &Path) {
    compare(&graph("brp", "n=3"), folder, "brp.aut");
}

fn lift(folder: &Path) {
    agree(&published::lift(), folder, "lift-init-3.aut");
}

fn link_layer(folder: &Path) {
    agree(&published::link_layer(), folder, "1394-2.aut");
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join("aut").join(file)).unwrap()
}

/// The graph has as many states at every distance as the original.
fn compare(graph: &Graph, folder: &Path, file: &str) {
    let (states, transitions) = (graph.states(), graph.transitions);
    let text = read(folder, file);
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

/// The system is strongly bisimilar to the original one.
fn agree(lts: &Lts, folder: &Path, file: &str) {
    let original = Lts::read(&read(folder, file));
    let [ours, theirs] = classes([lts, &original]);
    assert_eq!(ours[0], theirs[0], "{file}");
    assert_eq!(distinct(&ours), distinct(&theirs), "{file}");
}
