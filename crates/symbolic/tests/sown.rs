//! Bugs sown into the engine: the judge refuses proofs of an engine that has them, and every proof of what is not true.
//!
//! `ZONEWALK_PROOFS` says how many random networks, `ZONEWALK_SEED` which is the first. Rare bugs need some hundreds of them.

// Helpers of tests may unwrap as tests do; with --nocapture the tallies are shown.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use support::proof::{Exploration, Shown, WAYS, explore, judged, networks};
use zonewalk_model::tree::Query;
use zonewalk_reference::proof::Judgement;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::sown::{Bug, sow};
use zonewalk_testkit::{Loaded, own, xta};

/// Answers with a bug.
#[derive(Clone, Copy, Debug, Default)]
struct Harvest {
    /// Proofs.
    proofs: u64,
    /// Those that the judge refuses.
    refused: u64,
    /// Proofs of what is not true.
    wrong: u64,
}

impl Harvest {
    /// Searches with a bug, and has the proof judged if there is one. A search that panics has no proof.
    fn gather(&mut self, bug: Bug, loaded: &Loaded, query: &Query, way: Exploration) {
        sow(Some(bug));
        let shown = catch_unwind(AssertUnwindSafe(|| explore(loaded, query, way)));
        sow(None);
        let Ok(Some(Shown::Proved(proof))) = shown else {
            return;
        };
        self.proofs += 1;
        let is_wrong = matches!(explore(loaded, query, way), Some(Shown::Reached));
        self.wrong += u64::from(is_wrong);
        match judged(loaded, query, &proof) {
            Judgement::Refused(_) => self.refused += 1,
            _ => assert!(!is_wrong, "{bug:?}, {way:?}: {} is not true", query.text),
        }
    }

    /// Harvest of random networks.
    fn random(bug: Bug) -> Harvest {
        let mut harvest = Harvest::default();
        for (seed, generated, loaded) in networks(300) {
            for (number, question) in (0..).zip(&generated.questions) {
                let query = loaded.query(&format!("E<> {question}")).unwrap();
                let way = WAYS[(seed as usize + number) % WAYS.len()];
                harvest.gather(bug, &loaded, &query, way);
            }
        }
        println!("{bug:?}: {harvest:?}");
        harvest
    }
}

/// At least so many of a thousand proofs are refused.
#[track_caller]
fn finds(bug: Bug, least: u64) {
    let harvest = Harvest::random(bug);
    assert!(harvest.refused * 1000 >= harvest.proofs * least, "{harvest:?}");
    assert!(harvest.proofs >= 50, "{harvest:?}");
}

#[test]
fn wrong_covering() {
    finds(Bug::Covering, 100);
}

#[test]
fn lost_offsets() {
    finds(Bug::Offset, 5);
}

#[test]
fn lost_instants() {
    finds(Bug::StopInstant, 5);
}

#[test]
fn blocking_by_what_does_not_exist() {
    finds(Bug::Blocking, 5);
}

#[test]
fn lost_delays() {
    finds(Bug::Delay, 300);
}

#[test]
fn forgotten_variables() {
    finds(Bug::Liveness, 10);
}

/// Constants of random networks are small: these do not fit into the narrowest words. One of the sums that closing a zone makes is
/// what does not fit at first.
#[test]
fn zones_that_are_not_packed() {
    let mut harvest = Harvest::default();
    for constant in [50, 5_000, 80_000_000] {
        let model = |guard: &str| {
            xta(&format!(
                "clock g, x; process P() {{ state A {{ g <= {constant} }}, B; init A;
                trans A -> A {{ assign g = 0; }}, A -> B {{ guard {guard}; }}; }} system P;"
            ))
        };
        for guard in [
            format!("x >= {constant} && g <= 5"),
            format!("x >= {constant} && x - g >= 7"),
            format!("x - g >= {constant}"),
            format!("x > {constant} && g < {constant}"),
        ] {
            let loaded = model(&guard);
            let query = loaded.query("E<> P.B").unwrap();
            for way in WAYS {
                let way = Exploration {
                    abstraction: Abstraction::LuPlus,
                    ..way
                };
                harvest.gather(Bug::Packing, &loaded, &query, way);
            }
        }
    }
    for model in own::models() {
        for (query, _) in model.queries() {
            let way = Exploration { most: 500, ..WAYS[0] };
            harvest.gather(Bug::Packing, &model.loaded, &query, way);
        }
    }
    println!("{:?}: {harvest:?}", Bug::Packing);
    assert!(harvest.refused >= 8 && harvest.wrong > 0, "{harvest:?}");
}

/// Without a bug nothing is refused: what is found above is due to the bugs.
#[test]
fn no_bug() {
    for (seed, generated, loaded) in networks(300) {
        for (number, question) in (0..).zip(&generated.questions) {
            let query = loaded.query(&format!("E<> {question}")).unwrap();
            if let Some(Shown::Proved(proof)) =
                explore(&loaded, &query, WAYS[(seed as usize + number) % WAYS.len()])
            {
                let judgement = judged(&loaded, &query, &proof);
                let is_accepted = matches!(judgement, Judgement::Accepted(_));
                assert!(
                    is_accepted,
                    "seed {seed}: {}: {judgement:?}\n{}",
                    query.text, generated.text
                );
            }
        }
    }
}
