//! Shortest runs without end of random networks: every one of them is replayed.
//!
//! `ZONEWALK_NETWORKS` says of how many networks (300 unless told otherwise).
#![allow(clippy::unwrap_used)]

use zonewalk_checker::{
    Evidence, Optimality, Options, Outcome, TraceKind, TraceOptions, ZoneOptions, check_text,
};
use zonewalk_testkit::{generate::network, number};

#[test]
fn shortest_runs_without_end_replay() {
    let networks = number("ZONEWALK_NETWORKS").unwrap_or(300);
    let options = Options {
        zones: ZoneOptions {
            max_states: Some(300),
            ..ZoneOptions::default()
        },
        trace: TraceOptions {
            kind: TraceKind::Shortest,
            ..TraceOptions::default()
        },
        ..Options::default()
    };
    let (mut proved, mut open, mut shorter) = (0, 0, 0);
    for seed in 1..=networks {
        let generated = network(seed);
        let (p, q) = (&generated.questions[0], &generated.questions[1]);
        let queries = [
            format!("E[] not ({p})"),
            format!("A<> ({q})"),
            format!("({p}) --> ({q})"),
        ];
        for query in queries {
            let report = check_text("m.xta", &generated.text, &query, &options).unwrap();
            match report.outcome {
                Outcome::Bug(error) => panic!("seed {seed}, {query}: {error}\n{}", generated.text),
                Outcome::Decided {
                    evidence: Evidence::Run(witness),
                    ..
                } => {
                    // Two rounds of a shorter cycle may have more steps than one of a longer one.
                    shorter += usize::from(witness.steps < witness.found_steps);
                    match witness.optimality {
                        Optimality::Shortest => proved += 1,
                        Optimality::UnprovenShortest(_) => open += 1,
                        other => panic!("{other:?}"),
                    }
                }
                _ => {}
            }
        }
    }
    assert!(
        proved > 4 * open && 20 * shorter > proved,
        "{proved} proved, {open} open, {shorter} shorter"
    );
}
