//! Sizes of small members, and the list of families.

use crate::support::{generate, load};
use insta::assert_snapshot;
use std::fmt::Write as _;

/// Processes, clocks, channels and queries of a member, and locations and edges of each template. Letter by letter, the text of each
/// family's default is in `models/families`; verdicts of members are in
/// `expected.rs`, sizes of timed I/O automata in `tioa.rs`.
fn size(name: &str, family: &str, params: &str) -> String {
    let loaded = load(&format!("{name}.xml"), &generate(family, params));
    let system = &loaded.system;
    let mut line = format!(
        "{name}: {} processes, {} clocks, {} channels, {} queries;",
        system.processes.len(),
        system.clocks.len(),
        system.channels.len(),
        loaded.queries.len()
    );
    for template in &loaded.model.templates {
        let (locations, edges) = (template.locations.len(), template.edges.len());
        let _ = write!(line, " {} {locations}/{edges}", template.name);
    }
    line + "\n"
}

#[test]
fn small_members() {
    let mut sizes = String::new();
    for (name, family, params) in [
        ("fischer", "fischer", "n=2"),
        ("csma-cd", "csma-cd", "n=2"),
        ("train-gate", "train-gate", "n=2"),
        ("milner", "milner", "n=2"),
        ("leader-election", "leader-election", "n=3"),
        ("gossip-calls", "gossip", "n=3"),
        ("gossip-board", "gossip", "n=3 style=board"),
        ("scheduler-ceiling", "scheduler", "n=4"),
        (
            "scheduler-inheritance",
            "scheduler",
            "n=4 protocol=inheritance f=81",
        ),
        ("philips-audio", "philips-audio", "n=2"),
        ("bang-olufsen", "bang-olufsen", ""),
        ("bang-olufsen-correct", "bang-olufsen", "n=3 buggy=no"),
        ("plc-mutex", "plc-mutex", ""),
        (
            "plc-mutex-settling",
            "plc-mutex",
            "n=3 requests=5 settling=yes late=0 spread=10",
        ),
        ("plc-track", "plc-track", "n=0 faults=0"),
        (
            "plc-track-inputs",
            "plc-track",
            "n=7 faults=3 observers=2 relays=2 short=0",
        ),
        ("arbiter-tree", "arbiter-tree", ""),
        ("dining", "dining", "n=2"),
        ("brp", "brp", "n=1"),
        ("brp-timed", "brp", "n=1 timed=yes"),
        ("swp", "swp", "n=1"),
        ("lift", "lift", "n=2 relays=prompt"),
        ("firewire", "firewire", "n=2"),
        ("conference", "conference", ""),
        ("othello", "othello", "n=4 rows=3"),
        ("garage", "garage", ""),
        ("diamond", "diamond", "number=2"),
        ("back-loops", "back-loops", ""),
        ("scc", "scc", ""),
    ] {
        sizes += &size(name, family, params);
    }
    assert_snapshot!(sizes);
}

#[test]
fn the_list_of_families() {
    let mut list = String::new();
    for family in zonewalk_families::all() {
        list += &format!("{}: {}\n", family.name, family.summary);
        for p in family.params {
            let range = format!("{}..{}", p.text(p.min), p.text(p.max));
            list += &format!(
                "    {} = {} ({range}): {}\n",
                p.name,
                p.text(p.default),
                p.summary
            );
        }
    }
    assert_snapshot!(list);
}
