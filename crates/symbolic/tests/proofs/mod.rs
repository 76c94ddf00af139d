//! Searches that have explored everything can prove it: the judge of proofs accepts what they have stored.

mod mutants;
mod random;

use crate::support::proof::{Exploration, Shown, explore, explore_ranked, explore_within, judged};
use zonewalk_certificate::{Claim, End};
use zonewalk_reference::proof::Judgement;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::store::Covering;
use zonewalk_testkit::own;

/// Larger state spaces of own models are not explored here.
const STATES: usize = 1_000;

const WAYS: [Exploration; 3] = {
    let plain = Exploration {
        abstraction: Abstraction::LuPlus,
        covering: Covering::Inclusion,
        forgets: true,
        is_deep: false,
        goes_on: false,
        most: STATES,
    };
    [
        plain,
        Exploration {
            abstraction: Abstraction::M,
            forgets: false,
            ..plain
        },
        Exploration {
            abstraction: Abstraction::Lu,
            covering: Covering::Equality,
            ..plain
        },
    ]
};

#[test]
fn proofs_about_own_models_are_accepted() {
    let (mut accepted, mut nodes, mut refused) = (0, 0, Vec::new());
    for model in own::models() {
        let queries = model.queries().into_iter().map(|(query, _)| query);
        let deadlock = model.loaded.query("A[] not deadlock").ok();
        for query in queries.chain(deadlock) {
            for way in WAYS {
                let Some(Shown::Proved(certificate)) = explore(&model.loaded, &query, way) else {
                    continue;
                };
                match judged(&model.loaded, &query, &certificate) {
                    Judgement::Accepted(counts) => {
                        assert_eq!(counts.nodes, certificate.nodes.len() as u64);
                        accepted += 1;
                        nodes += counts.nodes;
                    }
                    other => refused.push(format!("{}: {}: {way:?}: {other:?}", model.name, query.text)),
                }
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(
        accepted > 60 && nodes > 5_000,
        "{accepted} proofs of {nodes} nodes"
    );
}

#[test]
fn events_that_own_models_must_reach_have_ranks() {
    let (mut accepted, mut nodes, mut refused) = (0, 0, Vec::new());
    for model in own::models() {
        for (query, _) in model.queries() {
            let Some(Shown::Proved(certificate)) = explore_ranked(&model.loaded, &query, STATES) else {
                continue;
            };
            match judged(&model.loaded, &query, &certificate) {
                Judgement::Accepted(counts) => {
                    accepted += 1;
                    nodes += counts.nodes;
                }
                other => refused.push(format!("{}: {}: {other:?}", model.name, query.text)),
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(accepted > 5 && nodes > 100, "{accepted} proofs of {nodes} nodes");
}

/// The largest claim that can be proved, of those up to a limit, and whether the next one is wrong.
fn largest(claims: impl Iterator<Item = Claim>, prove: impl Fn(Claim) -> Option<Shown>) -> Option<Shown> {
    let mut largest = None;
    for claim in claims {
        match prove(claim)? {
            proved @ Shown::Proved(_) => largest = Some(proved),
            Shown::Reached => return largest,
            Shown::Nothing => return None,
        }
    }
    None
}

#[test]
fn fewest_steps_and_least_times_of_own_models_are_proved() {
    let (mut accepted, mut nodes, mut refused) = (0, 0, Vec::new());
    for model in own::models() {
        for (query, _) in model.queries() {
            let steps = (0..8).map(Claim::Steps);
            let times = (0..8).map(|half| {
                Claim::Time(End {
                    at: half / 2,
                    strict: half % 2 == 1,
                })
            });
            let prove = |claim| explore_within(&model.loaded, &query, claim, WAYS[0]);
            for shown in [largest(steps, prove), largest(times, prove)] {
                let Some(Shown::Proved(certificate)) = shown else {
                    continue;
                };
                match judged(&model.loaded, &query, &certificate) {
                    Judgement::Accepted(counts) => {
                        accepted += 1;
                        nodes += counts.nodes;
                    }
                    other => refused.push(format!("{}: {}: {other:?}", model.name, query.text)),
                }
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(accepted > 20 && nodes > 100, "{accepted} proofs of {nodes} nodes");
}
