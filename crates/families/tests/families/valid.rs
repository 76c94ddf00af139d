//! Every member of every family is a well-formed model that runs.

use crate::support::{generate, load};
use std::time::{Duration, Instant};
use zonewalk_reference::Interpreter;
use zonewalk_reference::simulate::RandomRun;

/// Families with the parameters that change their shape.
const MEMBERS: &[(&str, &[&str])] = &[
    (
        "fischer",
        &["n=2", "n=3 buggy=weak", "n=8 k=1 buggy=short", "", "n=50 k=3"],
    ),
    ("csma-cd", &["n=2", "n=3 sigma=1 lambda=2", "", "n=50"]),
    ("train-gate", &["n=2", "n=3", "n=16", ""]),
    ("milner", &["n=2", "n=3 d=0 deadline=1 slack=0", "n=10", ""]),
    (
        "leader-election",
        &[
            "n=3",
            "n=3 variant=channels",
            "",
            "variant=channels",
            "n=5",
            "n=6 hops=3 slots=2",
            "n=50 slots=10",
        ],
    ),
    (
        "gossip",
        &[
            "n=2",
            "n=2 style=board",
            "n=3",
            "n=3 style=board",
            "",
            "style=board",
            "n=30",
            "n=15 style=board bound=1",
        ],
    ),
    (
        "scheduler",
        &[
            "n=3",
            "n=3 protocol=inheritance",
            "n=4 f=1 protocol=inheritance",
            "",
            "protocol=inheritance f=100",
            "n=64 protocol=inheritance",
            "n=64",
        ],
    ),
    (
        "philips-audio",
        &[
            "n=1",
            "n=2 tolerance=0",
            "n=3 tolerance=200 reaction=0",
            "",
            "n=28",
        ],
    ),
    ("bang-olufsen", &["", "buggy=no", "n=3", "n=6 buggy=no", "n=100"]),
    (
        "plc-mutex",
        &[
            "",
            "n=3 requests=7 settling=yes",
            "n=20 cycle=20 spread=1 requests=1048575",
            "cycle=2 late=10000",
            "slack=10000 settling=yes",
        ],
    ),
    (
        "plc-track",
        &[
            "n=0 faults=0",
            "n=0 faults=1",
            "n=1 faults=0 sensors=own",
            "",
            "n=6",
            "n=24 faults=24 observers=8 relays=8",
            "short=20",
        ],
    ),
    ("arbiter-tree", &["n=1", "", "n=5 hop=0", "n=6 short=6"]),
    ("dining", &["n=2", "n=5", "", "n=17"]),
    (
        "brp",
        &[
            "n=0 frames=0 data=1",
            "n=1 frames=2",
            "",
            "n=90",
            "timed=yes",
            "timed=yes n=0 frames=8",
        ],
    ),
    (
        "swp",
        &[
            "n=1 data=1",
            "n=2 numbers=3",
            "",
            "n=10",
            "n=3 capacity=4 numbers=9",
        ],
    ),
    (
        "lift",
        &[
            "n=2",
            "n=3 starters=1 relays=prompt",
            "",
            "n=6",
            "n=40 relays=prompt",
        ],
    ),
    ("firewire", &["n=1 values=1", "n=2", "", "n=4"]),
    (
        "conference",
        &[
            "n=2 titles=1 conferences=1 data=1 capacity=1",
            "",
            "n=6 capacity=9",
            "inbound=100",
        ],
    ),
    ("othello", &["n=2", "rows=3", "", "n=6", "n=8"]),
    ("garage", &["n=7", ""]),
    ("diamond", &["n=2", "number=10", "", "n=1000"]),
    ("back-loops", &["n=1", "n=2", "", "n=1000"]),
    ("scc", &["n=1 size=1", "n=3 size=2 number=2", ""]),
];

#[test]
fn no_family_is_left_out() {
    let tested: Vec<_> = MEMBERS.iter().map(|(family, _)| *family).collect();
    let all: Vec<_> = zonewalk_families::networks().iter().map(|f| f.name).collect();
    assert_eq!(tested, all);
}

#[test]
fn members_are_well_formed_and_run() {
    for (family, members) in MEMBERS {
        for params in *members {
            let name = format!("{family} {params}");
            let loaded = load(&name, &generate(family, params));
            assert!(loaded.queries.len() >= 2, "{name}");
            assert!(loaded.entries.iter().all(|q| !q.comment.is_empty()), "{name}");
            let steps = if loaded.system.processes.len() > 60 {
                100
            } else {
                400
            };
            let ends = loaded.entries.iter().any(|q| {
                let outcome = q.outcome.as_ref().map(|outcome| outcome.outcome.as_str());
                q.text == "A[] not deadlock" && outcome == Some("failure")
            });
            let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
            for seed in 1..=2 {
                let mut run = RandomRun::new(&interpreter, seed).unwrap();
                for step in 0..steps {
                    match run.step() {
                        Ok(Some(_)) => {}
                        Ok(None) if ends => break,
                        Ok(None) => panic!("{name}: deadlock after {step} steps"),
                        Err(error) => panic!("{name}: after {step} steps: {error}"),
                    }
                }
            }
        }
    }
}

#[test]
fn large_members_are_written_at_once() {
    for family in zonewalk_families::all() {
        let n = family.params[0].max;
        let start = Instant::now();
        let text = generate(family.name, &format!("n={n}"));
        assert!(start.elapsed() < Duration::from_secs(2), "{}", family.name);
        assert!(text.len() < 1 << 20, "{}: {} bytes", family.name, text.len());
    }
    let start = Instant::now();
    let loaded = load("train-gate n=2000", &generate("train-gate", "n=2000"));
    assert_eq!(loaded.system.processes.len(), 2001);
    // Fractions of a second; the limit is for busy machines.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
