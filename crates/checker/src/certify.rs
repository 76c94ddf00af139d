//! Proofs: the states that a search has explored become a certificate, and the judge of proofs has the last word.
//!
//! An answer by exploring everything is to be trusted as far as the search is. Its states are therefore handed to the judge, who knows
//! the rules of the language and nothing of searches; what the judge refuses is a bug, as is a trace that does not replay.
//! Searches that keep no set of all states are followed by one that does.

mod claims;
mod file;
mod lint;
mod second_pass;
mod support;
mod verdict;

pub(crate) use claims::of_values;
pub use file::{JudgeOptions, JudgedCertificate, ReadCertificate};
pub use lint::FormFinding;
pub use support::claim_of;

use crate::control::Control;
use crate::options::Options;
use crate::options::proofs::ProofOptions;
use crate::outcome::proof::{Evident, Gathered, Judged, KeptCertificate, Proof};
use crate::outcome::{CheckerReport, Outcome};
use crate::task::{Checker, CompiledQuery};
use std::time::Instant;
use zonewalk_certificate::{Certificate, Claim, Columns, Header};
use zonewalk_model::system::System;
use zonewalk_model::tree::{Model, Query};
use zonewalk_symbolic::stored::StoredStates;

/// Reason where nobody wants a proof.
const NOT_WANTED: &str = "not asked for";

/// A claim about a model, and how it may be proved.
struct Case<'a, 't, 'm> {
    checker: &'a Checker<'t, 'm>,
    model: &'m Model,
    system: &'m System,
    query: Option<&'m Query>,
    compiled: Option<&'a CompiledQuery<'m>>,
    options: &'a Options,
    control: &'a Control,
}

impl<'m> Checker<'_, 'm> {
    /// Makes nodes of the states of a search, as far as somebody wants them.
    pub(crate) fn gather(&self, stored: Option<StoredStates<'_>>, options: &Options) -> Option<Gathered> {
        if options.proofs == ProofOptions::NONE {
            return None;
        }
        let stored = stored?;
        let system = self.task.interpreter.system();
        if stored.count() > options.proofs.most_nodes(system.clocks.len()) {
            return Some(Gathered::TooMany(stored.count()));
        }
        let columns = Columns::of(self.task.interpreter.model(), system).ok()?;
        Some(Gathered::Nodes(stored.nodes(&columns, &system.initial)))
    }

    /// Has the proof of an answer judged, if the answer rests on having explored everything.
    pub(crate) fn certified(
        &self,
        query: Option<usize>,
        mut report: CheckerReport,
        options: &Options,
        control: &Control,
    ) -> CheckerReport {
        let evident = report.evident.take();
        let rests_on_all = match &report.outcome {
            Outcome::Values { doubt: None, .. } => true,
            outcome => outcome.is_by_exhaustion(),
        };
        if !rests_on_all {
            return report;
        }
        let start = Instant::now();
        let compiled = query.and_then(|query| self.task.compiled(query));
        let case = Case {
            checker: self,
            model: self.task.interpreter.model(),
            system: self.task.interpreter.system(),
            query: query.and_then(|query| self.task.query(query)),
            compiled,
            options,
            control,
        };
        let mut proof = match (evident, compiled) {
            (Some(evident), _) => case.prove(evident),
            (None, Some(CompiledQuery::States(_))) => case.prove(Evident {
                claim: Claim::Unreachable,
                states: None,
            }),
            (None, Some(CompiledQuery::Run(_) | CompiledQuery::LeadsTo(..))) => case.prove(Evident {
                claim: Claim::Inevitable,
                states: None,
            }),
            (None, Some(CompiledQuery::Extremes { .. })) => {
                Proof::unjudged(None, "no nodes can show that there is no bound")
            }
            (None, _) => Proof::unjudged(None, "this answer has no certificate"),
        };
        if let Some(bug) = proof.bug.take() {
            report.outcome = Outcome::Bug(bug);
        }
        report.proof = Some(Box::new(proof));
        report.times.judge = start.elapsed();
        report
    }
}

impl Case<'_, '_, '_> {
    /// Proves a claim, and has the proof judged.
    fn prove(&self, evident: Evident) -> Proof {
        let wanted = self.options.proofs;
        let Evident { claim, states } = evident;
        if wanted == ProofOptions::NONE {
            return Proof::unjudged(Some(claim), NOT_WANTED);
        }
        let uncovered = self.uncovered(&claim);
        if let Some(why) = &uncovered
            && !wanted.keeps_certificates
        {
            return Proof::unjudged(Some(claim), why);
        }
        let nodes = match states {
            Some(Gathered::Nodes(nodes)) => nodes,
            Some(Gathered::TooMany(count)) => return Proof::too_large(claim, count),
            None => match self.second_pass(&claim) {
                Ok(nodes) => nodes,
                Err(proof) => return *proof,
            },
        };
        let columns = match Columns::of(self.model, self.system) {
            Ok(columns) => columns,
            Err(fault) => return Proof::unjudged(Some(claim), &fault.to_string()),
        };
        let mut certificate = Certificate {
            header: Header::default(),
            claim,
            nodes,
        };
        certificate.sort();
        let count = certificate.nodes.len();
        let (judged, bug) = match uncovered {
            Some(why) => (Judged::Not(why), None),
            None if count > wanted.most_judged(self.system.clocks.len()) => (self.unasked(), None),
            None => self.judge(&certificate),
        };
        Proof {
            claim: Some(certificate.claim.clone()),
            nodes: Some(count),
            judged,
            bug,
            kept: (wanted.keeps_certificates).then(|| Box::new(KeptCertificate { certificate, columns })),
        }
    }
}
