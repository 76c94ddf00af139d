//! Text of small members, letter by letter.

use crate::support::generate;
use insta::assert_snapshot;

#[test]
fn small_members() {
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
        ("milner-tioa", "milner-tioa", "n=3"),
        ("leader-tioa", "leader-tioa", "n=3 mutant=m4"),
    ] {
        assert_snapshot!(name, generate(family, params));
    }
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
