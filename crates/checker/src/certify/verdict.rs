//! Judgement of a proof by the judge of proofs.

use super::support::obstacle;
use super::{Case, NOT_WANTED};
use crate::options::proofs::Certify;
use crate::outcome::Limit;
use crate::outcome::proof::{Judged, TOO_LARGE};
use std::num::NonZeroUsize;
use std::time::Instant;
use zonewalk_certificate::{Certificate, Claim};
use zonewalk_reference::proof::{Judgement, Limits, judge};

/// Nodes from which on several threads judge: fewer are judged before the threads have begun.
const FEW: usize = 1_000;

impl Case<'_, '_, '_> {
    /// Why the judge could say nothing about a proof of this claim.
    pub(super) fn uncovered(&self, claim: &Claim) -> Option<String> {
        // Their old values are no part of a state (`semantics.md` 18), and a search that meets them follows the way that it came.
        if !self.checker.task.stale_variables().is_empty() {
            return Some(
                "the judge of proofs does not cover meta variables that are read before they are written"
                    .to_owned(),
            );
        }
        let of = (self.model, self.system);
        obstacle(of, self.query, claim, self.checker.is_approximate())
    }

    /// Judges a proof. What comes with it is a contradiction, if there is one.
    pub(super) fn judge(&self, certificate: &Certificate) -> (Judged, Option<String>) {
        let start = Instant::now();
        let stop = || self.control.is_interrupted() || self.options.is_late();
        let limits = Limits {
            threads: if certificate.nodes.len() < FEW {
                NonZeroUsize::MIN
            } else {
                self.options.threads
            },
            stop: Some(&stop),
            sample: None,
        };
        match judge(self.model, self.system, self.query, certificate, &limits) {
            Judgement::Accepted(counts) => {
                let took = start.elapsed();
                (Judged::Accepted { counts, took }, None)
            }
            Judgement::NotCovered(construct) => {
                let why = format!("the judge of proofs does not cover {construct}");
                (Judged::Not(why), None)
            }
            Judgement::Stopped(_) => (Judged::Not(self.limit_in_words()), None),
            // There the judge lets more pass than the search does, so that a proof need not be one to it.
            Judgement::Refused(_) if self.checker.is_approximate() => {
                let why = "the judge of proofs cannot follow it where clocks are stopped".to_owned();
                (Judged::Not(why), None)
            }
            // A guard such as `n == 3 && id == 0` reads `n` by the rules of the language; the search knows that `id` is another one
            // in this process, and has left `n` open.
            Judgement::Refused(refusal) if refusal.reads_open_value => {
                let why = "the judge of proofs reads a value that the search has left open".to_owned();
                (Judged::Not(why), None)
            }
            Judgement::Refused(refusal) => {
                let bug = format!("the judge of proofs refuses the proof by the search: {refusal}");
                (
                    Judged::Not("the judge of proofs refuses it".to_owned()),
                    Some(bug),
                )
            }
        }
    }

    /// Why what was asked to stop did.
    pub(super) fn limit_in_words(&self) -> String {
        let limit = if self.control.is_interrupted() {
            Limit::Cancelled
        } else {
            Limit::Time
        };
        match limit {
            Limit::Cancelled => "interrupted".to_owned(),
            _ => "the time limit was reached".to_owned(),
        }
    }

    /// Why a proof that could be judged is not.
    pub(super) fn unasked(&self) -> Judged {
        let why = match self.options.proofs.certify {
            Certify::Never => NOT_WANTED,
            Certify::Auto | Certify::Always => TOO_LARGE,
        };
        Judged::Not(why.to_owned())
    }
}
