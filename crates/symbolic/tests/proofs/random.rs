//! Proofs about random networks are accepted, and claims that a run refutes are not.
//!
//! `ZONEWALK_PROOFS` says how many networks (40 unless told otherwise), `ZONEWALK_SEED` which is the first.

// With --nocapture the tallies are shown.
#![allow(clippy::print_stdout)]

use super::largest;
use crate::support::proof::{
    Exploration, STATES, Shown, WAYS, certificate, explore, explore_ranked, explore_within, judged, networks,
};
use std::collections::BTreeMap;
use zonewalk_certificate::{Certificate, Claim, End};
use zonewalk_model::tree::{Query, QueryKind};
use zonewalk_reference::proof::{Judgement, Obligation};
use zonewalk_testkit::Loaded;

/// Judgements of proofs, and of claims that are wrong.
#[derive(Default)]
struct Tally {
    accepted: u64,
    nodes: u64,
    false_claims: BTreeMap<Obligation, u64>,
    failures: Vec<String>,
}

impl Tally {
    fn expect_accepted(
        &mut self,
        text: &str,
        what: &str,
        loaded: &Loaded,
        query: &Query,
        proof: &Certificate,
    ) {
        match judged(loaded, query, proof) {
            Judgement::Accepted(counts) => {
                self.accepted += 1;
                self.nodes += counts.nodes;
            }
            other => self
                .failures
                .push(format!("{what}: {}: {other:?}\n{text}", query.text)),
        }
    }

    fn expect_refused(
        &mut self,
        text: &str,
        what: &str,
        loaded: &Loaded,
        query: &Query,
        claim: &Certificate,
    ) {
        match judged(loaded, query, claim) {
            Judgement::Refused(refusal) => *self.false_claims.entry(refusal.obligation).or_default() += 1,
            other => self.failures.push(format!(
                "{what}, a false claim: {}: {other:?}\n{text}",
                query.text
            )),
        }
    }

    /// At least so many proofs and false claims per hundred networks.
    fn check(mut self, networks: u64, proofs: u64, claims: u64) {
        self.failures.sort_by_key(String::len);
        let shown = &self.failures[..self.failures.len().min(4)];
        let refused: u64 = self.false_claims.values().sum();
        println!(
            "{} proofs of {} nodes accepted, {refused} false claims refused: {:?}; {} failures",
            self.accepted,
            self.nodes,
            self.false_claims,
            self.failures.len()
        );
        assert!(
            shown.is_empty(),
            "{} failures\n{}",
            self.failures.len(),
            shown.join("\n")
        );
        assert!(
            self.accepted >= networks * proofs / 100,
            "{} proofs",
            self.accepted
        );
        assert!(refused >= networks * claims / 100, "{refused} false claims");
    }
}

#[test]
fn unreachable_states() {
    let (mut tally, mut count) = (Tally::default(), 0);
    for (seed, generated, loaded) in networks(40) {
        count += 1;
        for (number, question) in (0..).zip(&generated.questions) {
            let query = match number % 3 {
                2 => loaded.query(&format!("A[] not ({question})")).unwrap(),
                _ => loaded.query(&format!("E<> {question}")).unwrap(),
            };
            for turn in 0..2 {
                let way = WAYS[(seed as usize + number + 4 * turn) % WAYS.len()];
                let what = format!("seed {seed}, {way:?}");
                match explore(&loaded, &query, way) {
                    Some(Shown::Proved(proof)) => {
                        tally.expect_accepted(&generated.text, &what, &loaded, &query, &proof);
                    }
                    Some(Shown::Reached) => {
                        let way = Exploration { goes_on: true, ..way };
                        if let Some(Shown::Proved(claim)) = explore(&loaded, &query, way) {
                            tally.expect_refused(&generated.text, &what, &loaded, &query, &claim);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    tally.check(count, 300, 300);
}

#[test]
fn inevitable_events() {
    let (mut tally, mut count) = (Tally::default(), 0);
    for (seed, generated, loaded) in networks(40) {
        count += 1;
        let questions = || {
            generated
                .questions
                .iter()
                .filter(|question| !question.contains("deadlock"))
        };
        let mut queries: Vec<String> = questions()
            .flat_map(|q| [format!("A<> {q}"), format!("E[] {q}"), format!("E[] not ({q})")])
            .collect();
        queries.extend(
            questions()
                .zip(questions().skip(1))
                .map(|(p, q)| format!("{p} --> {q}")),
        );
        queries.push("true --> v == 0 || v == 1".to_owned());
        for text in queries {
            let query = loaded.query(&text).unwrap();
            let what = format!("seed {seed}");
            match explore_ranked(&loaded, &query, STATES) {
                Some(Shown::Proved(proof)) => {
                    tally.expect_accepted(&generated.text, &what, &loaded, &query, &proof);
                }
                Some(Shown::Reached) => {
                    // All states, with ranks that fall along the order in which they were found.
                    let everything = loaded.query(&format!("E<> {}", generated.questions[0])).unwrap();
                    let way = Exploration {
                        goes_on: true,
                        forgets: false,
                        ..WAYS[0]
                    };
                    let Some(Shown::Proved(all)) = explore(&loaded, &everything, way) else {
                        continue;
                    };
                    let mut nodes = match query.kind {
                        QueryKind::LeadsTo(..) => all.nodes.clone(),
                        _ => Vec::new(),
                    };
                    for (rank, mut node) in (0..).zip(all.nodes.into_iter().rev()) {
                        node.rank = Some(rank);
                        nodes.push(node);
                    }
                    let claim = certificate(Claim::Inevitable, nodes);
                    tally.expect_refused(&generated.text, &what, &loaded, &query, &claim);
                }
                _ => {}
            }
        }
    }
    tally.check(count, 100, 300);
}

#[test]
fn fewest_steps_and_least_times() {
    let (mut tally, mut count) = (Tally::default(), 0);
    for (seed, generated, loaded) in networks(40) {
        count += 1;
        for (number, question) in (0..).zip(&generated.questions) {
            let query = loaded.query(&format!("E<> {question}")).unwrap();
            let way = WAYS[(seed as usize + number) % WAYS.len()];
            let what = format!("seed {seed}, {way:?}");
            let end = |half: i64| End {
                at: half / 2,
                strict: half % 2 == 1,
            };
            let prove = |claim| explore_within(&loaded, &query, claim, way);
            for shown in [
                largest((1..10).map(Claim::Steps), prove),
                largest((1..10).map(|half| Claim::Time(end(half))), prove),
            ] {
                let Some(Shown::Proved(proof)) = shown else {
                    continue;
                };
                tally.expect_accepted(&generated.text, &what, &loaded, &query, &proof);
                let more = match proof.claim {
                    Claim::Steps(steps) => Claim::Steps(steps + 1),
                    Claim::Time(End { at, strict }) => Claim::Time(end(2 * at + i64::from(strict) + 1)),
                    other => other,
                };
                let claim = certificate(more, proof.nodes);
                tally.expect_refused(&generated.text, &what, &loaded, &query, &claim);
            }
        }
    }
    tally.check(count, 100, 100);
}
