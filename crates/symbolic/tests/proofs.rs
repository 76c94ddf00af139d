//! Searches that have explored everything can prove it: the judge of proofs accepts what they have stored.

use crate::support::proof::{Exploration, Shown, explore, judged};
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

/// For deadlocks the judge looks at no delay where a clock stands still.
const OPEN: [(&str, &str); 1] = [("scheduler.xml", "A[] not deadlock")];

#[test]
fn proofs_about_own_models_are_accepted() {
    let (mut accepted, mut nodes, mut refused) = (0, 0, Vec::new());
    for model in own::models() {
        let queries = model.queries().into_iter().map(|(query, _)| query);
        let deadlock = model.loaded.query("A[] not deadlock").ok();
        for query in queries.chain(deadlock) {
            if OPEN.contains(&(&model.name, &query.text)) {
                continue;
            }
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
